"""Players: events on asyncio and by descriptor, faults, and the end of the process."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import gallop
import pytest
from conftest import slow, tiny
from gallop._library import lib
from playing import WAIT, following, run, wait_for

# ---- Events on asyncio


def test_callbacks_run_on_the_loop_and_their_errors_stop_nothing(thrice: Path, clock: gallop.Clock) -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        reported: list[dict[str, Any]] = []
        loop.set_exception_handler(lambda _, facts: reported.append(facts))
        threads: set[int] = set()
        player = gallop.Player(thrice, clock=clock)

        def careless(change: gallop.FrameChange) -> None:
            threads.add(threading.get_ident())
            raise ZeroDivisionError("mine")

        player.on_frame_change(careless)
        changes = player.frame_changes()
        player.play()
        for number in range(5):
            assert (await following(changes)).current_frame_index == number
            clock.advance(player.gif.infos[number].delay_ms / 1000)
        assert threads == {threading.get_ident()}
        assert [type(facts["exception"]) for facts in reported[:5]] == [ZeroDivisionError] * 5
        assert reported[0]["callback"] is careless and "listener" in reported[0]["message"]
        assert player.state == "playing"
        player.close()

    run(main())


def test_every_event_reaches_every_listener(thrice: Path, clock: gallop.Clock) -> None:
    async def main() -> None:
        player = gallop.Player(thrice, clock=clock)
        all_events: list[gallop.Event] = []
        few: list[gallop.Event] = []
        player.on_event(all_events.append)
        subscription = player.on_frame_change(few.append)
        async with player.events() as events:
            player.play()
            got = [await following(events) for _ in range(2)]
            subscription.cancel()
            clock.advance(player.gif.infos[0].delay_ms / 1000)
            got.append(await following(events))
        assert all_events == got and [type(event).__name__ for event in got] == [
            "StateChange",
            "FrameChange",
            "FrameChange",
        ]
        assert few == [got[1]]
        player.close()

    run(main())


def test_a_slow_reader_gets_the_newest_and_the_number_of_those_it_missed(thrice: Path, clock: gallop.Clock) -> None:
    async def main() -> None:
        player = gallop.Player(thrice, clock=clock)
        slow_one, quick = player.frame_changes(limit=2), player.frame_changes()
        player.play()
        for number in range(9):
            await following(quick)
            clock.advance(player.gif.infos[number].delay_ms / 1000)
        # Frame 9 has come once the quick reader has it.
        assert (await following(quick)).current_frame_index == 9
        late = [await following(slow_one) for _ in range(2)]
        assert [change.current_frame_index for change in late] == [8, 9]
        assert [change.dropped for change in late] == [8, 0]
        player.close()

    run(main())


def test_a_loop_that_comes_late_loses_only_pixels_of_the_past(thrice: Path, clock: gallop.Clock) -> None:
    with gallop.Player(thrice, clock=clock, preload="all") as player:
        player.fileno()
        player.play()
        wait_for(player, gallop.FrameChange)
        shown = 1
        for number in range(12):
            clock.advance(player.gif.infos[number].delay_ms / 1000)
            # Decoding is another thread's: the frame shown says when the change is there.
            while player.frame is None or player.frame.index != number + 1:
                pass
            shown += 1
        events = []
        while (event := player.next_event()) is not None:
            events.append(event)
        assert [event.current_frame_index for event in events] == [9, 10, 11, 12]
        assert sum(1 + event.dropped for event in events) + 1 == shown


def test_leaving_an_iteration_frees_the_loop(thrice: Path, clock: gallop.Clock) -> None:
    async def main() -> None:
        player = gallop.Player(thrice, clock=clock)
        # The begin of listening is before that of playing.
        changes = player.frame_changes()
        player.play()
        async for change in changes:
            assert change.current_frame_index == 0
            break
        del changes
        # The next event finds no reader: the loop leaves the descriptor alone.
        player.step()
        dispatcher = player._dispatcher
        while dispatcher._descriptor is not None:
            await asyncio.sleep(0)
        assert not asyncio.get_running_loop().remove_reader(player.fileno())
        # Another reader begins with what comes then.
        changes = player.frame_changes()
        player.step()
        assert (await following(changes)).current_frame_index == 2
        player.close()

    run(main())


def test_streams_end_with_the_last_play(clock: gallop.Clock) -> None:
    async def main() -> None:
        with gallop.Player(tiny(3), plays=2, clock=clock) as player:
            events, changes = player.events(), player.frame_changes()
            player.play()
            seen, shown = [], []
            async for event in events:
                seen.append(type(event).__name__)
                if isinstance(event, gallop.FrameChange):
                    shown.append((await following(changes)).current_frame_index)
                    clock.advance(0.1)
            assert (seen[-1], shown) == ("Finished", [0, 1, 2, 0, 1, 2])
            with pytest.raises(StopAsyncIteration):
                await following(changes)
            # Asked for when all is over, a stream ends at once; a player that plays again has another one.
            assert [event async for event in player] == []
            player.restart()
            again = player.frame_changes()
            assert (await following(again)).current_frame_index == 0

    run(main())


def test_streams_end_with_a_failure(clock: gallop.Clock) -> None:
    async def main() -> None:
        with gallop.Player(tiny(0), clock=clock) as player:
            events = player.events()
            player.play()
            found = [event async for event in events]
            assert isinstance(found[-1], gallop.Failure) and found[-1].error.code == "noFrames"
            assert isinstance(found[-1].error, gallop.GIFFrameError)
            assert [change async for change in player] == []

    run(main())


def test_closing_ends_streams(thrice: Path, clock: gallop.Clock) -> None:
    async def main() -> None:
        player = gallop.Player(thrice, clock=clock)
        events = player.events()
        waiting = asyncio.ensure_future(following(events))
        await asyncio.sleep(0)
        player.close()
        player.close()
        with pytest.raises(StopAsyncIteration):
            await waiting
        for command in (player.play, player.fileno, player.save, player.events, lambda: player.state):
            with pytest.raises(ValueError, match="closed"):
                command()
        assert player.closed and "closed" in repr(player)

    run(main())


def test_a_listener_may_close_its_player(thrice: Path, clock: gallop.Clock) -> None:
    async def main() -> None:
        player = gallop.Player(thrice, clock=clock)
        events = player.events()
        player.on_frame_change(lambda _: player.close())
        player.play()
        kinds = [type(event).__name__ async for event in events]
        assert kinds == ["StateChange", "FrameChange"]

    run(main())


def test_one_loop_at_a_time(thrice: Path) -> None:
    player = gallop.Player(thrice)

    async def listen() -> None:
        player.on_loop(print)

    async def two_loops() -> None:
        await listen()
        failure: list[BaseException] = []

        def elsewhere() -> None:
            try:
                asyncio.run(listen())
            except RuntimeError as error:
                failure.append(error)

        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
        assert "another loop" in str(failure[0])

    run(two_loops())
    # The first loop is closed: another one takes over.
    run(listen())
    with pytest.raises(RuntimeError):
        player.events()
    player.close()


def test_hundreds_of_players_come_and_go(thrice: Path) -> None:
    async def main() -> None:
        for _ in range(30):
            players = [gallop.Player(tiny(3), plays=1, delay="constant", delay_ms=10) for _ in range(10)]
            streams = [player.events() for player in players]
            for player in players:
                player.play()
            for player, stream in zip(players, streams):
                async for event in stream:
                    if isinstance(event, gallop.Finished):
                        break
                player.close()

    gc.collect()
    before = lib.gallop_handle_count()
    run(main())
    gc.collect()
    assert lib.gallop_handle_count() == before


# ---- Faults and ends


def test_a_file_that_changes_is_a_failure(tmp_path: Path, clock: gallop.Clock) -> None:
    path = tmp_path / "large.gif"
    path.write_bytes(slow(1000, 700))
    assert path.stat().st_size > 1 << 20
    with gallop.Player(path, clock=clock) as player:
        player.fileno()
        path.write_bytes(bytes(path.stat().st_size))
        player.play()
        failure = wait_for(player, gallop.Failure)
        assert failure.error.code == "fileChanged" and failure.error.path == str(path)
        assert player.state == "failed" and player.error is not None and player.error.code == "fileChanged"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_is_told_that_players_stay_behind(thrice: Path) -> None:
    with gallop.Player(thrice) as player:
        player.play()
        child = os.fork()
        if child == 0:
            signal.alarm(WAIT)
            codes = []
            for work in (player.pause, lambda: gallop.Player(thrice).play()):
                try:
                    work()
                except gallop.GIFError as error:
                    codes.append(error.code)
            frames = len(list(gallop.open(thrice)))
            os._exit(0 if (codes, frames) == (["forked", "forked"], 18) else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert player.state == "playing"


@pytest.mark.parametrize(
    "program",
    [
        "player.play()",
        "player.fileno(); player.play(); others = [gallop.Player(path) for _ in range(20)]\n"
        "for one in others: one.play()",
        "async def main():\n    player.on_event(lambda event: None); player.play(); await player.events().__anext__()\n"
        "asyncio.run(main())",
        "async def main():\n    player.play(); raise SystemExit(0)\nasyncio.run(main())",
        "group = gallop.SyncGroup(); group.add(player); group.play(); sys.exit(0)",
    ],
)
def test_the_interpreter_ends_quietly_with_players(horse: Path, program: str) -> None:
    code = f"import asyncio, gallop, sys\npath = {str(horse)!r}\nplayer = gallop.Player(path)\n{program}"
    outcome = subprocess.run([sys.executable, "-X", "dev", "-c", code], capture_output=True, text=True, timeout=WAIT)
    assert (outcome.returncode, outcome.stdout, outcome.stderr) == (0, "", "")
