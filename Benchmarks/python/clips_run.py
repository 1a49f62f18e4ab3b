#!/usr/bin/env python3
"""Makes clips with one library and prints a line of JSON: clips_run.py NAME REPEAT EXPECTED.jsonl GIFS

    {"right": FRAMES, "frames": FRAMES, "clips": CLIPS, "one": SECONDS, "two": SECONDS}

A clip is eight frames of 112 x 112, RGB, channels first: the middle of the pictures that are seen at eight instants of
the play. Every library is told their numbers. `right` counts those that are, before they are scaled, the pictures of
the browsers. `one` and `two` are the best seconds for all files, TURNS times, by one process and by two; Gallop's are those of
its own threads.
"""

from __future__ import annotations

import io
import itertools
import json
import math
import multiprocessing
import sys
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from library_run import picture_hash
from readers import LIBRARIES

FRAMES, SIDE = 8, 112
TURNS = 4
Clip = Callable[[bytes, Sequence[int]], Any]
Job = tuple[str, str, list[int]]
"""A library, a file, and the numbers of the clip's frames."""


# --- How each library makes a clip ----------------------------------------------------------------------------------


def clip_pillow(data: bytes, indices: Sequence[int]) -> Any:
    import numpy
    from PIL import Image, ImageOps

    out = numpy.empty((FRAMES, SIDE, SIDE, 3), numpy.uint8)
    with Image.open(io.BytesIO(data)) as image:
        for place, index in zip(out, indices):
            image.seek(index)
            place[...] = ImageOps.fit(image.convert("RGB"), (SIDE, SIDE), Image.Resampling.BILINEAR)
    return numpy.ascontiguousarray(out.transpose(0, 3, 1, 2))


def fitted(frames: Iterable[Any]) -> Any:
    """Arrays scaled by OpenCV, which is the fastest that was found, to cover the clip's size."""
    import cv2
    import numpy

    cv2.setNumThreads(1)
    out = numpy.empty((FRAMES, SIDE, SIDE, 3), numpy.uint8)
    for place, frame in zip(out, frames):
        height, width = frame.shape[:2]
        side = min(height, width)
        y, x = (height - side) // 2, (width - side) // 2
        way = cv2.INTER_AREA if side > SIDE else cv2.INTER_LINEAR
        place[...] = cv2.resize(frame[y : y + side, x : x + side, :3], (SIDE, SIDE), interpolation=way)
    return numpy.ascontiguousarray(out.transpose(0, 3, 1, 2))


def clip_torchvision(data: bytes, indices: Sequence[int]) -> Any:
    import torch
    from torchvision.io import decode_gif
    from torchvision.transforms.v2 import functional

    torch.set_num_threads(1)
    frames = decode_gif(torch.frombuffer(bytearray(data), dtype=torch.uint8))
    frames = frames if frames.ndim == 4 else frames[None]
    return functional.center_crop(functional.resize(frames[list(indices)], [SIDE], antialias=True), [SIDE, SIDE])


def chosen(key: str) -> Clip:
    """What reads the frames up to the last one, and scales those that are asked for."""

    def clip(data: bytes, indices: Sequence[int]) -> Any:
        wanted = set(indices)
        found = {
            place: frame
            for place, frame in enumerate(itertools.islice(LIBRARIES[key].read(data), max(indices) + 1))
            if place in wanted
        }
        return fitted(found[index] for index in indices)

    return clip


CLIPS: dict[str, Clip] = {
    "pillow": clip_pillow, "torchvision": clip_torchvision,
    **{key: chosen(key) for key in ("skia", "pyav", "imageio", "imagecodecs", "opencv")},
}  # fmt: skip
"""Gallop has a function for clips, and is not among them."""


# --- Right ----------------------------------------------------------------------------------------------------------


def numbers(frames: Sequence[dict[str, Any]]) -> list[int]:
    """The frames that browsers show at the instants of a clip."""
    ends = list(itertools.accumulate(frame["ms"] for frame in frames))
    return [bisect_right(ends, place * ends[-1] / FRAMES) for place in range(FRAMES)]


def right_frames(key: str, data: bytes, expected: dict[str, Any], indices: Sequence[int]) -> int:
    """How many of a clip's frames are the browsers', before they are scaled."""
    hashes = {index: expected["frames"][index]["sha"] for index in indices}
    good: set[int] = set()
    try:
        for index, array in enumerate(LIBRARIES[key].read(data)):
            if index in hashes and picture_hash(array) == hashes[index]:
                good.add(index)
    except Exception as error:  # any library's own
        print(f"{expected['file']}: {error}", file=sys.stderr)
    return sum(index in good for index in indices)


# --- Time -----------------------------------------------------------------------------------------------------------


def make(job: Job) -> int:
    """Makes a clip; 1, or 0 where the library cannot."""
    key, path, indices = job
    try:
        clip = CLIPS[key](Path(path).read_bytes(), indices)
    except Exception:  # any library's own
        return 0
    return int(tuple(clip.shape) == (FRAMES, 3, SIDE, SIDE))


def by_threads(paths: Sequence[str], jobs: int) -> int:
    import gallop

    batches: Iterator[Any] = gallop.clips(paths, 32, jobs, frames=FRAMES, size=(SIDE, SIDE))
    return sum(len(batch.good) for batch in batches)


def best_of(work: Callable[[], int], repeats: int) -> tuple[int, float]:
    count, best = 0, math.inf
    for _ in range(repeats):
        begin = time.perf_counter()
        count = work()
        best = min(best, time.perf_counter() - begin)
    return count, best


def main(arguments: Sequence[str]) -> int:
    key, repeats, listing, folder = arguments[0], int(arguments[1]), Path(arguments[2]), Path(arguments[3])
    right = 0
    jobs: list[Job] = []
    for line in listing.read_text(encoding="utf-8").splitlines():
        expected = json.loads(line)
        path = folder / expected["file"]
        indices = numbers(expected["frames"])
        right += right_frames(key, path.read_bytes(), expected, indices)
        jobs.append((key, str(path), indices))
    frames = FRAMES * len(jobs)
    jobs *= TURNS
    seconds: list[float] = []
    clips = 0
    for processes in (1, 2):
        if key == "gallop":
            paths = [path for _, path, _ in jobs]
            clips, best = best_of(lambda paths=paths, n=processes: by_threads(paths, n), repeats)  # type: ignore[misc]
        else:
            with multiprocessing.get_context("spawn").Pool(processes) as pool:
                clips, best = best_of(lambda pool=pool: sum(pool.imap(make, jobs)), repeats + 1)  # type: ignore[misc]
        seconds.append(best)
    print(json.dumps({"right": right, "frames": frames, "clips": clips, "one": seconds[0], "two": seconds[1]}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
