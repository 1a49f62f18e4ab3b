"""Pictures of a virtual screen that Xvfb keeps in a file (`Xvfb -fbdir`), as small PNG files."""

from __future__ import annotations

import struct
from pathlib import Path

from PIL import Image

_FIELDS = 25
"""The 32-bit fields of an XWD file's header; see X11/XWDFile.h."""
_THEME = (0x141518, 0x1E2024, 0x2B2E34, 0x3A3E46, 0xE3E5E8, 0x9298A3, 0x5AA9FF, 0xF0A63C, 0x63C66B,
          0xEF5D60)
"""Colours of letters and lines, which a palette of the pictures would leave out."""


def screen(file: Path) -> Image.Image:
    """The whole screen, of 32 bits a pixel."""
    data = file.read_bytes()
    header = struct.unpack(">%dI" % _FIELDS, data[: 4 * _FIELDS])
    header_bytes, width, height, line_bytes, colors = header[0], header[4], header[5], header[12], header[19]
    if header[11] != 32:
        raise ValueError(f"{header[11]} bits a pixel instead of 32")
    order = "BGRX" if header[7] == 0 else "XRGB"
    start = header_bytes + 12 * colors
    pixels = data[start : start + line_bytes * height]
    return Image.frombuffer("RGB", (width, height), pixels, "raw", order, line_bytes, 1)


def save(picture: Image.Image, path: Path, colors: int) -> int:
    """Write a picture with a palette of this many colours; the bytes of the file."""
    found = picture.quantize(colors - len(_THEME), kmeans=1).getpalette() or []
    palette = Image.new("P", (1, 1))
    theme = [channel for color in _THEME for channel in color.to_bytes(3, "big")]
    palette.putpalette(found[: 3 * (colors - len(_THEME))] + theme)
    picture.quantize(palette=palette, dither=Image.Dither.NONE).save(path, optimize=True)
    return path.stat().st_size
