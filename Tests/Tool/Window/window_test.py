#!/usr/bin/env python3
"""Drives `gallop play --window --events` on a display of its own and checks its events.

    window_test.py [--gallop .build/release/gallop] [--gifs Samples/GIFs] [--screenshots DIR] [ONLY...]

Needs Xvfb and xdotool, and Python's Pillow for screenshots; says so and passes where they are missing.
Nothing here waits for a fixed time: each step waits for the events it leads to.
"""

import argparse
import json
import os
import pathlib
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from functools import partial

from galloptools.checks import Failure, Tests, check

TIMEOUT = 30  # seconds until an absent event counts as missing
SCREEN = (1440, 900)
BAR = 44  # height of the control bar
BUTTON = 44  # where the slider begins
STATUS = 232  # what the bar keeps at its right
MARGIN = 14  # of the slider's track


class Display:
    """A virtual screen with its mouse and keys."""

    def __enter__(self):
        read, write = os.pipe()
        self.folder = tempfile.TemporaryDirectory()
        command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "%dx%dx24" % SCREEN, "-nolisten", "tcp",
                   "-fbdir", self.folder.name]
        self.process = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as number:
            self.name = ":" + number.readline().strip()
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()

    @property
    def environment(self):
        return dict(os.environ, DISPLAY=self.name, SDL_VIDEODRIVER="x11", XDG_RUNTIME_DIR="/tmp")

    def hand(self, *arguments):
        subprocess.run(["xdotool", *map(str, arguments)], env=self.environment, check=True,
                       stdout=subprocess.DEVNULL)

    def screenshot(self, path, area, colors):
        import screenshot

        x, y, width, height = area
        whole = screenshot.screen(pathlib.Path(self.folder.name) / "Xvfb_screen0")
        return screenshot.save(whole.crop((x, y, x + width, y + height)), pathlib.Path(path), colors)


class Player:
    """A running `gallop play --window --events`, its events, and where its window is."""

    def __init__(self, display, gallop, arguments, size=(960, 600), folder=None):
        self.display = display
        self.size = size
        # Without a window manager the window is where SDL puts it: in the middle.
        self.corner = ((SCREEN[0] - size[0]) // 2, (SCREEN[1] - size[1]) // 2)
        command = [gallop, "play", "--window", "--events", "--window-size", "%dx%d" % size, *arguments]
        self.process = subprocess.Popen(command, env=display.environment, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, cwd=folder)
        self.events = queue.Queue()
        self.seen = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.events.put(json.loads(line))
        self.events.put(None)

    def next(self):
        try:
            event = self.events.get(timeout=TIMEOUT)
        except queue.Empty:
            raise Failure("nothing happens any more; last: %s" % self.seen[-3:])
        if event is None:
            raise Failure("it has ended: %s" % self.process.stderr.read())
        self.seen.append(event)
        return event

    def until(self, name, **values):
        """The first event of a name with some values; all others before it are passed over, and kept."""
        event = self.among(20_000, name, **values)
        if event is None:
            raise Failure("no %s %s among 20,000 events" % (name, values))
        return event

    def among(self, count, name, **values):
        """The first such event of the next so many; None if it is not among them."""
        for _ in range(count):
            event = self.next()
            if event["event"] == name and all(event.get(key) == value for key, value in values.items()):
                return event
        return None

    def pending(self):
        """Reads the events so far."""
        while not self.events.empty():
            self.next()

    def place(self, x, y):
        return self.corner[0] + x, self.corner[1] + y

    def value_place(self, value, last, lower_half=False):
        """Where a value of the slider is."""
        width, height = self.size
        left = BUTTON + MARGIN
        status = STATUS if width >= 560 else 0
        right = BUTTON + (width - 40 - 8 - status) - 1 - MARGIN
        x = left + round((right - left) * value / last)
        return self.place(x, height - BAR // 2 + (12 if lower_half else -6))

    def key(self, *keys):
        for key in keys:
            self.display.hand("key", key)

    def drag(self, places):
        self.display.hand("mousemove", *places[0], "mousedown", 1)
        for place in places[1:]:
            self.display.hand("mousemove", *place)
        self.display.hand("mouseup", 1)

    def end(self, expected=0):
        """Waits until it ends by itself, as it should."""
        status = self.process.wait(timeout=TIMEOUT)
        check(status == expected, "it ends with status %d: %s" % (status, self.process.stderr.read()[-400:]))

    def memory(self):
        with open("/proc/%d/status" % self.process.pid) as status:
            return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS"))

    def stop(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def names(events, *wanted):
    return [event for event in events if event["event"] in wanted]


def one_gif(display, options):
    """Play, pause, step, seek by dragging, change the range, speed and order, quit."""
    with Player(display, options.gallop, [options.gifs + "/gallop.gif"]) as player:
        player.until("loaded", target=0, frameCount=30)
        first = player.until("frameChange")
        check(first["currentFrameIndex"] == 0 and first["cause"] == "play", "it does not begin with frame 0")
        player.until("frameChange", currentFrameIndex=3)

        player.key("space")
        player.until("playback", target=0, isPlaying=False)
        player.pending()
        player.key("Right")
        step = player.until("frameChange", cause="step")
        # Frames due before the pause may be printed after it.
        held = names(player.seen, "frameChange")[-2]["currentFrameIndex"]
        check(step["currentFrameIndex"] == (held + 1) % 30, "right does not step")
        player.key("Left")
        check(player.until("frameChange")["currentFrameIndex"] == held, "left does not step back")

        start = len(player.seen)
        player.drag([player.value_place(held, 29), player.value_place(20, 29), player.value_place(12, 29)])
        player.until("scrub", phase="ended", knob="playhead", value=12)
        if names(player.seen, "frameChange")[-1]["currentFrameIndex"] != 12:
            player.until("frameChange", currentFrameIndex=12, cause="seek")
        scrubs = names(player.seen[start:], "scrub")
        check([scrub["phase"] for scrub in scrubs][:2] == ["began", "changed"], "no drag: %s" % scrubs)
        check(all(scrub["knob"] == "playhead" for scrub in scrubs), "another knob was dragged: %s" % scrubs)
        check(scrubs[0]["value"] == held, "the drag does not begin at the frame shown: %s" % scrubs[0])

        player.drag([player.value_place(0, 29, True), player.value_place(5, 29, True)])
        player.until("scrub", phase="ended", knob="start", value=5)
        player.until("range", target=0, first=5, last=29)
        player.drag([player.value_place(29, 29, True), player.value_place(15, 29, True)])
        player.until("range", target=0, first=5, last=15)
        if options.screenshots:
            picture(player, options, "scrubbing")

        player.key("space")
        player.until("playback", isPlaying=True)
        start = len(player.seen)
        player.until("loopCompleted")
        player.until("loopCompleted")
        shown = [event["currentFrameIndex"] for event in names(player.seen[start:], "frameChange")]
        check(shown and all(5 <= index <= 15 for index in shown), "frames outside of the range: %s" % shown)

        player.key("plus")
        player.until("rate", rate=1.25)
        player.key("r")
        player.until("mode", mode="reverse")
        start = len(player.seen)
        player.until("loopCompleted")
        shown = [event["currentFrameIndex"] for event in names(player.seen[start:], "frameChange")]
        check(shown == sorted(shown, reverse=True), "backwards is not: %s" % shown)
        player.key("b")
        player.until("mode", mode="bounce")
        player.key("x")
        player.until("range", first=0, last=29)
        player.key("f")
        player.until("resizeMode", mode="cover")
        player.key("d", "q")
        player.end()


def wall(display, options):
    """A wall of 1,000: scroll to the 500th by wheel and keys; only what is seen is decoded."""
    # A tap on a finished animation or a still plays it, so the item that the taps below pause must be endless.
    finite = ["horseshoe.gif", "thrice.gif"]
    files = sorted(os.path.join(options.gifs, name) for name in os.listdir(options.gifs)
                   if name.endswith(".gif") and name not in finite)
    items = [files[index % len(files)] for index in range(1000)]
    with Player(display, options.gallop, ["--columns", "8", *items], size=(1280, 800)) as player:
        player.until("frameChange", target=0)
        first = names(player.seen, "scroll")[0] if names(player.seen, "scroll") else player.until("scroll")
        check(first["first"] == 0, "it does not begin at the top: %s" % first)
        per_page = first["last"] + 1
        player.display.hand("mousemove", *player.place(640, 300))
        # On a busy machine clicks are answered late, and the wall runs past the item: then the wheel turns back.
        event, turns = first, 0
        while not event["first"] <= 500 <= event["last"]:
            turns += 1
            check(turns <= 100, "item 500 is not reached: %s" % event)
            away = 500 - event["last"] if event["last"] < 500 else event["first"] - 500
            button = 5 if event["last"] < 500 else 4
            # Three notches are 180 pixels, more than a row, so that other items come into sight, unless the wall answers
            # late, and this turn together with one the other way: then nothing moves, and some seconds' frames come alone.
            player.display.hand("click", "--repeat", 10 if away > 100 else 3, "--delay", 5, button)
            player.among(3_000, "scroll")
            player.pending()
            event = names(player.seen, "scroll")[-1]
        # Items that are not visible emit no events.
        player.key("space")
        player.until("playback", isPlaying=False)
        player.key("space")
        player.until("playback", isPlaying=True)
        player.pending()
        # What is in sight changes while it still scrolls, and each frame is one of an item in sight then.
        visible = names(player.seen, "scroll")[-1]
        frames = 0
        while frames < 300:
            event = player.next()
            if event["event"] == "scroll":
                visible = event
            elif event["event"] == "frameChange":
                frames += 1
                check(visible["first"] <= event["target"] <= visible["last"],
                      "a frame of item %d, out of sight: %s" % (event["target"], visible))
        loaded = {event["target"] for event in names(player.seen, "loaded")}
        check(500 in loaded and 999 not in loaded, "items were loaded that were never near the visible area")
        limit = options.memory << 20
        check(player.memory() < limit, "%d MB in memory" % (player.memory() >> 20))
        print("  wall: %d items a page, %d loaded, %d MB resident"
              % (per_page, len(loaded), player.memory() >> 20))

        # The rows stand wherever the wheel has left them; of two points 20 apart, one is not in the gap of 10 between them.
        # Two clicks on one item pause it, and then play it.
        for y in (100, 120):
            player.display.hand("mousemove", *player.place(240, y), "click", 1)
        player.until("playback", isPlaying=False)
        player.key("q")
        player.end()


def large(display, options):
    """Arrows select, enter opens the selected item large, escape goes back, s saves a frame under a new name."""
    files = [os.path.abspath(options.gifs) + "/%s.gif" % name for name in ("gallop", "spinner", "lissajous", "spheres")]
    with tempfile.TemporaryDirectory() as folder:
        with Player(display, os.path.abspath(options.gallop), files, size=(1280, 800), folder=folder) as player:
            player.until("frameChange", target=1)
            player.key("Right")
            player.until("select", target=1)
            player.key("Down")
            player.until("select", target=3)
            player.key("Up", "Return")
            player.until("open", target=1)
            player.until("frameChange", target=1)
            player.key("space")
            player.until("playback", target=1, isPlaying=False)
            player.key("s", "s", "g")
            player.key("Escape")
            player.until("close")
            player.key("Right", "Left", "Return")
            player.until("open")
            # Escape closes the help, then the item, then the window.
            player.key("question", "Escape", "Escape")
            player.until("close")
            player.key("F11", "Escape", "Escape")
            player.end()
        saved = sorted(os.listdir(folder))
        stems = {name.rsplit(".", 1)[0] for name in saved}
        check(len(saved) == 3 and all(name.startswith("spinner-00") for name in saved), "saved: %s" % saved)
        check("spinner-0000-0039.gif" in saved, "the range is not saved: %s" % saved)
        check(any(stem.endswith("-2") for stem in stems), "a frame overwrites the other: %s" % saved)


def storm(display, options):
    """Keys and sizes in random order."""
    with Player(display, options.gallop, [options.gifs + "/gallop.gif", options.gifs + "/spinner.gif"]) as player:
        player.until("frameChange")
        window = subprocess.run(["xdotool", "search", "--name", "Gallop"], env=display.environment,
                                capture_output=True, text=True).stdout.split()[0]
        for turn in range(40):
            player.display.hand("windowsize", window, 40 + turn * 173 % 1300, 30 + turn * 97 % 800)
            player.key(*["space", "r", "b", "i", "o", "f", "d", "Right", "Left", "plus", "minus", "Tab", "x"][turn % 7:])
        player.pending()
        player.key("q")
        player.end()


def fullscreen(display, options):
    """F11 without a window manager: the window fills the screen, shows pictures, and goes back to its place."""
    with Player(display, options.gallop, [options.gifs + "/gallop.gif"]) as player:
        player.until("frameChange")
        windowed = (*player.corner, *player.size)
        check(area(display) == windowed, "it begins at %s" % (area(display),))
        for key, expected in (("F11", (0, 0, *SCREEN)), ("F11", windowed), ("F11", (0, 0, *SCREEN)), ("Escape", windowed)):
            player.key(key)
            deadline = time.monotonic() + TIMEOUT
            while area(display) != expected:
                check(time.monotonic() < deadline, "after %s it is at %s" % (key, area(display)))
            player.pending()
            player.until("frameChange")
        player.key("q")
        player.end()


def broken(display, options):
    """A file that cannot be shown, as a desktop opens it: the window says why, stays, and answers keys until it is closed."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "text.gif")
        with open(path, "w") as file:
            file.write("not a GIF")
        with Player(display, options.gallop, ["--keep-open", path]) as player:
            player.until("failed", target=0)
            player.key("h", "h")
            check(area(display)[2:] == player.size, "the window is gone: %s" % (area(display),))
            if options.screenshots:
                picture(player, options, "broken")
            player.key("q")
            player.end(expected=1)
        with Player(display, options.gallop, ["--keep-open", "--one-by-one", path, path]) as player:
            player.until("failed", target=1)
            player.key("h", "h")
            check(area(display)[2:] == player.size, "the window of a playlist is gone: %s" % (area(display),))
            player.key("q")
            player.end(expected=2)
        with Player(display, options.gallop, [path]) as player:
            player.end(expected=1)


def late_message(display, options):
    """A wake-up that reaches the display after the window's end does not end the process; see WakeUpErrors."""
    with tempfile.TemporaryDirectory() as folder:
        library = os.path.join(folder, "late_message.so")
        source = pathlib.Path(__file__).with_name("late_message.c")
        subprocess.run(["cc", "-shared", "-fPIC", "-Wall", "-Werror", "-o", library, source, "-ldl"], check=True)
        environment = dict(display.environment, LD_PRELOAD=library)
        command = [options.gallop, "play", "--window", "--seconds", "0.5", options.gifs + "/gallop.gif"]
        result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=TIMEOUT)
        check(result.returncode == 0, "it ends with status %d: %s" % (result.returncode, result.stderr))
        check(result.stderr == "sent late\n", "no message was late: %s" % result.stderr)


def area(display):
    """The place and size of the window on the screen."""
    script = ["xdotool", "search", "--name", "Gallop", "getwindowgeometry", "--shell"]
    lines = subprocess.run(script, env=display.environment, capture_output=True, text=True).stdout.splitlines()
    values = dict(line.split("=") for line in lines if "=" in line)
    return tuple(int(values[name]) for name in ("X", "Y", "WIDTH", "HEIGHT"))


def no_display(display, options):
    """Without a display: one line and status 1."""
    environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    environment.pop("SDL_VIDEODRIVER", None)
    result = subprocess.run([options.gallop, "play", "--window", options.gifs + "/gallop.gif"], env=environment,
                            capture_output=True, text=True, timeout=TIMEOUT)
    check(result.returncode == 1, "exit status %d" % result.returncode)
    lines = result.stderr.splitlines()
    check(len(lines) == 1 and "display" in lines[0], "unclear: %r" % result.stderr)


def picture(player, options, name, colors=160):
    path = os.path.join(options.screenshots, "window-%s.png" % name)
    size = player.display.screenshot(path, (*player.corner, *player.size), colors)
    print("  %s: %d KB" % (path, size // 1000))
    check(size < 100_000, "%s has %d bytes, which is much for a page" % (path, size))


def screenshots(display, options):
    """One GIF, walls, the overlay, errors, names of other scripts, the resize modes."""
    if not options.screenshots:
        return
    with Player(display, options.gallop, [options.gifs + "/gallop.gif"]) as player:
        player.until("frameChange", currentFrameIndex=20)
        picture(player, options, "one")
    files = [options.gifs + "/%s.gif" % name for name in (
        "gallop", "lissajous", "spheres", "horseshoe", "interlaced", "thrice", "spinner", "delays", "palettes")]
    for count, size, arguments in ((2, (960, 560), []), (9, (960, 640), []), (24, (1280, 800), []),
                                   (24, (1280, 800), ["--debug"])):
        with Player(display, options.gallop, [*arguments, *(files * 3)[:count]], size=size) as player:
            for _ in range(6):
                player.until("loopCompleted", target=0)
            picture(player, options, "overlay" if arguments else "wall-%d" % count, 112 if count > 9 else 160)
    with tempfile.TemporaryDirectory() as folder:
        mixed = [options.gifs + "/gallop.gif", os.path.join(folder, "truncated.gif"), os.path.join(folder, "page.gif"),
                 os.path.join(folder, "missing.gif"), options.gifs + "/spinner.gif",
                 "http://127.0.0.1:1/animations/welcome.gif"]
        with open(options.gifs + "/spheres.gif", "rb") as whole, open(mixed[1], "wb") as part:
            part.write(whole.read()[:9])
        with open(mixed[2], "w") as page:
            page.write("<!DOCTYPE html><title>404</title>")
        with Player(display, options.gallop, mixed, size=(960, 560)) as player:
            for target in (1, 2, 3, 5):
                player.until("failed", target=target)
            player.until("loopCompleted", target=0)
            picture(player, options, "errors")
    with tempfile.TemporaryDirectory() as folder:
        titles = ["naïve café", "Лошадь скачет", "Άλογο", "馬が走る", "말이 달린다", "a name that is far too long for its tile, and ends early"]
        links = [os.path.join(folder, title + ".gif") for title in titles]
        for link, file in zip(links, files):
            os.symlink(os.path.abspath(file), link)
        with Player(display, options.gallop, links, size=(960, 560)) as player:
            player.until("loopCompleted", target=0)
            picture(player, options, "names")
    for mode in ("contain", "cover", "stretch"):
        arguments = ["--resize-mode", mode, options.gifs + "/gallop.gif"]
        with Player(display, options.gallop, arguments, size=(400, 444)) as player:
            player.until("loopCompleted")
            picture(player, options, mode)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gallop", default=".build/release/gallop")
    parser.add_argument("--gifs", default="Samples/GIFs")
    parser.add_argument("--memory", type=int, default=512, help="MB that a wall of 1,000 may take")
    parser.add_argument("--screenshots", help="a directory for pictures of it")
    parser.add_argument("only", nargs="*", help="tests to run; all without any")
    options = parser.parse_args()
    for tool in ["Xvfb", "xdotool"]:
        if not shutil.which(tool):
            print("window test skipped: %s is missing" % tool)
            return 0
    lines = Tests()
    with Display() as display:
        for test in (no_display, one_gif, broken, late_message, wall, large, fullscreen, storm, screenshots):
            if not options.only or test.__name__ in options.only:
                lines.run(test.__name__, partial(test, display, options))
    return lines.status


if __name__ == "__main__":
    sys.exit(main())
