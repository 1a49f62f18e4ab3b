"""Asks Chromium and gallop about many small files at once, and compares their answers."""

from __future__ import annotations

import base64
import hashlib
import json
import struct
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

from pages import BATCH_PAGE, OraclePages
from rows import LARGEST_SIDE, Plays, total_plays

from galloptools.browsers.drivers import BrowserError, Chromium

MOST_FRAMES = 400
MOST_PIXELS = 1 << 21
"""Larger canvases are compared by size, count, delays and plays only."""

MOST_BYTES = 1 << 21
"""Files of more than that together are asked about apart."""
PIECES = (1, 7, 1000)
_SECONDS = 600.0
"""A pack of small files of large pictures takes minutes beside other work."""


@dataclass
class Answer:
    """What a program made of a file."""

    width: int = 0
    height: int = 0
    frame_count: int = 0
    plays: Plays = None
    pictures: list[str | None] = field(default_factory=list)
    """A hash for each frame; None where it shows nothing."""
    delays: list[int | None] = field(default_factory=list)
    """Stored delays in milliseconds; None where the program does not say."""
    knows_count: bool = True
    """Whether the number of frames and plays is known: not where only <img> answers."""
    piece_differences: list[str] = field(default_factory=list)
    crash: str | None = None

    @property
    def is_rejected(self) -> bool:
        """Whether there is no picture at all."""
        return self.frame_count == 0

    @property
    def is_too_large(self) -> bool:
        """Whether a side is beyond what ImageDecoder answers for."""
        return max(self.width, self.height) > LARGEST_SIDE


def compare(wanted: Answer, got: Answer) -> list[str]:
    """The differences in words."""
    if got.crash:
        return [got.crash]
    found = list(got.piece_differences)
    if wanted.is_rejected:
        if not got.is_rejected:
            found.append(f"Chromium finds no frame, gallop {got.frame_count}")
        return found
    if (wanted.width, wanted.height) != (got.width, got.height):
        found.append(f"size: {got.width} x {got.height} instead of {wanted.width} x {wanted.height}")
    if wanted.knows_count:
        if wanted.frame_count != got.frame_count:
            found.append(f"frames: {got.frame_count} instead of {wanted.frame_count}")
        if wanted.plays is not None and wanted.plays != got.plays:
            found.append(f"plays: {got.plays} instead of {wanted.plays}")
    for index, delay in enumerate(wanted.delays[: got.frame_count]):
        if delay is not None and delay != got.delays[index]:
            found.append(f"frame {index} delay: {got.delays[index]} instead of {delay}")
    if wanted.width * wanted.height <= MOST_PIXELS and not wanted.is_too_large and not found:
        for index, (theirs, ours) in enumerate(zip(wanted.pictures, got.pictures, strict=False)):
            if theirs != ours:
                found.append(f"frame {index} picture: {ours or 'blank'} instead of {theirs or 'blank'}")
    return found


def pack(files: Sequence[bytes]) -> bytes:
    """Files as one resource for the page."""
    parts = [struct.pack("<I", len(files))]
    for data in files:
        parts += [struct.pack("<I", len(data)), data]
    return b"".join(parts)


# --- Chromium ---------------------------------------------------------------------------------------------------


class _BatchChromium(Chromium):
    page_object = "batch"


class Chrome:
    """Chromium with the batch page; started again when it crashes."""

    def __init__(self) -> None:
        self.server = OraclePages()
        self.browser = _BatchChromium(self.server.url(BATCH_PAGE), 90)

    def __enter__(self) -> Chrome:
        self.server.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.browser.stop()
        self.server.__exit__(kind, error, trace)

    def ask(self, files: Sequence[bytes], changes: Sequence[object] = ()) -> list[Answer]:
        """What Chromium makes of each file; `changes` say what becomes of its pictures before they are hashed."""
        answers: list[Answer] = []
        first = 0
        while first < len(files):
            # Few large files at once: an answer has an end.
            end, size = first, 0
            while end < len(files) and (end == first or size + len(files[end]) <= MOST_BYTES):
                size += len(files[end])
                end += 1
            results = self.call("ask", files[first:end], MOST_FRAMES, MOST_PIXELS, list(changes[first:end]))
            answers += [_chromium_answer(result) for result in results]
            first = end
        return answers

    def picture(self, data: bytes, frame: int) -> bytes | None:
        """The pixels of one frame, straight RGBA."""
        text = self.call("picture", [data], frame)
        return None if text is None else base64.b64decode(text)

    def call(self, function: str, files: Sequence[bytes], *arguments: object) -> Any:
        """Call a function of the page with a pack of files; a crash is tried once more."""
        path = self.server.publish(pack(files))
        listed = ", ".join(json.dumps(argument) for argument in (path, *arguments))
        try:
            try:
                return self._evaluate(f"batch.{function}({listed})")
            except BrowserError:
                self.browser.stop()
                return self._evaluate(f"batch.{function}({listed})")
        finally:
            self.server.withdraw(path)

    def _evaluate(self, expression: str) -> Any:
        if not self.browser.running:
            self.browser.start()
        return self.browser.evaluate(expression, time.monotonic() + _SECONDS)


def _chromium_answer(result: dict[str, Any]) -> Answer:
    if result["frames"] is None:
        # ImageDecoder closes itself where the only frame fails; <img> still shows it.
        shown = result.get("shown")
        nothing = digest(bytes(result["width"] * result["height"] * 4)) if shown else None
        pictures = [] if shown is None else [None if shown == nothing else shown]
        has_size = result["width"] > 0
        return Answer(result["width"], result["height"], int(has_size), None, pictures, knows_count=False)
    frames = result["frames"]
    # A frame without a picture and a transparent one look alike.
    size = next((frame for frame in frames if "width" in frame), result)
    nothing = digest(bytes(size["width"] * size["height"] * 4)) if frames else None
    pictures = [None if frame.get("sha") == nothing else frame.get("sha") for frame in frames]
    delays = [_milliseconds(frame.get("duration")) for frame in frames]
    count = result["frameCount"]
    plays = total_plays(result["repetition"], count)
    return Answer(size["width"], size["height"], count, plays, pictures, delays)


def _milliseconds(microseconds: int | None) -> int | None:
    return None if microseconds is None else round(microseconds / 1000)


# --- Gallop -----------------------------------------------------------------------------------------------------


class Gallop:
    """The program under test, called once for many files."""

    def __init__(self, program: Path, folder: Path) -> None:
        self._program = program.resolve()
        self._folder = folder
        self._last: list[Answer] = []

    def ask(self, files: Sequence[bytes]) -> list[Answer]:
        """What gallop makes of each file, whole; ways of reading that differ from that are noted."""
        names = [f"{number}.gif" for number in range(len(files))]
        for name, data in zip(names, files, strict=True):
            (self._folder / name).write_bytes(data)
        answers = self._read(names, None)
        for size in PIECES:
            for answer, fed in zip(answers, self._read(names, size), strict=True):
                if (answer.crash or fed.crash) and not answer.crash:
                    answer.crash = fed.crash
                fed.piece_differences = answer.piece_differences
                if fed != answer:
                    answer.piece_differences.append(f"in pieces of {size} bytes another result than whole")
        return answers

    def picture(self, frame: int) -> bytes | None:
        """The pixels of a frame of the first file of the last batch."""
        [answer] = self._read(["0.gif"], None)
        size = answer.width * answer.height * 4
        with (self._folder / "0.rgba").open("rb") as stream:
            stream.seek(frame * size)
            return stream.read(size)

    def _read(self, names: Sequence[str], piece_bytes: int | None) -> list[Answer]:
        feeding = [] if piece_bytes is None else ["--piece-bytes", str(piece_bytes)]
        try:
            lines = self._run("info", "--json", *feeding, *names)
        except CrashError as crash:
            return self._read_apart(names, piece_bytes, crash)
        rows = map(json.loads, lines.splitlines())
        reports = {row["path"]: row for row in rows if "error" not in row}
        small = [name for name in names if name in reports and _is_small(reports[name])]
        for name in small:
            (self._folder / name).with_suffix(".rgba").unlink(missing_ok=True)
        if small:
            try:
                self._run("decode", "--jobs", "1", "--format", "rgba", "--output", "./", "--force", *feeding, *small)
            except CrashError as crash:
                return self._read_apart(names, piece_bytes, crash)
        return [self._answer(reports.get(name), (self._folder / name).with_suffix(".rgba")) for name in names]

    def _read_apart(self, names: Sequence[str], piece_bytes: int | None, crash: CrashError) -> list[Answer]:
        """Find out which file of a batch is at fault."""
        if len(names) == 1:
            return [Answer(crash=str(crash))]
        middle = len(names) // 2
        return self._read(names[:middle], piece_bytes) + self._read(names[middle:], piece_bytes)

    def _run(self, *arguments: str) -> str:
        try:
            done = subprocess.run(
                [self._program, *arguments], cwd=self._folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, timeout=_SECONDS, text=True, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired as error:
            raise CrashError(f"{arguments[0]}: no end after {_SECONDS:.0f} s") from error
        # 1 and 2: some or all of the files cannot be used.
        if done.returncode not in (0, 1, 2):
            last = (done.stderr.strip().splitlines() or ["no message"])[-1]
            raise CrashError(f"{arguments[0]}: exit status {done.returncode}: {last}")
        return done.stdout

    @staticmethod
    def _answer(report: dict[str, Any] | None, output: Path) -> Answer:
        if report is None:
            return Answer()
        answer = Answer(
            report["width"], report["height"], report["frameCount"], report["plays"],
            delays=[frame["rawDelayMs"] for frame in report["frames"]],
        )  # fmt: skip
        if answer.frame_count == 1 and answer.plays == 1:
            answer.plays = None
        size = answer.width * answer.height * 4
        if _is_small(report) and output.exists():
            with output.open("rb") as stream:
                for _ in range(min(answer.frame_count, MOST_FRAMES)):
                    picture = stream.read(size)
                    answer.pictures.append(digest(picture) if any(picture) else None)
        return answer


class CrashError(Exception):
    """The program ended by a signal, with an unknown status, or not at all."""


def _is_small(report: dict[str, Any]) -> bool:
    return 0 < report["frameCount"] and report["width"] * report["height"] <= MOST_PIXELS


def digest(rgba: bytes) -> str:
    """The hash as the page computes it, of pixels whose transparent ones are zero already."""
    return hashlib.sha256(rgba).hexdigest()[:16]


# --- Pictures for people ----------------------------------------------------------------------------------------

_MOST_COLUMNS, _MOST_ROWS = 64, 32


def print_pictures(
    wanted: Answer, got: Answer, theirs: Callable[[int], bytes | None], ours: Callable[[int], bytes | None]
) -> None:
    """Print both pictures of the first frame that differs, a letter for each colour."""
    if wanted.width > _MOST_COLUMNS or wanted.height > _MOST_ROWS or got.crash:
        return
    differing = [index for index, pair in enumerate(zip(wanted.pictures, got.pictures)) if pair[0] != pair[1]]
    if not differing or (wanted.width, wanted.height) != (got.width, got.height):
        return
    frame = differing[0]
    colours: dict[bytes, str] = {bytes(4): "."}
    columns = [_letters(picture(frame), wanted.width, wanted.height, colours) for picture in (theirs, ours)]
    print(f"  frame {frame}: Chromium, gallop")
    for left, right in zip(*columns, strict=True):
        print(f"    {left}   {right}")


def _letters(rgba: bytes | None, width: int, height: int, colours: dict[bytes, str]) -> list[str]:
    pixels = [(rgba or b"")[place : place + 4] for place in range(0, width * height * 4, 4)]
    text = "".join(colours.setdefault(pixel or bytes(4), chr(ord("A") + len(colours) - 1)) for pixel in pixels)
    return [text[row * width : (row + 1) * width] for row in range(height)]
