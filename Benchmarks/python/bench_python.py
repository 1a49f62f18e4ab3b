#!/usr/bin/env python3
"""Prints how Python libraries read GIFs: frames identical to Chromium's, speed, clips, and what a second job gives.

    bench_python.py --wheel WHEEL [--conformance DIR] [--only PART...] [--libraries NAME...] [--quick] [--large]
                    [GIF or folder...]

Every library runs in a process of its own. Speed is a ratio to Gallop's time: the geometric mean over the files that
both decode. Needs a quiet machine.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from clips_run import CLIPS
from environment import Environment
from galloptools.gif.files import gifs
from galloptools.measuring.commands import Failure
from galloptools.measuring.machine import Machine, this_machine
from galloptools.measuring.processors import Look, sentence
from galloptools.measuring.tables import MISSING, table, times
from galloptools.measuring.turns import rotated
from readers import LIBRARIES

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BASE = "gallop"
MODES = {"kept": "all frames kept as arrays", "rgb": "without alpha", "streamed": "one frame at a time"}
PARTS = ("identical", "speed", "jobs", "clips")
RUN_SECONDS = 1200.0

Times = dict[str, dict[str, float]]
"""The best milliseconds by library and file."""


# --- Identical frames ---------------------------------------------------------------------------------------------


def identical_counts(environment: Environment, keys: Sequence[str], folder: Path) -> tuple[dict[str, int], int]:
    """In how many of the files on which both browsers agree each library gives the browsers' frames."""
    lines = (folder / "expected.jsonl").read_text(encoding="utf-8").splitlines()
    wanted = [line for line in lines if json.loads(line)["agree"] == "both"]
    counts = {key: count_identical(environment, key, folder, wanted) for key in keys}
    return counts, len(wanted)


def count_identical(environment: Environment, key: str, folder: Path, lines: Sequence[str]) -> int:
    """A file that ends the library's process is not identical; the rest goes on in a new one."""
    count, left = 0, list(lines)
    while left:
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as listing:
            listing.write("\n".join(left))
            listing.flush()
            rows, fault = environment.rows([key, "compare", listing.name, str(folder / "gifs")], RUN_SECONDS)
        count += sum(row["identical"] for row in rows)
        if fault:
            culprit = json.loads(left[min(len(rows), len(left) - 1)])["file"]
            print(f"{LIBRARIES[key].title}: {fault} at {culprit}", file=sys.stderr)
        left = left[len(rows) + 1 :] if fault else []
    return count


# --- Speed --------------------------------------------------------------------------------------------------------


def measure(environment: Environment, keys: Sequence[str], mode: str, files: Sequence[Path], is_quick: bool) -> Times:
    """The best times over the rounds; in each another library goes first."""
    best: Times = {key: {} for key in keys}
    for turn in range(1 if is_quick else 3):
        for key in rotated(list(keys), turn):
            effort = ["1", "0.2"] if is_quick else ["7", "2"]
            rows, fault = environment.rows([key, "time", mode, *effort, *map(str, files)], RUN_SECONDS)
            if fault:
                print(f"{LIBRARIES[key].title}: {fault} after {len(rows)} files", file=sys.stderr)
            for row in rows:
                if "milliseconds" in row:
                    known = best[key].get(row["file"], math.inf)
                    best[key][row["file"]] = min(known, row["milliseconds"])
    return best


def ratios(best: Mapping[str, Mapping[str, float]], key: str) -> list[float]:
    """A library's time over Gallop's, for each file that both decode."""
    base = best[BASE]
    return [milliseconds / base[file] for file, milliseconds in best[key].items() if file in base]


def speed_table(by_mode: Mapping[str, Times], keys: Sequence[str]) -> str:
    heads = ["library", *(MODES[mode] for mode in by_mode), "least", "most"]
    rows = []
    for key in keys:
        found = {mode: ratios(best, key) for mode, best in by_mode.items()}
        means = [times(statistics.geometric_mean(values)) if values else MISSING for values in found.values()]
        spread = [value for values in found.values() for value in values]
        rows.append([LIBRARIES[key].title, *means, times(min(spread, default=None)), times(max(spread, default=None))])
    return table(heads, rows, left=1)


def identical_table(counts: Mapping[str, int], total: int) -> str:
    ordered = sorted(counts.items(), key=lambda item: -item[1])
    return table(["library", f"identical, of {total}"], [[LIBRARIES[key].title, str(n)] for key, n in ordered], left=1)


# --- Jobs ---------------------------------------------------------------------------------------------------------


def jobs_line(environment: Environment, files: Sequence[Path], is_quick: bool) -> str:
    """How many times as fast two jobs are as one, and two processes, which share nothing but the machine."""
    found: list[str] = []
    looks: list[Look] = []
    for mode, title in {"arrays": "whole frames", "thumbnails": "thumbnails"}.items():
        arguments = [mode, "1" if is_quick else "9", *map(str, files)]
        rows, fault = environment.rows(arguments, RUN_SECONDS, script="jobs_run.py")
        if fault:
            print(f"decode_many, {title}: {fault}", file=sys.stderr)
        jobs = rows[0]["1"] / rows[0]["2"] if rows else None
        apart = 2 * rows[0]["1"] / rows[0]["apart"] if rows else None
        found.append(f"{times(jobs)} ({title}; two processes: {times(apart)})")
        looks += [Look(**look) for row in rows for look in row["looks"]]
    line = f"`decode_many` of these files with two jobs instead of one: {', '.join(found)}."
    return f"{line} While it ran, {sentence(looks)}." if looks else line


# --- Clips --------------------------------------------------------------------------------------------------------


def clips_table(environment: Environment, keys: Sequence[str], folder: Path, is_quick: bool) -> str:
    """Clips of eight frames of real files: how many frames are right, how many clips a second."""
    lines = (folder / "expected.jsonl").read_text(encoding="utf-8").splitlines()
    wanted = [line for line in lines if json.loads(line)["agree"] == "both" and '"realworld/' in line]
    rows = []
    for key in (key for key in keys if key == BASE or key in CLIPS):
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as listing:
            listing.write("\n".join(wanted))
            listing.flush()
            arguments = [key, "1" if is_quick else "5", listing.name, str(folder / "gifs")]
            found, fault = environment.rows(arguments, RUN_SECONDS, script="clips_run.py")
        if fault or not found:
            print(f"{LIBRARIES[key].title}: {fault}", file=sys.stderr)
            continue
        (row,) = found
        rates = [f"{row['clips'] / row[jobs]:.0f}" for jobs in ("one", "two")]
        rows.append([LIBRARIES[key].title, f"{row['right']} of {row['frames']}", *rates])
    return table(["library", "right frames", "clips a second, one core", "two"], rows, left=1)


# --- The command --------------------------------------------------------------------------------------------------


def report(machine: Machine, versions: Mapping[str, str], absent: Sequence[str], is_quick: bool, files: int) -> str:
    lines = [f"{files} files, one thread, {machine.cores} cores of {machine.cpu}, {machine.system}."]
    lines += machine.warnings(is_quick)
    lines += [f"Versions: {', '.join(versions.values())}."]
    lines += [f"Not measured: {text}" for text in absent]
    return "\n".join(lines)


def default_files() -> list[Path]:
    real = ROOT.parent / "shared" / "conformance" / "gifs" / "realworld"
    return [path for folder in (ROOT / "Samples" / "GIFs", real) if folder.is_dir() for path in gifs(folder)]


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compares Python libraries that read GIFs.")
    parser.add_argument("files", type=Path, nargs="*", help="GIFs or folders for the speed table")
    parser.add_argument("--wheel", type=Path, required=True, help="the wheel of gallop-gif")
    parser.add_argument("--environment", type=Path, default=HERE / ".venv", help="where the libraries are installed")
    parser.add_argument("--conformance", type=Path, help="holds expected.jsonl and gifs/")
    parser.add_argument("--only", choices=PARTS, nargs="+", default=PARTS, help="these parts of the report")
    parser.add_argument("--libraries", choices=LIBRARIES, nargs="+", default=list(LIBRARIES), help="these and Gallop")
    parser.add_argument("--quick", action="store_true", help="one short round, to see that everything works")
    parser.add_argument("--large", action="store_true", help="install torchvision and TensorFlow, too")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(arguments)
    machine = this_machine()
    try:
        environment = Environment(options.environment)
        versions, absent = environment.prepare(options.wheel, options.large)
    except Failure as error:
        print(f"bench-python: {error}", file=sys.stderr)
        return 1
    if BASE not in versions:
        print("bench-python: the wheel does not import", file=sys.stderr)
        return 1
    files = [file for path in options.files for file in gifs(path)] or default_files()
    keys = [key for key in versions if key == BASE or key in options.libraries]
    if options.conformance and "identical" in options.only:
        print(identical_table(*identical_counts(environment, keys, options.conformance)), end="\n\n", flush=True)
    if "speed" in options.only:
        by_mode = {mode: measure(environment, keys, mode, files, options.quick) for mode in MODES}
        print(speed_table(by_mode, keys), end="\n\n", flush=True)
    if options.conformance and "clips" in options.only:
        print(clips_table(environment, keys, options.conformance, options.quick), end="\n\n", flush=True)
    if "jobs" in options.only:
        print(jobs_line(environment, files, options.quick), end="\n\n")
    print(report(machine, versions, absent, options.quick, len(files)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
