"""Browsers that show a wall: a window large enough, counts of what is drawn, and screenshots.

What a browser draws is counted without asking it for a picture: a screenshot or requestAnimationFrame makes it draw,
and requestAnimationFrame goes on at 60 a second while the images fall far behind.
"""

from __future__ import annotations

import base64
import json
import time
from collections import Counter
from pathlib import Path
from typing import Any, ClassVar

from galloptools.browsers.drivers import Browser, BrowserError, Chromium, Firefox

ROOM = (64, 220)
"""What a window is larger than its wall: the browser's own bars take some of it."""
POLL_SECONDS = 0.1
TRACE_SECONDS = 60.0
"""A trace of some seconds arrives sooner than this."""
COMPOSITES = """
(() => { const times = Glean.gfx.compositeTime.testGetValue(); return JSON.stringify(times ? times.count : 0); })()
"""


class WallBrowser(Browser):
    """What the benchmark needs of either browser."""

    page_object: ClassVar[str] = "wall"
    size = (0, 0)
    """Of the wall, in CSS pixels; set before `start`."""

    @property
    def pid(self) -> int:
        """The process at the top."""
        if self._process is None:
            raise BrowserError(f"{self.name} is not running")
        return self._process.pid

    @property
    def window(self) -> tuple[int, int]:
        return self.size[0] + ROOM[0], self.size[1] + ROOM[1]

    def begin_count(self, deadline: float) -> None:
        """Begin to count the pictures drawn."""
        raise NotImplementedError

    def end_count(self, deadline: float) -> int:
        """The pictures drawn since."""
        raise NotImplementedError

    def screenshot(self, deadline: float) -> bytes:
        """The wall as PNG."""
        raise NotImplementedError


class WallChromium(WallBrowser, Chromium):
    """Draws are counted in a trace of the display compositor, which is kept small: category `viz` only."""

    COUNTED: ClassVar[str] = "Display::DrawAndSwap"

    def __init__(self, page_url: str, start_seconds: float) -> None:
        super().__init__(page_url, start_seconds)
        self._events: Counter[str] = Counter()
        self._is_traced = False

    def _arguments(self, profile: Path) -> list[str]:
        width, height = self.window
        return [f"--window-size={width},{height}", "--force-device-scale-factor=1", *super()._arguments(profile)]

    def begin_count(self, deadline: float) -> None:
        self._events.clear()
        self._is_traced = False
        config = {"recordMode": "recordContinuously", "includedCategories": ["viz"], "excludedCategories": ["*"]}
        self._call("Tracing.start", {"transferMode": "ReportEvents", "traceConfig": config}, deadline)

    def end_count(self, deadline: float) -> int:
        self._call("Tracing.end", {}, deadline)
        while not self._is_traced:
            if time.monotonic() > deadline:
                raise BrowserError("chromium: no trace")
            self.evaluate("'null'", deadline)  # events arrive while an answer is awaited
            time.sleep(POLL_SECONDS)
        return self._events[self.COUNTED]

    def _check_event(self, message: dict[str, Any]) -> None:
        if message.get("method") == "Tracing.dataCollected":
            self._events.update(event["name"] for event in message["params"]["value"] if event.get("ph") == "X")
        elif message.get("method") == "Tracing.tracingComplete":
            self._is_traced = True
        super()._check_event(message)

    def screenshot(self, deadline: float) -> bytes:
        clip = {"x": 0, "y": 0, "width": self.size[0], "height": self.size[1], "scale": 1}
        params = {"format": "png", "optimizeForSpeed": True, "clip": clip}
        return base64.b64decode(self._call_page("Page.captureScreenshot", params, deadline)["data"])


class WallFirefox(WallBrowser, Firefox):
    """Draws are counted by Firefox itself: it keeps the time of every composition (`gfx.compositeTime`)."""

    def __init__(self, page_url: str, start_seconds: float) -> None:
        super().__init__(page_url, start_seconds)
        self._chrome = ""
        self._composites = 0

    def _arguments(self, profile: Path) -> list[str]:
        return ["--remote-allow-system-access", *super()._arguments(profile)]

    def _environment(self, directory: Path) -> dict[str, str]:
        width, height = self.window
        size = {"MOZ_HEADLESS_WIDTH": str(width), "MOZ_HEADLESS_HEIGHT": str(height)}
        return {**super()._environment(directory), **size}

    def _open_page(self, profile: Path, deadline: float) -> None:
        super()._open_page(profile, deadline)
        viewport = {"width": self.size[0], "height": self.size[1]}
        params = {"context": self._context, "viewport": viewport, "devicePixelRatio": 1.0}
        self._call("browsingContext.setViewport", params, deadline)
        # The browser's own window, where the counter is.
        windows = self._call("browsingContext.getTree", {"moz:scope": "chrome"}, deadline)["contexts"]
        self._chrome = windows[0]["context"]

    def _count(self, deadline: float) -> int:
        params = {"expression": COMPOSITES, "target": {"context": self._chrome}, "awaitPromise": True}
        answer = self._call("script.evaluate", params, deadline)
        if answer.get("type") != "success":
            raise BrowserError("firefox does not count its compositions")
        return int(json.loads(answer["result"]["value"]))

    def begin_count(self, deadline: float) -> None:
        self._composites = self._count(deadline)

    def end_count(self, deadline: float) -> int:
        return self._count(deadline) - self._composites

    def screenshot(self, deadline: float) -> bytes:
        box = {"type": "box", "x": 0, "y": 0, "width": self.size[0], "height": self.size[1]}
        params = {"context": self._context, "clip": box}
        return base64.b64decode(self._call("browsingContext.captureScreenshot", params, deadline)["data"])
