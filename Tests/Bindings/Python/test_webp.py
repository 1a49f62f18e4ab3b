"""Animated WebPs, read back by Pillow, and posters."""

from __future__ import annotations

import io
import struct
from pathlib import Path

import gallop
import numpy
import pytest
from galloptools.gif.minimal import IMAGE, gif

Image = pytest.importorskip("PIL.Image")
features = pytest.importorskip("PIL.features")
reads_webp = pytest.mark.skipif(not features.check("webp"), reason="this Pillow reads no WebP")


def pictures(data: bytes) -> tuple[list[numpy.ndarray], list[int], int]:
    """The pictures of a WebP, how long each shows, and its plays."""
    with Image.open(io.BytesIO(data)) as file:
        shown, durations = [], []
        for index in range(getattr(file, "n_frames", 1)):
            file.seek(index)
            shown.append(numpy.asarray(file.convert("RGBA")))
            durations.append(file.info["duration"])
        return shown, durations, file.info["loop"]


def durations(data: bytes) -> list[int]:
    """How long each picture of an animated WebP shows, by its chunks."""
    place, found = 12, []
    while place + 8 <= len(data):
        name, length = struct.unpack_from("<4sI", data, place)
        if name == b"ANMF":
            found.append(int.from_bytes(data[place + 20:place + 23], "little"))
        place += 8 + length + length % 2
    return found


@reads_webp
def test_a_lossless_webp_has_the_pixels_and_the_delays(horse: Path) -> None:
    image = gallop.open(horse)
    shown, times, plays = pictures(image.to_webp(frames=slice(0, 6)))
    assert (times, plays) == ([30] * 6, 0)
    with image.frames(slice(0, 6)) as frames:
        for picture, frame in zip(shown, frames):
            assert numpy.array_equal(picture, frame.rgba)


@reads_webp
def test_size_quality_and_order(horse: Path) -> None:
    image = gallop.open(horse)
    small = image.to_webp((96, 0), frames=[4, 2], quality=60)
    shown, times, _ = pictures(small)
    assert [picture.shape for picture in shown] == [(54, 96, 4)] * 2 and times == [30, 30]
    assert len(small) < len(image.to_webp((96, 0), frames=[4, 2]))


def test_fewer_pictures_a_second_keep_the_time(horse: Path) -> None:
    found = durations(gallop.open(horse).to_webp((48, 27), fps=10))
    assert sum(found) == 900 and all(time >= 100 for time in found[:-1])


def test_what_cannot_be(horse: Path) -> None:
    image = gallop.open(horse)
    for wrong in ({"quality": 101}, {"quality": -1}, {"fps": 0}, {"fps": float("nan")}, {"frames": []}):
        with pytest.raises(ValueError):
            image.to_webp(**wrong)  # type: ignore[arg-type]
    with pytest.raises(gallop.GIFError) as refused:
        image.to_webp((16384, 1))
    assert refused.value.code == "canvasTooLarge" and "16383" in str(refused.value)
    with pytest.raises(IndexError):
        image.to_webp(frames=[30])


def test_the_poster_is_the_first_frame_with_something_to_see(horse: Path) -> None:
    assert gallop.open(horse).poster_index() == 0
    # One black pixel, then one white: neither has anything to see.
    white = IMAGE[:-3] + b"\x4c\x01\0"
    assert gallop.open(gif(IMAGE, white)).poster_index() == 0
