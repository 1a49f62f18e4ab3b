"""Runs of one decoder, one after another, of which the fastest counts."""

from __future__ import annotations

import time
from collections.abc import Callable


def best_of(decode: Callable[[], int], repeats: int, seconds: float) -> tuple[float, int]:
    """The fastest of `repeats` runs in milliseconds, and the frames; no run but the second starts after `seconds`.

    The first one alone would time the system's clearing of fresh memory, which others are given warm.
    """
    best = float("inf")
    frames = 0
    begin = time.perf_counter()
    for turn in range(repeats):
        start = time.perf_counter()
        if turn >= 2 and start - begin >= seconds:
            break
        frames = decode()
        best = min(best, time.perf_counter() - start)
    return best * 1e3, frames
