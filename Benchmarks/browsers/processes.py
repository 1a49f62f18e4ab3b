"""CPU time and memory of a process and everything below it, from /proc."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Stat:
    """A line of /proc/PID/stat, as far as it matters here."""

    pid: int
    name: str
    parent: int
    session: int
    own: int
    """User and system time in ticks."""
    children: int
    """The same of children that have ended and were waited for."""


def parse_stat(line: str) -> Stat:
    """The name stands in brackets and may itself contain brackets and spaces."""
    before, _, rest = line.rpartition(")")
    pid, _, name = before.partition(" (")
    fields = rest.split()
    user, system, children_user, children_system = (int(field) for field in fields[11:15])
    return Stat(int(pid), name, int(fields[1]), int(fields[3]), user + system, children_user + children_system)


def members(stats: Iterable[Stat], root: int) -> list[Stat]:
    """The root, all of its session, and all descendants of those."""
    listed = list(stats)
    inside = {stat.pid for stat in listed if stat.pid == root or stat.session == root}
    grows = True
    while grows:
        found = {stat.pid for stat in listed if stat.parent in inside} - inside
        inside |= found
        grows = bool(found)
    return [stat for stat in listed if stat.pid in inside]


def cpu_seconds(tree: Iterable[Stat]) -> float:
    """Of all that live, and of their children that ended. Only a child without a waiting parent is lost."""
    return sum(stat.own + stat.children for stat in tree) / TICKS


def parse_pss(text: str) -> int:
    """Bytes of /proc/PID/smaps_rollup: each process counts its share of a shared page."""
    for line in text.splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    return 0


def busiest(before: Mapping[tuple[int, str], int], after: Mapping[tuple[int, str], int]) -> tuple[str, float]:
    """The thread that worked most between two looks: its name and seconds."""
    used = {key: ticks - before.get(key, 0) for key, ticks in after.items()}
    key = max(used, key=lambda key: used[key], default=(0, "none"))
    return key[1], used.get(key, 0) / TICKS


# --- Reading ------------------------------------------------------------------------------------------------------


def read(path: Path) -> str:
    """A file of /proc; nothing if its process has gone in the meantime."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def tree_of(root: int) -> list[Stat]:
    lines = (read(entry / "stat") for entry in PROC.iterdir() if entry.name.isdigit())
    return members((parse_stat(line) for line in lines if line), root)


def pss(tree: Iterable[Stat]) -> int:
    """Bytes."""
    return sum(parse_pss(read(PROC / str(stat.pid) / "smaps_rollup")) for stat in tree)


def threads(tree: Iterable[Stat]) -> dict[tuple[int, str], int]:
    """Ticks of each thread, by its number and a name with the kind of its process."""
    found: dict[tuple[int, str], int] = {}
    for process in tree:
        kind = kind_of(read(PROC / str(process.pid) / "cmdline")) or process.name
        for line in (read(path) for path in (PROC / str(process.pid) / "task").glob("*/stat")):
            if line:
                thread = parse_stat(line)
                found[(thread.pid, f"{kind}: {thread.name}")] = thread.own
    return found


def kind_of(command_line: str) -> str | None:
    """What a Chromium process is for."""
    for argument in command_line.replace("\0", " ").split():
        if argument.startswith("--type="):
            return argument.removeprefix("--type=")
    return None
