"""What a program takes of a machine: time, processor and memory."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass

TIME = "/usr/bin/time"


@dataclass(frozen=True)
class Usage:
    """Of a program and those that it has waited for."""

    status: int
    seconds: float
    cpu_seconds: float
    """In steps of 0.01."""
    megabytes: float
    """The most at any time."""

    @property
    def succeeded(self) -> bool:
        return self.status == 0


def measured(command: Sequence[str], limit: float = 300.0) -> Usage:
    """Runs a command and says what it took; one that is not over in `limit` seconds is ended and has failed.

    By GNU time: to a program that Python starts, the kernel counts Python's own memory.
    """
    if shutil.which(TIME) is None:
        raise FileNotFoundError(f"{TIME} is not installed (Debian's package time)")
    with tempfile.NamedTemporaryFile("r") as report:
        words = [TIME, "--quiet", "-o", report.name, "-f", "%e %U %S %M", "timeout", "--kill-after=9", str(limit), *command]
        quiet = subprocess.DEVNULL
        status = subprocess.run(words, stdin=quiet, stdout=quiet, stderr=quiet, check=False).returncode
        elapsed, user, system, kilobytes = (float(word) for word in report.read().split())
    return Usage(status, elapsed, round(user + system, 2), kilobytes * 1.024e-3)


def milliseconds(command: Sequence[str]) -> float:
    """How long a command takes that succeeds, more finely than `measured` says it."""
    begin = time.perf_counter()
    subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
    return 1000 * (time.perf_counter() - begin)
