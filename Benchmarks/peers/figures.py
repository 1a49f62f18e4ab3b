"""What was measured, and the arithmetic on it: no process, no file, no clock."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

BASE = "gallop"
"""The tool that ratios are taken against: gallop with one job."""
TWO_JOBS = "gallop-2"
INDICES = "gallop-indices"
"""Gallop without colours and canvas: what decoders of indices alone are measured against, too."""
OWN = (BASE, TWO_JOBS, INDICES)
"""What is Gallop itself."""
INDEX_PEERS = ("giflib", "image-gif")
"""The peers that decode indices alone."""
MANY_FRAMES = 20
"""Several jobs share a file's frames, so they are judged on files with at least this many."""
LEAST_SHARE = 0.1
"""A difference below this share of the tool's own start drowns in the start's noise."""


@dataclass
class Figure:
    """One tool's times on one file, a value a round, in milliseconds."""

    rounds: list[float] = field(default_factory=list)
    starts: list[float] = field(default_factory=list)
    """The tool's own start in each round, where it is part of `rounds`; empty for tools that time themselves."""
    absent: str | None = None
    """Why there is no figure."""

    @property
    def reason(self) -> str | None:
        """Why there is nothing to compare, or None."""
        if self.absent is not None:
            return self.absent
        if not self.rounds:
            return "not measured"
        if self.starts and min(self.rounds) - min(self.starts) < LEAST_SHARE * min(self.starts):
            return "too short to tell from the tool's own start"
        return None

    @property
    def best(self) -> float | None:
        if self.reason is not None:
            return None
        return min(self.rounds) - min(self.starts, default=0.0)

    @property
    def median(self) -> float | None:
        if self.reason is not None:
            return None
        start = statistics.median(self.starts) if self.starts else 0.0
        # A tool that passes the test by its best run may, in a noisy one, still have a median of nothing.
        difference = statistics.median(self.rounds) - start
        return difference if difference > 0 else None


@dataclass
class MeasuredFile:
    """One GIF and every tool's figure for it."""

    name: str
    group: str
    size: int
    """Bytes."""
    frames: int
    pixels: int
    """Pixels of all frame rectangles."""
    figures: dict[str, Figure] = field(default_factory=dict)

    def figure(self, tool: str) -> Figure:
        return self.figures.get(tool, Figure(absent="not measured"))

    def ratio(self, tool: str, base: str = BASE) -> float | None:
        """How many times as long as `base` a tool takes, best against best."""
        return quotient(self.figure(tool).best, self.figure(base).best)

    def median_ratio(self, tool: str, base: str = BASE) -> float | None:
        """The same, median against median."""
        return quotient(self.figure(tool).median, self.figure(base).median)


@dataclass(frozen=True)
class ManyFiles:
    """Whole processes that decode many files in one call, in milliseconds, a value a turn."""

    count: int
    one_job: list[float] = field(default_factory=list)
    two_jobs: list[float] = field(default_factory=list)
    apart: list[float] = field(default_factory=list)
    """Two processes at the same time, with one job and all files each: what the machine's second processor gives."""

    @property
    def summary(self) -> Summary:
        """How many times as fast two jobs are as one."""
        return self._summary(self.two_jobs, 1)

    @property
    def summary_apart(self) -> Summary:
        """How many times as fast two processes that share nothing are as one."""
        return self._summary(self.apart, 2)

    def _summary(self, milliseconds: Sequence[float], work: int) -> Summary:
        ratio = work * min(self.one_job) / min(milliseconds)
        medians = work * statistics.median(self.one_job) / statistics.median(milliseconds)
        return Summary(TWO_JOBS, "all files", self.count, ratio, ratio, ratio, "together", medians)


def quotient(value: float | None, base: float | None) -> float | None:
    if value is None or base is None or base <= 0 or value <= 0:
        return None
    return value / base


def geometric_mean(values: Sequence[float]) -> float:
    return math.exp(math.fsum(math.log(value) for value in values) / len(values))


@dataclass(frozen=True)
class Summary:
    """A tool's ratios over a set of files."""

    tool: str
    group: str
    count: int
    geometric_mean: float
    median: float
    worst: float
    """The smallest ratio: where gallop does worst."""
    worst_file: str
    mean_of_medians: float | None
    """The geometric mean again, of ratios of medians instead of bests."""


def summarise(files: Iterable[MeasuredFile], tool: str, group: str, base: str = BASE) -> Summary | None:
    """The ratios of one tool; None where there is none."""
    listed = list(files)
    ratios = [(ratio, file.name) for file in listed if (ratio := file.ratio(tool, base)) is not None]
    if not ratios:
        return None
    medians = [ratio for file in listed if (ratio := file.median_ratio(tool, base)) is not None]
    values = [ratio for ratio, _ in ratios]
    worst, worst_file = min(ratios)
    return Summary(
        tool=tool,
        group=group,
        count=len(ratios),
        geometric_mean=geometric_mean(values),
        median=statistics.median(values),
        worst=worst,
        worst_file=worst_file,
        mean_of_medians=geometric_mean(medians) if medians else None,
    )


def speed_up(files: Iterable[MeasuredFile], group: str) -> Summary | None:
    """How many times as fast two jobs are as one, over the files with enough frames to share."""
    return summarise((file for file in files if file.frames >= MANY_FRAMES), BASE, group, base=TWO_JOBS)


def grouped(files: Iterable[MeasuredFile]) -> dict[str, list[MeasuredFile]]:
    """The files by set, sets in order of appearance."""
    groups: dict[str, list[MeasuredFile]] = {}
    for file in files:
        groups.setdefault(file.group, []).append(file)
    return groups


def repeats_for(milliseconds: float, least: int, target: float, most: int = 200) -> int:
    """How often a file is decoded within one round: a short one often, so that its best run is a warm one."""
    if not milliseconds > 0:
        return most
    return max(least, min(most, round(target / milliseconds)))
