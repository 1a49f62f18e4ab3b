#!/usr/bin/env python3
"""Measures the package for browsers: a wall of elements against <img>, the first frame, the page's main thread, Node.

    bench_web.py --gallop PATH/TO/gallop --package DIR [GIF-OR-FOLDER...]

DIR is what `make web` makes. Prints Markdown; what is measured is said under each table. Exit status: 0 measured,
1 pictures stand still, 2 nothing could be measured.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from collection import read_files
from players import Pace
from samples import Sample, StandStill, check_moved
from starts import WAYS, start_rows
from wall import Wall, WallFile
from web_player import ELEMENT, ITEMS, ElementPlayer, Tasks, play_tasks, scroll_tasks

from galloptools.browsers.drivers import BrowserError
from galloptools.measuring import machine
from galloptools.measuring.commands import Failure, output
from galloptools.measuring.tables import table
from galloptools.measuring.turns import rotated

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TAGS = ("div", "img", ELEMENT)
TILE = (96, 64)
DECODE_ROUNDS = 3
"""How often each file is decoded in either way, in turn."""


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measures the package for browsers.")
    parser.add_argument("paths", nargs="*", type=Path, metavar="GIF-OR-FOLDER", help="instead of the samples")
    parser.add_argument("--gallop", type=Path, required=True, help="the program, a release build")
    parser.add_argument("--package", type=Path, required=True, help="what `make web` makes")
    parser.add_argument("--browser", choices=("chromium", "firefox"), action="append", help="only this one")
    parser.add_argument("--rounds", type=int, default=3, help="of every wall (default: %(default)s)")
    parser.add_argument("--starts", type=int, default=9, help="of every browser for its first frame (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=10, help="to measure (default: %(default)s)")
    parser.add_argument("--settle", type=float, default=5, help="before that (default: %(default)s)")
    return parser.parse_args(arguments)


def play_walls(key: str, wall: Wall, package: Path, pace: Pace, rounds: int) -> dict[str, list[Sample]]:
    """The samples of each kind of tile; another one is first each time."""
    samples: dict[str, list[Sample]] = {tag: [] for tag in TAGS}
    for turn in range(rounds):
        for tag in rotated(list(TAGS), turn):
            sample = ElementPlayer(key, tag, package).play(wall, pace)
            if tag != "div":
                check_moved(f"{key}, {tag}", sample, wall.rate(pace.count))
            samples[tag].append(sample)
            print(f"{key}, {tag}: {100 * sample.share:.1f} % of a core", file=sys.stderr, flush=True)
    return samples


def wall_rows(key: str, samples: dict[str, list[Sample]]) -> list[list[str]]:
    share = {tag: statistics.median(sample.share for sample in samples[tag]) for tag in TAGS}
    memory = {tag: statistics.median(sample.median for sample in samples[tag]) for tag in TAGS}
    above = {tag: max(1, memory[tag] - memory["div"]) for tag in TAGS}
    return [
        [
            f"{key}, `<{tag}>`",
            f"{100 * share[tag]:.1f} %",
            f"{share[tag] / share['img']:.2f}",
            f"{above[tag] / 1e6:.0f}",
            f"{above[tag] / above['img']:.2f}",
            f"{samples[tag][-1].drawn or 0:.0f}",
        ]
        for tag in TAGS[1:]
    ]


def decode_ratios(gallop: Path, package: Path, files: Sequence[WallFile]) -> list[float]:
    """Native time divided by Node's, for each file: both in turn, so that a slow minute of the machine hits both."""
    native = [str(gallop), "bench", "decode", "--json", "--repeat", "7"]
    node = ["node", str(HERE / "decode.mjs"), str(package.resolve()), "9"]
    return [ratio(native, node, str(file.path)) for file in files]


def ratio(one: Sequence[str], other: Sequence[str], path: str) -> float:
    """The least time of one command for a file, divided by that of another."""
    best = [math.inf, math.inf]
    for turn in range(DECODE_ROUNDS):
        for which in rotated([0, 1], turn):
            row = json.loads(output([*(one, other)[which], path]))
            best[which] = min(best[which], row["milliseconds"])
    return best[0] / best[1]


def task_row(name: str, tasks: Tasks) -> list[str]:
    return [name, f"{tasks.pictures:.0f}", f"{tasks.longest:.1f}", str(tasks.above)]


def measure(options: argparse.Namespace) -> None:
    host = machine.this_machine()
    files, _ = read_files(options.gallop, options.paths or [ROOT / "Samples" / "GIFs"], TILE)
    wall = Wall(files, 64, TILE, False)
    pace = Pace(settle=options.settle, window=options.seconds, count=3, look=0.5)
    rows: list[list[str]] = []
    for key in options.browser or ("chromium", "firefox"):
        rows += wall_rows(key, play_walls(key, wall, options.package, pace, options.rounds))
    for text in host.warnings(False):
        print(f"**{text}**\n")
    heads = ["64 tiles of 96 x 64", "CPU, of a core", "of `<img>`", "memory, MB", "of `<img>`", "pictures a second"]
    print(table(heads, rows, left=1))
    print("\nThe whole process tree, medians; memory is PSS above that of a page with empty tiles.\n")
    starts: list[list[str]] = []
    for key in options.browser or ("chromium", "firefox"):
        starts += start_rows(key, options.package, files[0].path, options.starts)
    print(table(["all GIFs seen for the first time", *WAYS], starts, left=1))
    print("\nFrom the beginning of the page, in a browser that has seen nothing before; medians, beside `<img>`.\n")
    if "chromium" in (options.browser or ("chromium",)):
        span = (options.settle, options.seconds)
        tasks = [
            task_row("64 tiles play", play_tasks(wall, options.package, *span)),
            task_row(f"{ITEMS} in a wall that scrolls", scroll_tasks(wall, options.package, *span)),
        ]
        heads = ["Chromium's main thread", "pictures a second", "longest task, ms", "tasks above 4 ms"]
        print(table(heads, tasks, left=1))
        print("\nProcessor time of tasks, from a trace.\n")
    ratios = decode_ratios(options.gallop, options.package, files)
    mean = math.exp(statistics.fmean(math.log(ratio) for ratio in ratios))
    print(f"Decoding in Node runs at {mean:.2f} of the native speed ({min(ratios):.2f} - {max(ratios):.2f}).")


def main(arguments: Sequence[str] | None = None) -> int:
    try:
        measure(parse_arguments(arguments))
    except StandStill as error:
        print(f"bench-web: {error}", file=sys.stderr)
        return 1
    except (Failure, BrowserError, OSError, subprocess.SubprocessError) as error:
        print(f"bench-web: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
