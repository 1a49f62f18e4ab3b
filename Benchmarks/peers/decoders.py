#!/usr/bin/env python3
"""Times a Python library on a GIF, in a process of its own (with the interpreter that has the library).

    decoders.py skia|pillow --repeat N --seconds S FILE     prints {"milliseconds": the best run, "frames": N}
    decoders.py skia|pillow --version

From the bytes in memory until every composited RGBA canvas has stood complete once; opening and allocations are
included, starting Python and importing are not.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from galloptools.measuring.repeats import best_of

NO_FRAME = -1


class DecoderError(Exception):
    """A file that the library does not decode."""


# --- Skia: Chromium's decoder, Skia over Wuffs --------------------------------------------------------------------


def prior_frames(restores_previous: Sequence[bool]) -> list[int]:
    """For each frame the one that the buffer shows when it is drawn: the last before it that stays.

    Skia refuses a frame as prior one if it is disposed of to what was before it (SkCodec.h, fPriorFrame).
    """
    priors: list[int] = []
    last = NO_FRAME
    for index, is_undone in enumerate(restores_previous):
        priors.append(last)
        if not is_undone:
            last = index
    return priors


def skia_decode(data: bytes) -> Callable[[], int]:
    """Decodes with Skia's codec: one buffer, frame after frame in place; gives the number of frames."""
    import numpy
    import skia

    # Disposals are read before the clock starts: a C++ caller has them for nothing, Python makes an object of each.
    codec = open_codec(skia, data)
    infos = codec.getFrameInfo() if codec.getFrameCount() > 1 else []
    undone = [info.fDisposalMethod == skia.Codec.kRestorePrevious for info in infos] or [False]
    priors = prior_frames(undone)
    accepted = (skia.Codec.kSuccess, skia.Codec.kIncompleteInput, skia.Codec.kErrorInInput)

    def decode() -> int:
        codec = open_codec(skia, data)
        info = codec.getInfo().makeColorType(skia.kRGBA_8888_ColorType).makeAlphaType(skia.kUnpremul_AlphaType)
        count = max(1, int(codec.getFrameCount()))
        canvas = numpy.zeros((info.height(), info.width(), 4), numpy.uint8)
        saved: Any = None
        for index in range(count):
            if index > 0 and undone[index - 1]:
                numpy.copyto(canvas, saved)
            elif undone[index]:
                saved = canvas.copy()
            options = skia.Codec.Options()
            options.fFrameIndex = index
            options.fPriorFrame = priors[index]
            result = codec.getPixels(info, canvas, info.width() * 4, options)
            if result not in accepted:
                raise DecoderError(f"frame {index}: {result}")
        return count

    return decode


def open_codec(skia: Any, data: bytes) -> Any:
    try:
        return skia.Codec.MakeFromData(skia.Data.MakeWithoutCopy(data))
    except RuntimeError as error:
        raise DecoderError(str(error)) from error


def skia_version() -> str:
    from importlib.metadata import version

    import numpy  # noqa: F401  (needed as well: without it there is nothing to measure)
    import skia  # noqa: F401

    return f"skia-python {version('skia-python')}"


# --- Pillow -------------------------------------------------------------------------------------------------------


def pillow_decode(data: bytes) -> Callable[[], int]:
    """Decodes with Pillow: each frame sought in order and turned into an RGBA picture."""
    import io

    from PIL import Image

    def decode() -> int:
        with Image.open(io.BytesIO(data)) as image:
            count = 0
            while True:
                image.convert("RGBA")
                count += 1
                try:
                    image.seek(count)
                except EOFError:
                    return count

    return decode


def pillow_version() -> str:
    from PIL import __version__

    return f"Pillow {__version__}"


# --- The command --------------------------------------------------------------------------------------------------

DECODERS = {"skia": (skia_decode, skia_version), "pillow": (pillow_decode, pillow_version)}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Times a Python library on a GIF.")
    parser.add_argument("decoder", choices=DECODERS)
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--version", action="store_true")
    options = parser.parse_intermixed_args(arguments)
    prepare, version = DECODERS[options.decoder]
    if options.version:
        print(version())
        return 0
    if options.file is None or options.repeat < 1:
        parser.error("a file and at least one run are needed")
    try:
        milliseconds, frames = best_of(prepare(options.file.read_bytes()), options.repeat, options.seconds)
    except (DecoderError, OSError, ValueError, EOFError) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 1
    print(json.dumps({"milliseconds": milliseconds, "frames": frames}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
