"""Eight threads at once on shared GIFs, iterators, batches and players, with Python's lock and without it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gallop
import numpy
import pytest
from conftest import SAMPLES, tiny

THREADS = 8
TURNS = 12


def at_once(work: Callable[[int], Any]) -> list[Any]:
    """What eight threads return that begin together; raises the first exception of one of them."""
    start = threading.Barrier(THREADS)
    results: list[Any] = [None] * THREADS

    def run(number: int) -> None:
        try:
            start.wait()
            results[number] = work(number)
        except BaseException as error:
            results[number] = error

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return results


def test_one_gif_in_every_way(thrice: Path) -> None:
    expected = gallop.open(thrice).decode()
    image = gallop.open(thrice)
    outs = [numpy.empty_like(expected) for _ in range(THREADS)]

    def work(number: int) -> int:
        for turn in range(TURNS):
            place = (number * 7 + turn * 5) % len(image)
            assert (image[place].array == expected[place]).all()
            assert (image.decode(out=outs[number]) == expected).all()
            assert (image.decode(frames=slice(place, None)) == expected[place:]).all()
            for frame in image:
                assert (frame.array == expected[frame.index]).all()
                assert frame.time_ms == image.infos.start_ms(frame.index)
            assert image.thumbnail((35, 35)).array.shape == (35, 35, 4)
            assert len(image.diagnostics) == 0
        return number

    assert at_once(work) == list(range(THREADS))


def test_an_iterator_on_two_threads_gives_whole_frames_or_is_busy() -> None:
    expected = gallop.open(SAMPLES / "palettes.gif").decode()
    image = gallop.open(SAMPLES / "palettes.gif")

    for _ in range(TURNS):
        shared = iter(image)

        def work(number: int, shared: gallop.FrameIterator = shared) -> list[gallop.Frame]:
            frames = []
            while True:
                try:
                    frames.append(next(shared))
                except StopIteration:
                    return frames
                except gallop.GIFError as error:
                    # The thread that comes to the end closes the decoder, maybe before the call of another one.
                    assert error.code in ("busy", "invalidHandle")

        frames = [frame for part in at_once(work) for frame in part]
        assert frames
        for frame in frames:
            assert (frame.array == expected[frame.index]).all()


def test_batches_of_the_same_files(thrice: Path, disposals: Path) -> None:
    sources = [thrice, disposals, thrice.read_bytes(), b"GIF89a", gallop.open(thrice)]
    expected = [item.array for item in gallop.decode_many(sources, jobs=1)]

    def work(number: int) -> int:
        for turn in range(3):
            for item in gallop.decode_many(sources, jobs=1 + (number + turn) % 3):
                if item.array is None:
                    assert item.source == b"GIF89a"
                else:
                    assert (item.array == expected[item.index]).all()
        return number

    assert at_once(work) == list(range(THREADS))


def test_one_player_takes_commands_and_gives_events(thrice: Path, clock: gallop.Clock) -> None:
    expected = gallop.open(thrice).decode()
    with gallop.Player(thrice, clock=clock, plays=gallop.FOREVER, preload="all") as player:
        player.fileno()
        player.play()
        commands = [lambda _: player.play(), lambda _: player.pause(), player.seek, lambda _: player.step(-1)]

        def work(number: int) -> int:
            for turn in range(TURNS * 4):
                commands[(number + turn) % len(commands)](turn % 18)
                clock.advance(0.05)
                event, shown = player.next_event(), player.frame
                if isinstance(event, gallop.FrameChange):
                    assert (event.frame.array == expected[event.frame.index]).all()
                assert shown is None or (shown.array == expected[shown.index]).all()
                assert player.statistics.resident_frames <= 18
            return number

        assert at_once(work) == list(range(THREADS))


def test_players_come_and_go_on_every_thread() -> None:
    image = gallop.open(tiny(3))

    def work(number: int) -> int:
        for _ in range(TURNS):
            clock = gallop.Clock(manual=True)
            player = gallop.Player(image, clock=clock)
            player.play()
            clock.advance(0.1)
            player.next_event()
            player.close()
            with pytest.raises(ValueError, match="closed"):
                player.play()
        return number

    assert at_once(work) == list(range(THREADS))
