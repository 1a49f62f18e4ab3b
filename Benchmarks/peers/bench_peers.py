#!/usr/bin/env python3
"""Times gallop against other GIF decoders, interleaved, and writes a table, a chart and the raw figures.

    bench_peers.py --gallop PATH/TO/gallop [GIF-OR-FOLDER...]

See README.md in this folder for what is timed and how. Exit status: 0 measured, 2 nothing could be measured.
"""

from __future__ import annotations

import argparse
import math
import sys
import unittest
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import chart
import report
from discovery import find_peers, gallop, gallop_indices
from figures import BASE, OWN, Figure, ManyFiles, MeasuredFile, repeats_for
from tools import Absent, Effort, Tool, timed, timed_together

from galloptools.gif.files import gifs
from galloptools.measuring import machine
from galloptools.measuring.commands import Failure
from galloptools.measuring.processors import Processors
from galloptools.measuring.turns import rotated

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "Benchmarks" / "results"
SAMPLES = ROOT / "Samples" / "GIFs"
REAL_FILES = ROOT.parent / "shared" / "conformance" / "gifs" / "realworld"
MANY_FILES = 256
"""So many files in one call, at least."""


@dataclass(frozen=True)
class Pace:
    """How long a run takes: rounds, and the work within each."""

    rounds: int
    repeats: int
    """Least runs within a round."""
    target: float
    """Milliseconds that gallop's runs of one round take together, so that short files are run often."""
    seconds: float
    """For each slow tool, on each file, in each round."""


THOROUGH = Pace(rounds=5, repeats=5, target=60, seconds=2)
QUICK = Pace(rounds=2, repeats=3, target=10, seconds=0.3)


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(arguments)
    if options.self_test:
        suite = unittest.defaultTestLoader.loadTestsFromNames(["self_test", "self_test_tools", "self_test_output"])
        return 0 if unittest.TextTestRunner().run(suite).wasSuccessful() else 1
    try:
        return measure_and_write(options)
    except (Failure, OSError) as error:
        print(f"bench-peers: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Times gallop against other GIF decoders.")
    parser.add_argument("paths", nargs="*", type=Path, metavar="GIF-OR-FOLDER", help="besides the samples")
    parser.add_argument("--gallop", type=Path, help="the program, a release build")
    parser.add_argument("--output", type=Path, help="folder for the results (default: Benchmarks/results)")
    parser.add_argument("--quick", action="store_true", help="few short rounds; results go to a folder of their own")
    parser.add_argument("--self-test", action="store_true", help="test this script instead")
    options = parser.parse_args(arguments)
    if not options.self_test and options.gallop is None:
        parser.error("--gallop is needed")
    return options


def measure_and_write(options: argparse.Namespace) -> int:
    host = machine.this_machine()
    if not host.is_quiet:
        print(f"bench-peers: the machine is not quiet (load {host.load}): do not cite this run", file=sys.stderr)
    commit = machine.commit(ROOT)
    tools: list[Tool] = [gallop(options.gallop, commit, jobs) for jobs in (1, 2)]
    tools.append(gallop_indices(options.gallop, commit))
    peers = find_peers()
    absent = [peer for peer in peers if isinstance(peer, Absent)]
    tools += [peer for peer in peers if isinstance(peer, Tool)]
    for peer in absent:
        print(f"skipped: {peer.title}: {peer.reason}", file=sys.stderr)

    pace = QUICK if options.quick else THOROUGH
    tasks = [task for group, path in chosen_files(options.paths) if (task := prepare(path, group, tools, pace))]
    if not tasks:
        raise Failure("no GIF could be measured")
    batch = Batch(options.gallop, [task.path for task in tasks])
    processors = Processors()
    for turn in range(pace.rounds):
        for task in tasks:
            processors.look()
            task.measure(turn, tools)
            batch.measure()
            if turn == pace.rounds - 1:
                print(progress_line(task.file), file=sys.stderr, flush=True)
    run_facts = report.Run(
        date=machine.today(),
        commit=commit,
        machine=host,
        rounds=pace.rounds,
        is_quick=options.quick,
        tools=tools,
        absent=absent,
        files=[task.file for task in tasks],
        many=batch.figures,
        looks=processors.looks,
    )
    write(run_facts, options.output or (RESULTS / "quick" if options.quick else RESULTS))
    return 0


def write(run_facts: report.Run, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "peers.md").write_text(report.markdown(run_facts), encoding="utf-8")
    (folder / "peers.json").write_text(report.raw(run_facts), encoding="utf-8")
    (folder / "peers.svg").write_text(chart.svg(run_facts), encoding="utf-8")
    print(report.summary_table(run_facts))
    print(f"\nwritten: {', '.join(f'{folder.name}/peers.{end}' for end in ('md', 'json', 'svg'))}")


# --- Files --------------------------------------------------------------------------------------------------------


def chosen_files(given: Sequence[Path]) -> list[tuple[str, Path]]:
    """The samples, and with them the files given; where none is given, the real ones if they are there."""
    files = [("samples", path) for path in gifs_or_none(SAMPLES)]
    if given:
        return files + [("given", path) for start in given for path in gifs_or_none(start)]
    return files + [("real files", path) for path in gifs_or_none(REAL_FILES)]


def gifs_or_none(path: Path) -> list[Path]:
    """The GIFs below a path; none, and a line on standard error, if there is no such path."""
    try:
        return gifs(path)
    except FileNotFoundError as error:
        print(f"skipped: {error}", file=sys.stderr)
        return []


# --- Measuring ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Task:
    """A file and how it is measured."""

    path: Path
    file: MeasuredFile
    effort: Effort

    def measure(self, turn: int, tools: Sequence[Tool]) -> None:
        """One round of every tool, in turn."""
        by_key = {tool.key: tool for tool in tools}
        for key in rotated(list(by_key), turn):
            take_sample(by_key[key], self.path, self.effort, self.file)


def prepare(path: Path, group: str, tools: Sequence[Tool], pace: Pace) -> Task | None:
    """Gallop, the first tool, says what is in the file."""
    try:
        trial = tools[0].sample(path, Effort(1, pace.seconds))
    except Failure as error:
        print(f"passed over: {path.name}: gallop: {error}", file=sys.stderr)
        return None
    file = MeasuredFile(path.name, group, path.stat().st_size, trial.frames or 0, trial.pixels or 0)
    file.figures = {tool.key: Figure() for tool in tools}
    return Task(path, file, Effort(repeats_for(trial.milliseconds, pace.repeats, pace.target), pace.seconds))


class Batch:
    """All files in one call, repeated until there are many: one job, two jobs, and two processes in turn."""

    def __init__(self, gallop: Path, paths: Sequence[Path]) -> None:
        files = [str(path) for path in paths] * math.ceil(MANY_FILES / len(paths))
        base = [str(gallop), "decode", "--format", "null", "--quiet", *files]
        self.figures = ManyFiles(len(files))
        self._ways: dict[str, tuple[list[float], Callable[[], float]]] = {
            "one": (self.figures.one_job, lambda: timed([*base, "--jobs", "1"])[0]),
            "two": (self.figures.two_jobs, lambda: timed([*base, "--jobs", "2"])[0]),
            "apart": (self.figures.apart, lambda: timed_together([*base, "--jobs", "1"], 2)),
        }

    def measure(self) -> None:
        """Each way once."""
        for way in rotated(list(self._ways), len(self.figures.one_job)):
            times, milliseconds = self._ways[way]
            times.append(milliseconds())


def take_sample(tool: Tool, path: Path, effort: Effort, file: MeasuredFile) -> None:
    """Adds one round of one tool; what has failed once is not tried again."""
    figure = file.figures[tool.key]
    if figure.absent is not None:
        return
    try:
        sample = tool.sample(path, effort)
    except Failure as error:
        figure.absent = str(error).replace(path.name, "the file")
        return
    if sample.frames is not None and sample.frames != file.frames:
        figure.absent = f"gives {sample.frames} of {file.frames} frames"
        return
    figure.rounds.append(sample.milliseconds)
    if sample.start is not None:
        figure.starts.append(sample.start)


def progress_line(file: MeasuredFile) -> str:
    times = [
        f"{key} {ratio:.2f}x" for key in file.figures if key not in OWN and (ratio := file.ratio(key))
    ]
    return f"{file.name}: {report.milliseconds(file.figure(BASE).best)} ms; {', '.join(times)}"


if __name__ == "__main__":
    sys.exit(main())
