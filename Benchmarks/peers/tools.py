"""The decoders that are measured: how each is run on a file, and how its time is taken."""

from __future__ import annotations

import json
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from galloptools.measuring.commands import Failure, run

PROCESS_REPEATS = 3
"""Runs of a whole process within a round; more would buy little for their price."""


@dataclass(frozen=True)
class Effort:
    """How much is done in one round."""

    repeats: int
    seconds: float
    """No further run of a slow tool starts after so long."""


@dataclass(frozen=True)
class Sample:
    """One tool's best run on one file in one round."""

    milliseconds: float
    frames: int | None
    """None if the tool does not report it."""
    start: float | None = None
    """The best time of the tool's own start, where that is part of `milliseconds`."""
    pixels: int | None = None
    """Pixels of all frame rectangles, if the tool reports them."""


@dataclass(frozen=True)
class Tool(ABC):
    key: str
    title: str
    version: str
    how: str
    """What exactly is timed."""

    @abstractmethod
    def sample(self, path: Path, effort: Effort) -> Sample:
        """Measures one round; raises Failure."""


@dataclass(frozen=True)
class Absent:
    """A tool that is not there."""

    key: str
    title: str
    reason: str


@dataclass(frozen=True)
class SelfTimed(Tool):
    """A program that repeats by itself, so that its own start is not in its time, and prints JSON."""

    command: Callable[[Path, Effort], Sequence[str]]

    def sample(self, path: Path, effort: Effort) -> Sample:
        return parse_sample(run(self.command(path, effort)))


@dataclass(frozen=True)
class WholeProcess(Tool):
    """A program that is timed from outside, together with the time that it needs for almost nothing."""

    command: Callable[[Path], Sequence[str]]
    tiny: Path
    """A GIF of one pixel: what it takes is the tool's own start."""

    def sample(self, path: Path, effort: Effort) -> Sample:
        times: list[float] = []
        starts: list[float] = []
        output = ""
        begin = time.perf_counter()
        while len(times) < min(PROCESS_REPEATS, effort.repeats):
            if times and time.perf_counter() - begin >= effort.seconds:
                break
            starts.append(timed(self.command(self.tiny))[0])
            took, output = timed(self.command(path))
            times.append(took)
        return Sample(min(times), parse_progress(output), min(starts))


def timed(command: Sequence[str]) -> tuple[float, str]:
    """The milliseconds from the start of a process to its end, and what it printed."""
    start = time.perf_counter()
    output = run(command)
    return (time.perf_counter() - start) * 1e3, output


def timed_together(command: Sequence[str], count: int) -> float:
    """The milliseconds in which this many processes run a command each, at the same time."""
    start = time.perf_counter()
    with ThreadPoolExecutor(count) as pool:
        for done in [pool.submit(run, command) for _ in range(count)]:
            done.result()
    return (time.perf_counter() - start) * 1e3


def parse_sample(text: str) -> Sample:
    """Reads the line of a program that times itself."""
    try:
        row = json.loads(text)
        return Sample(float(row["milliseconds"]), int(row["frames"]), pixels=row.get("pixels"))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Failure("prints no time") from error


def parse_progress(text: str) -> int | None:
    """The number of frames in ffmpeg's progress report; None where there is no such report."""
    counts = re.findall(r"^frame=\s*(\d+)\s*$", text, re.MULTILINE)
    return int(counts[-1]) if counts else None
