"""What the tests of the Python package share. Run with PYTHONPATH=Tests/Tools, as `make test-bindings` does."""

from __future__ import annotations

import os
from pathlib import Path

import gallop
import pytest
from galloptools.gif.minimal import IMAGE, gif
from galloptools.gif.pieces import sub_blocks, words

ROOT = Path(__file__).resolve().parents[3]
SAMPLES = ROOT / "Samples" / "GIFs"
CONFORMANCE = Path(os.environ.get("GALLOP_CONFORMANCE") or ROOT.parent / "shared" / "conformance")


@pytest.fixture
def horse() -> Path:
    """480 x 270, 30 frames of 30 ms, without end."""
    return SAMPLES / "gallop.gif"


@pytest.fixture
def thrice() -> Path:
    """140 x 140, 18 frames, three plays."""
    return SAMPLES / "thrice.gif"


@pytest.fixture
def disposals() -> Path:
    """240 x 160, 14 frames with every disposal, five of them partly outside the canvas."""
    return SAMPLES / "disposals.gif"


@pytest.fixture
def cut(horse: Path, tmp_path: Path) -> Path:
    """A file that ends inside a frame."""
    path = tmp_path / "cut.gif"
    path.write_bytes(horse.read_bytes()[:200_000])
    return path


@pytest.fixture
def clock() -> gallop.Clock:
    """Time that stands but for what a test adds."""
    return gallop.Clock(manual=True)


def tiny(frames: int) -> bytes:
    """A GIF of one pixel with this many frames."""
    return gif(*([IMAGE] * frames))


def slow(side: int, frames: int) -> bytes:
    """A small file that takes long: frames of side x side, each drawn on the one before."""
    control = b"\x21\xf9\x04\x05\x03\0\x03\0"
    image = b"\x2c" + words(0, 0, side, side) + b"\0\x02" + sub_blocks(flat(side * side))
    screen = b"GIF89a" + words(side, side) + b"\x81\0\0" + bytes(range(12))
    return screen + (control + image) * frames + b"\x3b"


def flat(pixels: int) -> bytes:
    """The code stream of an image of one colour: each code repeats the one before and one pixel more."""
    value = bits = 0

    def put(code: int, width: int) -> None:
        nonlocal value, bits
        value |= code << bits
        bits += width

    width = 3
    put(4, width)
    while pixels > 0:
        # From a literal on, until the table is full.
        code, length, width = 0, 1, 3
        while pixels > 0 and code < 4094:
            put(code, width)
            pixels -= length
            length += 1
            code = max(6, code + 1)
            if code > (1 << width) - 1 and width < 12:
                width += 1
        put(4, width)
    put(5, 3)
    return value.to_bytes((bits + 7) // 8, "little")
