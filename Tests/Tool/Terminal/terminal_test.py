#!/usr/bin/env python3
"""Drives `gallop play --terminal` in terminals of its own and checks what they show and how they are left.

    terminal_test.py [--gallop .build/release/gallop] [--gifs Samples/GIFs] [ONLY...]

Each step waits for what it leads to on the screen, or for the end of the process; nothing waits for a fixed time.
"""

import argparse
import json
import os
import random
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

from galloptools.checks import Failure, Tests, check
from galloptools.terminal.program import ANSWERS, TIMEOUT, TerminalProgram


class Player(TerminalProgram):
    """A running `gallop play` and the terminal it has to itself."""

    def __init__(self, arguments, graphics="symbols", **settings):
        chosen = ["--graphics", graphics] if graphics else []
        super().__init__([options.gallop, "play", "--terminal", *chosen, *arguments], **settings)


def gif(name):
    return os.path.join(options.gifs, name + ".gif")


def wall():
    return sorted(os.path.join(options.gifs, name) for name in os.listdir(options.gifs)
                  if name.endswith(".gif"))


# --- What is shown

def test_single():
    with Player([gif("gallop")]) as player:
        player.see(r"#\d+ of 30  gallop  1.00x  forward  contain")
        modes = player.screen.modes
        check(modes["1049"] and modes["1002"] and modes["1006"] and not modes["25"], "modes %s" % modes)
        frames = set()

        def three_frames():
            frames.update(re.findall(r"#(\d+) of 30", player.screen.line(23)))
            return len(frames) >= 3

        player.wait("three frames", three_frames)
        player.type("d")
        player.see(r"cache .* of 30\n")
        player.see(r"delays .*30 ms each\n")
        player.see(r"lateness .*worst")
        player.see(r"memory .*frames\n")
        player.see(r"players 1/1")
        player.type("d")
        player.wait("no overlay", lambda: "lateness" not in player.screen.text)
        player.end()


def test_keys():
    with Player([gif("gallop")]) as player:
        player.see("▶")
        player.type(" ")
        player.see("‖")
        player.type("\x1b[H")
        player.see("#0 of 30")
        player.type("\x1b[C")
        player.see("#1 of 30")
        player.type("\x1b[D")
        player.see("#0 of 30")
        player.type("\x1b[F")
        player.see("#29 of 30")
        for keys, pattern in [("+", "1.25x"), ("0-", "0.80x"), ("0r", "reverse"), ("rb", "bounce"), ("b", "forward"),
                              ("f", "cover"), ("f", "stretch"), ("f", "contain")]:
            player.type(keys)
            player.see(pattern)
        player.type("\x1b[Hi...o")
        player.see("range #0 - #3")
        player.type("x")
        player.wait("the whole range", lambda: "range #0 - #3" not in player.screen.text)
        player.end(keys="\x1b")


def test_wall():
    names = [os.path.basename(path)[:-4] for path in wall()]
    with Player(wall(), size=(100, 30)) as player:
        for name in names:
            player.see(name)
        player.see("tile 1/%d" % len(names))
        player.wait("a mark", lambda: player.screen.selection == names[0])
        player.type("n")
        player.wait("the next one", lambda: player.screen.selection == names[1])
        player.type("pp")
        player.wait("the last one", lambda: player.screen.selection == names[-1])
        player.end()


def test_scrolling():
    names = [os.path.basename(path)[:-4] for path in wall()]
    with Player(["--columns", "2", *wall()], size=(60, 24)) as player:
        last, first = names[-1], names[0]
        player.see(first)
        check(last not in player.screen.text, "all are in sight")
        player.type("\x1b[F")
        player.see(last)
        player.wait("the first gone", lambda: first not in captions(player))
        player.type("\x1b[H")
        player.wait("the first", lambda: first in captions(player))
        player.mouse(65, 3, 3)
        player.wait("scrolled by the wheel", lambda: first not in captions(player))
        player.mouse(64, 3, 3)
        player.type("\x1b[6~\x1b[5~\x1b[B\x1b[A")
        player.wait("the first again", lambda: first in captions(player))
        player.end()


def captions(player):
    return "\n".join(player.screen.line(row) for row in range(player.screen.rows - 2))


def test_mouse():
    with Player([gif("gallop")]) as player:
        player.see("▶")
        player.mouse(0, 40, 5)
        player.mouse(0, 40, 5, "m")
        player.see("‖")
        player.mouse(0, 79, 22)
        player.see("#29 of 30")
        player.mouse(32, 0, 10)
        player.see("#0 of 30")
        player.mouse(32, 40, 10)
        player.see("#15 of 30")
        player.mouse(0, 40, 10, "m")
        player.type("\x1b[C")
        player.see("#16 of 30")
        player.end()


def test_help():
    """The keys show over characters and instead of pixels; escape closes them, then quits."""
    for graphics in ["symbols", "kitty", "sixel"]:
        with Player(wall(), graphics=graphics, size=(100, 30)) as player:
            player.see("tile 1/")
            player.type("?")
            player.see("enter +open the selected GIF")
            player.see("s +save the frame as PNG")
            # It stays while the GIFs play on.
            player.see(r"#\d+ of")
            shown = re.search(r"#\d+ of", player.screen.text).group()
            player.wait("another frame", lambda: shown not in player.screen.text)
            player.see("q +quit")
            player.resize(60, 12)
            player.see("space +play or pause")
            player.resize(100, 30)
            player.see("q +quit")
            player.type("\x1b")
            player.wait("no help", lambda: "save the frame" not in player.screen.text)
            player.see(r"spinner")
            player.end(keys="\x1b")


def test_opening():
    """Enter shows a GIF of the wall alone, in all the room, and goes back."""
    names = [os.path.basename(path)[:-4] for path in wall()]
    for graphics in ["symbols", "kitty"]:
        with Player(wall(), graphics=graphics, size=(100, 30)) as player:
            player.wait("a mark", lambda: player.screen.selection == names[0])
            player.type("n\r")
            player.wait("one alone", lambda: not any(name in captions(player) for name in names))
            player.see("tile 2/%d" % len(names))
            player.type(" ")
            player.see("‖")
            player.type("n")
            player.see("tile 3/%d" % len(names))
            player.type("\r")
            player.wait("the wall", lambda: player.screen.selection == names[2])
            player.type("\r")
            player.wait("one alone", lambda: not any(name in captions(player) for name in names))
            player.type("\x1b")
            player.wait("the wall", lambda: player.screen.selection == names[2])
            player.end()


def hashes(path):
    """A checksum of each picture of a GIF."""
    found = subprocess.run([options.gallop, "info", "--hashes", "--json", path], capture_output=True, check=True)
    return [frame["md5"] for frame in json.loads(found.stdout)["frames"]]


def test_saving():
    """A frame and a range are saved under their numbers, never over another file, and the line says so for some seconds."""
    with tempfile.TemporaryDirectory() as folder:
        with Player([gif("gallop")], folder=folder) as player:
            player.see(r"#\d+ of 30")
            player.type(" ")
            player.see("‖")
            player.type("\x1b[H")
            player.see("#0 of 30")
            player.type("...")
            player.see("#3 of 30")
            player.type("s")
            player.see("saved gallop-0003.png")
            player.type("s")
            player.see("saved gallop-0003-2.png")
            player.see("#3 of 30")
            player.type("i...og")
            player.see("saved gallop-0003-0006.gif")
            player.end()
        check(sorted(os.listdir(folder)) == ["gallop-0003-0006.gif", "gallop-0003-2.png", "gallop-0003.png"],
                os.listdir(folder))
        check(hashes(os.path.join(folder, "gallop-0003-0006.gif")) == hashes(gif("gallop"))[3:7], "other pictures")
        with open(os.path.join(folder, "gallop-0003.png"), "rb") as file:
            check(file.read(8) == b"\x89PNG\r\n\x1a\n", "no PNG")
    with Player([gif("gallop")], folder="/proc") as player:
        player.see(r"#\d+ of 30")
        player.type("s")
        player.see("cannot be written")
        player.end()


def test_fit():
    for mode, is_full in [("stretch", True), ("cover", True), ("contain", False)]:
        with Player(["--resize-mode", mode, gif("horseshoe")], size=(90, 24)) as player:
            player.see(mode)
            player.type(" ")
            player.see("‖")
            edge = [player.screen.cells[row][0] for row in range(22)]
            check(mode in player.screen.text, mode)
            player.end()
            check(is_full or set(edge) == {" "}, "contained, and yet at the edge: %s" % edge)


def test_pixels():
    for graphics in ["kitty", "sixel", "iterm2"]:
        with Player(["--debug", *wall()[:4]], graphics=graphics) as player:
            player.see("tile 1/4")
            player.see(r"players \d/4")
            player.type("nf\x1b[6~")
            player.see("tile 2/4.*cover")
            player.resize(60, 20)
            player.see("tile 2/4.*cover")
            player.end()


def test_answers():
    """What a terminal answers decides, not its name; answers never reach the shell, however late they are."""
    cases = [(ANSWERS, {}, {"kitty"}), ({**ANSWERS, "kitty": ""}, {}, {"sixel"}),
             ({"attributes": "\x1b[?6c"}, {"TERM": "xterm-kitty"}, set()), ({}, {}, set()),
             ({"attributes": "\x1b[?1;2;4c"}, {"TERM": "tmux-256color", "TMUX": "/tmp/s,1,0"}, set())]
    for answers, settings, pictures in cases:
        with Player([gif("gallop")], graphics=None, answers=answers, settings=settings) as player:
            player.see(r"#[1-9]\d* of 30")
            check(player.screen.pictures == pictures, "%s for %s" % (player.screen.pictures, answers))
            player.end()
            player.check_nothing_unread()
    # Answers that come after the wait for them: the picture changes to pixels.
    with Player([gif("gallop")], graphics=None, answers=ANSWERS) as player:
        player.is_silent = True
        player.see(r"#\d+ of 30")
        player.answer()
        player.wait("pixels", lambda: player.screen.pictures == {"kitty"})
        player.end()
        player.check_nothing_unread()
    # Answers that come as it ends.
    with Player(["--seconds", "0.01", gif("gallop")], graphics=None, answers=ANSWERS) as player:
        player.is_silent = True
        player.wait("questions", lambda: "attributes" in player.screen.questions)
        player.type("q")
        player.is_silent = False
        player.answer()
        player.wait_for_end()
        player.check_restored()
        player.check_nothing_unread()
        check("rgb" not in player.screen.text, "the answers are echoed")


def test_colors():
    """A terminal gets no more colours than its name, its variables or its answer promise, and none with NO_COLOR."""
    cases = [({}, None, {"direct"}), ({"COLORTERM": ""}, None, {"256"}), ({"COLORTERM": ""}, ANSWERS, {"direct"}),
             ({"COLORTERM": "", "TERM": "xterm-16color"}, ANSWERS, {"16"}),
             ({"COLORTERM": "", "TERM": "xterm-color"}, None, {"8"}),
             ({"NO_COLOR": "1"}, None, set()), ({"NO_COLOR": "1", "COLORTERM": ""}, ANSWERS, set())]
    ranks = ["8", "16", "256", "direct"]
    for settings, answers, wanted in cases:
        with Player(["--debug", gif("palettes")], settings=settings, answers=answers, size=(100, 30)) as player:
            player.see(r"#[1-9]\d* of \d+  palettes")
            player.see("cache")
            most = max(player.screen.colors, key=ranks.index, default=None)
            check({most} - {None} == wanted, "%s for %s" % (player.screen.colors, settings))
            player.type("?")
            player.see("this help")
            player.end()
            most = max(player.screen.colors, key=ranks.index, default=None)
            check({most} - {None} == wanted, "%s for %s" % (player.screen.colors, settings))


def test_compression():
    """Pictures of pixels are compressed: a fraction of the four bytes that each pixel has."""
    for graphics in ["kitty", "iterm2"]:
        # The size at which it would be drawn is its own.
        with Player(["--loops", "1", gif("lissajous")], graphics=graphics, size=(120, 40)) as player:
            player.see(r"#([3-9]|\d\d+) of \d+")
            frames = int(re.search(r"#(\d+) of", player.screen.text).group(1)) + 1
            check(player.written < frames * 40_000, "%d bytes for %d frames" % (player.written, frames))
            player.end()


def test_symbols():
    """Each class of characters draws with its own."""
    marks = {"ascii": r"[!-~]", "half": "[▀▄]", "quarter": "[▖▗▘▝▞▚]", "sextant": "[\U0001fb00-\U0001fb3b]",
             "braille": "[\u2801-\u28ff]", "all": "[\U0001fb00-\U0001fb6f\u2801-\u28ff]"}
    for name, mark in marks.items():
        with Player(["--symbols", name, gif("gallop")], graphics=None) as player:
            player.wait(name, lambda: re.search(mark, "".join(player.screen.line(row) for row in range(20))))
            player.end()


def test_hover():
    """Where the mouse plays, a GIF stands until the mouse is over it, and a click pauses it."""
    with Player(["--play", "hover", gif("gallop")]) as player:
        player.see("‖ +#0 of 30")
        check(player.screen.modes["1003"] and not player.screen.modes["1002"], "modes %s" % player.screen.modes)
        player.mouse(35, 40, 5)
        player.see(r"▶ +#[1-9]")
        player.mouse(0, 40, 5)
        player.mouse(0, 40, 5, "m")
        player.see("‖")
        player.end()


class Server:
    """A server on this machine that sends the beginning of a file, or no answer at all, and keeps the connection."""

    def __init__(self, part=None, length=0):
        self.answer = b"" if part is None else b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % length + part
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.connections = []
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                connection = self.socket.accept()[0]
            except OSError:
                return
            self.connections.append(connection)
            connection.recv(4096)
            connection.sendall(self.answer)

    def url(self, name):
        return "http://127.0.0.1:%d/%s.gif" % (self.socket.getsockname()[1], name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for end in [self.socket, *self.connections]:
            end.close()


def test_slow_urls():
    """A slow server holds up neither keys nor other tiles; tiles show how much has arrived, and wrap their errors."""
    with open(gif("gallop"), "rb") as file:
        body = file.read()
    with Server() as silent:
        with Player([silent.url("silent")]) as player:
            player.see("loading")
            player.end()
        # Less than the header: no frame can take the place of the progress.
        with Server(body[:12], 400) as slow, Server(body[:len(body) * 6 // 10], len(body)) as half:
            files = [silent.url("silent"), slow.url("slow"), half.url("half"), gif("spinner"),
                     "http://127.0.0.1:1/refused.gif"]
            with Player(["--columns", "5", *files], size=(100, 30)) as player:
                player.see("loading, [1-9] %")
                player.see("refused: cannot ")
                player.see("no connection")
                player.wait("an error in lines", lambda: "no connection: " not in player.screen.text)
                player.type("nn")
                player.see(r"#\d+ of \d+\+  stalled, [1-9]\d %  half")
                player.see(r"half: stalled, [1-9]\d %")
                player.type("n")
                player.see(r"#\d+ of \d+  spinner")
                player.type("q")
                player.wait_for_end()
                player.expect_status(1)
                player.check_restored()
                errors = player.errors().splitlines()
                check(len(errors) == 1 and errors[0].startswith("gallop: http://127.0.0.1:1/refused.gif: cannot be"),
                        "errors: %s" % errors)


def test_text_below_pixels():
    """Nothing of the progress is left below a picture, which may be transparent."""
    with open(gif("horseshoe"), "rb") as file:
        body = file.read()
    with Server(body[:12], len(body)) as server:
        with Player([server.url("horse")], graphics="kitty") as player:
            player.see("loading, ")
            server.connections[-1].sendall(body[12:])
            player.see(r"#\d+ of \d+  horse")
            player.wait("no text", lambda: not any(player.screen.line(row) for row in range(22)))
            player.end()


# --- Input and resizes

def test_sizes():
    for size in [(1, 1), (2, 1), (1, 2), (1, 40), (3, 3), (7, 5), (20, 8), (300, 90)]:
        for files in [[gif("delays")], wall()]:
            with Player(["--debug", *files], size=size) as player:
                player.wait("anything", lambda: player.written > 60)
                player.type("dndfd")
                player.end()


def test_huge():
    with Player([gif("delays")]) as player:
        player.see("▶")
        player.set_size(60000, 60000)
        player.process.send_signal(signal.SIGWINCH)
        player.wait("something drawn", lambda: "▶" not in player.screen.line(23))
        player.end()


def test_resize_storm():
    numbers = random.Random(7)
    with Player(["--debug", *wall()]) as player:
        player.see("tile 1/")
        for _ in range(150):
            player.resize(numbers.choice([1, 2, 10, 40, 80, 211]), numbers.choice([1, 2, 5, 12, 24, 70]))
            player.read(0.001)
        player.resize(80, 24)
        player.wait("the status line in its row", lambda: "tile 1/" in player.screen.line(23))
        player.end()


def test_key_mash():
    """Any bytes but those for which the terminal itself sends signals. Some may end it."""
    allowed = bytes(set(range(256)) - {0x03, 0x1A, 0x1C})
    for seed in range(4):
        numbers = random.Random(seed)
        without_end = bytes(set(allowed) - set(b"qQ\x1b\x04"))
        # What is typed after the end would be echoed by the terminal itself. Some keys save a frame.
        with tempfile.TemporaryDirectory() as folder, Player(wall(), echoes=False, folder=folder) as player:
            player.see("tile 1/")
            player.type(bytes(numbers.choices(without_end, k=3000)))
            player.type(b"\x18" + b"0rrbbx")
            player.type(bytes(numbers.choices(allowed, k=3000)))
            player.end()


def test_mouse_mash():
    numbers = random.Random(11)
    with Player(wall()) as player:
        player.see("tile 1/")
        for _ in range(400):
            place = [numbers.choice([0, 1, 5, 22, 23, 40, 79, 80, 65535, 99999999]) for _ in range(2)]
            player.mouse(numbers.choice([0, 0, 0, 1, 2, 32, 32, 35, 64, 65, 66, 128, 255, 99999]), *place,
                         final=numbers.choice("Mm"))
        player.end()


# --- Ends

def test_signals():
    for number in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGABRT, signal.SIGSEGV,
                   signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM]:
        with Player(wall()[:3]) as player:
            player.see("tile 1/3")
            player.process.send_signal(number)
            player.wait_for_end()
            player.expect_status(-number)
            player.check_restored()


def test_interrupt_key():
    # Else the terminal would throw away what is on its way, and what is read would be cut anywhere.
    with Player([gif("gallop")], flushes=False) as player:
        player.see("▶")
        player.end(status=-signal.SIGINT, keys="\x03")


def test_seconds():
    with Player(["--seconds", "0.3", gif("gallop")]) as player:
        player.see("▶")
        player.wait_for_end()
        player.expect_status(0)
        player.check_restored()


def test_one_by_one():
    """Each GIF plays as often as its file says, an endless one once; keys go on and back, and after the last it ends."""
    with tempfile.TemporaryDirectory() as folder:
        playlist = os.path.join(folder, "list.m3u")
        with open(playlist, "w") as file:
            file.write("#EXTM3U\n" + "".join("%s\n" % os.path.abspath(gif(name)) for name in ("spinner", "gallop", "thrice")))
        with Player([playlist], size=(100, 24)) as player:
            for name in ("spinner", "gallop", "thrice"):
                player.see("  %s  " % name)
            player.wait_for_end()
            player.expect_status(0)
            player.check_restored()
    files = [gif(name) for name in ("spinner", "horseshoe", "gallop")]
    with Player(["--one-by-one", "--loops", "0", *files], size=(100, 24)) as player:
        player.see("  spinner  ")
        for key, name in (("n", "horseshoe"), ("p", "spinner"), ("n", "horseshoe"), ("n", "gallop"), ("p", "horseshoe")):
            player.type(key)
            player.see("  %s  " % name)
        player.type("nn")
        player.wait_for_end()
        player.expect_status(0)
        player.check_restored()


def test_seconds_while_loading():
    """The time counts while nothing has arrived."""
    with Server() as silent:
        with Player(["--seconds", "0.5", silent.url("silent")]) as player:
            player.see("loading")
            player.wait_for_end()
            player.expect_status(0)
            player.check_restored()


def test_failing_players():
    """A canvas too large to render: reported when the terminal is restored, and alone it ends playback."""
    with tempfile.TemporaryDirectory() as folder:
        huge = os.path.join(folder, "huge.gif")
        with open(huge, "wb") as file:
            file.write(b"GIF89a" + struct.pack("<HHBBB", 8000, 8000, 0x80, 0, 0) + bytes(6)
                       + b"\x2c" + struct.pack("<HHHHB", 0, 0, 1, 1, 0) + b"\x02\x02\x44\x01\x00\x3b")
        for files, keys, status in [([huge], None, 1), ([huge, huge], None, 2), ([gif("gallop"), huge], "q", 1)]:
            with Player(files, size=(100, 24)) as player:
                if keys:
                    player.see("huge: cannot be shown")
                    player.type(keys)
                player.wait_for_end()
                check(player.process.returncode == status, "status %s" % player.process.returncode)
                player.check_restored()
                errors = player.errors().splitlines()
                check(len(errors) == 1 and errors[0].startswith("gallop: %s: has too many canvas pixels" % huge),
                        "errors: %s" % errors)


def test_trace():
    """Written however it ends, and a file that is there already is refused before anything is shown."""
    for ending in ["key", "time", signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT]:
        with tempfile.TemporaryDirectory() as folder:
            trace = os.path.join(folder, "trace.json")
            limit = ["--seconds", "2"] if ending == "time" else []
            with Player(["--trace", trace, *limit, gif("gallop")]) as player:
                player.see(r"#\d+ of 30")
                if ending == "key":
                    player.type("q")
                elif ending != "time":
                    player.process.send_signal(ending)
                player.wait_for_end()
                player.expect_status(0 if isinstance(ending, str) else -ending)
                player.check_restored()
            with open(trace) as file:
                events = json.load(file)["traceEvents"]
            check(any(event.get("cat") == "frame" for event in events), "no frames in the trace")
            with Player(["--trace", trace, gif("gallop")]) as player:
                player.wait_for_end()
                player.expect_status(1)
                check(player.written == 0 and "exists already" in player.errors(), "it was played first")
            with Player(["--trace", "/dev/full", "--seconds", "0.1", gif("gallop")]) as player:
                player.wait_for_end()
                player.expect_status(1)
                player.check_restored()
                check(player.errors().startswith("gallop: /dev/full: cannot be written"), "the failure is not reported")


def test_closed_terminal():
    """Ends it, and the trace is written whole."""
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "trace.json")
        with Player(["--trace", trace, *wall()[:3]]) as player:
            # Before the first frame there is nothing to trace.
            player.see(r"#\d+ of 15 .*tile 1/3")
            os.close(player.slave)
            os.close(player.master)
            player.master = player.slave = None
            player.process.wait(TIMEOUT)
            player.expect_status(-signal.SIGHUP, 1)
        with open(trace) as file:
            check(json.load(file)["traceEvents"], "an empty trace")


def fill(player):
    """Waits, without taking anything, until the terminal takes no more."""
    deadline = time.monotonic() + TIMEOUT
    while select.select([], [player.slave], [], 0)[1]:
        if time.monotonic() > deadline:
            raise Failure("the terminal does not fill")
        time.sleep(0.01)


def test_slow_terminal():
    """A blocked terminal delays nothing: keys and signals work, and pictures are skipped."""
    with Player(["--debug", gif("spheres")], size=(200, 60)) as player:
        player.see(r"dropped \d+")
        deadline = time.monotonic() + TIMEOUT
        while not re.search(r"dropped [1-9]", player.screen.text):
            check(time.monotonic() < deadline, "nothing is dropped")
            fill(player)
            due = time.monotonic() + 0.3
            while time.monotonic() < due:
                time.sleep(0.01)
            while player.read(0.05) and not re.search(r"dropped [1-9]", player.screen.text):
                pass
        player.end()
    for action in ["key", "signal"]:
        with Player([gif("spheres")], size=(200, 60)) as player:
            player.see("▶")
            fill(player)
            if action == "key":
                os.write(player.master, b"q")
            else:
                player.process.terminate()
            player.wait_for_end(reads=False)
            player.expect_status(0 if action == "key" else -signal.SIGTERM)
            player.check_restored(checks_modes=False)


def test_no_terminal():
    command = [options.gallop, "play"]
    files = [gif("delays"), gif("thrice")]
    plain = subprocess.run([*command, *files], stdin=subprocess.DEVNULL, capture_output=True)
    check(plain.returncode == 64 and plain.stdout == b"" and plain.stderr.count(b"\n") == 1
            and b"--headless" in plain.stderr, "plain: %s" % plain)
    events = subprocess.run([*command, "--events", "--seconds", "0.1", *files], stdin=subprocess.DEVNULL,
                            capture_output=True)
    check(b'"target":0' in events.stdout and b'"target":1' in events.stdout, "events: %s" % events)
    forced = subprocess.run([*command, "--terminal", *files], stdin=subprocess.DEVNULL, capture_output=True)
    check(forced.returncode == 1 and forced.stdout == b"" and b"not a terminal" in forced.stderr,
            "forced: %s" % forced)


def main():
    tests = {name[5:]: value for name, value in globals().items() if name.startswith("test_")}
    lines = Tests()
    # Under nohup, or in the background of a shell, these are ignored, and the players would inherit that.
    for number in [signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM]:
        signal.signal(number, signal.SIG_DFL)
    for name in options.only or tests:
        lines.run(name, tests[name], AssertionError, ValueError)
    sys.exit(lines.status)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gallop", default=".build/release/gallop")
    parser.add_argument("--gifs", default="Samples/GIFs")
    parser.add_argument("only", nargs="*", help="tests to run; all without any")
    options = parser.parse_args()
    options.gallop = os.path.abspath(options.gallop)
    options.gifs = os.path.abspath(options.gifs)
    main()
