"""Ask one browser about one file, and keep going when the browser crashes or hangs."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from typing import Any

from image_witness import MOST_FRAMES, ImageWitness
from rows import LARGEST_SIDE, LISTED_FRAMES, DecodedFrame, Decoding

from galloptools.browsers.drivers import Browser, BrowserError, BrowserHung, Chromium
from galloptools.browsers.page_server import PageServer

_PIXELS_PER_STEP = 8_000_000
_FRAMES_PER_STEP = 50
_WATCHED_SIDE = 64


class Asker:
    """One browser, started when first needed and restarted after every crash or hang."""

    def __init__(self, browser: Browser, server: PageServer, file_seconds: float, cross_check_all: bool) -> None:
        self._browser = browser
        self._server = server
        self._file_seconds = file_seconds
        self._checked_frames = LISTED_FRAMES if cross_check_all else 1

    def close(self) -> None:
        """End the browser."""
        self._browser.stop()

    def ask(self, data: bytes) -> Decoding:
        """Decode `data`.

        After a crash (or a script error, which may be its trace) the file gets one more chance; a hang is final,
        since it would only cost the same time again.
        """
        path = self._server.publish(data)
        try:
            try:
                return self._watch(data, self._ask_once(path))
            except BrowserHung:
                raise
            except BrowserError:
                self._browser.stop()
                return self._watch(data, self._ask_once(path))
        except BrowserError as error:
            self._browser.stop()
            return Decoding(broken=str(error))
        finally:
            self._server.withdraw(path)

    def _ask_once(self, path: str) -> Decoding:
        if not self._browser.running:
            self._browser.start()
        deadline = time.monotonic() + self._file_seconds
        track = self._call("open", path, deadline=deadline)
        decoding = self._decode(track, deadline)
        self._call("close", deadline=deadline)
        return decoding

    def _decode(self, track: dict[str, Any], deadline: float) -> Decoding:
        width, height, count = track["width"], track["height"], track.get("frameCount", 0)
        listed = min(count, LISTED_FRAMES)
        notes: list[str] = []
        shown: str | None = None
        if max(width, height) > LARGEST_SIDE:
            frames = [DecodedFrame(why="unhashed")] * listed
            notes += [f"side over {LARGEST_SIDE}: size, count and delays only"] if listed else []
        else:
            answers = self._frame_answers(listed, width * height, deadline)
            frames = [_decoded_frame(answer) for answer in answers]
            notes += _cross_check_notes(answers)
            size = next(((answer["width"], answer["height"]) for answer in answers if "error" not in answer), None)
            width, height = size or (width, height)
            if frames and frames[0].sha is None:
                shown = self._call("shown", deadline=deadline)
        return Decoding(width, height, count, track.get("repetition"), tuple(frames), shown, notes=tuple(notes))

    def _watch(self, data: bytes, decoding: Decoding) -> Decoding:
        """Where a frame of a small file has no picture, see what `<img>` paints in each frame's time."""
        if not isinstance(self._browser, Chromium) or not decoding.has_unpictured_frame:
            return decoding
        if max(decoding.width, decoding.height) > _WATCHED_SIDE or decoding.frame_count > MOST_FRAMES:
            return decoding
        witness = ImageWitness(self._browser, self._server)
        painted = witness.hashes(data, decoding.width, decoding.height, decoding.frame_count)
        return replace(decoding, painted=tuple(painted))

    def _frame_answers(self, count: int, area: int, deadline: float) -> list[dict[str, Any]]:
        """Decode in order (a decoder may then build each frame on the last), a limited amount per call."""
        step = max(1, min(_FRAMES_PER_STEP, _PIXELS_PER_STEP // max(1, area)))
        answers: list[dict[str, Any]] = []
        for first in range(0, count, step):
            size = min(step, count - first)
            answers += self._call("frames", first, size, self._checked_frames, deadline=deadline)
        return answers

    def _call(self, function: str, *arguments: str | int, deadline: float) -> Any:
        listed = ", ".join(json.dumps(argument) for argument in arguments)
        return self._browser.evaluate(f"oracle.{function}({listed})", deadline)


def _decoded_frame(answer: dict[str, Any]) -> DecodedFrame:
    if "error" in answer:
        return DecodedFrame(why="failed")
    return DecodedFrame(answer["timestamp"], answer["duration"], answer.get("copied") or answer.get("painted"))


def _cross_check_notes(answers: list[dict[str, Any]]) -> list[str]:
    """copyTo and a canvas must give the same pixels; if they ever do not, the line has to say so."""
    bad = [
        index
        for index, answer in enumerate(answers)
        if "copied" in answer and "painted" in answer and answer["copied"] != answer["painted"]
    ]
    uncopied = [index for index, answer in enumerate(answers) if "copyError" in answer]
    notes = [f"copyTo and canvas differ in frames {bad[:10]}"] if bad else []
    return notes + ([f"copyTo failed, canvas used in frames {uncopied[:10]}"] if uncopied else [])
