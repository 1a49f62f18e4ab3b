"""What the figures were measured on, and with what: facts for a reader, without names of hosts or folders."""

from __future__ import annotations

import os
import platform
import subprocess
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

QUIET_LOAD = 0.5
"""Above this many busy processors a machine is not quiet."""
LOOK_SECONDS = 2.0


@dataclass(frozen=True)
class Machine:
    cpu: str
    cores: int
    load: float
    """Busy processors right before the first run; what the host of a virtual machine takes away (steal) counts."""
    system: str

    @property
    def is_quiet(self) -> bool:
        return self.load <= QUIET_LOAD

    def warnings(self, is_quick: bool) -> list[str]:
        """Why figures of a run on it should not be cited."""
        found = ["A quick run, to see that everything works."] if is_quick else []
        if not self.is_quiet:
            found.append(f"The machine was not quiet: its load was {self.load} before the first run.")
        return found


def this_machine() -> Machine:
    return Machine(
        cpu=cpu_model(read("/proc/cpuinfo")) or platform.machine(),
        cores=len(os.sched_getaffinity(0)),
        load=round(busy_processors(), 2),
        system=f"{system_name(read('/etc/os-release')) or platform.system()}, {platform.machine()}",
    )


def busy_processors() -> float:
    """How many processors are busy now: the load of the last minute would tell of the build before the run."""
    earlier = read("/proc/stat")
    begin = time.monotonic()
    time.sleep(LOOK_SECONDS)
    ticks = busy_ticks(read("/proc/stat")) - busy_ticks(earlier)
    return ticks / os.sysconf("SC_CLK_TCK") / (time.monotonic() - begin)


def busy_ticks(stat: str) -> int:
    """The time of all processors that was neither idle nor spent waiting for disks."""
    fields = stat.partition("\n")[0].split()
    if not fields or fields[0] != "cpu":
        return 0
    # user, nice, system, idle, iowait, irq, softirq, steal; guests are in the first two.
    counts = [int(field) for field in fields[1:9]]
    return sum(counts) - sum(counts[3:5])


def read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError:
        return ""


def cpu_model(cpuinfo: str) -> str | None:
    """The processor's name as the kernel lists it."""
    for line in cpuinfo.splitlines():
        key, colon, value = line.partition(":")
        if colon and key.strip() == "model name":
            return " ".join(value.split())
    return None


def system_name(os_release: str) -> str | None:
    for line in os_release.splitlines():
        key, equals, value = line.partition("=")
        if equals and key == "PRETTY_NAME":
            return value.strip().strip('"')
    return None


def commit(root: Path) -> str:
    """The checked-out commit, and whether tracked files differ from it."""
    try:
        name = git(root, "rev-parse", "--short=12", "HEAD")
        is_changed = bool(git(root, "status", "--porcelain", "--untracked-files=no"))
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{name} with changes" if is_changed else name


def git(root: Path, *arguments: str) -> str:
    outcome = subprocess.run(["git", "-C", str(root), *arguments], check=True, capture_output=True, text=True)
    return outcome.stdout.strip()


def today() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
