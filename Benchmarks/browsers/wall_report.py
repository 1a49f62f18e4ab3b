"""The cost of one wall as a Markdown table and as raw figures; what both reports have in common."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from players import Pace, Player
from samples import BASE, Sample, Standing, quotient
from wall import Wall, WallFile

from galloptools.measuring.machine import Machine
from galloptools.measuring.tables import MISSING, escaped, table, times


@dataclass(frozen=True)
class Facts:
    """One run, and what a reader must know about it."""

    date: str
    commit: str
    machine: Machine
    is_quick: bool
    is_distinct: bool
    tile: tuple[int, int]
    pace: Pace
    files: Sequence[WallFile]
    passed: Sequence[str]
    """Files that are not on the wall, and why."""
    players: Sequence[Player]
    absent: Sequence[str]
    """Browsers that are not there, and why."""

    @property
    def warnings(self) -> list[str]:
        """Why the figures should not be cited."""
        return self.machine.warnings(self.is_quick)

    @property
    def content(self) -> str:
        if self.is_distinct:
            return "every tile has content of its own, so that each is decoded for itself"
        return "tiles of the same file are the same URL, so that a player may decode once for all of them"


def texts(facts: Facts, wall: Wall, standings: Mapping[str, Standing]) -> tuple[str, str, str]:
    """The table for the terminal, the Markdown and the JSON."""
    summary = summary_table(facts, standings)
    heading = f"# {wall.count} GIFs in Gallop and in browsers"
    return summary, markdown(heading, "browsers", facts, [summary, note(facts, standings)]), raw(facts, wall, standings)


def markdown(heading: str, name: str, facts: Facts, body: Sequence[str]) -> str:
    command = "make bench-browsers" + (" RAMP=1" if name == "capacity" else "")
    parts = [heading, f"Printed by `{command}`.", *(f"**{text}**" for text in facts.warnings)]
    parts += ["\n".join(fact_lines(facts)), f"![The figures as a chart]({name}.svg)", *body]
    parts += [
        "## What is measured",
        "\n".join(f"- **{player.title}** ({player.version}): {player.how}" for player in facts.players),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def fact_lines(facts: Facts) -> list[str]:
    machine, pace = facts.machine, facts.pace
    cores = "1 core" if machine.cores == 1 else f"{machine.cores} cores"
    return [
        f"- date: {facts.date}",
        f"- Gallop: commit {facts.commit}",
        f"- machine: {machine.cpu}, {cores}; {machine.system}; load {machine.load:.2f} before the first run",
        f"- tiles: {facts.tile[0]} x {facts.tile[1]} pixels; {facts.content}",
        f"- files, in turn: {escaped(', '.join(file.name for file in facts.files))}",
        f"- time: {pace.window:g} s; browsers first settle for {pace.settle:g} s",
        *(f"- passed over: {escaped(text)}" for text in facts.passed),
        *(f"- absent: {escaped(text)}" for text in facts.absent),
    ]


def summary_table(facts: Facts, standings: Mapping[str, Standing]) -> str:
    base = standings[BASE]
    rows = []
    for player in facts.players:
        found = standings[player.key]
        is_base = player.key == BASE
        rows.append(
            [
                player.title,
                f"{100 * found.share:.1f} %",
                MISSING if is_base else times(quotient(found.share, base.share)),
                megabytes(found.usual),
                megabytes(found.peak),
                MISSING if is_base else times(quotient(found.peak, base.peak)),
                evidence(found.samples[-1]),
            ]
        )
    heads = ["player", "CPU, of a core", "of Gallop's", "memory, MB", "peak, MB", "peak, of Gallop's", "seen"]
    return table(heads, rows, left=1)


def evidence(sample: Sample) -> str:
    """How one knows that the pictures moved."""
    if sample.playback is not None:
        lost = sample.playback
        return f"{lost.dropped} of {lost.due} frames dropped, p99 {lost.p99:.2f} ms late"
    if sample.drawn is None or sample.moved is None:
        return MISSING
    return f"{sample.drawn:.0f} pictures a second, {sample.moved[0]} of {sample.moved[1]} tiles move"


def note(facts: Facts, standings: Mapping[str, Standing]) -> str:
    rounds = len(standings[BASE].samples)
    inner = [
        f"{100 * sample.playback.cpu / sample.seconds:.1f} %"
        for sample in standings[BASE].samples
        if sample.playback is not None
    ]
    return (
        f"Medians of {rounds} {'round' if rounds == 1 else 'rounds'}; players take turns. Memory is the PSS of the "
        f"whole process tree: its median and its peak over looks {facts.pace.look:g} s apart. Gallop's CPU time "
        f"without its start: {', '.join(inner)}. `seen` is from the last round: what a browser drew, unasked, and how "
        "many of the tiles that must have changed did so between five screenshots."
    )


def megabytes(size: float) -> str:
    """Of 1,000,000 bytes."""
    return f"{size / 1e6:.1f}" if size < 100e6 else f"{size / 1e6:.0f}"


# --- Raw figures --------------------------------------------------------------------------------------------------


def raw(facts: Facts, wall: Wall, standings: Mapping[str, Standing]) -> str:
    rounds = {key: [raw_sample(sample) for sample in found.samples] for key, found in standings.items()}
    return dump({**raw_facts(facts), "count": wall.count, "rounds": rounds})


def dump(content: object) -> str:
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def raw_facts(facts: Facts) -> dict[str, object]:
    return {
        "date": facts.date,
        "commit": facts.commit,
        "machine": asdict(facts.machine),
        "warnings": facts.warnings,
        "tile": list(facts.tile),
        "distinct": facts.is_distinct,
        "pace": asdict(facts.pace),
        "files": [
            {
                "name": file.name,
                "bytes": len(file.data),
                "frames": len(file.delays),
                "leastFramesPerSecond": file.rate(facts.pace.count),
            }
            for file in facts.files
        ],
        "passedOver": list(facts.passed),
        "absent": list(facts.absent),
        "players": [
            {"key": player.key, "title": player.title, "version": player.version, "how": player.how}
            for player in facts.players
        ],
    }


def raw_sample(sample: Sample) -> dict[str, object]:
    """Memory in bytes, times in seconds, lateness in milliseconds."""
    return {**asdict(sample), "peak": sample.peak, "median": sample.median, "cpuShare": sample.share}
