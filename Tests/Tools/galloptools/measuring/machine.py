"""What the figures were measured on, and with what: facts for a reader, without names of hosts or folders."""

from __future__ import annotations

import os
import platform
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

QUIET_LOAD = 0.5
"""Above so many waiting or running processes a machine is not quiet."""


@dataclass(frozen=True)
class Machine:
    cpu: str
    cores: int
    load: float
    """Average over the last minute, before the first run."""
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
        load=round(os.getloadavg()[0], 2),
        system=f"{system_name(read('/etc/os-release')) or platform.system()}, {platform.machine()}",
    )


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
