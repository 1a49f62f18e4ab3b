#!/usr/bin/env python3
"""Compares `gallop info --flashes --rule iris` with the tables that IRIS has for its test videos.

    iris_vectors.py [--gallop .build/release/gallop] IRIS

IRIS is a checkout of github.com/electronicarts/IRIS; nothing of it is part of this project. The frames of each video become
a GIF with ffmpeg, which has their colours where a frame has at most 256. Prints a row for each video, and each frame that
differs; the exit status is 1 if one does.
"""

import argparse
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

DATA = pathlib.Path("test/Iris.Tests/data")
NAMES = {0: "passes", 1: "warns", 2: "failsExtended", 3: "fails"}
"""The verdicts, by their numbers in the tables."""


def rate(video: pathlib.Path) -> int:
    """Frames a second."""
    found = subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "stream=r_frame_rate", "-of", "csv=p=0",
         str(video)], check=True, capture_output=True, text=True).stdout
    over, under = found.strip().strip(",").split("/")
    return int(over) // int(under)


def make_gif(video: pathlib.Path, gif: pathlib.Path) -> None:
    """A GIF with every frame, and a palette for each."""
    graph = "split[a][b];[a]palettegen=stats_mode=single:reserve_transparent=0[p];[b][p]paletteuse=new=1:dither=none"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-i", str(video), "-vf", graph, "-fps_mode", "passthrough",
         "-gifflags", "-offsetting-transdiff", str(gif)], check=True)


def expected(table: pathlib.Path) -> list[str]:
    """The worse of both verdicts of each frame."""
    with table.open(newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    return [NAMES[max(int(float(row["FlashLuminanceFailedFrame"])), int(float(row["FlashRedFailedFrame"])))]
            for row in rows]


def found(gallop: str, gif: pathlib.Path) -> list[str]:
    """The verdicts of gallop."""
    lines = subprocess.run(
        [gallop, "info", "--flashes", "--rule", "iris", "--json", str(gif)], check=True, capture_output=True).stdout
    return [frame["flashes"] for frame in json.loads(lines)["frames"]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gallop", default=".build/release/gallop")
    parser.add_argument("iris", type=pathlib.Path)
    arguments = parser.parse_args()
    data = arguments.iris / DATA
    videos = sorted((data / "TestVideos").glob("*.mp4"))
    if not videos:
        sys.exit(f"{data} has no test videos")
    failures = 0
    print(f"{'video':24} {'rate':>5} {'frames':>6} {'same':>6}  verdicts")
    with tempfile.TemporaryDirectory() as folder:
        for video in videos:
            table = data / "ExpectedVideoLogFiles" / f"{video.stem}_RELATIVE.csv"
            if "FlashLuminanceFailedFrame" not in table.read_text(encoding="utf-8").splitlines()[0]:
                print(f"{video.stem:24} has no verdicts")
                continue
            gif = pathlib.Path(folder) / f"{video.stem}.gif"
            make_gif(video, gif)
            wanted, got = expected(table), found(arguments.gallop, gif)
            differing = [place for place, (a, b) in enumerate(zip(wanted, got)) if a != b]
            failures += len(differing) + (len(wanted) != len(got))
            kinds = ", ".join(f"{kind} {got.count(kind)}" for kind in NAMES.values() if kind in got)
            print(f"{video.stem:24} {rate(video):5} {len(got):6} {len(got) - len(differing):6}  {kinds}")
            if len(wanted) != len(got):
                print(f"  the table has {len(wanted)} frames")
            for place in differing:
                print(f"  frame {place}: {got[place]}, IRIS {wanted[place]}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
