"""What an entry of the suite is, and the frames that most entries are made of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from galloptools.gif.codes import CodeStream, encode
from galloptools.gif.pieces import TRAILER, Palette, coded, control, descriptor, screen, stored

WIDTH, HEIGHT = 8, 6
PALETTE = (0x262635, 0xE0503C, 0x3FA66B, 0x3F72D9)
TWO_COLOURS = (0x9A5B2E, 0x2F9A63)
INVALID = 4095
"""A code that stands for nothing, at any width."""


@dataclass(frozen=True)
class Entry:
    """A file of the suite."""

    name: str
    """The topic and what the file tests, with a slash between; the file has `.gif` behind it."""
    rows: tuple[int, ...]
    """Rows of the table of behaviours that it shows."""
    title: str
    data: bytes = field(repr=False)
    is_damaged: bool = False
    """Whether pixels, blocks or the end of the file are missing or wrong."""

    @property
    def file(self) -> str:
        return f"{self.name}.gif"


def pattern(width: int, height: int, first: int = 0) -> list[int]:
    """Indices 0 to 3 that tell every place of a rectangle from its neighbours."""
    return [(first + x + 2 * y) % 4 for y in range(height) for x in range(width)]


def frame(
    x: int = 0,
    y: int = 0,
    width: int = WIDTH,
    height: int = HEIGHT,
    first: int = 0,
    disposal: int = 0,
    delay: int = 5,
    transparent: int | None = None,
    interlaced: bool = False,
    palette: Palette | None = None,
) -> bytes:
    """A sound frame of the pattern, of the whole screen unless given otherwise, with its control."""
    return control(disposal, delay, transparent) + picture(x, y, width, height, first, interlaced, palette)


def picture(
    x: int = 0,
    y: int = 0,
    width: int = WIDTH,
    height: int = HEIGHT,
    first: int = 0,
    interlaced: bool = False,
    palette: Palette | None = None,
) -> bytes:
    """An image of the pattern without a control."""
    indices = pattern(width, height, first)
    order = stored(indices, width, height) if interlaced else indices
    return descriptor(x, y, width, height, palette, interlaced) + coded(encode(order, 2))


FAULTS = {
    "invalid": "an invalid code",
    "end": "an end code too early",
    "short": "blocks that end too early",
    "cut": "the end of the file",
}


def faulty(
    fault: str,
    pixels: int,
    x: int = 0,
    y: int = 0,
    width: int = WIDTH,
    height: int = HEIGHT,
    first: int = 2,
    disposal: int = 0,
    transparent: int | None = None,
    interlaced: bool = False,
    delay: int = 5,
) -> bytes:
    """A frame whose data fails behind this many pixels; with the fault `cut` the file must end behind it."""
    indices = pattern(width, height, first)
    order = stored(indices, width, height) if interlaced else indices
    # A clear code before each literal: no code holds two pixels, so that the fault comes exactly behind them.
    stream = CodeStream(2, [code for index in order[:pixels] for code in (4, index)])
    if fault == "invalid":
        stream.append(4)
        stream.append(7)
    elif fault == "end":
        stream.append(5)
    head = control(disposal, delay, transparent) + descriptor(x, y, width, height, None, interlaced)
    if fault != "cut":
        return head + coded(_filled(stream))
    body = _filled(stream).bytes()
    return head + bytes([2, len(body) + 9]) + body


def _filled(stream: CodeStream) -> CodeStream:
    """Clear codes until the last byte is full, so that padding bits make no pixel; all codes are 3 bits wide."""
    while stream.bit_count % 8:
        stream.append(4)
    return stream


def gif(*parts: bytes, ends: bool = True, palette: Palette | None = PALETTE) -> bytes:
    """A file of the usual screen; `ends` puts the trailer behind it."""
    return screen(WIDTH, HEIGHT, palette) + b"".join(parts) + (TRAILER if ends else b"")


def checked(entries: Iterable[Entry]) -> list[Entry]:
    """The entries in the order of their names; no name stands twice, and no two files are equal."""
    found = sorted(entries, key=lambda entry: entry.name)
    names: set[str] = set()
    contents: dict[bytes, str] = {}
    for entry in found:
        if entry.name in names:
            raise ValueError(f"two entries are named {entry.name}")
        names.add(entry.name)
        other = contents.setdefault(entry.data, entry.name)
        if other != entry.name:
            raise ValueError(f"{entry.name} and {other} are the same file")
    return found
