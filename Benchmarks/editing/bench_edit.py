#!/usr/bin/env python3
"""Cuts, reverses and shrinks GIFs with gallop and other tools: wrong pictures, sizes, times and memory.

    bench_edit.py --gallop PATH/TO/gallop [GIF-OR-FOLDER...]

A result is right if it has the pictures that browsers show of the chosen frames, to the pixel, and their delays in all. What
browsers show is taken from gallop, which shows the same as Chromium. Tools that are not installed are left out.
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from galloptools.gif.files import gifs
from galloptools.measuring.machine import this_machine
from galloptools.measuring.usage import measured

ROOT = Path(__file__).resolve().parents[2]
REAL_FILES = ROOT.parent / "shared" / "conformance" / "gifs" / "realworld"
SECONDS = 300.0


@dataclass
class Film:
    """What browsers show of a file."""

    path: Path
    pictures: list[str]
    duration: int
    """Of one play, in milliseconds."""


@dataclass
class Figures:
    """What became of the files of an operation with a tool."""

    ratios: dict[Path, float] = field(default_factory=dict)
    """The sizes of the results, of their inputs."""
    seconds: list[float] = field(default_factory=list)
    memory: float = 0
    """The most megabytes of any file."""
    wrong: list[str] = field(default_factory=list)
    refused: int = 0


Command = Callable[[Path, int, Path], list[str]]
"""Makes a command of an input, its number of frames, and an output."""


@dataclass
class Operation:
    """What is done to each file."""

    wanted: Callable[[list[str]], list[str]]
    """The pictures of the result, from those of the input."""
    tools: dict[str, Command]
    keeps_duration: bool = True


def operations(gallop: str) -> dict[str, Operation]:
    """The operations by name. The two halves are cuts too, of which one or the other has most of the bytes."""
    palette = "[0:v]{filter}split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1"

    def edit(*options: str) -> Command:
        return lambda path, count, out: [gallop, "edit", str(path), *_filled(options, count), "-o", str(out), "--force"]

    def gifsicle(*options: str) -> Command:
        return lambda path, count, out: ["gifsicle", *_filled(options, count, path), "-o", str(out)]

    def ffmpeg(video_filter: str) -> Command:
        return lambda path, count, out: [
            "ffmpeg", "-y", "-i", str(path), "-filter_complex",
            palette.format(filter=_filled([video_filter], count)[0]), "-fps_mode", "passthrough", str(out),
        ]  # fmt: skip

    def imagemagick(*options: str) -> Command:
        return lambda path, count, out: ["convert", str(path), "-coalesce", *_filled(options, count), str(out)]

    def cut(ours: str, gifsicles: str, imagemagicks: str, ffmpegs: str) -> dict[str, Command]:
        return {
            "gallop": edit("--frames", ours),
            "gifsicle": gifsicle("{path}", gifsicles),
            "gifsicle -U -O2": gifsicle("-U", "{path}", gifsicles, "-O2"),
            "ImageMagick": imagemagick("-delete", imagemagicks, "-layers", "Optimize"),
            "ffmpeg": ffmpeg(f"select={ffmpegs}(n\\,{{half}}),"),
        }

    return {
        "first half": Operation(
            lambda pictures: pictures[: len(pictures) // 2],
            cut("0-{last}", "#0-{last}", "{half}--1", "lt"),
            keeps_duration=False,
        ),
        "second half": Operation(
            lambda pictures: pictures[len(pictures) // 2 :],
            cut("{half}-", "#{half}-", "0-{last}", "gte"),
            keeps_duration=False,
        ),
        "reversed": Operation(
            lambda pictures: pictures[::-1],
            {
                "gallop": edit("--reverse"),
                "gifsicle -U -O2": gifsicle("-U", "{path}", "#-1-0", "-O2"),
                "ImageMagick": imagemagick("-reverse", "-layers", "Optimize"),
                "ffmpeg": ffmpeg("reverse,"),
            },
        ),
        # gifsicle makes one frame of those that show the same.
        "smaller": Operation(
            lambda pictures: pictures,
            {
                "gallop": edit("--smaller", "--merge-still"),
                "gifsicle -O3": gifsicle("-O3", "{path}"),
            },
        ),
    }


def _filled(options: Sequence[str], count: int, path: Path | None = None) -> list[str]:
    return [option.format(half=count // 2, last=count // 2 - 1, path=path) for option in options]


def film(gallop: str, path: Path) -> Film | None:
    """What browsers show of a file; nothing where it cannot be read."""
    done = subprocess.run(
        [gallop, "info", "--json", "--hashes", str(path)], capture_output=True, text=True, timeout=SECONDS, check=False
    )
    if done.returncode != 0:
        return None
    report = json.loads(done.stdout)
    if any(frame["status"] != "complete" for frame in report["frames"]):
        return None
    return Film(path, [frame["md5"] for frame in report["frames"]], sum(f["delayMs"] for f in report["frames"]))


def shown_once(pictures: Sequence[str]) -> list[str]:
    """The pictures without those that repeat the one before: tools merge such frames."""
    return [picture for place, picture in enumerate(pictures) if place == 0 or pictures[place - 1] != picture]


def measure(gallop: str, films: Sequence[Film], folder: Path, tools: Sequence[str]) -> dict[str, dict[str, Figures]]:
    """All operations of all files; the tools take turns with each file. Without names, all that are installed do."""
    results: dict[str, dict[str, Figures]] = {}
    for name, operation in operations(gallop).items():
        figures = results[name] = {tool: Figures() for tool in operation.tools}
        for source in films:
            wanted = operation.wanted(source.pictures)
            for tool, command in operation.tools.items():
                words = command(source.path, len(source.pictures), folder / "out.gif")
                if not shutil.which(words[0]) or (tools and tool.split()[0] not in tools):
                    continue
                (folder / "out.gif").unlink(missing_ok=True)
                usage = measured(words, SECONDS)
                entry = figures[tool]
                entry.seconds.append(usage.seconds)
                entry.memory = max(entry.memory, usage.megabytes)
                if not usage.succeeded:
                    entry.refused += 1
                    continue
                entry.ratios[source.path] = (folder / "out.gif").stat().st_size / source.path.stat().st_size
                result = film(gallop, folder / "out.gif")
                is_right = result is not None and shown_once(result.pictures) == shown_once(wanted)
                if is_right and operation.keeps_duration:
                    is_right = result is not None and result.duration == source.duration
                if not is_right:
                    entry.wrong.append(source.path.name)
            print(f"{name}: {source.path.name}", file=sys.stderr, flush=True)
    return results


def mean(ratios: Sequence[float]) -> float:
    """The geometric mean; not a number where there are none."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else math.nan


def table(results: dict[str, dict[str, Figures]]) -> str:
    """The figures as a table. Tools refuse different files, so sizes are compared over those that all managed."""
    lines = [
        "| operation | tool | files | wrong | refused | size, of the input | where all managed | seconds in all "
        "| most memory |",
        "|---|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name, tools in results.items():
        ran = {tool: figures for tool, figures in tools.items() if figures.seconds}
        shared = set.intersection(*(set(figures.ratios) for figures in ran.values())) if ran else set()
        for tool, figures in ran.items():
            compared = mean([ratio for path, ratio in figures.ratios.items() if path in shared])
            lines.append(
                f"| {name} | {tool} | {len(figures.seconds)} | {len(figures.wrong)} | {figures.refused} | "
                f"{mean(list(figures.ratios.values())):.3f} | {compared:.3f} ({len(shared)}) | "
                f"{sum(figures.seconds):.1f} | {figures.memory:.0f} MB |"
            )
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="bench_edit.py", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path, metavar="GIF-OR-FOLDER", help="GIFs of several frames")
    parser.add_argument("--gallop", required=True, help="the program, a release build")
    parser.add_argument("--only", action="append", default=[], metavar="TOOL", help="gallop, gifsicle, ImageMagick or ffmpeg")
    options = parser.parse_args(arguments)
    paths = [path for place in options.files or [REAL_FILES] for path in gifs(place)]
    gallop = str(Path(options.gallop).resolve())
    films = [found for found in (film(gallop, path) for path in paths) if found and len(found.pictures) > 1]
    if not films:
        print("bench_edit: there are no GIFs of several frames", file=sys.stderr)
        return 2
    found = this_machine()
    try:
        with tempfile.TemporaryDirectory() as folder:
            results = measure(gallop, films, Path(folder), options.only)
    except OSError as error:
        print(f"bench_edit: {error}", file=sys.stderr)
        return 2
    print(f"{found.cpu}, {found.cores} processors, load {found.load} before the first run\n\n{table(results)}")
    halves = [ratio for half in ("first half", "second half") for ratio in results[half]["gallop"].ratios.values()]
    print(f"\ngallop, both halves: {mean(halves):.3f}")
    for name, tools in results.items():
        for tool, figures in tools.items():
            if figures.wrong:
                print(f"\n{name}, {tool}, wrong: {', '.join(figures.wrong)}")
    return 1 if any(tools["gallop"].wrong for tools in results.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
