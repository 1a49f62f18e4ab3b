"""What Chromium and Firefox show of a file, pixels included; uses the browser oracle in Tests/BrowserOracle."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

ORACLE = Path(__file__).resolve().parents[2] / "BrowserOracle"
sys.path.append(str(ORACLE))

from image_witness import FRAME_SECONDS, ImageWitness  # noqa: E402
from rows import DecodedFrame, Decoding, pixel_hash  # noqa: E402

from galloptools.browsers.drivers import BROWSERS, Browser, BrowserError, Chromium  # noqa: E402
from galloptools.browsers.page_server import PageServer  # noqa: E402

_START_SECONDS = 90.0
_FILE_SECONDS = 60.0
_MOST_FRAMES = 40
_MOST_PIXELS = 1 << 20
_LARGEST_WATCHED = 400
_MOST_FILMS = 5


@dataclass
class Seen:
    """What a browser made of a file."""

    decoding: Decoding
    shown: bytes | None
    """What `<img>` paints at first."""
    pictures: list[bytes | None] = field(default_factory=list)
    """ImageDecoder's pictures."""
    painted: list[bytes] = field(default_factory=list)
    """What `<img>` paints in the middle of each frame's time, where it was watched."""

    def picture(self, index: int) -> bytes | None:
        """What stands on the page in a frame's time; the decoder's picture where nothing was watched."""
        return self.painted[index] if index < len(self.painted) else self.pictures[index]


class Witness:
    """One browser with the suite's page; started when first needed, and again after a crash."""

    def __init__(self, name: str) -> None:
        folder = Path(__file__).resolve().parent
        self._server = PageServer({"/suite.html": folder / "suite_page.html", "/stage.js": ORACLE / "stage.js"})
        self.browser: Browser = BROWSERS[name](self._server.url("/suite.html"), _START_SECONDS)
        self.browser.page_object = "suite"  # type: ignore[misc]

    def __enter__(self) -> Witness:
        self._server.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.browser.stop()
        self._server.__exit__(kind, error, trace)

    @property
    def version(self) -> str:
        """The browser's version as it states it."""
        done = subprocess.run([self.browser.find_executable(), "--version"], capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def look(self, data: bytes, watches: bool) -> Seen:
        """What the browser makes of a file; `watches` also takes screenshots of `<img>` in each frame's time."""
        path = self._server.publish(data)
        try:
            try:
                return self._look(path, data, watches)
            except BrowserError:
                self.browser.stop()
                return self._look(path, data, watches)
        finally:
            self._server.withdraw(path)

    def _look(self, path: str, data: bytes, watches: bool) -> Seen:
        if not self.browser.running:
            self.browser.start()
        deadline = time.monotonic() + _FILE_SECONDS
        answer = self.browser.evaluate(f"suite.look({json.dumps(path)}, {_MOST_FRAMES}, {_MOST_PIXELS})", deadline)
        seen = read_answer(answer)
        decoding = seen.decoding
        if (
            watches
            and isinstance(self.browser, Chromium)
            and 0 < max(decoding.width, decoding.height) <= _LARGEST_WATCHED
        ):
            seen.painted = watch(ImageWitness(self.browser, self._server), data, seen)
        return seen


def watch(witness: ImageWitness, data: bytes, seen: Seen) -> list[bytes]:
    """What `<img>` paints in each frame's time.

    On a busy machine a screenshot may show a neighbour. What agrees with ImageDecoder, or is blank where that has no
    picture, counts at once; anything else only when a slower film has shown the same as the one before it.
    """
    decoding = seen.decoding
    blank = bytes(decoding.width * decoding.height * 4)
    plain = [picture or blank for picture in seen.pictures]
    before: list[bytes] | None = None
    seconds = FRAME_SECONDS
    for _ in range(_MOST_FILMS):
        film = witness.pictures(data, decoding.width, decoding.height, decoding.frame_count, seconds)
        if film in (plain, before):
            return film
        before, seconds = film, seconds * 1.5
    raise BrowserError("screenshots of one file differ again and again: is the machine too busy?")


def read_answer(answer: dict[str, Any]) -> Seen:
    """What the page answered, with hashes for the pictures."""
    pictures = [base64.b64decode(frame["rgba"]) if "rgba" in frame else None for frame in answer["frames"]]
    frames = [
        DecodedFrame(
            frame.get("timestamp"),
            frame.get("duration"),
            None if rgba is None else pixel_hash(rgba),
            frame.get("error") and "failed",
        )
        for frame, rgba in zip(answer["frames"], pictures, strict=True)
    ]
    sized = next((frame for frame in answer["frames"] if "width" in frame), answer)
    shown = None if answer["shown"] is None else base64.b64decode(answer["shown"])
    decoding = Decoding(
        sized["width"],
        sized["height"],
        answer["frameCount"],
        answer["repetition"],
        tuple(frames),
        None if shown is None else pixel_hash(shown),
    )
    return Seen(decoding, shown, pictures)
