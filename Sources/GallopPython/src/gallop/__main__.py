"""`python -m gallop info FILE...`: what is in GIFs, a paragraph each."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from . import GIF, GIFError, __version__, open


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; 0 if every file could be read, otherwise 1."""
    parser = argparse.ArgumentParser(prog="python -m gallop", description="Tells what is in animated GIFs.")
    parser.add_argument("--version", action="version", version=f"gallop {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    info = commands.add_parser("info", help="size, frames, duration, plays and damage")
    info.add_argument("--frames", action="store_true", help="a line for each frame, too")
    info.add_argument("files", nargs="+", metavar="FILE")
    options = parser.parse_args(arguments)
    failures = 0
    for path in options.files:
        try:
            with open(path) as gif:
                print("\n".join(_lines(path, gif, options.frames)))
        except (GIFError, ValueError) as error:
            failures += 1
            print(f"gallop: {_shown(str(error))}", file=sys.stderr)
    return 1 if failures else 0


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
