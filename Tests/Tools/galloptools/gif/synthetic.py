"""Small animations made at random, with faults in their rectangles, extensions and code streams."""

from __future__ import annotations

import random
from collections.abc import Sequence

from galloptools.gif.pieces import colours, sub_blocks, words

PALETTE = (0x1A1A1A, 0xD02020, 0x20B040, 0x3060E0)


def animation(rng: random.Random) -> bytes:
    """Up to twelve frames on a small canvas, so that rectangles often coincide or contain each other."""
    width, height = rng.randint(1, 9), rng.randint(1, 9)
    fault_rate = rng.choice((0, 0.1, 0.25, 0.5))
    parts = [b"GIF89a" if rng.random() < 0.9 else b"GIF87a", _screen(width, height, rng)]
    if rng.random() < 0.7:
        parts.append(_loop(rng))
    for _ in range(rng.randint(1, 12)):
        parts.append(_frame(width, height, fault_rate, rng))
        if rng.random() < 0.1:
            parts.append(_extension(rng))
    if rng.random() < 0.9:
        parts.append(b";")
    return b"".join(parts)


def _screen(width: int, height: int, rng: random.Random) -> bytes:
    flags = 0x81 if rng.random() < 0.9 else 0
    return words(width, height) + bytes([flags, 0, 0]) + (colours(PALETTE) if flags else b"")


def _loop(rng: random.Random) -> bytes:
    name = rng.choice((b"NETSCAPE2.0", b"NETSCAPE2.0", b"NETSCAPE2.0", b"ANIMEXTS1.0", b"NETSCAPE1.0"))
    block = rng.choice((b"\3\1\0\0", b"\3\1\5\0", b"\3\1\5\0", b"\3\1\xff\xff", b"\2\1\0", b"\3\2\0\0", b""))
    return b"\x21\xff\x0b" + name + block + b"\0"


def _extension(rng: random.Random) -> bytes:
    if rng.random() < 0.4:
        return _loop(rng)
    label = rng.choice((0xFE, 0x01, 0xFF, 0x42))
    return bytes([0x21, label]) + sub_blocks(rng.randbytes(rng.choice((0, 1, 5, 13))))


def _frame(width: int, height: int, fault_rate: float, rng: random.Random) -> bytes:
    x, y, w, h = _rectangle(width, height, rng)
    transparent = rng.choice((None, None, None, 0, 1, 2, 3, 9))
    flags = (0x40 if rng.random() < 0.25 else 0) | (0x81 if rng.random() < 0.1 else 0)
    parts = []
    if rng.random() < 0.9:
        packed = rng.choice((0, 1, 1, 2, 2, 3, 4, 7)) << 2 | (transparent is not None)
        parts.append(b"\x21\xf9\x04" + bytes([packed]) + words(rng.choice((0, 1, 2, 5, 10, 300))))
        parts.append(bytes([transparent or 0, 0]))
    parts.append(b"\x2c" + words(x, y, w, h) + bytes([flags]))
    if flags & 0x80:
        parts.append(colours(tuple(reversed(PALETTE))))
    indices = _indices(min(w * h, 4096), rng)
    fault = rng.choice(("invalid", "end", "short", "extra")) if rng.random() < fault_rate else None
    parts.append(b"\x02" + sub_blocks(lzw(indices, fault, rng), rng.choice((255, 255, 7, 1))))
    return b"".join(parts)


def _rectangle(width: int, height: int, rng: random.Random) -> tuple[int, int, int, int]:
    kind = rng.random()
    if kind < 0.3:
        return 0, 0, width, height
    x, y = rng.randrange(width), rng.randrange(height)
    if kind < 0.85:
        return x, y, rng.randint(1, width - x), rng.randint(1, height - y)
    if kind < 0.92:  # without area
        return x, y, rng.choice((0, 2)), 0 if rng.random() < 0.5 else rng.choice((0, 3))
    if kind < 0.99:  # beyond the canvas
        return x, y, rng.randint(1, 3 * width), rng.randint(1, 3 * height)
    return x, y, rng.choice((300, 65535)), rng.choice((300, 65535))


def _indices(count: int, rng: random.Random) -> list[int]:
    if rng.random() < 0.5:
        return [rng.randrange(4) for _ in range(count)]
    run = rng.randint(1, 9)
    return [place // run % 4 for place in range(count)]


def lzw(indices: Sequence[int], fault: str | None = None, rng: random.Random | None = None, size: int = 2) -> bytes:
    """A code stream; with a fault it breaks off at a random place, in the way the fault says."""
    rng = rng or random.Random(0)
    if fault in ("invalid", "end", "short"):
        indices = indices[: rng.randint(0, max(0, len(indices) - 1))]
    elif fault == "extra":
        indices = [*indices, *(rng.randrange(4) for _ in range(rng.randint(1, 9)))]
    bits = _Bits()
    clear, end = 1 << size, (1 << size) + 1
    # Short stretches between clear codes make a stream that a fault leaves easy to read.
    stretch = rng.choice((2, 5, 100, 4000))
    table: dict[tuple[int, ...], int] = {}
    width = size + 1
    next_code = end + 1
    bits.put(clear, width)
    string: tuple[int, ...] = ()
    since_clear = 0

    def emit() -> None:
        nonlocal width, next_code, since_clear
        bits.put(table.get(string, string[0]), width)
        since_clear += 1

    for index in indices:
        longer = (*string, index)
        if len(longer) == 1 or longer in table:
            string = longer
            continue
        emit()
        if since_clear >= stretch or next_code >= 4095:
            bits.put(clear, width)
            table, width, next_code, since_clear = {}, size + 1, end + 1, 0
        else:
            table[longer] = next_code
            next_code += 1
            # The reader is one entry behind.
            if next_code > 1 << width and width < 12:
                width += 1
        string = (index,)
    if string:
        emit()
        if next_code + 1 > 1 << width and width < 12:
            width += 1
    if fault == "invalid":
        bits.put((1 << width) - 1, width)
    elif fault != "short":
        bits.put(end, width)
    return bits.bytes()


class _Bits:
    def __init__(self) -> None:
        self._value = 0
        self._count = 0

    def put(self, code: int, width: int) -> None:
        self._value |= code << self._count
        self._count += width

    def bytes(self) -> bytes:
        return self._value.to_bytes((self._count + 7) // 8, "little")
