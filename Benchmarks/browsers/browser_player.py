"""Plays a wall in a browser: loads it, lets it settle, watches from outside, then asks for evidence that it moves."""

from __future__ import annotations

import json
import re
import subprocess
import time
from pathlib import Path
from typing import ClassVar

import processes
from players import Pace, Player
from samples import Sample, StandStill
from wall import Wall
from wall_browsers import WallBrowser, WallChromium, WallFirefox

from galloptools.browsers.drivers import BrowserError
from galloptools.browsers.page_server import PageServer
from galloptools.measuring.commands import Failure

START_SECONDS = 90.0
ANSWER_SECONDS = 120.0
"""For loading, a screenshot or an answer: generous, for walls far beyond what a browser can animate."""
POLL_SECONDS = 0.2
SHOT_GAPS = (0.0, 0.31, 0.53, 0.83, 0.47)
"""Seconds before each screenshot: irregular, so that no animation's period hides behind them."""
LIVELY_SECONDS = 2.0
"""A tile whose picture never rests longer must have changed over the screenshots."""
KINDS: dict[str, type[WallBrowser]] = {"chromium": WallChromium, "firefox": WallFirefox}


class WallServer(PageServer):
    """Serves the wall's page and its GIFs, from memory."""

    def __init__(self, wall: Wall) -> None:
        super().__init__({})
        self._wall = wall

    @property
    def page_url(self) -> str:
        """The address of the wall's page."""
        return self.url("/wall")

    def resource(self, path: str) -> tuple[str, bytes] | None:
        number = path.removeprefix("/tile/")
        if path == "/wall":
            return "text/html; charset=utf-8", self._wall.page()
        if number != path and number.isdecimal() and int(number) < self._wall.contents:
            return "image/gif", self._wall.content(int(number))
        return super().resource(path)


class BrowserPlayer(Player):
    HOW: ClassVar[str] = (
        "A page of `<img>` tiles in a window that holds them all, drawn without a GPU. After it has loaded and "
        "settled, the whole process tree is watched from outside; its start is not counted."
    )

    def __init__(self, key: str, pictures: Path | None) -> None:
        """Raises Failure where the browser is not there; `pictures` is a folder for screenshots."""
        kind = KINDS[key]
        self._kind = kind
        self._pictures = pictures
        self.key = key
        self.title = key.capitalize()
        self.how = f"{self.HOW} {(kind.__doc__ or '').strip()}"
        try:
            outcome = subprocess.run([kind.find_executable(), "--version"], capture_output=True, timeout=START_SECONDS)
        except (OSError, BrowserError, subprocess.TimeoutExpired) as error:
            raise Failure(str(error)) from error
        self.version = short_version(outcome.stdout.decode("utf-8", "replace"))

    def _serve(self, wall: Wall) -> WallServer:
        return WallServer(wall)

    def play(self, wall: Wall, pace: Pace) -> Sample:
        with self._serve(wall) as server:
            browser = self._kind(server.page_url, START_SECONDS)
            browser.size = wall.size
            try:
                browser.start()
                self._await_images(browser, wall)
                time.sleep(pace.settle)
                return self._measure(browser, server, wall, pace)
            finally:
                browser.stop()

    def _await_images(self, browser: WallBrowser, wall: Wall) -> None:
        deadline = time.monotonic() + ANSWER_SECONDS
        while True:
            state = browser.evaluate("wall.state()", deadline)
            if state["complete"] == wall.count:
                break
            if time.monotonic() > deadline:
                raise StandStill(f"{self.key}: {wall.count - state['complete']} images have not loaded")
            time.sleep(POLL_SECONDS)
        if state["broken"] or state["outside"] or state["visibility"] != "visible":
            raise StandStill(
                f"{self.key}: {state['broken']} images are broken, {state['outside']} are outside the window, "
                f"the page is {state['visibility']}"
            )

    def _measure(self, browser: WallBrowser, server: WallServer, wall: Wall, pace: Pace) -> Sample:
        """First the window, without any request to the browser; then the evidence that it animates."""
        tree = processes.tree_of(browser.pid)
        cpu_before, threads_before = processes.cpu_seconds(tree), processes.threads(tree)
        start = time.monotonic()
        memory = []
        while (left := start + pace.window - time.monotonic()) > 0:
            time.sleep(min(left, pace.look))
            tree = processes.tree_of(browser.pid)
            memory.append(processes.pss(tree))
        tree = processes.tree_of(browser.pid)
        seconds = time.monotonic() - start
        cpu = processes.cpu_seconds(tree) - cpu_before
        thread, thread_seconds = processes.busiest(threads_before, processes.threads(tree))
        return Sample(
            seconds=seconds,
            cpu=cpu,
            memory=memory,
            processes=len(tree),
            drawn=self._drawn(browser, pace),
            moved=self._moved(browser, server, wall),
            thread=(thread, thread_seconds / seconds),
        )

    def _drawn(self, browser: WallBrowser, pace: Pace) -> float:
        deadline = time.monotonic() + pace.count + ANSWER_SECONDS
        browser.begin_count(deadline)
        start = time.monotonic()
        time.sleep(pace.count)
        seconds = time.monotonic() - start
        return browser.end_count(deadline) / seconds

    def _moved(self, browser: WallBrowser, server: WallServer, wall: Wall) -> tuple[int, int]:
        addresses = []
        for gap in SHOT_GAPS:
            time.sleep(gap)
            picture = browser.screenshot(time.monotonic() + ANSWER_SECONDS)
            addresses.append(server.publish(picture))
        if self._pictures is not None:
            self._pictures.mkdir(parents=True, exist_ok=True)
            (self._pictures / f"{self.key}-{wall.count}.png").write_bytes(picture)
        moved = browser.evaluate(f"wall.moved({json.dumps(addresses)})", time.monotonic() + ANSWER_SECONDS)
        watched = [moves for moves, lively in zip(moved, wall.lively(LIVELY_SECONDS), strict=True) if lively]
        return sum(watched), len(watched)


def short_version(text: str) -> str:
    """What a browser says of itself, up to its number."""
    found = re.match(r"[^\d\n]*\d[\w.]*", text.strip())
    return found[0] if found else "of unknown version"
