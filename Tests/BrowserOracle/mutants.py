"""Damaged GIFs made at random: synthetic animations with faults, and mutated and cut copies of other files.

The same seed and number always make the same file.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

PALETTE = (0x1A1A1A, 0xD02020, 0x20B040, 0x3060E0)
SYNTHETIC_SHARE = 0.5
# Numbers at which readers go wrong.
BYTES = (0, 1, 2, 3, 4, 7, 8, 9, 10, 11, 12, 13, 0x21, 0x2C, 0x3B, 0x7F, 0x80, 0xC0, 0xF9, 0xFE, 0xFF)
WORDS = (0, 1, 2, 3, 15, 16, 17, 255, 256, 4095, 4096, 32767, 65535)

Change = Callable[[bytearray, random.Random], None]


@dataclass(frozen=True)
class Mutant:
    """A file and how it was made."""

    number: int
    origin: str
    data: bytes = field(repr=False)


def make(seed: str, number: int, originals: Sequence[tuple[str, bytes]]) -> Mutant:
    """The mutant of a number; `originals` are the names and contents of files to damage."""
    rng = random.Random(f"{seed} {number}")
    if not originals or rng.random() < SYNTHETIC_SHARE:
        origin, data = "synthetic", animation(rng)
        changes = rng.choice((0, 0, 0, 1, 2))
    else:
        origin, data = rng.choice(originals)
        changes = rng.choice((1, 1, 1, 2, 3, 8))
    content = bytearray(data)
    for _ in range(changes):
        rng.choice(CHANGES)(content, rng)
    if rng.random() < 0.2:
        cut(content, rng)
    return Mutant(number, origin, bytes(content) or b"G")


# --- Synthetic animations ---------------------------------------------------------------------------------------


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
    return _words(width, height) + bytes([flags, 0, 0]) + (_colours(PALETTE) if flags else b"")


def _colours(palette: Sequence[int]) -> bytes:
    return b"".join(colour.to_bytes(3, "big") for colour in palette)


def _words(*numbers: int) -> bytes:
    return b"".join(number.to_bytes(2, "little") for number in numbers)


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
        parts.append(b"\x21\xf9\x04" + bytes([packed]) + _words(rng.choice((0, 1, 2, 5, 10, 300))))
        parts.append(bytes([transparent or 0, 0]))
    parts.append(b"\x2c" + _words(x, y, w, h) + bytes([flags]))
    if flags & 0x80:
        parts.append(_colours(tuple(reversed(PALETTE))))
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


def sub_blocks(data: bytes, size: int = 255) -> bytes:
    """Data in sub-blocks of at most `size` bytes, with the terminator."""
    pieces = [data[place : place + size] for place in range(0, len(data), size)]
    return b"".join(bytes([len(piece)]) + piece for piece in pieces) + b"\0"


# --- Changes to a file ------------------------------------------------------------------------------------------


def record_places(data: bytes) -> list[int]:
    """Where records begin, as far as they can be followed, and last the end."""
    places = []
    place = 13 + (3 * (2 << (data[10] & 7)) if len(data) > 10 and data[10] & 0x80 else 0)
    while place < len(data) and data[place] in (0x21, 0x2C):
        places.append(place)
        if data[place] == 0x2C:
            if place + 10 >= len(data):
                break
            flags = data[place + 9]
            place += 11 + (3 * (2 << (flags & 7)) if flags & 0x80 else 0)
        else:
            place += 2
        while place < len(data) and data[place]:
            place += 1 + data[place]
        place += 1
    return [*places, min(place, len(data))]


def _images(data: bytes) -> list[int]:
    return [place for place in record_places(data)[:-1] if data[place] == 0x2C]


def _controls(data: bytes) -> list[int]:
    return [place for place in record_places(data)[:-1] if data[place : place + 2] == b"\x21\xf9"]


def cut(data: bytearray, rng: random.Random) -> None:
    """End the file anywhere."""
    del data[rng.randrange(len(data)) + 1 :]


def flip_bits(data: bytearray, rng: random.Random) -> None:
    for _ in range(rng.choice((1, 2, 16))):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def set_byte(data: bytearray, rng: random.Random) -> None:
    data[rng.randrange(len(data))] = rng.choice(BYTES)


def header_number(data: bytearray, rng: random.Random) -> None:
    """A number of the screen, or of an image descriptor or an extension."""
    places = [6, 8] + [place + offset for place in record_places(data)[:-1] for offset in (1, 3, 5, 7)]
    place = rng.choice(places)
    if place + 2 <= len(data):
        number = rng.choice(WORDS) if rng.random() < 0.5 else rng.randrange(40)
        data[place : place + 2] = _words(number)


def header_flags(data: bytearray, rng: random.Random) -> None:
    """Palette and interlace flags of the screen or an image."""
    place = rng.choice([10] + [image + 9 for image in _images(data)])
    if place < len(data):
        data[place] = rng.choice((0, 0x40, 0x80, 0xC0, 0x81, 0xC1, rng.randrange(256)))


def control_flags(data: bytearray, rng: random.Random) -> None:
    """Disposal, transparency, delay or the size of a graphics control."""
    controls = _controls(data)
    if controls:
        place = rng.choice(controls) + rng.choice((2, 3, 3, 3, 4, 6, 7))
        if place < len(data):
            data[place] = rng.choice((0, 1, 4, 5, 8, 9, 12, 13, rng.randrange(256)))


def code_bytes(data: bytearray, rng: random.Random) -> None:
    """Bytes within an image's code stream, or its code size."""
    images = _images(data)
    if not images:
        return
    image = rng.choice(images)
    flags = data[image + 9] if image + 9 < len(data) else 0
    start = image + 10 + (3 * (2 << (flags & 7)) if flags & 0x80 else 0)
    for _ in range(rng.choice((1, 1, 3))):
        place = start + rng.choice((0, 1, rng.randrange(40), rng.randrange(400)))
        if place < len(data):
            data[place] = rng.randrange(256)


def duplicate_records(data: bytearray, rng: random.Random) -> None:
    places = record_places(data)
    if len(places) < 2:
        return
    first = rng.randrange(len(places) - 1)
    last = min(len(places) - 1, first + rng.choice((1, 2, 5)))
    part = data[places[first] : places[last]]
    target = rng.choice(places)
    data[target:target] = part * rng.choice((1, 1, 3))


def drop_record(data: bytearray, rng: random.Random) -> None:
    places = record_places(data)
    if len(places) > 1:
        first = rng.randrange(len(places) - 1)
        del data[places[first] : places[first + 1]]


def cut_out(data: bytearray, rng: random.Random) -> None:
    start = rng.randrange(len(data))
    del data[start : start + rng.choice((1, 2, 10, 300))]
    data += b"" if data else b"G"


def insert_noise(data: bytearray, rng: random.Random) -> None:
    place = rng.randrange(len(data) + 1)
    data[place:place] = rng.randbytes(rng.choice((1, 3, 40, 255)))


CHANGES: tuple[Change, ...] = (
    flip_bits, set_byte, set_byte, header_number, header_number, header_flags, control_flags, control_flags,
    code_bytes, code_bytes, duplicate_records, drop_record, cut_out, insert_noise,
)  # fmt: skip
