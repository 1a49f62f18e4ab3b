#!/usr/bin/env python3
"""Writes a picture of what `gallop play --terminal` shows in a terminal with a light background.

    picture.py [--gallop .build/release/gallop] [--size 84x26] OUTPUT.png FILE...

Needs Python's Pillow and the font DejaVu Sans Mono.
"""

import argparse
import os
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from galloptools.terminal.program import ANSWERS, TerminalProgram
from galloptools.terminal.screen import Screen

CELL = (9, 18)
PAPER, INK = (0xFD, 0xF6, 0xE3), (0x58, 0x6E, 0x75)
# Solarized's sixteen colours.
PALETTE = [0x073642, 0xDC322F, 0x859900, 0xB58900, 0x268BD2, 0xD33682, 0x2AA198, 0xEEE8D5,
           0x93A1A1, 0xCB4B16, 0x586E75, 0x657B83, 0x839496, 0x6C71C4, 0x93A1A1, 0xFDF6E3]
# The quarters of a cell that a character fills: upper left, upper right, lower left, lower right.
QUARTERS = {"▀": "1100", "▄": "0011", "▌": "1010", "▐": "0101", "▖": "0010", "▗": "0001", "▘": "1000", "▝": "0100",
            "▚": "1001", "▞": "0110", "▙": "1011", "▛": "1110", "▜": "1101", "▟": "0111", "█": "1111"}
SHADES = {"░": 0.25, "▒": 0.5, "▓": 0.75}


def color(number):
    return tuple(number.to_bytes(3, "big"))


class ColorScreen(Screen):
    """A screen that keeps the colours of its cells."""

    def clear(self):
        super().clear()
        self.style = (None, None, False)
        self.styles = [[self.style] * self.columns for _ in range(self.rows)]

    def control(self, marker, numbers, final):
        if final == b"m" and not marker:
            self.set_style([int(number or 0) for number in numbers.split(";")] if numbers else [0])
        super().control(marker, numbers, final)

    def set_style(self, values):
        ink, paper, inverse = self.style
        while values:
            value = values.pop(0)
            if value in (38, 48):
                if values.pop(0) == 2:
                    chosen, values = tuple(values[:3]), values[3:]
                else:
                    chosen = color(PALETTE[values.pop(0) % 16])
                ink, paper = (chosen, paper) if value == 38 else (ink, chosen)
            elif value == 0:
                ink, paper, inverse = None, None, False
            elif value == 7:
                inverse = True
            elif value in (39, 49):
                ink, paper = (None, paper) if value == 39 else (ink, None)
            elif 30 <= value < 38 or 90 <= value < 98:
                ink = color(PALETTE[value - (30 if value < 90 else 82)])
            elif 40 <= value < 48 or 100 <= value < 108:
                paper = color(PALETTE[value - (40 if value < 100 else 92)])
        self.style = (ink, paper, inverse)

    def put(self, character):
        if self.row < self.rows and self.column < self.columns:
            self.styles[self.row][self.column] = self.style
        super().put(character)


def draw(screen):
    width, height = CELL
    picture = Image.new("RGB", (screen.columns * width, screen.rows * height), PAPER)
    canvas = ImageDraw.Draw(picture)
    font = ImageFont.truetype("DejaVuSansMono.ttf", 15)
    for row in range(screen.rows):
        for column in range(screen.columns):
            ink, paper, inverse = screen.styles[row][column]
            ink, paper = ink or INK, paper or PAPER
            if inverse:
                ink, paper = paper, ink
            x, y = column * width, row * height
            canvas.rectangle((x, y, x + width - 1, y + height - 1), fill=paper)
            character = screen.cells[row][column]
            if character in QUARTERS:
                for place, filled in enumerate(QUARTERS[character]):
                    left, top = x + place % 2 * 4, y + place // 2 * 9
                    if filled == "1":
                        canvas.rectangle((left, top, left + (4 if place % 2 else 3), top + 8), fill=ink)
            elif character in SHADES:
                part = SHADES[character]
                mixed = tuple(round(a * part + b * (1 - part)) for a, b in zip(ink, paper))
                canvas.rectangle((x, y, x + width - 1, y + height - 1), fill=mixed)
            elif character.strip():
                canvas.text((x, y), character, font=font, fill=ink)
    return picture


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gallop", default=".build/release/gallop")
    parser.add_argument("--size", default="84x26")
    parser.add_argument("output", type=Path)
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    columns, rows = map(int, options.size.split("x"))
    command = [os.path.abspath(options.gallop), "play", "--terminal", "--graphics", "symbols", *options.files]
    with TerminalProgram(command, size=(columns, rows), answers=ANSWERS) as player:
        player.screen = ColorScreen(columns, rows)
        player.see(r"#\d*[2-9] of \d+ ")
        picture = draw(player.screen)
        player.end()
    picture.quantize(160, kmeans=1, dither=Image.Dither.NONE).save(options.output, optimize=True)
    print("%s: %d KB" % (options.output, options.output.stat().st_size // 1000))


if __name__ == "__main__":
    main()
