"""The format in which a decoder says what it makes of a file, and how that is compared with the index.

README.md describes the format for authors of decoders. Standard library only, nothing of the project.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Row = dict[str, Any]
Plays = int | str | None

OTHER_SIZE = "another size"
"""The hash of a picture that is not as large as the canvas."""
_IS_ZERO = bytes([1]) + bytes(255)


class FormatError(ValueError):
    """A decoder's output is not in the format."""


@dataclass
class ShownFrame:
    """A frame as a decoder shows it."""

    ms: int | None
    sha: str | None = None
    """None where the decoder gives no picture."""
    rgba: bytes | None = field(default=None, repr=False)
    rgb: bytes | None = field(default=None, repr=False)
    """Pixels of a decoder without alpha."""


@dataclass
class Answer:
    """What a decoder makes of a file."""

    width: int = 0
    height: int = 0
    plays: Plays = None
    frames: list[ShownFrame] = field(default_factory=list)
    error: str | None = None
    crash: str | None = None
    """How the decoder ended where it did not end properly."""


# --- Pictures ---------------------------------------------------------------------------------------------------


def picture_hash(rgba: bytes) -> str:
    """The hash of the index: R, G and B count as 0 where alpha is 0."""
    clear = rgba[3::4].translate(_IS_ZERO)
    if any(clear):
        visible = int.from_bytes(clear.translate(bytes([255]) + bytes(255)), "little")
        cleaned = bytearray(rgba)
        for channel in range(3):
            plane = int.from_bytes(rgba[channel::4], "little") & visible
            cleaned[channel::4] = plane.to_bytes(len(clear), "little")
        rgba = bytes(cleaned)
    return hashlib.sha256(rgba).hexdigest()[:16]


def read_pictures(path: Path) -> dict[str, bytes]:
    """The pixels of each hash in pictures.jsonl."""
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {row["sha"]: zlib.decompress(base64.b64decode(row["rgba"])) for row in rows}


def read_index(path: Path) -> list[Row]:
    """The lines of expected.jsonl."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


# --- The format -------------------------------------------------------------------------------------------------


def parse(text: str) -> dict[str, Answer]:
    """The answers of a decoder's output by file; a decoder of one file may leave out the `file` line."""
    answers: dict[str, Answer] = {}
    current: Answer | None = None
    for number, line in enumerate(text.splitlines(), 1):
        word, _, rest = line.strip().partition(" ")
        try:
            if word == "file":
                current = answers[rest] = Answer()
            elif word:
                if current is None:
                    current = answers[""] = Answer()
                _apply(current, word, rest)
        except (ValueError, IndexError) as error:
            raise FormatError(f"line {number}: {line[:60]!r}: {error}") from error
    return answers


def _apply(answer: Answer, word: str, rest: str) -> None:
    if word == "size":
        answer.width, answer.height = map(int, rest.split())
    elif word == "plays":
        answer.plays = None if rest == "-" else rest if rest == "forever" else int(rest)
    elif word == "frame":
        answer.frames.append(_frame(*rest.split(), size=answer.width * answer.height))
    elif word == "error":
        answer.error = rest
    else:
        raise ValueError("begins with none of file, size, plays, frame, error")


def _frame(delay: str, kind: str, content: str = "", size: int = 0) -> ShownFrame:
    milliseconds = None if delay == "-" else int(delay)
    if kind == "none":
        return ShownFrame(milliseconds)
    if kind == "sha":
        if len(content) != 16:
            raise ValueError("a hash has 16 hex digits")
        return ShownFrame(milliseconds, content.lower())
    pixels = bytes.fromhex(content)
    channels = {"rgba": 4, "rgb": 3}[kind] if kind in ("rgba", "rgb") else 0
    if channels == 0:
        raise ValueError("a picture is sha, rgba, rgb or none")
    if len(pixels) != size * channels:
        return ShownFrame(milliseconds, OTHER_SIZE)
    if kind == "rgb":
        return ShownFrame(milliseconds, rgb=pixels)
    return ShownFrame(milliseconds, picture_hash(pixels), pixels)


# --- Comparing --------------------------------------------------------------------------------------------------


def played(milliseconds: int) -> int:
    """A delay as browsers play it; one that is played already stays as it is."""
    return 100 if milliseconds <= 10 else milliseconds


def differences(row: Row, answer: Answer, pictures: Mapping[str, bytes]) -> list[tuple[str, str]]:
    """What differs from a line of the index: the kind of difference, and words. Nothing if they are identical."""
    if answer.crash is not None:
        return [("crash", answer.crash)]
    if row["agree"] == "rejected":
        return [("frames", f"{len(answer.frames)} frames of a file that has none")] if answer.frames else []
    if not answer.frames:
        return [("rejected", answer.error or "no frames")]
    found: list[tuple[str, str]] = []
    if (answer.width, answer.height) != (row["width"], row["height"]):
        found.append(("size", f"{answer.width} x {answer.height} instead of {row['width']} x {row['height']}"))
    if len(answer.frames) != row["frameCount"]:
        found.append(("frames", f"{len(answer.frames)} frames instead of {row['frameCount']}"))
    if None not in (row["plays"], answer.plays) and row["plays"] != answer.plays:
        found.append(("plays", f"plays: {answer.plays} instead of {row['plays']}"))
    is_animated = row["frameCount"] > 1
    has_size = not any(kind == "size" for kind, _ in found)
    for index, (shown, wanted) in enumerate(zip(answer.frames, row["frames"], strict=False)):
        if is_animated and None not in (shown.ms, wanted["ms"]) and played(shown.ms) != wanted["ms"]:
            found.append(("delays", f"frame {index}: {shown.ms} ms instead of {wanted['ms']} ms"))
        if has_size and wanted["sha"] is not None and not shows(shown, wanted["sha"], pictures):
            found.append(("pictures", f"frame {index}: another picture"))
    return found


def shows(frame: ShownFrame, sha: str, pictures: Mapping[str, bytes]) -> bool:
    """Whether a frame is the picture of a hash.

    No picture is a transparent one; without alpha only opaque pixels count.
    """
    if frame.sha is not None:
        return frame.sha == sha
    wanted = pictures[sha]
    if frame.rgb is None:
        return not any(wanted)
    return all(
        wanted[4 * place + 3] == 0 or frame.rgb[3 * place : 3 * place + 3] == wanted[4 * place : 4 * place + 3]
        for place in range(len(wanted) // 4)
    )


def firefox_row(row: Row) -> Row | None:
    """The line as Firefox's own column has it; None where Firefox was not asked."""
    own = row.get("firefox")
    if own is None:
        return None
    return {**row, **own, "agree": "firefox" if own["frames"] else "rejected"}


def summary(
    rows: Sequence[Row], found: Mapping[str, list[tuple[str, str]]], kind: str | None = None
) -> tuple[int, int]:
    """How many files are identical, of how many; of one kind, or of all."""
    files = [row["file"] for row in rows if kind is None or row["kind"] == kind]
    return sum(not found[file] for file in files), len(files)
