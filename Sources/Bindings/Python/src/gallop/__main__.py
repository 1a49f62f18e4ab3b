"""`python -m gallop`: `info` tells what is in GIFs, `clips` writes clips of many into one array."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy

from . import GIF, Fit, GIFError, Layout, PixelFormat, __version__, clips, open
from .sources import gif_paths


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; 0 if every file could be read, otherwise 1."""
    parser = argparse.ArgumentParser(prog="python -m gallop", description="Animated GIFs as arrays.")
    parser.add_argument("--version", action="version", version=f"gallop {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    info = commands.add_parser("info", help="size, frames, duration, plays and damage")
    info.add_argument("--frames", action="store_true", help="a line for each frame, too")
    info.add_argument("files", nargs="+", metavar="FILE")
    info.set_defaults(run=_info)
    _add_clips(commands)
    options = parser.parse_args(arguments)
    return 1 if options.run(options) else 0


def _info(options: Any) -> int:
    """Prints what is in files; returns how many could not be read."""
    failures = 0
    for path in options.files:
        try:
            with open(path) as gif:
                print("\n".join(_lines(path, gif, options.frames)))
        except (GIFError, ValueError) as error:
            failures += 1
            _complain(str(error))
    return failures


def _add_clips(commands: Any) -> None:
    description = "Writes a clip of each GIF into one array of NumPy, in the order of the files. "
    description += "What cannot be used is background there, and a line on standard error."
    parser = commands.add_parser("clips", help="some frames of each GIF, as one array", description=description)
    parser.add_argument("-o", "--output", required=True, type=Path, metavar="CLIPS.npy", help="where the array goes")
    parser.add_argument("--force", action="store_true", help="overwrite what is there")
    parser.add_argument("--frames", type=int, default=8, metavar="N", help="frames of each clip; 8")
    parser.add_argument("--fps", type=float, help="frames a second; otherwise they are spread over the play")
    parser.add_argument("--start", type=float, default=0, metavar="SECONDS")
    parser.add_argument("--stop", type=float, metavar="SECONDS")
    parser.add_argument("--size", type=_size, default=(112, 112), metavar="WxH", help="112x112")
    parser.add_argument("--fit", choices=list(map(str, Fit)), default="cover", help="cover")
    parser.add_argument("--format", choices=list(map(str, PixelFormat)), default="rgb", help="rgb")
    parser.add_argument("--layout", choices=list(map(str, Layout)), default="TCHW", help="TCHW")
    parser.add_argument("--jobs", type=int, metavar="N", help="threads; one for each processor")
    parser.add_argument("files", nargs="+", metavar="FILE", help="files, or folders with all GIFs in and below them")
    parser.set_defaults(run=_clips)


def _clips(options: Any) -> int:
    """Writes clips; returns how many files could not be used."""
    paths = gif_paths(options.files)
    output: Path = options.output
    if output.exists() and not options.force:
        _complain(f"{output} exists already; --force overwrites it")
        return 1
    if output.exists() and not output.is_file():
        _complain(f"{output} is no file")
        return 1
    if not paths:
        _complain("there are no GIFs")
        return 1
    names = ("frames", "fps", "start", "stop", "size", "fit", "format", "layout", "jobs")
    part = output.with_name(f".{output.name}.{os.getpid()}.part")
    failures = 0
    shape: tuple[int, ...] = ()
    try:
        batches = clips(paths, **{name: getattr(options, name) for name in names})
        # Written in order, not mapped: a disk that is full is an error then, not a signal.
        with part.open("xb") as file:
            for batch in batches:
                if not shape:
                    shape = (len(paths), *batch.array.shape[1:])
                    header = {"descr": "|u1", "fortran_order": False, "shape": shape}
                    numpy.lib.format.write_array_header_1_0(file, header)
                file.write(batch.array.data)
                for error in filter(None, batch.errors):
                    failures += 1
                    _complain(str(error))
        part.replace(output)
    except (ValueError, OSError, MemoryError) as error:
        _complain(str(error))
        return 1
    finally:
        part.unlink(missing_ok=True)
    good = f"{len(paths)} clips" if not failures else f"{len(paths) - failures} clips of {len(paths)} files"
    print(f"{_shown(str(output))}: {good}, {' x '.join(map(str, shape))} bytes")
    return failures


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not (width.isdigit() and height.isdigit()):
        raise argparse.ArgumentTypeError(f"a size is a width and a height, as 112x112, not {text!r}")
    return int(width), int(height)


def _complain(text: str) -> None:
    print(f"gallop: {_shown(text)}", file=sys.stderr)


def _lines(path: str, gif: GIF, has_frames: bool) -> list[str]:
    plays = "for ever" if gif.plays is None else "once" if gif.plays == 1 else f"{gif.plays} times"
    size = f"{gif.width} x {gif.height} pixels, {gif.byte_count} bytes"
    count = "1 frame" if len(gif) == 1 else f"{len(gif)} frames"
    lines = [_shown(path), f"  {size}", f"  {count}, {gif.duration:.3f} s, plays {plays}"]
    lines += [f"  comment: {_shown(comment.decode('latin-1'))}" for comment in gif.comments]
    lines += [f"  damage: {_shown(str(fault))}" for fault in gif.diagnostics]
    if has_frames:
        for frame in gif.infos:
            x, y, width, height = frame.rect
            place = f"{width} x {height} at {x}, {y}"
            lines.append(f"  #{frame.index:<5}{frame.time_ms / 1000:9.3f} s{frame.delay_ms:7} ms  {place:<24}{frame.disposal}")
    return lines


def _shown(text: str) -> str:
    """Text from a file or a name, with what could steer a terminal escaped."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


if __name__ == "__main__":
    sys.exit(main())
