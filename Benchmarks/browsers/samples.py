"""What was measured, and the arithmetic on it: no process, no file, no clock."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

BASE = "gallop"
DRAWN_SHARE = 0.9
"""A browser that draws less than this share of what it draws for the fastest GIF alone loses frames."""
ALONE_SHARE = 0.5
"""Of the fastest GIF's frames a browser must draw this many where that GIF is alone, or it is throttled. Not all: delays
are no multiples of the screen's, and Chromium draws a GIF of 33 frames a second 25 times."""
DROPPED_SHARE = 0.001
"""Of Gallop's frames that are due."""
CPU_SHARE = 0.95
"""Of all cores: nothing is left from there on."""
MOVED_SHARE = 0.95
"""Of the tiles that must have changed between the screenshots; the rest is for the chance of meeting the same picture
again."""


class StandStill(Exception):
    """The pictures do not move, or not in the window: there is nothing to measure."""


@dataclass(frozen=True)
class Playback:
    """What `gallop bench playback --json` says."""

    due: int
    dropped: int
    p99: float
    """Lateness in milliseconds."""
    cpu: float
    """Seconds, without its start."""


@dataclass(frozen=True)
class Sample:
    """One player, one wall, one round."""

    seconds: float
    """How long CPU time was counted; for Gallop how long it played."""
    cpu: float
    """Seconds of the whole process tree."""
    memory: Sequence[int]
    """PSS of the tree in bytes, one look after another."""
    processes: int
    drawn: float | None = None
    """Pictures that a browser drew a second."""
    moved: tuple[int, int] | None = None
    """Tiles of a browser's wall that changed between screenshots, of those that must have."""
    thread: tuple[str, float] | None = None
    """The browser's busiest thread, and its share of a core."""
    playback: Playback | None = None

    @property
    def share(self) -> float:
        """CPU time as a share of one core."""
        return self.cpu / self.seconds

    @property
    def peak(self) -> int:
        return max(self.memory, default=0)

    @property
    def median(self) -> int:
        return round(statistics.median(self.memory)) if self.memory else 0


def check_moved(name: str, sample: Sample, rate: float) -> None:
    """Raises StandStill where the pictures do not move.

    - rate: frames a second of the fastest GIF on the wall, while draws were counted
    """
    if sample.moved is not None and sample.moved[0] < MOVED_SHARE * sample.moved[1]:
        raise StandStill(f"{name}: only {sample.moved[0]} of {sample.moved[1]} tiles move")
    if sample.drawn is not None and sample.drawn <= 0 < rate:
        raise StandStill(f"{name} draws nothing of its own accord")
    if sample.playback is not None and sample.playback.due <= 0:
        raise StandStill(f"{name} shows no frame")


@dataclass
class Standing:
    """A player's rounds on one wall."""

    samples: list[Sample] = field(default_factory=list)

    def median(self, value: Callable[[Sample], float]) -> float:
        return statistics.median(value(sample) for sample in self.samples)

    @property
    def share(self) -> float:
        return self.median(lambda sample: sample.share)

    @property
    def peak(self) -> float:
        return self.median(lambda sample: sample.peak)

    @property
    def usual(self) -> float:
        """The median over time, and again over rounds, in bytes."""
        return self.median(lambda sample: sample.median)


def quotient(value: float, base: float) -> float | None:
    return value / base if base > 0 else None


# --- Capacity -----------------------------------------------------------------------------------------------------


def saturation(sample: Sample, needed: float, shortest_delay: float, cores: int) -> str | None:
    """Why a player does not keep up with its wall, or None.

    - needed: pictures a second that a browser has to draw
    - shortest_delay: of all frames on the wall, in milliseconds
    """
    playback = sample.playback
    if playback is not None:
        if playback.dropped > DROPPED_SHARE * playback.due:
            return f"{100 * playback.dropped / playback.due:.1f} % of the frames are dropped"
        if playback.p99 > shortest_delay:
            return f"p99 lateness is {playback.p99:.1f} ms"
    if sample.drawn is not None and sample.drawn < needed:
        return f"draws {sample.drawn:.1f} pictures a second and needs {needed:.1f}"
    if sample.share > CPU_SHARE * cores:
        return f"takes {sample.share:.2f} of {cores} cores"
    return None


@dataclass
class Ramp:
    """Which count to try next: four times as many until one is too many, then between the last two bounds."""

    most: int
    """Larger walls are not tried."""
    refinements: int
    sustained: int = 0
    """The largest count that a player kept up with."""
    failed: int | None = None
    """The smallest that it did not."""

    @property
    def next(self) -> int | None:
        if self.failed is None:
            if self.sustained >= self.most:
                return None
            return min(self.most, max(1, self.sustained * 4))
        if self.refinements <= 0 or self.sustained == 0:
            return None
        middle = round(math.sqrt(self.sustained * self.failed))
        return middle if self.sustained < middle < self.failed else None

    def record(self, count: int, keeps_up: bool) -> None:
        if self.failed is not None:
            self.refinements -= 1
        if keeps_up:
            self.sustained = count
        else:
            self.failed = count


@dataclass(frozen=True)
class Step:
    """One wall of a ramp."""

    count: int
    sample: Sample | None
    """None where the wall could not be played at all."""
    verdict: str | None
    """Why the player does not keep up; None where it does."""


@dataclass
class Climb:
    """A player's ramp."""

    ramp: Ramp
    steps: list[Step] = field(default_factory=list)

    def record(self, step: Step) -> None:
        self.steps.append(step)
        self.ramp.record(step.count, step.verdict is None)

    def needed(self, rate: float) -> float:
        """Pictures a second that a browser has to draw: nearly as many as for the fastest GIF alone, which is on every
        wall and has `rate` frames a second."""
        alone = next((step.sample for step in self.steps if step.count == 1), None)
        if alone is None or alone.drawn is None:
            return ALONE_SHARE * rate
        return DRAWN_SHARE * alone.drawn

    @property
    def best(self) -> Step | None:
        """The largest wall that the player kept up with."""
        return next((step for step in self.steps if step.count == self.ramp.sustained and not step.verdict), None)

    @property
    def first_failure(self) -> Step | None:
        return next((step for step in self.steps if step.count == self.ramp.failed and step.verdict), None)

    def per_core(self, cores: int) -> float:
        return self.ramp.sustained / cores

    @property
    def per_cpu_core(self) -> float | None:
        """GIFs for each core's worth of CPU time that was really used at the largest wall."""
        if self.best is None or self.best.sample is None:
            return None
        return quotient(self.best.count, self.best.sample.share)
