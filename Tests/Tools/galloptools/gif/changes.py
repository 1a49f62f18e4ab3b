"""Changes made to a GIF at random: to bits, numbers, flags, codes and whole records."""

from __future__ import annotations

import random
from collections.abc import Callable

from galloptools.gif.pieces import words
from galloptools.gif.records import record_places, records

# Numbers at which readers fail.
BYTES = (0, 1, 2, 3, 4, 7, 8, 9, 10, 11, 12, 13, 0x21, 0x2C, 0x3B, 0x7F, 0x80, 0xC0, 0xF9, 0xFE, 0xFF)
WORDS = (0, 1, 2, 3, 15, 16, 17, 255, 256, 4095, 4096, 5792, 8192, 32767, 32768, 65535)

Change = Callable[[bytearray, random.Random], None]


def _images(data: bytearray) -> list[int]:
    return [record.start for record in records(data) if record.is_image]


def _controls(data: bytearray) -> list[int]:
    return [record.start for record in records(data) if data[record.start : record.start + 2] == b"\x21\xf9"]


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
        data[place : place + 2] = words(number)


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
    # Many copies of a short part: a large count of frames from few bytes.
    data[target:target] = part * rng.choice((1, 1, 1, 3, 3, 3, 50 if len(part) < 500 else 2))


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
