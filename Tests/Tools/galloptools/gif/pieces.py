"""The pieces of a GIF file as bytes, right ones and broken ones: a file is what stands one behind the other.

Nothing is checked against anything: pieces may come in any order, any number of times or not at all.
"""

from __future__ import annotations

from collections.abc import Sequence

from galloptools.gif.codes import CodeStream, encode

TRAILER = b";"
Palette = Sequence[int]
"""Colours as 0xRRGGBB."""


def words(*numbers: int) -> bytes:
    """16-bit numbers, low byte first."""
    return b"".join(number.to_bytes(2, "little") for number in numbers)


def sub_blocks(data: bytes, size: int = 255) -> bytes:
    """Data in sub-blocks of at most `size` bytes, with the terminator."""
    pieces = [data[place : place + size] for place in range(0, len(data), size)]
    return b"".join(bytes([len(piece)]) + piece for piece in pieces) + b"\0"


def screen(
    width: int, height: int, palette: Palette | None = None, background: int = 0, aspect: int = 0,
    flags: int | None = None, version: bytes = b"GIF89a",
) -> bytes:  # fmt: skip
    """The header, the logical screen, and the global palette if there is one."""
    packed = flags if flags is not None else 0x70 | table_flags(palette)
    table = b"" if palette is None else colours(palette if flags is not None else padded(palette))
    return version + words(width, height) + bytes([packed, background, aspect]) + table


def padded(palette: Palette) -> Palette:
    """A palette filled up with black to the next size that the format knows."""
    size = 2
    while size < len(palette):
        size *= 2
    return [*palette, *[0] * (size - len(palette))]


def table_flags(palette: Palette | None) -> int:
    """The bits of a packed byte that announce a palette."""
    return 0 if palette is None else 0x80 | (len(padded(palette)).bit_length() - 2)


def colours(palette: Palette) -> bytes:
    """The entries of a palette, three bytes each."""
    return b"".join(colour.to_bytes(3, "big") for colour in palette)


def control(disposal: int = 0, delay: int = 0, transparent: int | None = None, user_input: bool = False) -> bytes:
    """A graphics control extension; the delay is in hundredths of a second."""
    packed = disposal << 2 | (2 if user_input else 0) | (0 if transparent is None else 1)
    return b"\x21\xf9\x04" + bytes([packed]) + words(delay) + bytes([transparent or 0, 0])


def extension(label: int, *blocks: bytes, ends: bool = True) -> bytes:
    """An extension of any label with these sub-blocks, each of at most 255 bytes."""
    body = b"".join(bytes([len(block)]) + block for block in blocks)
    return bytes([0x21, label]) + body + (b"\0" if ends else b"")


def loop(count: int, identifier: bytes = b"NETSCAPE2.0") -> bytes:
    """A loop extension."""
    return extension(0xFF, identifier, b"\1" + words(count))


def comment(text: bytes) -> bytes:
    """A comment."""
    return b"\x21\xfe" + sub_blocks(text)


def plain_text(text: bytes) -> bytes:
    """A plain text extension of one cell of 8 x 8 for each letter."""
    return b"\x21\x01\x0c" + words(0, 0, 8, 8) + bytes([8, 8, 1, 0]) + sub_blocks(text)


def descriptor(
    x: int, y: int, width: int, height: int, palette: Palette | None = None, interlaced: bool = False,
    flags: int | None = None,
) -> bytes:  # fmt: skip
    """An image descriptor, and the local palette if there is one."""
    packed = flags if flags is not None else table_flags(palette) | (0x40 if interlaced else 0)
    table = b"" if palette is None else colours(palette if flags is not None else padded(palette))
    return b"\x2c" + words(x, y, width, height) + bytes([packed]) + table


def coded(stream: CodeStream, declared: int | None = None, block_size: int = 255, ends: bool = True) -> bytes:
    """An image's data: the code size, the sub-blocks and the terminator."""
    blocks = sub_blocks(stream.bytes(), block_size)
    return bytes([stream.code_size if declared is None else declared]) + (blocks if ends else blocks[:-1])


def interlace_order(height: int) -> list[int]:
    """The rows of an interlaced image in the order in which they are stored."""
    passes = ((0, 8), (4, 8), (2, 4), (1, 2))
    return [row for first, step in passes for row in range(first, height, step)]


def stored(indices: Sequence[int], width: int, height: int) -> list[int]:
    """The indices of an interlaced image in the order in which they are stored."""
    return [index for row in interlace_order(height) for index in indices[row * width : (row + 1) * width]]


def image(
    x: int, y: int, width: int, height: int, indices: Sequence[int], palette: Palette | None = None,
    interlaced: bool = False,
) -> bytes:  # fmt: skip
    """A sound image of indices in rows from the top."""
    order = stored(indices, width, height) if interlaced else indices
    return descriptor(x, y, width, height, palette, interlaced) + coded(encode(order))
