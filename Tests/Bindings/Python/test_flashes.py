"""Flashes: the verdict, what would pass, and what is refused."""

from __future__ import annotations

from pathlib import Path

import gallop
import pytest
from galloptools.gif.minimal import IMAGE, gif
from playing import wait_for

LARGE = (400, 300)


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


def test_a_verdict_alone_is_not_measured() -> None:
    report = blinking(5).flashes(LARGE, is_verdict_only=True)
    assert report == gallop.FlashReport(gallop.FlashResult.FAILS, None, None, None, None, True)
    assert blinking(50).flashes(LARGE, is_verdict_only=True).passes


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


@pytest.mark.parametrize("rate", [-1, 0, 0.04, 21, 1e9, float("nan"), float("inf")])
def test_rates_that_are_none(rate: float) -> None:
    with pytest.raises(ValueError):
        blinking(5).flashes(rate=rate)


# ---- Players


def reach(player: gallop.Player, state: str) -> gallop.PlayerFlashes:
    """What the player does about flashes once it has come to a state."""
    while wait_for(player, gallop.FlashesChange).state != state:
        pass
    return player.flashes


def test_a_player_holds_what_fails_until_its_user_wants_it(clock: gallop.Clock) -> None:
    with gallop.Player(blinking(5), clock=clock, flash_policy="hold", shown_size=LARGE) as player:
        player.fileno()
        player.play()
        flashes = reach(player, "held")
        assert (flashes.state, flashes.rate, player.flash_policy) == ("held", None, "hold")
        assert flashes.report is not None and flashes.report.result is gallop.FlashResult.FAILS
        assert (player.shown_size, player.shares_field) == (LARGE, False)
        player.flash_policy = gallop.FlashPolicy.WARN
        assert player.flashes.state is gallop.FlashState.WARNED
        player.flash_policy = "allow"
        assert player.flashes == gallop.PlayerFlashes(gallop.FlashState.UNJUDGED, None, None)


def test_a_player_slows_down_to_what_passes(clock: gallop.Clock) -> None:
    with gallop.Player(blinking(5), clock=clock, flash_policy="slow", shown_size=LARGE) as player:
        player.fileno()
        player.play()
        flashes = reach(player, "slowed")
        # Frames may be late by a margin.
        assert flashes.rate == pytest.approx(0.3 / 1.05)


def test_the_verdict_follows_the_size_and_what_plays_beside(clock: gallop.Clock) -> None:
    with gallop.Player(blinking(5), clock=clock, flash_policy="hold") as player:
        player.fileno()
        player.play()
        assert player.flashes.state is gallop.FlashState.PASSES
        player.shown_size = LARGE
        reach(player, "held")
        player.shown_size = None
        assert player.flashes.state is gallop.FlashState.PASSES
        player.shares_field = True
        assert player.shares_field
