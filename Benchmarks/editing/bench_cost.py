#!/usr/bin/env python3
"""Times edits beside what they cannot do without: copying, opening and decoding; and their memory.

    bench_cost.py --gallop PATH/TO/gallop [FILM]

Without a film of one's own, one of 625 frames of 480 x 270 is made with ffmpeg. Eight of it, joined, are the large file.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from galloptools.gif.films import make_film
from galloptools.measuring.machine import this_machine
from galloptools.measuring.tables import table
from galloptools.measuring.turns import rotated
from galloptools.measuring.usage import measured, milliseconds

REPEATS = 21
JOINED = 8
CUT = 60
EDITS = {
    "--loop 3": ["--loop", "3"],
    "--delay 40": ["--delay", "40"],
    "--rate 2": ["--rate", "2"],
    "--last-delay 2000": ["--last-delay", "2000"],
    "--strip": ["--strip"],
    "--comment": ["--comment", "a comment"],
}


def medians(commands: Mapping[str, Sequence[str]], output: Path) -> dict[str, float]:
    """Milliseconds of each command. They take turns, and each finds no output of the one before."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    for turn in range(REPEATS):
        for name in rotated(list(commands), turn):
            output.unlink(missing_ok=True)
            times[name].append(milliseconds(commands[name]))
    output.unlink(missing_ok=True)
    return {name: statistics.median(values) for name, values in times.items()}


def megabytes(command: Sequence[str], output: Path) -> float:
    """The most memory of three runs."""
    most = 0.0
    for _ in range(3):
        output.unlink(missing_ok=True)
        usage = measured(command)
        if not usage.succeeded:
            raise RuntimeError(f"status {usage.status}: {command[1]}")
        most = max(most, usage.megabytes)
    return most


def large_rows(gallop: str, large: Path, output: Path) -> list[list[str]]:
    """Edits that copy all frames, beside a copy of the file and the reading of its records."""
    commands = {
        "`cp`": ["cp", str(large), str(output)],
        "`gallop info --index-only`": [gallop, "info", "--index-only", "--quiet", str(large)],
        **{
            f"`gallop edit {name}`": [gallop, "edit", str(large), *options, "-o", str(output), "--quiet"]
            for name, options in EDITS.items()
        },
    }
    found = medians(commands, output)
    copying, opening, *_ = found.values()
    return [
        [name, f"{time:.0f} ms", f"{time / (copying + opening):.2f}", f"{megabytes(commands[name], output):.1f} MB"]
        for name, time in found.items()
    ]


def cut_rows(gallop: str, film: Path, count: int, output: Path) -> list[list[str]]:
    """Cuts, beside the decoding of their frames."""
    rows = []
    for first in (0, 10, count // 4, count // 2, 3 * count // 4, count - CUT):
        frames = f"{first}-{first + CUT - 1}"
        commands = {
            "edit": [gallop, "edit", str(film), "--frames", frames, "-o", str(output), "--quiet"],
            "decode": [gallop, "decode", str(film), "--frames", frames, "--format", "null", "--quiet"],
        }
        found = medians(commands, output)
        ratio = found["edit"] / found["decode"]
        rows.append([frames, f"{found['edit']:.0f} ms", f"{found['decode']:.0f} ms", f"{ratio:.2f}"])
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="bench_cost.py", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("film", nargs="?", type=Path, metavar="FILM", help="instead of one that is made")
    parser.add_argument("--gallop", required=True, help="the program, a release build")
    options = parser.parse_args(arguments)
    gallop = str(Path(options.gallop).resolve())
    machine = this_machine()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        output = folder / "output.gif"
        try:
            film = options.film or make_film(folder / "film.gif")
            large = folder / "large.gif"
            subprocess.run([gallop, "edit", *[str(film)] * JOINED, "-o", str(large), "--quiet"], check=True)
            told = subprocess.run(
                [gallop, "info", "--json", "--index-only", str(film)], check=True, capture_output=True, text=True
            )
            count = json.loads(told.stdout)["frameCount"]
            if count < 2 * CUT:
                raise RuntimeError(f"{film.name} has {count} frames; it takes {2 * CUT}")
            sizes = [path.stat().st_size / 1e6 for path in (film, large)]
            edits = large_rows(gallop, large, output)
            cuts = cut_rows(gallop, film, count, output)
            reverse = [gallop, "edit", str(film), "--reverse", "-o", str(output), "--quiet"]
            reversing = megabytes(reverse, output)
        except (OSError, RuntimeError, subprocess.CalledProcessError) as error:
            print(f"bench_cost: {error}", file=sys.stderr)
            return 2
    print(f"{machine.cpu}, {machine.cores} processors, load {machine.load} before the first run")
    print(f"Medians of {REPEATS} runs in turn; the most memory of three.\n")
    print(f"{JOINED} films of {sizes[0]:.1f} MB joined, {sizes[1]:.1f} MB in all; times as long as `cp` and opening together:\n")
    print(table(["", "time", "ratio", "memory"], edits, 1))
    print(f"\n{CUT} of the film's {count} frames, beside decoding them:\n")
    print(table(["frames", "cut", "decode", "ratio"], cuts, 1))
    print(f"\nThe film reversed: {reversing:.0f} MB.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
