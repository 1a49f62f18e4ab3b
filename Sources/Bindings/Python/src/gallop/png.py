"""PNG files of decoded frames, for notebooks and previews."""

from __future__ import annotations

import struct
import zlib

import numpy

from ._memory import Pixels

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_EIGHT_BITS, _RGB, _RGBA = 8, 2, 6
_UP = 2
_FAST = 1


def png_of(pixels: Pixels) -> bytes:
    """A PNG of height x width x 4 bytes RGBA; opaque pictures have three bytes a pixel."""
    height, width, _ = pixels.shape
    is_opaque = bool((pixels[..., 3] == 255).all())
    rows = numpy.ascontiguousarray(pixels[..., :3] if is_opaque else pixels).reshape(height, -1)
    # Each row as its difference from the one above: GIFs have flat areas and repeated rows.
    filtered = numpy.empty((height, rows.shape[1] + 1), numpy.uint8)
    filtered[:, 0] = _UP
    filtered[:, 1:] = rows
    filtered[1:, 1:] -= rows[:-1]
    header = struct.pack(">IIBBBBB", width, height, _EIGHT_BITS, _RGB if is_opaque else _RGBA, 0, 0, 0)
    data = zlib.compress(filtered.tobytes(), _FAST)
    return _SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
