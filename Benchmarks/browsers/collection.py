"""Finds the GIFs of the wall and asks gallop how they play."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wall import WallFile, longest_rest

from galloptools.gif.files import gifs
from galloptools.measuring.commands import Failure, output


def read_files(gallop: Path, paths: Sequence[Path], tile: tuple[int, int]) -> tuple[list[WallFile], list[str]]:
    """The files that the wall takes, and why others are passed over.

    A GIF that ends would stand still in a browser before the measuring begins, while Gallop still plays it.
    """
    files: list[WallFile] = []
    passed: list[str] = []
    for path in [file for start in paths for file in gifs(start)]:
        try:
            files.append(read_file(gallop, path, tile))
        except Failure as error:
            passed.append(f"{path.name}: {error}")
            print(f"passed over: {passed[-1]}", file=sys.stderr)
    if not files:
        raise Failure("no GIF that plays forever")
    return files, passed


def read_file(gallop: Path, path: Path, tile: tuple[int, int]) -> WallFile:
    delays = played_delays(output([str(gallop), "info", "--json", str(path)]))
    size = f"{tile[0]}x{tile[1]}"
    canvases = output([str(gallop), "decode", "--format", "rgba", "--size", size, "--output", "-", str(path)])
    step = tile[0] * tile[1] * 4
    if len(canvases) != step * len(delays):
        raise Failure("gallop gives another number of pictures")
    pictures = [canvases[start : start + step] for start in range(0, len(canvases), step)]
    return WallFile(path.name, path, path.read_bytes(), delays, longest_rest(pictures, delays))


def played_delays(text: bytes) -> list[int]:
    """Of an animation that plays forever; raises Failure for others."""
    try:
        row: dict[str, Any] = json.loads(text)
        plays, delays = row["plays"], [int(frame["delayMs"]) for frame in row["frames"]]
    except (ValueError, KeyError, TypeError) as error:
        raise Failure("gallop prints nothing about it") from error
    if len(delays) < 2:
        raise Failure("is a still")
    if plays != "forever":
        raise Failure(f"ends after {plays} plays")
    return delays
