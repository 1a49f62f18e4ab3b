"""Frames by the time at which they are seen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy

from .errors import missing_frame

if TYPE_CHECKING:
    import numpy.typing

    Seconds = numpy.typing.NDArray[numpy.float64]
    Indices = numpy.typing.NDArray[numpy.int64]
else:
    Seconds = Indices = numpy.ndarray

_MOST_SECONDS = 1e9
MOST_INSTANTS = 1 << 24


def seconds(milliseconds: Any) -> Seconds:
    """Whole milliseconds as seconds."""
    return numpy.asarray(milliseconds, numpy.int64) / 1000


def instants(count: int | None, fps: float | None, start: float, stop: float) -> Seconds:
    """Instants of the same distance from `start` on, all before `stop`: this many, or this many a second."""
    if (count is None) == (fps is None):
        raise TypeError("either a number of frames or frames a second are needed")
    if not (0 <= start < math.inf and start <= stop < math.inf):
        raise ValueError(f"a time from {start!r} to {stop!r} seconds is none")
    length = stop - start
    if fps is not None:
        if not 0 < fps < math.inf:
            raise ValueError(f"{fps!r} frames a second are none")
        # The last instant is not the end itself, however the division is rounded.
        number = max(1, math.ceil(round(length * fps, 6)))
        step = 1 / fps
    else:
        number = int(count or 0)
        if number < 1:
            raise ValueError("at least one frame is needed")
        step = length / number
    if number > MOST_INSTANTS:
        raise ValueError(f"{number} frames are more than {MOST_INSTANTS}")
    found: Seconds = start + numpy.arange(number, dtype=numpy.float64) * step
    return found


def clip_instants(count: int, fps: float | None, start: float, stop: float | None, duration: float) -> Seconds:
    """The instants of a clip: spread over a part of the play, or this many a second, where they start over at its end."""
    stop = duration if stop is None else stop
    spread = instants(count, None, start, stop)
    if fps is None:
        return spread
    if not (0 < fps < math.inf and count / fps < _MOST_SECONDS):
        raise ValueError(f"{fps!r} frames a second are none")
    # Whole nanoseconds: a remainder of fractions may be just below the length, which is no instant of the part.
    offsets = numpy.round(numpy.arange(count) * 1e9 / fps).astype(numpy.int64)
    length = round((stop - start) * 1e9)
    wrapped: Seconds = (round(start * 1e9) + (offsets % length if length > 0 else 0 * offsets)) / 1e9
    return wrapped


def frames_at(bounds_ms: Sequence[int], times: Seconds, path: str | None) -> Indices:
    """The frame at each instant, in seconds; instants beyond a play fall into the next one."""
    if len(bounds_ms) < 2:
        raise missing_frame(0, 0, path)
    # An instant that is written as 0.3 is that of 300 ms, not one just before.
    milliseconds = numpy.round(times * 1000, 6)
    if not (numpy.isfinite(milliseconds).all() and (milliseconds >= 0).all()):
        raise ValueError("a time is 0 seconds or more")
    places = numpy.mod(milliseconds, bounds_ms[-1])
    return numpy.searchsorted(numpy.asarray(bounds_ms[1:]), places, side="right").astype(numpy.int64)
