#!/usr/bin/env python3
"""Plays the same wall of GIFs in headless Chromium, headless Firefox and Gallop; measures CPU time and memory.

    bench_browsers.py --gallop PATH/TO/gallop [GIF-OR-FOLDER...]            one wall: how much each needs
    bench_browsers.py --gallop PATH/TO/gallop --ramp [GIF-OR-FOLDER...]     growing walls: how much each can

See README.md in this folder for what is measured and how. Exit status: 0 measured, 1 a browser's pictures stand still,
2 nothing could be measured.
"""

from __future__ import annotations

import argparse
import signal
import sys
import unittest
from collections.abc import Sequence
from pathlib import Path

import capacity_report
import wall_chart
import wall_report
from browser_player import BrowserPlayer
from collection import read_files
from gallop_player import GallopPlayer
from players import Pace, Player
from samples import Climb, Ramp, Sample, Standing, StandStill, Step, check_moved, saturation
from wall import Wall
from wall_report import Facts, megabytes

from galloptools.browsers.drivers import BrowserError
from galloptools.measuring import machine
from galloptools.measuring.commands import Failure
from galloptools.measuring.turns import rotated

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "Benchmarks" / "results"
SAMPLES = ROOT / "Samples" / "GIFs"
BROWSERS = ("chromium", "firefox")
MOST = 16384
"""Tiles of the largest wall of a ramp."""


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(arguments)
    if options.self_test:
        suite = unittest.defaultTestLoader.loadTestsFromNames(["test_wall", "test_samples", "test_reports"])
        return 0 if unittest.TextTestRunner().run(suite).wasSuccessful() else 1
    signal.signal(signal.SIGTERM, stop)
    try:
        return measure_and_write(options)
    except StandStill as error:
        print(f"bench-browsers: {error}", file=sys.stderr)
        return 1
    except (Failure, BrowserError, OSError) as error:
        print(f"bench-browsers: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def stop(number: int, frame: object) -> None:
    """Turns a signal into an exception, so that browsers are ended and folders removed."""
    raise KeyboardInterrupt


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Plays a wall of GIFs in browsers and in Gallop.")
    parser.add_argument("paths", nargs="*", type=Path, metavar="GIF-OR-FOLDER", help="instead of the samples")
    parser.add_argument("--gallop", type=Path, help="the program, a release build")
    parser.add_argument("--count", type=positive, default=64, help="tiles (default: %(default)s)")
    parser.add_argument("--tile", type=size, default=(96, 64), metavar="WxH", help="CSS pixels (default: 96x64)")
    parser.add_argument("--seconds", type=float, help="to measure (default: 10, quick: 3)")
    parser.add_argument("--rounds", type=positive, help="of every player (default: 3, quick: 1; a ramp has one)")
    parser.add_argument("--ramp", action="store_true", help="find out how many GIFs each can play")
    parser.add_argument("--most", type=positive, default=MOST, help="tiles of a ramp's largest wall")
    parser.add_argument(
        "--distinct",
        action=argparse.BooleanOptionalAction,
        help="every tile has content of its own (default in a ramp), or the same file may be shared (default else)",
    )
    parser.add_argument("--browser", choices=BROWSERS, action="append", help="only this one; may be repeated")
    parser.add_argument("--output", type=Path, help="folder for the results (default: Benchmarks/results)")
    parser.add_argument("--pictures", type=Path, metavar="FOLDER", help="keep a screenshot of every browser's wall")
    parser.add_argument("--quick", action="store_true", help="short; results go to a folder of their own")
    parser.add_argument("--self-test", action="store_true", help="test this script instead")
    options = parser.parse_args(arguments)
    if not options.self_test and options.gallop is None:
        parser.error("--gallop is needed")
    if options.seconds is not None and not 1 <= options.seconds <= 3600:
        parser.error("--seconds takes 1 to 3600")
    return options


def positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("takes a number from 1 on")
    return int(text)


def size(text: str) -> tuple[int, int]:
    width, times, height = text.partition("x")
    if not times:
        raise argparse.ArgumentTypeError("takes WxH")
    return positive(width), positive(height)


def pace_of(options: argparse.Namespace) -> Pace:
    if options.quick:
        return Pace(settle=2, window=options.seconds or 3, count=2, look=0.25)
    return Pace(settle=5, window=options.seconds or 10, count=3, look=0.5)


def measure_and_write(options: argparse.Namespace) -> int:
    host = machine.this_machine()
    if not host.is_quiet:
        print(f"bench-browsers: the machine is not quiet (load {host.load}): do not cite this run", file=sys.stderr)
    commit = machine.commit(ROOT)
    files, passed = read_files(options.gallop, options.paths or [SAMPLES], options.tile)
    players: list[Player] = [GallopPlayer(options.gallop, f"commit {commit}")]
    absent = []
    for key in options.browser or BROWSERS:
        try:
            players.append(BrowserPlayer(key, options.pictures))
        except Failure as error:
            absent.append(f"{key}: {error}")
            print(f"skipped: {absent[-1]}", file=sys.stderr)
    pace = pace_of(options)
    if options.ramp:
        files.sort(key=lambda file: file.rate(pace.count), reverse=True)
    is_distinct = options.ramp if options.distinct is None else options.distinct
    facts = Facts(
        date=machine.today(),
        commit=commit,
        machine=host,
        is_quick=options.quick,
        is_distinct=is_distinct,
        tile=options.tile,
        pace=pace,
        files=files,
        passed=passed,
        players=players,
        absent=absent,
    )
    folder = options.output or (RESULTS / "quick" if options.quick else RESULTS)
    if options.ramp:
        climbs = climb(facts, options.most, refinements=0 if options.quick else 3)
        write(folder, "capacity", *capacity_report.texts(facts, climbs), wall_chart.capacity(facts, climbs))
        return 0
    wall = Wall(files, options.count, options.tile, is_distinct)
    standings = take_turns(players, wall, pace, options.rounds or (1 if options.quick else 3))
    write(folder, "browsers", *wall_report.texts(facts, wall, standings), wall_chart.cost(facts, wall, standings))
    return 0


def write(folder: Path, name: str, summary: str, markdown: str, raw: str, svg: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.md").write_text(markdown, encoding="utf-8")
    (folder / f"{name}.json").write_text(raw, encoding="utf-8")
    (folder / f"{name}.svg").write_text(svg, encoding="utf-8")
    print(summary)
    print(f"\nwritten: {', '.join(f'{folder.name}/{name}.{end}' for end in ('md', 'json', 'svg'))}")


# --- Measuring ----------------------------------------------------------------------------------------------------


def take_turns(players: Sequence[Player], wall: Wall, pace: Pace, rounds: int) -> dict[str, Standing]:
    """Every player plays the wall in each round, another one first each time."""
    standings = {player.key: Standing() for player in players}
    by_key = {player.key: player for player in players}
    for turn in range(rounds):
        for key in rotated(list(by_key), turn):
            sample = by_key[key].play(wall, pace)
            check_moved(key, sample, wall.rate(pace.count))
            standings[key].samples.append(sample)
            say(key, wall.count, sample)
    return standings


def climb(facts: Facts, most: int, refinements: int) -> dict[str, Climb]:
    """The ramp of every player, a wall each in turn; the fastest GIF must come first, so that it is on every wall."""
    climbs = {player.key: Climb(Ramp(most, refinements)) for player in facts.players}
    while any(found.ramp.next is not None for found in climbs.values()):
        for player in facts.players:
            found = climbs[player.key]
            if (count := found.ramp.next) is not None:
                wall = Wall(facts.files, count, facts.tile, facts.is_distinct)
                needed = found.needed(wall.rate(facts.pace.count))
                taken = step(player, wall, needed, facts)
                # One hiccup of the machine shall not end a ramp: a wall is too much when it was so twice.
                found.record(taken if taken.verdict is None else step(player, wall, needed, facts))
    return climbs


def step(player: Player, wall: Wall, needed: float, facts: Facts) -> Step:
    try:
        sample = player.play(wall, facts.pace)
        verdict = saturation(sample, needed, wall.shortest_delay, facts.machine.cores)
        if verdict is None:
            # Pictures that stand still cost nothing: that is no capacity.
            check_moved(player.key, sample, needed)
    except (Failure, BrowserError, StandStill) as error:
        print(f"{player.key}, {wall.count} tiles: {error}", file=sys.stderr, flush=True)
        return Step(wall.count, None, f"cannot be played: {error}")
    say(player.key, wall.count, sample, verdict)
    return Step(wall.count, sample, verdict)


def say(key: str, count: int, sample: Sample, verdict: str | None = None) -> None:
    text = f"{key}, {count} tiles: {100 * sample.share:.1f} % of a core, {megabytes(sample.peak)} MB"
    if sample.drawn is not None and sample.moved is not None:
        text += f", {sample.drawn:.1f} pictures drawn a second, {sample.moved[0]} of {sample.moved[1]} tiles move"
    if sample.playback is not None:
        text += f", {sample.playback.dropped} of {sample.playback.due} frames dropped, p99 {sample.playback.p99:.2f} ms"
    print(text + (f": {verdict}" if verdict else ""), file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
