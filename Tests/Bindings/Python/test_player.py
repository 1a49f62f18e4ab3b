"""Players: playing, commands, groups and budgets.

Time is a manual clock's wherever it matters; waits are for events, with a limit after which a test fails.
"""

from __future__ import annotations

import asyncio
import select
from pathlib import Path

import gallop
import pytest
from playing import WAIT, following, run, wait_for

# ---- Playing


def test_three_plays_on_a_manual_clock(thrice: Path, clock: gallop.Clock) -> None:
    async def main() -> None:
        image = gallop.open(thrice)
        whole = image.decode()
        player = gallop.Player(image, clock=clock)
        seen: list[object] = []
        player.on_loop(lambda loop: seen.append((loop.count, loop.remaining)))
        player.on_state_change(lambda change: seen.append(change.state))
        finished = asyncio.get_running_loop().create_future()
        player.on_finish(finished.set_result)
        changes = player.frame_changes()
        player.play()
        due = 0
        for number in range(3 * len(image)):
            change = await following(changes)
            assert (change.current_frame_index, change.loop) == (number % 18, number // 18)
            assert (change.frame.array == whole[number % 18]).all()
            assert change.media_time == pytest.approx(due / 1000) and change.frame_count == 18
            assert (change.skipped_frames, change.dropped, change.is_complete) == (0, 0, True)
            assert change.cause == ("loop" if number in (18, 36) else "play")
            assert player.frame is not None and player.frame.index == number % 18
            due += change.frame.delay_ms
            clock.advance(change.frame.delay)
        assert (await finished).player == player.id
        assert seen == ["playing", (1, 2), (2, 1), (3, 0), "finished"]
        assert player.state is gallop.PlaybackState.FINISHED and player.plays_left == 0
        player.close()

    run(main())


def test_late_frames_are_skipped_and_counted(thrice: Path, clock: gallop.Clock) -> None:
    with gallop.Player(thrice, clock=clock, preload="all") as player:
        player.fileno()
        player.play()
        first = wait_for(player, gallop.FrameChange)
        infos = player.gif.infos
        # Decoding is another thread's, and a frame that is not there yet is late for another reason.
        while player.statistics.resident_frames < len(infos):
            pass
        # Into the middle of frame 3.
        clock.advance((infos.start_ms(3) + infos[3].delay_ms / 2) / 1000)
        later = wait_for(player, gallop.FrameChange)
        assert (first.current_frame_index, later.current_frame_index, later.skipped_frames) == (0, 3, 2)
        assert later.lateness == pytest.approx(infos[3].delay_ms / 2000)


def test_the_clock_of_the_process_plays_to_the_end(thrice: Path) -> None:
    async def main() -> list[int]:
        with gallop.Player(thrice, rate=20) as player:
            finished = asyncio.get_running_loop().create_future()
            player.on_finish(finished.set_result)
            shown: list[int] = []
            player.on_frame_change(lambda change: shown.append(change.current_frame_index))
            player.play()
            await finished
            return shown

    shown = run(main())
    assert shown[0] == 0 and shown[-1] == 17


# ---- Commands


def test_commands_and_facts(horse: Path, clock: gallop.Clock) -> None:
    with gallop.Player(horse, clock=clock) as player:
        player.fileno()

        def shown() -> int:
            return int(wait_for(player, gallop.FrameChange).current_frame_index)

        assert (player.state, player.frame, player.duration) == ("stopped", None, 0.9)
        player.show_poster(4)
        assert shown() == 4
        player.play()
        player.seek(10)
        while shown() != 10:
            pass
        assert player.position_in_loop == pytest.approx(0.3) and player.progress == pytest.approx(1 / 3)
        player.pause()
        assert player.state == "paused"
        player.step(2)
        assert shown() == 12
        player.step(-3)
        assert shown() == 9
        player.seek_in_loop(0.6)
        assert shown() == 20
        player.seek_time(0.9 + 0.03)
        assert shown() == 1 and player.position == pytest.approx(0.93)
        player.begin_scrubbing()
        assert player.is_scrubbing
        player.scrub(17)
        assert shown() == 17
        player.scrub_time(0.09)
        assert shown() == 3
        player.end_scrubbing()
        assert not player.is_scrubbing
        player.restart()
        assert shown() == 0
        player.stop()
        assert player.state == "stopped" and player.buffering == "none" and player.error is None


def test_settings(horse: Path, clock: gallop.Clock) -> None:
    with gallop.Player(horse, clock=clock, mode="bounce", range=range(5, 9), size=(48, 27)) as player:
        assert (player.mode, player.range, player.rate) == ("bounce", range(5, 9), 1)
        player.rate, player.mode, player.range = 100, gallop.PlaybackMode.REVERSE, None
        assert (player.rate, player.mode, player.range) == (20, "reverse", None)
        player.visibility, player.priority = "near", gallop.Priority.LOW
        assert (player.visibility, player.priority) == (gallop.Visibility.NEAR, "low")
        player.visibility = gallop.Visibility.VISIBLE
        player.preload("frames", 5)
        player.set_motion("slow", 0.5)
        player.fileno()
        player.play()
        change = wait_for(player, gallop.FrameChange)
        assert change.current_frame_index == 29 and change.frame.array.shape == (27, 48, 4)
        assert player.statistics.decoded_frames > 0
        for wrong in ({"mode": "sideways"}, {"range": range(3, 3)}, {"range": range(0, 9, 2)}):
            with pytest.raises(ValueError):
                gallop.Player(horse, **wrong)
        with pytest.raises(TypeError):
            gallop.Player(horse, gallop.PlaybackOptions(), rate=2)


def test_a_quantity_is_clipped_and_what_is_not_there_is_refused(horse: Path, clock: gallop.Clock) -> None:
    with gallop.Player(horse, clock=clock, range=range(2, 8)) as player:
        for refused in (
            lambda: player.seek(8),
            lambda: player.seek(2**70),
            lambda: player.show_poster(30),
            lambda: setattr(player, "range", range(30, 33)),
            lambda: gallop.Player(horse, clock=clock, range=range(30, 31)),
        ):
            with pytest.raises(gallop.GIFError) as caught:
                refused()
            assert caught.value.code == "noSuchFrame"
        with pytest.raises(gallop.GIFError):
            player.scrub(3)
        for wrong in (lambda: setattr(player, "rate", float("nan")), lambda: player.seek_time(float("nan"))):
            with pytest.raises((ValueError, gallop.GIFError)):
                wrong()
        assert (player.range, player.rate) == (range(2, 8), 1)
        player.range = range(2, 100)
        assert player.range == range(2, 30)
        player.rate = -3
        assert player.rate == 0.05
        player.step(2**80)
        player.seek_time(float("inf"))
        player.seek_time(-5)
        assert player.position == 0
        budget = gallop.FrameBudget(-5)
        assert (budget.limit, gallop.FrameBudget(0).limit) == (0, 0) and gallop.FrameBudget().limit > 0


def test_a_player_begins_hidden_and_reports_its_frame_when_it_is_seen(horse: Path, clock: gallop.Clock) -> None:
    with gallop.Player(horse, clock=clock, visibility="hidden") as player:
        assert player.visibility == "hidden"
        player.fileno()
        player.play()
        clock.advance(1)
        assert player.frame is None and player.position == 0
        player.visibility = "visible"
        assert wait_for(player, gallop.FrameChange).cause == "play"
        player.pause()
        player.visibility = "hidden"
        player.visibility = "visible"
        change = wait_for(player, gallop.FrameChange)
        assert change.cause is gallop.Cause.APPEAR and change.current_frame_index == 0


def test_a_state_is_saved_and_restored(horse: Path, clock: gallop.Clock) -> None:
    with gallop.Player(horse, clock=clock) as first, gallop.Player(horse, clock=clock) as second:
        first.rate, first.range = 2, range(3, 20)
        first.seek(11)
        state = first.save()
        assert (state.frame, state.rate, state.range, state.mode) == (11, 2, range(3, 20), "forward")
        second.fileno()
        second.restore(state)
        assert wait_for(second, gallop.FrameChange).current_frame_index == 11
        assert second.save() == state


def test_a_gif_that_loads(horse: Path, clock: gallop.Clock) -> None:
    data = horse.read_bytes()
    with gallop.GIFStream() as stream:
        stream.feed(data[:100_000])
        begun = stream.image()
        assert begun is not None
        with gallop.Player(begun, clock=clock, is_loading=True) as player:
            player.fileno()
            player.play()
            assert wait_for(player, gallop.FrameChange).frame_count == len(begun)
            for _ in range(len(begun)):
                clock.advance(0.03)
            assert wait_for(player, gallop.BufferingChange).reason == "source"
            stream.feed(data[100_000:])
            assert player.update(stream.finish(), is_complete=True)
            assert wait_for(player, gallop.BufferingChange).reason == "none"
            assert len(player.gif) == 30 and not player.update(begun, is_complete=False)


def test_groups_stay_in_step(horse: Path, thrice: Path, clock: gallop.Clock) -> None:
    group = gallop.SyncGroup(clock)
    with gallop.Player(horse, clock=clock) as one, gallop.Player(horse, clock=clock) as other:
        group.add(one)
        group.add(other, offset=0.3)
        assert len(group) == 2
        group.play()
        for player, index in ((one, 0), (other, 10)):
            player.fileno()
            while (shown := player.frame) is None or shown.index != index:
                assert select.select([player.fileno()], [], [], WAIT)[0]
                player.next_event()
        # Its time begins once both are ready, which a decoding thread reports after the frames are there.
        while group.position == 0:
            clock.advance(0.001)
        begun = group.position
        clock.advance(0.15)
        assert group.is_playing and group.position == pytest.approx(begun + 0.15)
        group.rate = 2
        group.seek(0.6)
        group.pause()
        assert (group.rate, group.is_playing, group.position) == (2, False, pytest.approx(0.6))
        group.remove(other)
        assert len(group) == 1
        with gallop.Player(thrice) as elsewhere, pytest.raises(gallop.GIFError) as caught:
            group.add(elsewhere)
        assert caught.value.code == "invalidArgument"


def test_a_budget(horse: Path, clock: gallop.Clock) -> None:
    budget = gallop.FrameBudget(4 << 20)
    with gallop.Player(horse, clock=clock, budget=budget, preload="all") as player:
        player.fileno()
        player.play()
        wait_for(player, gallop.FrameChange)
        info = budget.info
        assert info.animation_count == 1 and 0 < info.floor_bytes <= info.peak_bytes
        assert info.limit == budget.limit == 4 << 20
        budget.limit = 1 << 20
        assert budget.info.limit == 1 << 20 and budget.info.is_over_limit
    assert gallop.FrameBudget.shared().info.limit > 0
    budget.follow_pressure()
    gallop.simulate_pressure("critical")
    assert budget.info.pressure == "critical"
    gallop.simulate_pressure("normal")


def test_keywords_are_the_fields_of_the_options() -> None:
    from dataclasses import fields

    from gallop.playback import PlaybackChanges

    assert list(PlaybackChanges.__annotations__) == [field.name for field in fields(gallop.PlaybackOptions)]
