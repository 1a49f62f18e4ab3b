"""Many GIFs at once: order, errors, bounds, and what is left when the caller stops."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator
from pathlib import Path

import gallop
import numpy
import pytest
from conftest import SAMPLES, tiny
from gallop._library import lib

PATHS = sorted(SAMPLES.glob("*.gif"))


@pytest.mark.parametrize("jobs", [1, 2, None])
def test_results_are_those_of_one_thread_in_order(jobs: int | None) -> None:
    items = list(gallop.decode_many(PATHS, jobs))
    assert [item.source for item in items] == PATHS and [item.index for item in items] == list(range(len(PATHS)))
    for item in items:
        with gallop.open(item.source) as image:
            assert (item.result() == image.decode()).all()
            assert len(item.statuses) == len(image) and item.gif is not None and item.gif.infos[0] == image.infos[0]


def test_errors_are_results(horse: Path, tmp_path: Path) -> None:
    class Broken(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            raise OSError("the disk is gone")

    sources = [horse, tmp_path / "none.gif", b"no GIF", tiny(4), Broken(), Broken(), 7, gallop.open(horse)]
    items = list(gallop.decode_many(sources, jobs=2))
    assert [item.source for item in items] == sources
    assert [type(item.error).__name__ for item in items] == [
        "NoneType",
        "GIFNotFoundError",
        "GIFError",
        "NoneType",
        "OSError",
        "OSError",
        "TypeError",
        "NoneType",
    ]
    assert items[1].error.path == str(tmp_path / "none.gif")
    assert items[2].error.code == "notAGIF"
    with pytest.raises(FileNotFoundError):
        items[1].result()
    assert list(items[1].frames()) == []
    assert (items[0].result() == items[7].result()).all()


def test_frames_of_a_result(disposals: Path, cut: Path) -> None:
    whole, part, broken = gallop.decode_many([disposals, disposals, cut], frames=range(3, 7))
    with gallop.open(disposals) as image:
        for got, wanted in zip(whole.frames(), image[3:7]):
            assert (got.array == wanted.array).all()
            facts = ("index", "delay_ms", "time_ms", "rect", "status", "width", "height")
            assert [getattr(got, name) for name in facts] == [getattr(wanted, name) for name in facts]
    assert part.result().shape[0] == 4
    assert broken.statuses == (gallop.FrameStatus.COMPLETE,) * 4


def test_damage_is_told(cut: Path) -> None:
    (item,) = gallop.decode_many([cut])
    assert item.statuses[-1] == "truncated" and "truncatedFrame" in [fault.code for fault in item.diagnostics]


def test_sizes_and_parts(horse: Path) -> None:
    (item,) = gallop.decode_many([horse], size=(48, 48), fit="contain", frames=0, format="bgra")
    assert item.result().shape == (1, 27, 48, 4)
    assert (item.result()[0] == next(gallop.open(horse).frames(0, size=(48, 27), format="bgra")).array).all()
    (tail,) = gallop.decode_many([horse], frames=slice(28, None))
    assert tail.result().shape[0] == 2
    for frames in (slice(0, 9, 2), slice(-3, None), range(5, 5)):
        with pytest.raises(ValueError):
            gallop.decode_many([horse], frames=frames)
    with pytest.raises(ValueError):
        gallop.decode_many([horse], jobs=0)


def test_too_much_for_one_result(horse: Path) -> None:
    first, second = gallop.decode_many([horse, tiny(2)], item_bytes=1 << 20)
    assert isinstance(first.error, gallop.GIFError) and first.error.code == "tooManyDecodedBytes"
    assert second.result().shape == (2, 1, 1, 4)


def test_sources_are_taken_as_results_are() -> None:
    taken: list[int] = []

    def sources() -> Iterator[bytes]:
        for number in range(100):
            taken.append(number)
            yield tiny(3)

    items = gallop.decode_many(sources(), jobs=2, window=4)
    assert taken == []
    for count, item in enumerate(items, 1):
        assert item.error is None
        # Those under way, those given, and one that waits for room.
        assert len(taken) <= count + 4
    assert len(taken) == 100


def test_results_that_fill_what_may_wait_all_come(horse: Path) -> None:
    items = gallop.decode_many([horse, tiny(2), b"no GIF", horse], jobs=2, waiting_bytes=1)
    assert [item.error is None and len(item.result()) for item in items] == [30, 2, False, 30]


def test_stopping_early_ends_the_work(horse: Path) -> None:
    before = lib.gallop_handle_count()
    items = gallop.decode_many([horse] * 1000, jobs=2)
    first = next(items)
    items.close()
    array = first.result()
    del first, items
    assert lib.gallop_handle_count() == before + 1
    assert (array == gallop.open(horse).decode()).all()


def test_what_a_source_raises_while_iterating_reaches_the_caller() -> None:
    def sources() -> Iterator[bytes]:
        yield tiny(1)
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        list(gallop.decode_many(sources()))


def test_arrays_outlive_the_batch(horse: Path) -> None:
    arrays = [item.result() for item in gallop.decode_many([horse] * 4)]
    expected = gallop.open(horse).decode()
    assert all((array == expected).all() and not array.flags.writeable for array in arrays)
    assert isinstance(arrays[0], numpy.ndarray)


def test_batches_on_several_threads(thrice: Path) -> None:
    shapes: list[tuple[int, ...]] = []

    def work() -> None:
        shapes.extend(item.result().shape for item in gallop.decode_many([thrice] * 10, jobs=2))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert shapes == [(18, 140, 140, 4)] * 40
