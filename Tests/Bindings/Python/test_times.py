"""Frames by the time at which they are seen, and arguments that say what is meant."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import gallop
import numpy
import pytest
from conftest import tiny


def test_times_and_delays_are_arrays(disposals: Path) -> None:
    gif = gallop.open(disposals)
    assert gif.times.tolist() == [info.time_ms / 1000 for info in gif.infos]
    assert gif.delays.tolist() == [info.delay_ms / 1000 for info in gif.infos]
    assert gif.times[-1] + gif.delays[-1] == pytest.approx(gif.duration)


def test_the_frame_at_a_time_is_the_one_that_is_seen(disposals: Path) -> None:
    gif = gallop.open(disposals)
    for info in gif.infos:
        begin, end = info.time_ms / 1000, (info.time_ms + info.delay_ms) / 1000
        assert gif.frame_at(begin) == gif.frame_at(end - 0.001) == info.index
        assert gif.frame_at(begin + 3 * gif.duration) == info.index
    assert gif.frame_at(gif.duration) == 0
    for time in (-0.001, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="0 seconds or more"):
            gif.frame_at(time)


def test_indices_cover_the_time_evenly(disposals: Path, thrice: Path) -> None:
    gif = gallop.open(disposals)
    for count in (1, 8, 13, 100):
        found = gif.indices(count)
        assert found.tolist() == [gif.frame_at(place * gif.duration / count) for place in range(count)]
    at_25 = gif.indices(fps=25)
    # What is read at a constant rate has each frame as often as it is seen.
    shown = [round(info.delay_ms / 40) for info in gif.infos]
    assert abs(numpy.bincount(at_25, minlength=len(gif)) - shown).max() <= 1 and len(at_25) == 195
    assert gif.indices(2, start=0.6, stop=7.8).tolist() == [gif.frame_at(0.6), gif.frame_at(4.2)]
    assert len(gallop.open(thrice).indices(fps=10, stop=100)) == 1000
    assert (gif.decode(frames=gif.indices(5)) == gif.decode()[gif.indices(5)]).all()


@pytest.mark.parametrize(
    "arguments",
    [{}, {"count": 3, "fps": 2}, {"count": 0}, {"fps": 0}, {"fps": float("nan")}, {"count": 1, "start": 5, "stop": 4}],
)
def test_indices_say_what_they_need(disposals: Path, arguments: dict[str, Any]) -> None:
    with pytest.raises((TypeError, ValueError), match="need|none"):
        gallop.open(disposals).indices(**arguments)


def test_a_gif_without_frames_has_no_frame_at_any_time() -> None:
    with pytest.raises(gallop.GIFFrameError):
        gallop.open(tiny(0)).indices(3)


# ---- Arguments


@pytest.mark.parametrize("size", [112, (None, 100), (1.5, 2), "ab", {"a": 1, "b": 2}, numpy.zeros((2, 2))])
def test_a_wrong_size_gets_a_sentence(thrice: Path, size: Any) -> None:
    with pytest.raises(TypeError, match="a width and a height in pixels"):
        gallop.open(thrice).decode(size=size)


@pytest.mark.parametrize("size", [(0, 0), (-1, 5), (1 << 32, 1), (1, 2, 3)])
def test_an_impossible_size_gets_one_too(thrice: Path, size: Any) -> None:
    with pytest.raises(ValueError, match="a width and a height in pixels"):
        gallop.open(thrice).thumbnail(size)


def test_sizes_and_frames_take_any_integers(thrice: Path) -> None:
    gif = gallop.open(thrice)
    for size in ([70, 70], numpy.array([70, 70]), (numpy.uint8(70), 0)):
        assert gif.decode(size=size, frames=numpy.int64(3)).shape == (1, 70, 70, 4)
    assert (gif.decode(frames=numpy.array([3, 1])) == gif.decode(frames=(3, 1))).all()
    assert gif[numpy.uint8(2)].index == 2
    wrong: Any
    for wrong in ("0", 1.0, {"a": 1}, [1.5], object()):
        with pytest.raises(TypeError, match="frames are a number, a slice or numbers"):
            gif.decode(frames=wrong)


def test_one_source_is_one_source(thrice: Path) -> None:
    data = thrice.read_bytes()
    for source in (thrice, str(thrice), data, bytearray(data), io.BytesIO(data), gallop.open(thrice)):
        (only,) = gallop.decode_many(source, frames=numpy.int64(0))
        assert only.error is None and only.result().shape == (1, 140, 140, 4)
