"""The results as a Markdown table and as raw figures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from figures import (
    BASE,
    INDEX_PEERS,
    INDICES,
    MANY_FRAMES,
    OWN,
    Figure,
    ManyFiles,
    MeasuredFile,
    Summary,
    grouped,
    speed_up,
    summarise,
)
from tools import Absent, Tool

from galloptools.measuring.machine import Machine
from galloptools.measuring.processors import Look, sentence
from galloptools.measuring.tables import MISSING, table, times


@dataclass(frozen=True)
class Run:
    """One run of all tools on all files, and what a reader must know about it."""

    date: str
    commit: str
    machine: Machine
    rounds: int
    is_quick: bool
    tools: Sequence[Tool]
    absent: Sequence[Absent]
    files: Sequence[MeasuredFile]
    many: ManyFiles | None = None
    """All files in one call, again and again; None where that was not measured."""
    looks: Sequence[Look] = ()
    """At the processors, between the files."""

    @property
    def peers(self) -> list[Tool]:
        """The tools that are not gallop."""
        return [tool for tool in self.tools if tool.key not in OWN]

    @property
    def warnings(self) -> list[str]:
        """Why the figures should not be cited."""
        return self.machine.warnings(self.is_quick)


# --- Markdown -----------------------------------------------------------------------------------------------------


def markdown(run: Run) -> str:
    parts = ["# Gallop and its peers", "Printed by `make bench-peers`."]
    parts += [f"**{text}**" for text in run.warnings]
    parts += ["\n".join(fact_lines(run)), "![The ratios as a chart](peers.svg)"]
    parts += ["## How many times as long as Gallop", summary_table(run), summary_note(run)]
    for group, files in grouped(run.files).items():
        parts += [f"## Times: {group}", file_table(run, files)]
    parts += [
        f"Milliseconds, best of {run.rounds} rounds; in brackets how many times as long as Gallop with one job.",
        "\n".join(reason_lines(run)),
        "## What is timed",
        "\n".join(f"- **{tool.title}** ({tool.version}): {tool.how}" for tool in run.tools),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def fact_lines(run: Run) -> list[str]:
    machine = run.machine
    cores = "1 core" if machine.cores == 1 else f"{machine.cores} cores"
    return [
        f"- date: {run.date}",
        f"- Gallop: commit {run.commit}",
        f"- machine: {machine.cpu}, {cores}; {machine.system}; load {machine.load:.2f} before the first run",
        *([f"- while it ran: {sentence(run.looks)}"] if run.looks else []),
        f"- peers: {', '.join(tool.version for tool in run.peers) or 'none'}",
        *(f"- absent: {peer.title}: {peer.reason}" for peer in run.absent),
    ]


def summary_table(run: Run) -> str:
    rows = []
    for group, files in grouped(run.files).items():
        for tool in run.peers:
            rows.append(summary_row(tool.title, group, summarise(files, tool.key, group)))
            if tool.key in INDEX_PEERS:
                against = summarise(files, tool.key, group, base=INDICES)
                rows.append(summary_row(f"{tool.title}, against Gallop's indices", group, against))
        rows += [summary_row(peer.title, group, None, is_absent=True) for peer in run.absent]
        jobs = f"Gallop, one job against two ({MANY_FRAMES} frames or more)"
        rows.append(summary_row(jobs, group, speed_up(files, group)))
    if run.many is not None:
        title = f"Gallop, one job against two, {run.many.count} files in one call"
        rows.append(summary_row(title, run.many.summary.group, run.many.summary))
        title = "The same in two processes with one job each, which share nothing"
        rows.append(summary_row(title, run.many.summary.group, run.many.summary_apart))
    heads = ["time of", "set", "files", "geometric mean", "median", "least", "mean of medians"]
    return table(heads, rows, left=2)


def summary_row(title: str, group: str, summary: Summary | None, is_absent: bool = False) -> list[str]:
    if summary is None:
        return [title, group, "0", "absent" if is_absent else "no figure", *[MISSING] * 3]
    worst = f"{times(summary.worst)} ({summary.worst_file})"
    means = [times(summary.geometric_mean), times(summary.median), worst, times(summary.mean_of_medians)]
    return [title, group, str(summary.count), *means]


def summary_note(run: Run) -> str:
    return (
        f"Ratios of the best of {run.rounds} rounds, each of several runs; above 1 Gallop is faster, and the least "
        "ratio is where it does worst. Tools take turns on each file, so that all see the same machine, and each round "
        "goes through all files, so that a bad minute spoils one round. The last "
        "column is the geometric mean of the ratios of medians over the rounds. One job against two: Gallop's time "
        "with one job as a multiple of its time with two."
    )


def file_table(run: Run, files: Sequence[MeasuredFile]) -> str:
    heads = ["file", "frames", "Mpx", *(tool.title for tool in run.tools), *(peer.title for peer in run.absent)]
    rows = []
    for file in files:
        cells = [cell(file, tool) for tool in run.tools] + ["absent"] * len(run.absent)
        rows.append([file.name, str(file.frames), f"{file.pixels / 1e6:.2f}", *cells])
    return table(heads, rows, left=1)


def cell(file: MeasuredFile, tool: Tool) -> str:
    best = file.figure(tool.key).best
    if best is None or tool.key == BASE:
        return milliseconds(best)
    return f"{milliseconds(best)} ({times(file.ratio(tool.key))})"


def reason_lines(run: Run) -> list[str]:
    """Why there is no figure, one line for each tool and reason."""
    lines = []
    for tool in run.tools:
        names: dict[str, list[str]] = {}
        for file in run.files:
            if (reason := file.figure(tool.key).reason) is not None:
                names.setdefault(reason, []).append(file.name)
        lines += [f"- no figure for {tool.title}: {reason}: {', '.join(found)}" for reason, found in names.items()]
    return lines


def milliseconds(value: float | None) -> str:
    """Three digits that count, as many as such a time is good for."""
    if value is None:
        return MISSING
    decimals = 3 if value < 1 else 2 if value < 10 else 1 if value < 100 else 0
    return f"{value:.{decimals}f}"


# --- Raw figures --------------------------------------------------------------------------------------------------


def raw(run: Run) -> str:
    """Everything measured, as JSON; times are milliseconds."""
    tools = [{"key": tool.key, "title": tool.title, "version": tool.version, "how": tool.how} for tool in run.tools]
    content = {
        "date": run.date,
        "commit": run.commit,
        "machine": asdict(run.machine),
        "rounds": run.rounds,
        "warnings": run.warnings,
        "tools": tools,
        "absent": [asdict(peer) for peer in run.absent],
        "files": [raw_file(file) for file in run.files],
        "many": None if run.many is None else asdict(run.many),
        "looks": [asdict(look) for look in run.looks],
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def raw_file(file: MeasuredFile) -> dict[str, object]:
    return {
        "name": file.name,
        "set": file.group,
        "bytes": file.size,
        "frames": file.frames,
        "pixels": file.pixels,
        "figures": {key: raw_figure(figure) for key, figure in file.figures.items()},
    }


def raw_figure(figure: Figure) -> dict[str, object]:
    if figure.reason is not None and not figure.rounds:
        return {"absent": figure.reason}
    row: dict[str, object] = {"rounds": figure.rounds, "best": figure.best, "median": figure.median}
    if figure.starts:
        row["starts"] = figure.starts
    if figure.reason is not None:
        row["absent"] = figure.reason
    return row
