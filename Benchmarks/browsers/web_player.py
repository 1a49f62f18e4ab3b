"""Walls of `<gallop-gif>` in a browser, and a wall of a thousand that scrolls, with the length of the page's tasks."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from browser_player import ANSWER_SECONDS, LIVELY_SECONDS, START_SECONDS, BrowserPlayer, WallServer
from wall import Wall
from wall_browsers import TRACE_SECONDS, WallBrowser, WallChromium

from galloptools.browsers.drivers import BrowserError

KINDS = {".js": "text/javascript; charset=utf-8", ".wasm": "application/wasm"}
ELEMENT = "gallop-gif"
HEAD = '<script type="module" src="/gallop/index.js"></script>\n'
ITEMS = 1000
SCROLL_PAGE = """<!doctype html>
<meta charset="utf-8">
<title>scroll</title>
<style>body { margin: 0 } gallop-wall { height: 600px; width: 800px }</style>
<gallop-wall columns="8"></gallop-wall>
<script type="module" src="/gallop/wall.js"></script>
<script>
const wall = {
  state: () => JSON.stringify(customElements.get("gallop-wall") !== undefined),
  fill() {
    const sources = ADDRESSES;
    document.querySelector("gallop-wall").items = Array.from({ length: ITEMS }, (_, index) => ({
      src: `${sources[index % sources.length]}`, alt: `GIF ${index}` }));
    return "true";
  },
  /* Scrolls a little with every picture; resolves with how many there were. */
  scroll: (milliseconds) => new Promise((resolve) => {
    const list = document.querySelector("gallop-wall").shadowRoot.querySelector(".view");
    const start = performance.now();
    let pictures = 0;
    requestAnimationFrame(function turn(now) {
      list.scrollTop = Math.max(0, now - start) * 0.6;
      pictures += 1;
      if (now - start < milliseconds) requestAnimationFrame(turn);
      else resolve(JSON.stringify({ pictures, seconds: (now - start) / 1000, scrolled: list.scrollTop }));
    });
  }),
};
</script>
"""


# Which elements show another frame within this many seconds.
MOVES = """(async () => {{
  const elements = [...document.querySelectorAll("gallop-gif")];
  const moved = elements.map((element) => new Promise((resolve) => {{
    element.addEventListener("framechange", () => resolve(true), {{ once: true }});
    setTimeout(resolve, {milliseconds}, false);
  }}));
  return JSON.stringify(await Promise.all(moved));
}})()"""


class ElementServer(WallServer):
    """Serves the package, the wall with another element in its tiles, and the wall that scrolls."""

    def __init__(self, wall: Wall, package: Path, tag: str) -> None:
        super().__init__(wall)
        self._package = package
        self._tag = tag

    def resource(self, path: str) -> tuple[str, bytes] | None:
        file = self._package / path.removeprefix("/gallop/")
        if path.startswith("/gallop/") and file.is_file():
            return KINDS.get(file.suffix, "application/octet-stream"), file.read_bytes()
        if path == "/wall":
            return "text/html; charset=utf-8", self._wall.page(self._tag, HEAD if self._tag == ELEMENT else "")
        if path == "/scroll":
            addresses = json.dumps([f"/tile/{number}" for number in range(self._wall.contents)])
            page = SCROLL_PAGE.replace("ADDRESSES", addresses).replace("ITEMS", str(ITEMS))
            return "text/html; charset=utf-8", page.encode()
        return super().resource(path)


class ElementPlayer(BrowserPlayer):
    """Plays a wall whose tiles are some element; one of `div` is the empty page."""

    def __init__(self, key: str, tag: str, package: Path) -> None:
        super().__init__(key, None)
        self.tag = tag
        self._package = package

    def _serve(self, wall: Wall) -> WallServer:
        return ElementServer(wall, self._package, self.tag)

    def _moved(self, browser: WallBrowser, server: WallServer, wall: Wall) -> tuple[int, int]:
        """Firefox may hang where a worker's canvas is read: there the elements themselves say that they move."""
        if self.tag != ELEMENT or self.key != "firefox":
            return super()._moved(browser, server, wall)
        script = MOVES.format(milliseconds=round(LIVELY_SECONDS * 1000))
        moved = browser.evaluate(script, time.monotonic() + ANSWER_SECONDS)
        watched = [moves for moves, lively in zip(moved, wall.lively(LIVELY_SECONDS), strict=True) if lively]
        return sum(watched), len(watched)


@dataclass(frozen=True)
class Tasks:
    """What the page's main thread did in a span of time."""

    pictures: float
    """Drawn a second."""
    longest: float
    """Milliseconds of processor time of its longest task."""
    above: int
    """Tasks of more than four milliseconds."""


class TracedChromium(WallChromium):
    """Chromium whose main thread's tasks are timed, in processor time: other programs do not make them longer."""

    TASK: ClassVar[str] = "ThreadControllerImpl::RunTask"
    MOST_MILLISECONDS: ClassVar[float] = 4

    def __init__(self, page_url: str, start_seconds: float) -> None:
        super().__init__(page_url, start_seconds)
        self._trace: list[dict[str, Any]] = []

    def begin_tasks(self, deadline: float) -> None:
        self._trace, self._is_traced = [], False
        categories = {"includedCategories": ["toplevel", "viz"], "excludedCategories": ["*"]}
        config = {"recordMode": "recordContinuously", **categories}
        self._call("Tracing.start", {"transferMode": "ReportEvents", "traceConfig": config}, deadline)

    def end_tasks(self, seconds: float) -> Tasks:
        deadline = time.monotonic() + TRACE_SECONDS
        self._call("Tracing.end", {}, deadline)
        while not self._is_traced:
            if time.monotonic() > deadline:
                raise BrowserError("chromium: no trace")
            self.evaluate("'null'", deadline)
        threads = {
            (event["pid"], event["tid"])
            for event in self._trace
            if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
        }
        tasks = [
            event.get("tdur", 0) / 1000
            for event in self._trace
            if event["name"] == self.TASK and (event["pid"], event["tid"]) in threads
        ]
        drawn = sum(event["name"] == self.COUNTED for event in self._trace)
        above = sum(task > self.MOST_MILLISECONDS for task in tasks)
        return Tasks(drawn / seconds, max(tasks, default=0), above)

    def _check_event(self, message: dict[str, Any]) -> None:
        if message.get("method") == "Tracing.dataCollected":
            self._trace += [event for event in message["params"]["value"] if event.get("ph") in "XM"]
        super()._check_event(message)


def play_tasks(wall: Wall, package: Path, settle: float, seconds: float) -> Tasks:
    """The main thread's tasks while a wall of elements plays."""
    with ElementServer(wall, package, ELEMENT) as server:
        browser = TracedChromium(server.page_url, START_SECONDS)
        browser.size = wall.size
        try:
            browser.start()
            time.sleep(settle)
            browser.begin_tasks(time.monotonic() + ANSWER_SECONDS)
            time.sleep(seconds)
            return browser.end_tasks(seconds)
        finally:
            browser.stop()


def scroll_tasks(wall: Wall, package: Path, settle: float, seconds: float) -> Tasks:
    """The same while a wall of a thousand scrolls."""
    with ElementServer(wall, package, ELEMENT) as server:
        browser = TracedChromium(server.url("/scroll"), START_SECONDS)
        browser.size = (800, 600)
        try:
            browser.start()
            deadline = time.monotonic() + ANSWER_SECONDS
            while not browser.evaluate("wall.state()", deadline):
                time.sleep(0.05)
            browser.evaluate("wall.fill()", deadline)
            time.sleep(settle)
            browser.begin_tasks(time.monotonic() + ANSWER_SECONDS)
            found = browser.evaluate(f"wall.scroll({seconds * 1000:.0f})", time.monotonic() + ANSWER_SECONDS)
            if found["scrolled"] <= 0:
                raise BrowserError("chromium: the wall does not scroll")
            return browser.end_tasks(found["seconds"])
        finally:
            browser.stop()
