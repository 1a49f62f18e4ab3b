#!/usr/bin/env python3
"""Tests the sample in Samples/C/wallpaper on a sway and an X server of its own, without a screen.

    wallpaper_test.py [--library .build/library] [--gallop .build/release/gallop] [--figures] [ONLY...]

Compiles it with gcc and clang, and compares screenshots with the frames that the tool decodes. Nothing waits for a
fixed time where something can be waited for. What is not installed is named in one line, and its tests are passed over.
--figures measures instead; that needs a quiet machine. Exit status: 0 all passed, 1 some failed.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from galloptools.checks import Failure, Missing, Tests, check, need

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SOURCES = ROOT / "Samples/C/wallpaper"
HEADER = ROOT / "Sources/Bindings/C/CGallop/include"
GIFS = ROOT / "Samples/GIFs"
PACKAGES = ["gtk+-3.0", "gtk-layer-shell-0", "wayland-client", "x11", "xrandr"]
# Seconds after which what does not happen counts as a failure.
LIMIT = 20
# The canvas of gallop.gif, and a screen of another shape.
EXACT = (480, 270)
OTHER = (640, 400)
BACKGROUND = (0x33, 0x66, 0x99)


def until(holds: Callable[[], object], what: str, limit: float = LIMIT) -> None:
    """Waits for a condition."""
    deadline = time.monotonic() + limit
    while not holds():
        check(time.monotonic() < deadline, f"in {limit:g} s: {what}")
        time.sleep(0.05)


@dataclass(frozen=True)
class Picture:
    """Pixels of three bytes."""

    width: int
    height: int
    pixels: bytes

    @staticmethod
    def read(ppm: bytes) -> Picture:
        found = re.match(rb"P6\s+(\d+)\s+(\d+)\s+255\s", ppm)
        check(found, "the screenshot is not a PPM")
        assert found is not None
        return Picture(int(found[1]), int(found[2]), ppm[found.end() :])

    def at(self, x: int, y: int) -> tuple[int, int, int]:
        place = 3 * (self.width * y + x)
        return self.pixels[place], self.pixels[place + 1], self.pixels[place + 2]

    def part(self, x: int, width: int) -> Picture:
        rows = (3 * (self.width * y + x) for y in range(self.height))
        return Picture(width, self.height, b"".join(self.pixels[row : row + 3 * width] for row in rows))

    def fitted(self, fit: str, width: int, height: int) -> Iterator[tuple[int, int, tuple[float, ...]]]:
        """What points of a screen have to show, as CSS has it; blended of four pixels."""
        scale_x, scale_y = width / self.width, height / self.height
        if fit != "stretch":
            scale_x = scale_y = (max if fit == "cover" else min)(scale_x, scale_y)
        left, top = (width - self.width * scale_x) / 2, (height - self.height * scale_y) / 2
        for y in range(height // 40, height, height // 20):
            for x in range(width // 64, width, width // 32):
                u, v = (x + 0.5 - left) / scale_x - 0.5, (y + 0.5 - top) / scale_y - 0.5
                inside = -0.5 <= u <= self.width - 0.5 and -0.5 <= v <= self.height - 0.5
                yield x, y, self._blend(u, v) if inside else BACKGROUND

    def _blend(self, u: float, v: float) -> tuple[float, ...]:
        u, v = min(max(u, 0), self.width - 1), min(max(v, 0), self.height - 1)
        x, y = min(int(u), self.width - 2), min(int(v), self.height - 2)
        right, down = u - x, v - y
        corners = zip(self.at(x, y), self.at(x + 1, y), self.at(x, y + 1), self.at(x + 1, y + 1), strict=True)
        return tuple((a + (b - a) * right) * (1 - down) + (c + (d - c) * right) * down for a, b, c, d in corners)

    def difference(self, original: Picture, fit: str) -> float:
        """How far this is from a picture with a fit, on average over points and channels."""
        differences = [
            abs(have - want)
            for x, y, color in original.fitted(fit, self.width, self.height)
            for have, want in zip(self.at(x, y), color, strict=True)
        ]
        return sum(differences) / len(differences)


class Frames:
    """The frames of a sample over the background, as the tool decodes them."""

    def __init__(self, tool: Path, name: str) -> None:
        self.path = GIFS / name
        with self.path.open("rb") as file:
            header = file.read(10)
        width, height = int.from_bytes(header[6:8], "little"), int.from_bytes(header[8:10], "little")
        color = "#%02x%02x%02x" % BACKGROUND
        command = [tool, "decode", "--format", "rgba", "--background", color, "-o", "-", self.path]
        pixels = subprocess.run(command, check=True, capture_output=True).stdout
        size = 4 * width * height
        self.all = [self._picture(width, height, pixels[at : at + size]) for at in range(0, len(pixels), size)]

    @staticmethod
    def _picture(width: int, height: int, rgba: bytes) -> Picture:
        pixels = bytearray(3 * width * height)
        for channel in range(3):
            pixels[channel::3] = rgba[channel::4]
        return Picture(width, height, bytes(pixels))

    def index(self, shot: Picture) -> int | None:
        """The frame that a screenshot in the canvas's size shows, to the byte."""
        return next((index for index, frame in enumerate(self.all) if frame.pixels == shot.pixels), None)

    def nearest(self, shot: Picture, fit: str) -> tuple[int, float]:
        differences = [shot.difference(frame, fit) for frame in self.all]
        best = min(range(len(differences)), key=differences.__getitem__)
        return best, differences[best]


class Session:
    """A desktop without a screen: `shots` are the pictures of its two monitors, the first of them `EXACT`."""

    name: str
    environment: dict[str, str]

    def shots(self) -> list[Picture]:
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError


def plain_environment(folder: Path) -> dict[str, str]:
    names = ("DISPLAY", "WAYLAND_DISPLAY", "SWAYSOCK", "GDK_BACKEND", "DBUS_SESSION_BUS_ADDRESS")
    kept = {name: value for name, value in os.environ.items() if name not in names}
    bus = f"unix:path={folder}/no-bus"
    return dict(kept, XDG_RUNTIME_DIR=str(folder), HOME=str(folder), DBUS_SYSTEM_BUS_ADDRESS=bus,
                DBUS_SESSION_BUS_ADDRESS=bus, G_MESSAGES_DEBUG="wallpaper")


class Sway(Session):
    name = "sway"

    def __init__(self, folder: Path, sizes: Sequence[tuple[int, int]] = (EXACT, OTHER)) -> None:
        need("sway", "swaymsg", "grim")
        folder.chmod(0o700)
        config = folder / "config"
        lines = ["xwayland disable", "default_border none"]
        for index, (width, height) in enumerate(sizes):
            lines.append(f"output HEADLESS-{index + 1} resolution {width}x{height} position {4000 * index} 0")
        config.write_text("\n".join(lines) + "\n")
        self.environment = dict(plain_environment(folder), WLR_BACKENDS="headless", WLR_LIBINPUT_NO_DEVICES="1",
                                WLR_RENDERER="pixman", WLR_HEADLESS_OUTPUTS=str(len(sizes)))
        self.log = (folder / "sway.log").open("wb")
        self.process = self._start(["sway", "-c", str(config)], folder)
        until(lambda: list(folder.glob("sway-ipc.*.sock")) and list(folder.glob("wayland-?")), "sway does not start")
        self.environment["SWAYSOCK"] = str(next(folder.glob("sway-ipc.*.sock")))
        self.environment["WAYLAND_DISPLAY"] = next(folder.glob("wayland-?")).name
        until(lambda: self.message("-t", "get_outputs").returncode == 0, "sway does not answer")

    def _start(self, command: Sequence[str], folder: Path) -> subprocess.Popen[bytes]:
        """sway refuses to run as root, and gets another user's id then."""
        if os.getuid() != 0:
            return subprocess.Popen(command, env=self.environment, stdout=self.log, stderr=self.log)
        nobody = 65534
        os.chown(folder, nobody, nobody)
        return subprocess.Popen(command, env=self.environment, stdout=self.log, stderr=self.log, user=nobody,
                                group=nobody, extra_groups=[])

    def message(self, *words: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(["swaymsg", *words], env=self.environment, capture_output=True)

    def fullscreen_count(self) -> int:
        """The windows that are fullscreen."""
        count, rest = 0, [json.loads(self.message("-t", "get_tree").stdout)]
        while rest:
            node = rest.pop()
            rest += node["nodes"] + node["floating_nodes"]
            count += node["type"] == "con" and node["fullscreen_mode"] == 1
        return count

    def shot(self, output: str) -> Picture:
        command = ["grim", "-o", output, "-t", "ppm", "-"]
        return Picture.read(subprocess.run(command, env=self.environment, check=True, capture_output=True).stdout)

    def shots(self) -> list[Picture]:
        return [self.shot("HEADLESS-1"), self.shot("HEADLESS-2")]

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()
        self.log.close()


class XServer(Session):
    name = "X11"

    def __init__(self, folder: Path, monitors: Path) -> None:
        need("Xvfb", "import")
        read, write = os.pipe()
        # Both monitors have the canvas's size.
        size = f"{2 * EXACT[0]}x{EXACT[1]}x24"
        command = ["Xvfb", "-displayfd", str(write), "-screen", "0", size, "-nolisten", "tcp", "-noreset"]
        self.process = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as number:
            self.environment = dict(plain_environment(folder), DISPLAY=":" + number.readline().strip())
        subprocess.run([monitors], env=self.environment, check=True)

    def shots(self) -> list[Picture]:
        command = ["import", "-silent", "-window", "root", "-depth", "8", "ppm:-"]
        whole = Picture.read(subprocess.run(command, env=self.environment, check=True, capture_output=True).stdout)
        return [whole.part(0, EXACT[0]), whole.part(EXACT[0], EXACT[0])]

    def property(self, name: str) -> str:
        return subprocess.run(["xprop", "-root", name], env=self.environment, capture_output=True, text=True).stdout

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()


class Wallpaper:
    """The program while it runs."""

    def __init__(self, program: Path, session: Session, *arguments: object, **variables: str) -> None:
        self.socket = Path(session.environment["XDG_RUNTIME_DIR"]) / "wallpaper.sock"
        words = [program, "--socket", self.socket, "--background", "#%02x%02x%02x" % BACKGROUND, *map(str, arguments)]
        self.process = subprocess.Popen(words, env={**session.environment, **variables}, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        # The reasons to rest, each after a change.
        self.history = [0]
        self.errors = b""
        self.threads = [threading.Thread(target=read) for read in (self._read_reasons, self._read_errors)]
        for thread in self.threads:
            thread.start()

    def _read_reasons(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            found = re.search(rb"reasons to rest: (\d+)", line)
            self.history += [int(found[1])] if found else []

    @property
    def reasons(self) -> int:
        return self.history[-1]

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.errors += line

    def listens(self) -> bool:
        """Whether it takes commands; the file of the socket may be there before, or left over from another program."""
        with socket.socket(socket.AF_UNIX) as connection:
            try:
                connection.connect(str(self.socket))
            except OSError:
                return False
        return True

    def say(self, *lines: str) -> list[str]:
        """Sends commands on a connection of their own, and returns the answers."""
        until(self.listens, f"it takes no commands: {self.errors!r}")
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(LIMIT)
            connection.connect(str(self.socket))
            answers = b""
            # A connection that is ended early takes no more, and is reset behind its last answer.
            with suppress(ConnectionResetError, BrokenPipeError):
                connection.sendall("".join(line + "\n" for line in lines).encode())
                connection.shutdown(socket.SHUT_WR)
            with suppress(ConnectionResetError):
                while piece := connection.recv(4096):
                    answers += piece
            return answers.decode().splitlines()

    def ticks(self) -> int:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])

    def stop(self, number: int = signal.SIGTERM) -> int:
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            status = self.process.wait(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise Failure("it does not end") from None
        for thread in self.threads:
            thread.join()
        return status


@dataclass
class WallpaperTests:
    program: Path
    helpers: Path
    tool: Path

    def __post_init__(self) -> None:
        self.gallop = Frames(self.tool, "gallop.gif")
        self.still = Frames(self.tool, "horseshoe.gif")

    @contextmanager
    def session(self, kind: str) -> Iterator[Session]:
        with tempfile.TemporaryDirectory(prefix="wallpaper-") as folder:
            session = Sway(Path(folder)) if kind == "sway" else XServer(Path(folder), self.helpers / "monitors")
            try:
                yield session
            finally:
                session.close()

    @contextmanager
    def running(self, session: Session, *arguments: object, **variables: str) -> Iterator[Wallpaper]:
        wallpaper = Wallpaper(self.program, session, *arguments, **variables)
        try:
            yield wallpaper
        finally:
            if wallpaper.process.poll() is None:
                wallpaper.process.kill()
            wallpaper.stop()

    def usage(self) -> None:
        """Wrong options are 64; without a display or a file it is 1; both say why in a line."""
        with tempfile.TemporaryDirectory() as folder:
            environment = plain_environment(Path(folder))
            gif = str(GIFS / "gallop.gif")
            for words in ([], ["--fit", "fill", gif], ["--background", "red", gif], ["--background", "#1234567", gif],
                          ["--on-battery", "stop", gif], ["--shuffle", gif], ["--fit"]):
                done = subprocess.run([self.program, *words], env=environment, capture_output=True, text=True)
                check(done.returncode == 64, f"{words}: status {done.returncode}")
                check("usage: wallpaper" in done.stderr, f"{words}: {done.stderr}")
            done = subprocess.run([self.program, gif], env=environment, capture_output=True, text=True, timeout=LIMIT)
            check(done.returncode == 1, f"without a display: status {done.returncode}")
            check(done.stderr == "wallpaper: there is no display\n", f"without a display: {done.stderr!r}")

    def fits(self, session: Session) -> None:
        """Each fit on both monitors, from a still that is transparent in part."""
        for fit in ("cover", "contain", "stretch"):
            with self.running(session, "--fit", fit, self.still.path):
                original = self.still.all[0]

                def right(fit: str = fit, original: Picture = original) -> bool:
                    return all(shot.difference(original, fit) < 3 for shot in session.shots())

                until(right, f"no {fit} of the still: {[s.difference(original, fit) for s in session.shots()]}")
                for other in {"cover", "contain", "stretch"} - {fit}:
                    found = [shot.difference(original, other) for shot in session.shots()]
                    check(min(found) > 6, f"{fit} cannot be told from {other}: {found}")

    def plays(self, session: Session) -> None:
        """Frame after frame, to the byte where the monitor has the canvas's size; pauses, and goes on."""
        with self.running(session, self.gallop.path) as wallpaper:
            self._plays(session, "it does not play")
            check(wallpaper.say("pause") == ["ok"], "pause is not answered")
            self._holds(session, "pause")
            exact, other = session.shots()
            index = self.gallop.index(exact)
            check(index is not None, "the picture of a pause is not a frame")
            nearest, difference = self.gallop.nearest(other, "cover")
            check(nearest == index, f"one monitor shows {index}, the other {nearest}")
            check(difference < 4, f"the other monitor differs by {difference}")
            wallpaper.process.send_signal(signal.SIGUSR1)
            self._plays(session, "SIGUSR1 does not end the pause")
            wallpaper.process.send_signal(signal.SIGUSR1)
            until(lambda: wallpaper.reasons == 1, "SIGUSR1 does not pause")
            self._holds(session, "SIGUSR1")
            check(wallpaper.say("play", "pause", "play") == ["ok", "ok", "ok"], "play is not answered")
            self._plays(session, "play does not go on")

    def _plays(self, session: Session, what: str) -> None:
        """Three frames are seen."""
        seen: set[int] = set()

        def look() -> bool:
            index = self.gallop.index(session.shots()[0])
            seen.update([] if index is None else [index])
            return len(seen) >= 3

        until(look, what)

    def _holds(self, session: Session, what: str) -> None:
        """The picture stays: two screenshots, the time of several frames apart, are the same."""
        before: list[Picture] = []

        def settled() -> bool:
            before[:] = [*before[-1:], session.shots()[0]]
            return len(before) == 2 and before[0] == before[1]

        until(settled, f"{what} does not hold the picture")
        time.sleep(0.3)
        check(session.shots()[0] == before[1], f"{what} does not hold the picture")

    def files(self, session: Session) -> None:
        """next goes round and passes over what is no GIF; file takes a path; the picture stays where it cannot."""
        folder = Path(session.environment["XDG_RUNTIME_DIR"])
        page = folder / "page\x1b[31m\n.gif"
        page.write_text("<!DOCTYPE html>")
        missing = str(folder / "missing.gif")
        with self.running(session, page, self.still.path, missing, self.gallop.path) as wallpaper:

            def shows_still() -> bool:
                return session.shots()[0].difference(self.still.all[0], "cover") < 3

            until(shows_still, f"the first file that is a GIF is not shown: {wallpaper.errors!r}")
            check(b"\x1b" not in wallpaper.errors, "a file's name reaches the terminal")
            check(wallpaper.errors.count(b"\n") == 1, f"not one line: {wallpaper.errors!r}")
            check(b"page\\x1b[31m\\x0a.gif: " in wallpaper.errors, f"no name: {wallpaper.errors!r}")
            check(wallpaper.say("pause", "next") == ["ok", "ok"], "next is not answered")
            until(lambda: self.gallop.index(session.shots()[0]) == 0, "next does not show the first frame in a pause")
            check(missing.encode() in wallpaper.errors, "a missing file is not reported")
            answers = wallpaper.say(f"file {missing}", f"file {page.parent}", "file ", "jump", "x" * 4000)
            check(len(answers) == 5 and all(a.startswith("error: ") for a in answers), f"faults: {answers}")
            check(self.gallop.index(session.shots()[0]) == 0, "the picture has gone with a missing file")
            check(wallpaper.say("x" * 20000)[:1] == ["error: the line is too long"], "a long line")
            check(wallpaper.say("next") == ["ok"], "next does not go round")
            until(shows_still, "next does not go round")
            thrice = Frames(self.tool, "thrice.gif")
            check(wallpaper.say(f"file {thrice.path}", "play") == ["ok", "ok"], "file is not answered")
            until(lambda: thrice.nearest(session.shots()[0], "cover")[1] < 3, "file does not show its GIF")
            check(wallpaper.say("next") == ["ok"], "next after a file")
            until(lambda: self.gallop.index(session.shots()[0]) is not None, "next after a file")
            check(wallpaper.say("quit") == ["ok"], "quit is not answered")
            check(wallpaper.process.wait(timeout=LIMIT) == 0, "quit does not end it with 0")
        with self.running(session, page, missing) as wallpaper:
            check(wallpaper.process.wait(timeout=LIMIT) == 1, "without a GIF it goes on")

    def ends(self, session: Session) -> None:
        """SIGTERM and SIGINT end it with 0 and take the socket; a socket left over is taken over, one in use is not."""
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL, signal.SIGTERM):
            with self.running(session, self.still.path) as wallpaper:
                until(lambda: session.shots()[0].difference(self.still.all[0], "cover") < 3, "no picture")
                until(wallpaper.listens, "no socket")
                check(wallpaper.socket.stat().st_mode & 0o777 == 0o600, "others may connect")
                if number == signal.SIGTERM:
                    with self.running(session, self.still.path) as second:
                        check(second.process.wait(timeout=LIMIT) == 1, "two use one socket")
                    check(wallpaper.say("pause") == ["ok"], "the socket in use has gone")
                status = wallpaper.stop(number)
                if number != signal.SIGKILL:
                    check(status == 0, f"signal {number}: status {status}, {wallpaper.errors!r}")
                    check(not wallpaper.socket.exists(), "the socket is still there")
                    check(wallpaper.errors == b"", f"it says {wallpaper.errors!r}")
        if isinstance(session, XServer):
            check(session.shots()[0].difference(self.still.all[0], "cover") < 3, "the background is gone")
            names = ("_XROOTPMAP_ID", "ESETROOT_PMAP_ID")
            pixmaps = {session.property(name).split()[-1] for name in names}
            check(len(pixmaps) == 1 and pixmaps.pop().startswith("0x"), "the root's properties have no pixmap")
            self._replaces_background(session)

    def _replaces_background(self, session: Session) -> None:
        """The program before is ended once the root names the new background: at no instant one that is gone.

        A pixmap's number may belong to any client later, and the next program would end that one.
        """
        with subprocess.Popen([self.helpers / "background"], env=session.environment, stdout=subprocess.PIPE,
                              text=True) as former:
            assert former.stdout is not None
            check(former.stdout.readline() == "set\n", "another background is not set")
            try:
                with self.running(session, self.still.path):
                    said, _ = former.communicate(timeout=LIMIT)
            finally:
                former.kill()
            check(said == "another\n", f"the background before goes while the root names it: {said!r}")

    def monitors(self, session: Session) -> None:
        """Monitors come and go."""
        if not isinstance(session, Sway):
            return
        with self.running(session, self.still.path) as wallpaper:
            until(lambda: session.shots()[0].difference(self.still.all[0], "cover") < 3, "no picture")
            session.message("create_output")
            until(lambda: session.shot("HEADLESS-3").difference(self.still.all[0], "cover") < 3, "no third monitor")
            session.message("output", "HEADLESS-3", "unplug")
            session.message("output", "HEADLESS-1", "resolution", "300x500")
            until(lambda: session.shot("HEADLESS-1").width == 300, "no other size")
            until(lambda: session.shot("HEADLESS-1").difference(self.still.all[0], "cover") < 3, "another size")
            session.message("output", "HEADLESS-2", "scale", "2")
            until(lambda: session.shot("HEADLESS-2").difference(self.still.all[0], "cover") < 3, "another scale")
            check(wallpaper.say("pause") == ["ok"], "it has ended with a monitor")

    def covered(self, session: Session) -> None:
        """Behind a fullscreen window it rests, whatever else is said; then it plays."""
        reason = 4 if isinstance(session, Sway) else 8
        manager = None
        if isinstance(session, XServer):
            need("openbox")
            manager = subprocess.Popen(["openbox"], env=session.environment, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            # A window that comes before its manager never becomes fullscreen: GTK asks the manager whether it may.
            until(lambda: "0x" in session.property("_NET_SUPPORTING_WM_CHECK"), "there is no window manager")
        with self.running(session, self.gallop.path) as wallpaper:
            until(lambda: self.gallop.index(session.shots()[0]) is not None, "no picture")
            windows = []
            # In sway a window on each monitor.
            for number in (1, 2) if isinstance(session, Sway) else (1,):
                if isinstance(session, Sway):
                    session.message("focus", "output", f"HEADLESS-{number}")
                windows.append(subprocess.Popen([self.helpers / "fullscreen"], env=session.environment))
                if isinstance(session, Sway):
                    until(lambda n=number: session.fullscreen_count() == n, "there is no fullscreen window")
            try:
                until(lambda: wallpaper.reasons == reason, f"it does not rest when covered: {wallpaper.reasons}")
                before = wallpaper.ticks()
                time.sleep(2)
                check(wallpaper.ticks() - before <= 4, f"{wallpaper.ticks() - before} ticks in 2 s while covered")
                check(wallpaper.say("pause", "play") == ["ok", "ok"], "it does not answer")
                until(lambda: wallpaper.history[-2:] == [reason | 1, reason], "play has undone another reason")
            finally:
                for window in windows:
                    window.kill()
                    window.wait()
            until(lambda: wallpaper.reasons == 0, "it still rests")
            self._plays(session, "it does not go on")
        if manager is not None:
            manager.terminate()
            manager.wait()

    def battery(self, session: Session) -> None:
        """On battery it rests, if it may not play there; the first frame shows in any case."""
        need("dbus-daemon")
        folder = Path(session.environment["XDG_RUNTIME_DIR"])
        address = f"unix:path={folder}/bus"
        command = ["dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address={address}"]
        bus = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until((folder / "bus").exists, "the bus does not start")
        environment = dict(session.environment, DBUS_SYSTEM_BUS_ADDRESS=address)
        upower = subprocess.Popen([self.helpers / "battery"], env=environment, stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE)
        assert upower.stdin is not None and upower.stdout is not None
        try:
            upower.stdout.readline()
            upower.stdin.write(b"1\n")
            upower.stdin.flush()
            with self.running(session, self.gallop.path, DBUS_SYSTEM_BUS_ADDRESS=address) as wallpaper:
                until(lambda: wallpaper.reasons == 2, "it does not rest on battery")
                until(lambda: self.gallop.index(session.shots()[0]) is not None, "no picture on battery")
                self._holds(session, "the battery")
                check(wallpaper.say("pause", "play") == ["ok", "ok"], "it does not answer")
                until(lambda: wallpaper.history[-2:] == [3, 2], "play has undone the battery")
                check(wallpaper.say("pause") == ["ok"], "it does not answer")
                upower.stdin.write(b"0\n")
                upower.stdin.flush()
                until(lambda: wallpaper.reasons == 1, "it does not see the mains")
                self._holds(session, "a pause off battery")
                check(wallpaper.say("play") == ["ok"], "it does not answer")
                self._plays(session, "it still holds the picture")
            upower.stdin.write(b"1\n")
            upower.stdin.flush()
            arguments = ("--on-battery", "play", self.gallop.path)
            with self.running(session, *arguments, DBUS_SYSTEM_BUS_ADDRESS=address) as wallpaper:
                self._plays(session, "it still holds the picture")
                check(wallpaper.reasons == 0, "it rests on battery where it may play")
        finally:
            for process in (upower, bus):
                process.kill()
                process.wait()
            upower.stdin.close()
            upower.stdout.close()


def compile_program(
    compiler: str, sources: Sequence[Path], output: Path, packages: Sequence[str], *flags: object
) -> None:
    found = subprocess.run(["pkg-config", "--cflags", "--libs", *packages], capture_output=True, text=True)
    if found.returncode != 0:
        raise Missing("not installed: " + " or ".join(packages))
    command = [compiler, "-std=gnu11", "-O3", "-Wall", "-Wextra", "-Werror", *map(str, sources), "-o", str(output)]
    done = subprocess.run([*command, *map(str, flags), *found.stdout.split(), "-lm"], capture_output=True, text=True)
    check(done.returncode == 0, f"{compiler}: {done.stderr[-3000:]}")


def build(library: Path, folder: Path) -> Path:
    """Compiles the sample with each compiler, and what the tests need."""
    flags = [f"-I{HEADER}", f"-L{library}", "-lgallop", f"-Wl,-rpath,{library}"]
    sources = sorted(SOURCES.glob("*.c"))
    compilers = [name for name in ("clang", "gcc") if shutil.which(name)]
    if not compilers:
        raise Missing("neither gcc nor clang is installed")
    for compiler in compilers:
        compile_program(compiler, sources, folder / "wallpaper", PACKAGES, *flags)
    compile_program(compilers[-1], [HERE / "fullscreen.c"], folder / "fullscreen", ["gtk+-3.0"])
    compile_program(compilers[-1], [HERE / "battery.c"], folder / "battery", ["gio-2.0", "gio-unix-2.0"])
    compile_program(compilers[-1], [HERE / "monitors.c"], folder / "monitors", ["x11", "xrandr"])
    compile_program(compilers[-1], [HERE / "background.c"], folder / "background", ["x11"])
    return folder / "wallpaper"


# ---- Figures ----


def memory(pid: int) -> tuple[float, float]:
    """PSS and RSS in MB."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    values = {line.split(":")[0]: int(line.split()[1]) / 1000 for line in lines[1:]}
    return values["Pss"], values["Rss"]


def make_film(folder: Path) -> Path:
    """1920 x 1080 at 30 frames a second, of which a tenth of the area changes."""
    film = folder / "film.gif"
    graph = ("[0][1]overlay=656:370:format=rgb,format=rgb24,split[a][b];[a]trim=end_frame=3,"
             "palettegen=reserve_transparent=0[p];[b][p]paletteuse=dither=none")
    command = ["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i",
               "gradients=s=1920x1080:r=30:d=0.04:n=8:seed=3,format=rgb24,loop=loop=90:size=1", "-f", "lavfi", "-i",
               "testsrc2=s=608x340:r=30,noise=alls=20:allf=t,format=rgb24", "-filter_complex", graph,
               "-gifflags", "+offsetting-transdiff", "-frames:v", "90", "-y", film]
    subprocess.run(list(map(str, command)), check=True)
    return film


def first_picture(program: Path, session: Session, gif: Path) -> tuple[float, float]:
    """Milliseconds from the start to the first picture, and from the compositor's first configure to it."""
    environment = dict(session.environment, WAYLAND_DEBUG="1")
    start = time.monotonic()
    process = subprocess.Popen([program, gif], env=environment, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
    assert process.stderr is not None
    configured = shown = 0.0
    attached = False
    for raw in process.stderr:
        line = raw.decode(errors="replace")
        stamp = re.match(r"\[\s*(\d+\.\d+)\]", line)
        if stamp and "zwlr_layer_surface_v1@" in line and ".configure(" in line and not configured:
            configured = float(stamp[1])
        attached = attached or "wl_surface@" in line and ".attach(wl_buffer@" in line
        if stamp and attached and "wl_surface@" in line and ".commit(" in line:
            shown = float(stamp[1])
            break
    total = 1000 * (time.monotonic() - start)
    process.terminate()
    process.stderr.read()
    process.wait()
    return total, shown - configured


def figures(program: Path, tool: Path) -> None:
    need("sway", "swaymsg", "grim", "ffmpeg")
    with (tempfile.TemporaryDirectory(prefix="wallpaper-") as name,
          tempfile.TemporaryDirectory(prefix="wallpaper-") as runtime):
        folder = Path(name)
        film, huge, tiny = make_film(folder), folder / "huge.gif", folder / "tiny.gif"
        tiny.write_bytes(b"GIF89a\1\0\1\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\1\0\1\0\0\2\2D\1\0;")
        copies = -(-400_000_000 // film.stat().st_size)
        subprocess.run([tool, "edit", *[film] * copies, "--no-check", "-o", huge], check=True, capture_output=True)
        session = Sway(Path(runtime), [(1920, 1080)])
        try:
            measured = {}
            for label, gif in (("1 x 1", tiny), (f"film, {film.stat().st_size / 1e6:.0f} MB", film),
                               (f"the film {copies} times, {huge.stat().st_size / 1e6:.0f} MB", huge)):
                wallpaper = Wallpaper(program, session, gif)
                time.sleep(5)
                before = wallpaper.ticks()
                time.sleep(10)
                share = (wallpaper.ticks() - before) / os.sysconf("SC_CLK_TCK") / 10
                measured[label] = memory(wallpaper.process.pid)
                empty = next(iter(measured.values()))
                beyond = [have - base for have, base in zip(measured[label], empty, strict=True)]
                pss, rss = measured[label]
                print(f"{label}: {share:.1%} of a core; PSS {pss:.1f} MB, RSS {rss:.1f} MB; "
                      f"beyond 1 x 1: PSS {beyond[0]:.1f} MB, RSS {beyond[1]:.1f} MB")
                wallpaper.stop()
            for label, gif in (("film", film), ("huge", huge)):
                times = [first_picture(program, session, gif) for _ in range(7)]
                total, after = (statistics.median(column) for column in zip(*times, strict=True))
                print(f"{label}: first picture {total:.0f} ms after the start, {after:.0f} ms after the configure "
                      f"(medians of 7; greatest {max(t for t, _ in times):.0f} and {max(a for _, a in times):.0f} ms)")
        finally:
            session.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=Path, default=ROOT / ".build/library", metavar="FOLDER",
                        help="what `make library` makes")
    parser.add_argument("--gallop", type=Path, default=ROOT / ".build/release/gallop", metavar="PATH")
    parser.add_argument("--figures", action="store_true", help="measure instead")
    parser.add_argument("only", nargs="*", help="tests to run; all without any")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="wallpaper-") as name:
        folder = Path(name)
        try:
            program = build(options.library.resolve(), folder)
        except Missing as missing:
            print(f"wallpaper test skipped: {missing}")
            return 0
        except Failure as failure:
            print(f"FAILED  build: {failure}")
            return 1
        print("ok      build")
        if options.figures:
            figures(program, options.gallop.resolve())
            return 0
        return run(WallpaperTests(program, folder, options.gallop.resolve()), options.only)


def run(tests: WallpaperTests, only: Sequence[str]) -> int:
    lines = Tests()

    def in_session(kind: str, test: Callable[[Session], None]) -> None:
        with tests.session(kind) as session:
            test(session)

    if not only or "usage" in only:
        lines.run("usage", tests.usage)
    for kind in ("sway", "X11"):
        for test in (tests.fits, tests.plays, tests.files, tests.ends, tests.monitors, tests.covered, tests.battery):
            if test == tests.monitors and kind == "X11":
                continue
            if not only or test.__name__ in only or kind in only:
                lines.run(f"{kind}: {test.__name__}", lambda kind=kind, test=test: in_session(kind, test))
    return lines.status


if __name__ == "__main__":
    sys.exit(main())
