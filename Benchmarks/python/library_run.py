#!/usr/bin/env python3
"""Runs one library on many files, in a process of its own, and prints a line of JSON for each.

library_run.py NAME compare EXPECTED.jsonl GIFS     {"file", "identical", "why"}: one line of EXPECTED a file
library_run.py NAME time kept|rgb|streamed REPEAT SECONDS FILE...     {"file", "milliseconds", "frames"}
library_run.py NAME version
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from galloptools.measuring.repeats import best_of
from readers import LIBRARIES, Library, Reader

MOST_LISTED = 400
"""The expectations list no more frames of a file."""


def picture_hash(array: Any) -> str:
    """The hash of an expectation's kind: straight RGBA, without colour where alpha is 0; RGB counts as opaque."""
    import numpy

    if array.shape[2] == 3:
        array = numpy.dstack([array, numpy.full(array.shape[:2], 255, numpy.uint8)])
    clean = numpy.where(array[:, :, 3:] == 0, 0, array).astype(numpy.uint8)
    return hashlib.sha256(clean.tobytes()).hexdigest()[:16]


def compare(read: Reader, data: bytes, expected: dict[str, Any]) -> str | None:
    """Why the frames are not those that Chromium shows; None if they are."""
    hashes = [frame["sha"] for frame in expected["frames"]]
    if hashes and hashes[0] is None and expected.get("shown"):
        hashes[0] = expected["shown"]
    count = 0
    for count, array in enumerate(read(data), 1):
        wanted = hashes[count - 1] if count <= len(hashes) else None
        if wanted is not None and picture_hash(array) != wanted:
            return f"frame {count - 1} differs"
    return None if count == expected["frameCount"] else f"{count} frames instead of {expected['frameCount']}"


def in_rgb(library: Library, data: bytes) -> Any:
    """All frames without alpha, each row of pixels next to each other."""
    import numpy

    if library.read_rgb:
        return library.read_rgb(data)
    if library.read_all:
        return numpy.ascontiguousarray(library.read_all(data)[..., :3])
    return [numpy.ascontiguousarray(array[..., :3]) for array in library.read(data)]


def timed(library: Library, data: bytes, mode: str, repeats: int, seconds: float) -> dict[str, Any]:
    def decode() -> int:
        if mode == "streamed":
            return sum(1 for _ in library.read(data))
        if mode == "rgb":
            return len(in_rgb(library, data))
        return len(library.read_all(data) if library.read_all else list(library.read(data)))

    milliseconds, frames = best_of(decode, repeats, seconds)
    return {"milliseconds": milliseconds, "frames": frames}


def attempt(file: str, work: Callable[[], dict[str, Any]]) -> None:
    """Print a file's line; what a library raises is its answer, too."""
    try:
        row = work()
    except Exception as error:  # any library's own
        text = str(error).splitlines()
        row = {"identical": False, "why": f"{type(error).__name__}: {text[0] if text else ''}"[:200]}
    print(json.dumps({"file": file, **row}), flush=True)


def main(arguments: Sequence[str]) -> int:
    library = LIBRARIES[arguments[0]]
    __import__(library.module)
    if arguments[1] == "version":
        print(library.version)
    elif arguments[1] == "compare":
        for line in Path(arguments[2]).read_text(encoding="utf-8").splitlines():
            expected = json.loads(line)
            data = Path(arguments[3], expected["file"]).read_bytes()

            def judge(data: bytes = data, expected: dict[str, Any] = expected) -> dict[str, Any]:
                why = compare(library.read, data, expected)
                return {"identical": why is None, "why": why}

            attempt(expected["file"], judge)
    else:
        mode, repeats, seconds = arguments[2], int(arguments[3]), float(arguments[4])
        for file in arguments[5:]:
            data = Path(file).read_bytes()
            attempt(file, lambda data=data: timed(library, data, mode, repeats, seconds))  # type: ignore[misc]
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
