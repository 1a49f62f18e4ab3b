"""Small GIFs for tests: 1 x 1 pixels, with a global palette of two colours."""

from __future__ import annotations

IMAGE = b"\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0"
IMAGE_WITH_TABLE = b"\x2c\0\0\0\0\x01\0\x01\0\x81" + bytes(12) + b"\x02\x02\x44\x01\0"


def application_extension(identifier: bytes, *blocks: bytes) -> bytes:
    """Its bytes, with a sub-block for the identifier and one for each of the blocks."""
    body = b"".join(bytes([len(block)]) + block for block in (identifier, *blocks))
    return b"\x21\xff" + body + b"\0"


def gif(*parts: bytes) -> bytes:
    """A header, the parts, and the trailer."""
    return b"GIF89a\x01\0\x01\0\x80\0\0" + bytes(6) + b"".join(parts) + b"\x3b"
