"""A terminal's screen: what is left of the bytes that a program writes to it.

Knows the sequences that `gallop play` uses and no others, so that a stray one is found.
"""

import re
import unicodedata

TOKEN = re.compile(
    rb"\x1b\[([<=>?]?)([0-9;]*)([@-~])"  # control sequences
    rb"|\x1b[P_\]].*?(?:\x1b\\|\x07)"  # strings: pictures of kitty, sixel and iTerm2
    rb"|\x1b\\"  # the end of a string that is none
    rb"|(?:\x1b\[[<=>?]?[0-9;]*|\x1b)(?=\x1b)"  # cut off by the next one, as at the end of a program
    rb"|[\x20-\x7e]|[\xc2-\xf4][\x80-\xbf]*",
    re.DOTALL)

# The modes that a session changes, and what they are without one.
DEFAULTS = {"7": True, "25": True, "1002": False, "1003": False, "1006": False, "1049": False, "2026": False}


# What a program asks a terminal, by the beginning or the whole of the sequence.
QUESTIONS = {b"\x1b]11;?": "background", b"\x1b_Gi=31,": "kitty", b"\x1bP$qm": "color", b"\x1b[16t": "cell", b"\x1b[14t": "area",
             b"\x1b[c": "attributes"}
# The colour that a program sets to ask for it.
PROBE = "48;2;1;2;3"
# How strings of pictures begin.
PICTURES = {b"\x1b_Ga=T": "kitty", b"\x1bP0;1;0q": "sixel", b"\x1b]1337": "iterm2"}


class Screen:
    def __init__(self, columns, rows):
        self.modes = dict(DEFAULTS)
        self.questions = []
        self.pictures = set()
        # The kinds of colours that were set: "8", "16", "256" and "direct".
        self.colors = set()
        self.pending = b""
        self.inverse = False
        self.resize(columns, rows)

    def resize(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.column, self.row = 0, 0
        self.clear()

    def clear(self):
        self.cells = [[" "] * self.columns for _ in range(self.rows)]
        self.marked = [[False] * self.columns for _ in range(self.rows)]

    def feed(self, data):
        data = self.pending + data
        position = 0
        while position < len(data):
            match = TOKEN.match(data, position)
            if match is None:
                # Cut off in the middle of something, or nothing that should be here.
                if data[position] not in b"\x1b" and data[position] < 0xC2:
                    raise ValueError("stray byte %r" % data[position:position + 20])
                break
            if data[position] < 0xC2 or complete(match.group()):
                self.take(match)
            elif match.end() == len(data):
                break
            position = match.end()
        self.pending = data[position:]

    def take(self, match):
        text = match.group()
        for beginning, name in QUESTIONS.items():
            if text.startswith(beginning):
                self.questions.append(name)
                return
        self.pictures.update(name for beginning, name in PICTURES.items() if text.startswith(beginning))
        if match.group(3):
            self.control(match.group(1), match.group(2).decode(), match.group(3))
        elif text[:1] != b"\x1b":
            self.put(text.decode())

    def control(self, marker, numbers, final):
        values = [int(number or 0) for number in numbers.split(";")] if numbers else []
        if marker == b"?" and final in b"hl":
            assert numbers in DEFAULTS, "unknown mode " + numbers
            self.modes[numbers] = final == b"h"
        elif final == b"H":
            self.row, self.column = (values[0] - 1, values[1] - 1) if values else (0, 0)
        elif final == b"C":
            self.column += values[0] if values else 1
        elif final == b"J" and values == [2]:
            self.clear()
        elif final == b"m":
            if numbers != PROBE:
                self.colors.update(self.kinds(values))
            for value in self.attributes(values):
                self.inverse = value == 7 or (self.inverse and value not in (0, 27))
        else:
            raise ValueError("unknown sequence %r %r %r" % (marker, numbers, final))

    @staticmethod
    def kinds(values):
        """The kinds of the colours among attributes."""
        rest = list(values)
        while rest:
            value = rest.pop(0)
            if value in (38, 48):
                yield "direct" if rest[0] == 2 else "256"
                rest = rest[4:] if rest[0] == 2 else rest[2:]
            elif 30 <= value < 38 or 40 <= value < 48:
                yield "8"
            elif 90 <= value < 98 or 100 <= value < 108:
                yield "16"

    @staticmethod
    def attributes(values):
        """The attributes but for the parts of colours."""
        rest = list(values) or [0]
        while rest:
            value = rest.pop(0)
            yield value
            if value in (38, 48):
                rest = rest[4:] if rest[0] == 2 else rest[2:]

    def put(self, character):
        width = 2 if unicodedata.east_asian_width(character) in "WF" else 1
        # While it changes its size, a program may draw for the one before.
        if self.row < self.rows and self.column + width <= self.columns:
            self.cells[self.row][self.column] = character
            self.marked[self.row][self.column] = self.inverse
            if width == 2:
                self.cells[self.row][self.column + 1] = ""
        self.column += width

    def line(self, row):
        return "".join(self.cells[row]).rstrip()

    @property
    def text(self):
        return "\n".join(self.line(row) for row in range(self.rows))

    @property
    def selection(self):
        """The text in reverse video."""
        return "".join(
            character for cells, marks in zip(self.cells, self.marked)
            for character, mark in zip(cells, marks) if mark and character.isascii()).strip()


def complete(encoded):
    first = encoded[0]
    return len(encoded) == (2 if first < 0xE0 else 3 if first < 0xF0 else 4)
