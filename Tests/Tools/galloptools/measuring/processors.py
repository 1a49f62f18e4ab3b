"""How near two processors are to each other, looked at again and again while programs are measured.

The host of a virtual machine may move its processors while a benchmark runs. What two threads then gain changes: near
processors pass cache lines in some 30 ns but share one way to memory, distant ones take five times as long for a line
and store twice as much. See processors.c.
"""

from __future__ import annotations

import json
import shutil
import statistics
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from galloptools.measuring.commands import Failure, run

SOURCE = Path(__file__).with_suffix(".c")


@dataclass(frozen=True)
class Look:
    line: float
    """Nanoseconds that a cache line takes from one processor to the other."""
    one: float
    """Gigabytes a second that one thread stores past the caches."""
    two: float
    """The same with two threads."""


class Processors:
    """Looks at the processors. Without a compiler or a second processor it finds nothing."""

    def __init__(self) -> None:
        self.looks: list[Look] = []
        self._folder = tempfile.TemporaryDirectory()
        self._program: Path | None = Path(self._folder.name) / "processors"
        try:
            run([shutil.which("cc") or "cc", "-O2", "-std=c17", str(SOURCE), "-o", str(self._program), "-lpthread"])
        except Failure:
            self._program = None

    def look(self) -> None:
        """Takes some 40 ms."""
        if self._program is None:
            return
        try:
            row = json.loads(run([str(self._program)]))
            self.looks.append(Look(float(row["line"]), float(row["one"]), float(row["two"])))
        except (Failure, ValueError, KeyError):
            self._program = None


def sentence(looks: Sequence[Look]) -> str:
    """What a reader of figures with two threads must know; empty where nothing was found."""
    if not looks:
        return ""
    lines = [look.line for look in looks]
    stores = [look.two for look in looks]
    return (
        f"between its processors a cache line took {min(lines):.0f} to {max(lines):.0f} ns "
        f"(median {statistics.median(lines):.0f}), and two threads stored {min(stores):.0f} to {max(stores):.0f} GB/s "
        f"(median {statistics.median(stores):.0f}, one thread {statistics.median(look.one for look in looks):.0f}), "
        f"in {len(looks)} looks"
    )
