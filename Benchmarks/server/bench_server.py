#!/usr/bin/env python3
"""What a server and a file manager wait for: thumbnails, posters, and the start of a confined program.

    bench_server.py --gallop PATH/TO/gallop [GIF]

Without a file of one's own, a film of 625 frames of 480 x 270 is made with ffmpeg.
"""

from __future__ import annotations

import argparse
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from galloptools.gif.films import make_film
from galloptools.measuring.machine import this_machine
from galloptools.measuring.tables import table
from galloptools.measuring.usage import Usage, measured, milliseconds

ROOT = Path(__file__).resolve().parents[2]
THUMBNAILER = ROOT / "Sources/Packaging/gallop.thumbnailer"
SAMPLE = ROOT / "Samples/GIFs/spinner.gif"
REPEATS = 5
STARTS = 200


def median(command: Sequence[str]) -> Usage:
    """The medians of several runs, of which the memory is the most."""
    runs = [measured(command) for _ in range(REPEATS)]
    failed = next((run.status for run in runs if not run.succeeded), 0)
    if failed:
        raise RuntimeError(f"status {failed}: {shlex.join(command)}")
    return replace(
        runs[0],
        seconds=statistics.median(run.seconds for run in runs),
        cpu_seconds=statistics.median(run.cpu_seconds for run in runs),
        megabytes=max(run.megabytes for run in runs),
    )


def row(name: str, usage: Usage, goal: str) -> list[str]:
    return [name, f"{usage.seconds:.2f} s", f"{usage.cpu_seconds:.2f} s", f"{usage.megabytes:.0f} MB", goal]


def thumbnails(gallop: str, film: Path, folder: Path) -> list[list[str]]:
    """An animated thumbnail of a film, and what of it is not libwebp's."""
    decode = [gallop, "decode", str(film), "--fit", "320x", "--jobs", "1", "--quiet", "--force"]
    output = folder / "thumbnail.webp"
    whole = median([*decode, "--lossy", "75", "-o", str(output)])
    pictures = median([*decode, "--format", "rgba", "-o", "/dev/null"])
    share = pictures.cpu_seconds / whole.cpu_seconds
    size = output.stat().st_size / 1e6
    return [
        row(f"WebP, 320 pixels wide, lossy 75 ({size:.1f} MB)", whole, "4 s, 64 MB"),
        row(f"of it reading, decoding, scaling: {share:.0%}", pictures, "15 %"),
    ]


def posters(gallop: str, films: Sequence[tuple[str, Path]], folder: Path) -> list[list[str]]:
    """Posters, as file managers have them made."""
    found = re.search(r"^Exec=gallop (.*)$", THUMBNAILER.read_text(), re.MULTILINE)
    if found is None:
        raise RuntimeError(f"{THUMBNAILER.name} runs no gallop")
    rows = []
    for name, path in films:
        names = {"%s": "256", "%o": str(folder / "poster.png"), "%i": str(path)}
        words = [re.sub("%[soi]", lambda code: names[code[0]], word) for word in shlex.split(found[1])]
        rows.append(row(f"poster, 256 pixels: {name}", median([gallop, *words]), "0.2 s, 64 MB"))
    return rows


def starts(gallop: str) -> str:
    """How much longer a program that confines itself takes, run by run beside one that does not."""
    confined = [gallop, "info", str(SAMPLE)]
    times = [(milliseconds(confined), milliseconds([*confined, "--no-confine"])) for _ in range(STARTS)]
    first, second = (statistics.median(column) for column in zip(*times, strict=True))
    return (
        f"`gallop info` of a small file: {first:.2f} ms confined, {second:.2f} without; "
        f"{first - second:.2f} ms for it (goal 1), medians of {STARTS} runs in turn"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="bench_server.py", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", nargs="?", type=Path, metavar="GIF", help="instead of a film that is made")
    parser.add_argument("--gallop", required=True, help="the program, a release build")
    options = parser.parse_args(arguments)
    gallop = str(Path(options.gallop).resolve())
    machine = this_machine()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            film = options.file or make_film(folder / "film.gif")
            white = "color=white:s=2708x2708:r=25,drawbox=x=9:y=9:w=9:h=9:color=black"
            blank = make_film(folder / "blank.gif", 100, white)
            films = [(film.name, film), ("nearly blank, 2708 x 2708", blank)]
            rows = [*thumbnails(gallop, film, folder), *posters(gallop, films, folder)]
            confinement = starts(gallop)
        except (OSError, RuntimeError, subprocess.CalledProcessError) as error:
            print(f"bench_server: {error}", file=sys.stderr)
            return 2
        size = film.stat().st_size / 1e6
    print(f"{machine.cpu}, {machine.cores} processors, load {machine.load} before the first run")
    print(f"{film.name}, {size:.1f} MB; medians of {REPEATS}, the most memory of any\n")
    print(table(["", "time", "processor", "memory", "goal"], rows, 1))
    print(f"\n{confinement}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
