"""What players share: memory and time."""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass
from typing import Any

from ._handles import Owned, make
from ._library import check, lib
from ._structs import BudgetRecord
from .enums import Pressure

_NEVER = (1 << 63) - 1


def whole(number: int) -> int:
    """The nearest whole number that the library can take."""
    return max(-_NEVER, min(_NEVER, int(number)))


def nanoseconds(seconds: float) -> int:
    """Whole nanoseconds, at most as many as the library can count."""
    if math.isinf(seconds):
        return whole(_NEVER if seconds > 0 else -_NEVER)
    return whole(round(seconds * 1e9))


@dataclass(frozen=True)
class BudgetInfo:
    """The bytes of a budget."""

    limit: int
    held_bytes: int
    frame_bytes: int
    decoder_bytes: int
    compressed_bytes: int
    floor_bytes: int
    """What the animations that play cannot do without: held even beyond the limit."""
    peak_bytes: int
    animation_count: int
    pressure: Pressure
    is_over_limit: bool


class FrameBudget:
    """The memory for the frames of players."""

    def __init__(self, limit: int | None = None) -> None:
        """A budget of its own, of this many bytes; None for 256 MiB, or an eighth of the memory where that is less."""
        self._handle = make("budget", lib.gallop_budget_new, whole(limit or 0))
        # The library takes 0 for the default.
        if limit == 0:
            self.limit = 0

    @classmethod
    def shared(cls) -> FrameBudget:
        """The one of the process: 256 MiB, or an eighth of the memory where that is less."""
        budget = cls.__new__(cls)
        budget._handle = make("budget", lib.gallop_budget_shared)
        return budget

    @property
    def limit(self) -> int:
        return self.info.limit

    @limit.setter
    def limit(self, limit: int) -> None:
        check(lib.gallop_budget_set_limit(self._handle.value, whole(limit)))

    def follow_pressure(self, follows: bool = True) -> None:
        """Whether the machine's memory pressure shrinks it; the shared one follows."""
        check(lib.gallop_budget_follow_pressure(self._handle.value, int(follows)))

    @property
    def info(self) -> BudgetInfo:
        record: Any = BudgetRecord()
        check(lib.gallop_budget_get_info(self._handle.value, ctypes.byref(record)))
        return BudgetInfo(
            limit=record.limit,
            held_bytes=record.held_bytes,
            frame_bytes=record.frame_bytes,
            decoder_bytes=record.decoder_bytes,
            compressed_bytes=record.compressed_bytes,
            floor_bytes=record.floor_bytes,
            peak_bytes=record.peak_bytes,
            animation_count=record.animation_count,
            pressure=Pressure.of(record.pressure),
            is_over_limit=bool(record.is_over_limit),
        )

    def __repr__(self) -> str:
        info = self.info
        return f"<FrameBudget of {info.limit} bytes, {info.held_bytes} held>"


def simulate_pressure(level: Pressure | str) -> None:
    """Has every budget that follows pressure act as if the machine had reported it."""
    check(lib.gallop_simulate_pressure(Pressure(level).number))


class Clock:
    """A clock without a thread, for players that a program drives itself.

    A `manual` one stands but for `advance`: for tests, and for rendering at another pace than real time.
    """

    def __init__(self, *, manual: bool = False) -> None:
        self._handle = make("clock", lib.gallop_clock_new, int(manual))

    def tick(self) -> None:
        """Shows what is due, as at each refresh of a screen."""
        check(lib.gallop_clock_tick(self._handle.value))

    def advance(self, seconds: float) -> None:
        """Moves a manual clock on, and shows what is due then."""
        check(lib.gallop_clock_advance(self._handle.value, nanoseconds(seconds)))

    @property
    def now(self) -> float:
        """Seconds on this clock."""
        return self._times()[0] / 1e9

    @property
    def deadline(self) -> float | None:
        """When something is due next; None if nothing is."""
        deadline = self._times()[1]
        return None if deadline == _NEVER else deadline / 1e9

    def __repr__(self) -> str:
        return f"<Clock at {self.now:.3f} s>"

    def _times(self) -> tuple[int, int]:
        now, deadline = ctypes.c_int64(), ctypes.c_int64()
        check(lib.gallop_clock_get_time(self._handle.value, ctypes.byref(now), ctypes.byref(deadline)))
        return now.value, deadline.value
