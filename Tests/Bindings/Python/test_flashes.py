"""Flashes: the verdict, what would pass, and what is refused."""

from __future__ import annotations

from pathlib import Path

import gallop
import pytest
from galloptools.gif.minimal import IMAGE, gif


def blinking(delay: int) -> gallop.GIF:
    """A pixel that is black and white in turn, as many centiseconds each."""
    control = bytes((0x21, 0xF9, 4, 4, delay, 0, 0, 0))
    white = IMAGE[:-3] + b"\x4c\x01\0"
    data = gif(control + IMAGE, control + white)
    return gallop.open(data[:16] + b"\xff\xff\xff" + data[19:])


def test_a_blinking_gif_fails_where_it_is_large() -> None:
    image = blinking(5)
    report = image.flashes((400, 300))
    assert (report.result, report.passes, report.is_decoded) == (gallop.FlashResult.FAILS, False, True)
    assert report.general is not None and report.red is None
    assert (report.general.flashes_per_second, report.general.field_share) == (10, 1)
    assert report.safe_rate == pytest.approx(0.3)
    assert image.flashes((400, 300), rate=report.safe_rate).passes
    assert report.safe_size is not None and image.flashes(report.safe_size).passes


def test_what_is_small_needs_no_picture() -> None:
    report = blinking(2).flashes()
    assert (report.result, report.is_decoded, report.safe_size, report.safe_rate) == ("passes", False, None, None)


def test_what_is_not_all_there_never_passes() -> None:
    image = blinking(5)
    small = image.flashes(is_partial=True)
    assert (small.result, small.passes) == (gallop.FlashResult.UNKNOWN, False)
    assert image.flashes((400, 300), is_partial=True).result is gallop.FlashResult.FAILS


def test_a_side_of_0_keeps_the_shape(horse: Path) -> None:
    image = gallop.open(horse)
    assert image.flashes((960, 0)) == image.flashes((960, 540))


@pytest.mark.parametrize("rate", [-1, float("nan"), float("inf")])
def test_rates_that_are_none(rate: float) -> None:
    with pytest.raises(ValueError):
        blinking(5).flashes(rate=rate)
