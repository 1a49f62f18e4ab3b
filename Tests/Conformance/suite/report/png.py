"""Pictures as PNG in pages."""

from __future__ import annotations

import base64
import struct
import zlib


def data_address(rgba: bytes, width: int, height: int) -> str:
    """A picture as an address that stands for itself."""
    rows = b"".join(b"\0" + rgba[place : place + width * 4] for place in range(0, len(rgba), width * 4))
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    content = (
        b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(rows, 9)) + _chunk(b"IEND", b"")
    )
    return "data:image/png;base64," + base64.b64encode(content).decode("ascii")


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
