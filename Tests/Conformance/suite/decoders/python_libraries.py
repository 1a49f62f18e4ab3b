#!/usr/bin/env python3
"""What a Python library shows: python_libraries.py pillow|pyvips|skia FILE..., with the interpreter that has it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

Frame = tuple[int | None, bytes]


def pillow(path: str) -> Iterator[Frame]:
    """Each frame sought in order and turned into RGBA."""
    from PIL import Image, ImageFile

    ImageFile.LOAD_TRUNCATED_IMAGES = True
    with Image.open(path) as image:
        if image.format != "GIF":
            raise ValueError("not taken for a GIF")
        start(*image.size)
        loops = image.info.get("loop")
        plays("1" if loops is None else "forever" if loops == 0 else str(loops + 1))
        for index in range(getattr(image, "n_frames", 1)):
            image.seek(index)
            yield image.info.get("duration"), image.convert("RGBA").tobytes()


def pyvips(path: str) -> Iterator[Frame]:
    """All pages as one tall picture, cut into frames."""
    import pyvips

    image = pyvips.Image.gifload(path, n=-1, fail_on="none")
    fields = image.get_fields()
    height = image.get("page-height") if "page-height" in fields else image.height
    delays = image.get("delay") if "delay" in fields else []
    loops = image.get("loop") if "loop" in fields else None
    start(image.width, height)
    # libvips counts plays: 0 for ever, 1 where the file has no loop extension.
    plays("-" if loops is None else "forever" if loops == 0 else str(loops))
    if image.bands < 3:
        image = image.colourspace("srgb")
    if not image.hasalpha():
        image = image.addalpha()
    for index, top in enumerate(range(0, image.height, height)):
        pixels = image.crop(0, top, image.width, height).cast("uchar").write_to_memory()
        yield (delays[index] if index < len(delays) else None), bytes(pixels)


def skia(path: str) -> Iterator[Frame]:
    """Skia's codec, one canvas and frame after frame; a frame upon one that is restored is drawn on the one before."""
    import numpy
    import skia

    with open(path, "rb") as file:
        data = file.read()
    codec = skia.Codec.MakeFromData(skia.Data.MakeWithoutCopy(data))
    if codec.getEncodedFormat() != skia.EncodedImageFormat.kGIF:
        raise ValueError("not taken for a GIF")
    infos = codec.getFrameInfo() if codec.getFrameCount() > 1 else []
    info = codec.getInfo().makeColorType(skia.kRGBA_8888_ColorType).makeAlphaType(skia.kUnpremul_AlphaType)
    start(info.width(), info.height())
    count = codec.getRepetitionCount()
    plays("forever" if count < 0 else str(count + 1))
    for index in range(max(1, codec.getFrameCount())):
        canvas = numpy.zeros((info.height(), info.width(), 4), numpy.uint8)
        options = skia.Codec.Options()
        options.fFrameIndex = index
        # Without a prior frame the codec decodes by itself what the frame is drawn upon.
        codec.getPixels(info, canvas, info.width() * 4, options)
        yield (infos[index].fDuration if infos else None), canvas.tobytes()


def start(width: int, height: int) -> None:
    print(f"size {width} {height}")


def plays(text: str) -> None:
    print(f"plays {text}")


READERS: dict[str, Callable[[str], Iterator[Frame]]] = {"pillow": pillow, "pyvips": pyvips, "skia": skia}


def main() -> None:
    read = READERS[sys.argv[1]]
    for path in sys.argv[2:]:
        print(f"file {path}")
        try:
            for delay, rgba in read(path):
                print(f"frame {'-' if delay is None else round(delay)} rgba {rgba.hex()}")
        # Whatever a library raises is its answer.
        except Exception as error:
            print(f"error {type(error).__name__}: {' '.join(str(error).split())[:200]}")
        sys.stdout.flush()


main()
