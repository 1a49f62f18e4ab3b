#!/usr/bin/env python3
"""What a command-line program shows: programs.py gallop|ffmpeg|imagemagick FILE...

Options before the name: --program PATH, and for gallop --piece-bytes N.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

_SECONDS = 60
_MOST_PIXELS = 1 << 22


def run(*command: str) -> bytes:
    """A program's output, whatever its exit status."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS, check=False)
    if done.returncode < 0:
        print(f"error {Path(command[0]).name} ends with signal {-done.returncode}")
    return done.stdout


def show(rgba: bytes, width: int, height: int, delays: Sequence[int | None]) -> None:
    """Print frames that stand one behind the other."""
    size = width * height * 4
    for index in range(len(rgba) // size if size else 0):
        delay = delays[index] if index < len(delays) else None
        print(f"frame {'-' if delay is None else delay} rgba {rgba[index * size : (index + 1) * size].hex()}")


def gallop(paths: Sequence[str], program: str, piece_bytes: int | None) -> None:
    """One call for the facts of all files, and one for the pictures."""
    feeding = [] if piece_bytes is None else ["--piece-bytes", str(piece_bytes)]
    with tempfile.TemporaryDirectory() as folder:
        links = [f"{number}.gif" for number in range(len(paths))]
        for link, path in zip(links, paths, strict=True):
            os.symlink(os.path.abspath(path), f"{folder}/{link}")
        full = [f"{folder}/{link}" for link in links]
        rows = map(json.loads, run(program, "info", "--json", *feeding, *full).splitlines())
        reports = {row["path"]: row for row in rows if "error" not in row}
        small = [path for path in full if path in reports and _is_small(reports[path])]
        run(program, "decode", "--jobs", "1", "--format", "rgba", "--output", f"{folder}/", *feeding, *small)
        for path, link in zip(paths, full, strict=True):
            print(f"file {path}")
            report = reports.get(link)
            if report is None:
                print("error no image")
                continue
            print(f"size {report['width']} {report['height']}\nplays {report['plays']}")
            pixels = Path(link).with_suffix(".rgba")
            delays = [frame["delayMs"] for frame in report["frames"]]
            show(pixels.read_bytes() if pixels.exists() else b"", report["width"], report["height"], delays)


def _is_small(report: dict[str, Any]) -> bool:
    return report["frameCount"] > 0 and report["width"] * report["height"] <= _MOST_PIXELS


def ffmpeg(path: str, program: str) -> None:
    """Every frame as it is decoded, none made twice or left out for the sake of time."""
    probe = program.removesuffix("ffmpeg") + "ffprobe"
    entries = "stream=width,height:frame=pkt_duration_time,duration_time"
    text = run(probe, "-v", "quiet", "-f", "gif", "-print_format", "json", "-show_entries", entries, "-i", path)
    found = json.loads(text or b"{}")
    stream = (found.get("streams") or [{}])[0]
    width, height = stream.get("width", 0), stream.get("height", 0)
    if not 0 < width * height <= _MOST_PIXELS:
        print("error no stream")
        return
    print(f"size {width} {height}\nplays -")
    times = [frame.get("pkt_duration_time", frame.get("duration_time")) for frame in found.get("frames", [])]
    delays = [None if time is None else round(float(time) * 1000) for time in times]
    options = ("-f", "rawvideo", "-pix_fmt", "rgba", "-vsync", "passthrough", "-")
    show(run(program, "-v", "quiet", "-f", "gif", "-ignore_loop", "1", "-i", path, *options), width, height, delays)


def imagemagick(path: str, program: str) -> None:
    """Coalesced frames."""
    identify = program.replace("convert", "identify")
    lines = run(identify, "-quiet", "-format", "%W %H %T\n", f"gif:{path}").decode().split("\n")
    facts = [tuple(map(int, line.split())) for line in lines if line.strip()]
    if not facts or facts[0][0] * facts[0][1] > _MOST_PIXELS:
        print("error no image")
        return
    width, height, _ = facts[0]
    print(f"size {width} {height}\nplays -")
    pixels = run(program, "-quiet", f"gif:{path}", "-coalesce", "-depth", "8", "rgba:-")
    show(pixels, width, height, [delay * 10 for _, _, delay in facts])


ONE_BY_ONE: dict[str, Callable[[str, str], None]] = {"ffmpeg": ffmpeg, "imagemagick": imagemagick}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--piece-bytes", type=int)
    parser.add_argument("name", choices=["gallop", *ONE_BY_ONE])
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    if options.name == "gallop":
        gallop(options.files, options.program, options.piece_bytes)
        return
    for path in options.files:
        print(f"file {path}")
        try:
            ONE_BY_ONE[options.name](path, options.program)
        except subprocess.TimeoutExpired:
            print(f"error no end after {_SECONDS} s")


main()
