"""Many GIFs at once: order, errors, bounds, and what is left when the caller stops."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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
    for frames in (slice(0, 9, 0), range(5, 5), []):
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


# ---- Choices, forms, and memory of the caller's


@pytest.mark.parametrize(
    "frames",
    [
        slice(None, None, 3), slice(-3, None), slice(None, None, -1), slice(12, 3, -4), slice(-100, 100, 50), -1,
        [7, 0, 7, -1, 3], range(20, 4, -5), numpy.array([2, 2]), slice(None, None, 1 << 62), slice(-(1 << 63), 2),
    ],
)  # fmt: skip
def test_any_choice_gives_the_frames_of_one_gif(thrice: Path, disposals: Path, frames: object) -> None:
    for path, item in zip((thrice, disposals), gallop.decode_many([thrice, disposals], frames=frames)):
        gif = gallop.open(path)
        try:
            expected = gif.decode(frames=frames)
        except gallop.GIFFrameError as error:
            assert isinstance(item.error, gallop.GIFError) and item.error.code == error.code
            continue
        assert (item.result() == expected).all()
        assert [frame.index for frame in item.frames()] == item.indices.tolist()
        assert all((frame.array == gif[frame.index].array).all() for frame in item.frames())


def test_a_function_chooses_for_each_source(thrice: Path, disposals: Path) -> None:
    chosen = {thrice: [3, 1], disposals: slice(0, None, 5), "none": 0}
    items = list(gallop.decode_many([thrice, "none", disposals, thrice], frames=chosen.get))
    assert [item.indices.tolist() for item in items] == [[3, 1], [], [0, 5, 10], [3, 1]]
    with pytest.raises(ZeroDivisionError):
        list(gallop.decode_many([thrice], frames=lambda source: 1 // 0))


def test_a_part_that_a_gif_has_not_is_an_error(thrice: Path) -> None:
    for frames, code in (([0, 18], "noSuchFrame"), (slice(18, None), "noSuchFrame"), (slice(5, 5), "noSuchFrame")):
        short, empty = gallop.decode_many([thrice, tiny(0)], frames=frames)
        assert (short.error.code, empty.error.code) == (code, "noFrames")


@pytest.mark.parametrize("layout", ["THWC", "TCHW"])
@pytest.mark.parametrize("format", ["rgb", "gray", "rgba", "bgra-premultiplied"])
def test_forms_are_those_of_one_gif(disposals: Path, horse: Path, format: str, layout: str) -> None:
    options = {"format": format, "layout": layout, "background": (7, 100, 250), "size": (120, 0), "frames": [5, 2, 5]}
    for path, item in zip((disposals, horse), gallop.decode_many([disposals, horse], jobs=2, **options)):
        assert (item.result() == gallop.open(path).decode(**options)).all()
        if layout == "TCHW":
            with pytest.raises(ValueError, match="planes"):
                list(item.frames())
        elif format == "rgb":
            assert [frame.array.shape[2] for frame in item.frames()] == [3, 3, 3]


def test_results_go_into_memory_of_the_caller(thrice: Path, disposals: Path, horse: Path) -> None:
    out = numpy.zeros((4, 2, 3, 30, 40), numpy.uint8)
    options = {"size": (40, 30), "format": "rgb", "layout": "TCHW", "frames": [0, 4]}
    items = list(gallop.decode_many([thrice, b"no GIF", disposals, horse], out=out, **options))
    assert items[0].array is not None and items[0].array.base is out
    for place, path in ((0, thrice), (2, disposals), (3, horse)):
        assert (out[place] == gallop.open(path).decode(**options)).all()
    assert not out[1].any()
    # Another shape is an error of that source; so is a source too many.
    first, second = gallop.decode_many([thrice, thrice], out=out[:1, :1], **options)
    assert isinstance(first.error, ValueError) and isinstance(second.error, IndexError)
    with pytest.raises(ValueError, match="read-only"):
        gallop.decode_many([thrice], out=numpy.frombuffer(bytes(8), numpy.uint8).reshape(1, 1, 1, 2, 4))


def test_frames_of_a_part_with_gaps(thrice: Path) -> None:
    large = numpy.zeros((1, 2, 150, 160, 4), numpy.uint8)
    (item,) = gallop.decode_many([thrice], frames=[3, 1], out=large[:, :, 5:145, 7:147])
    for frame, wanted in zip(item.frames(), gallop.open(thrice).frames([3, 1])):
        assert (frame.array == wanted.array).all()


def test_numbers_beyond_every_integer(thrice: Path) -> None:
    gif = gallop.open(thrice)
    for frames in (slice(0, 1 << 64), slice(None, None, 1 << 64), slice(-(1 << 70), None), slice(None, None, -(1 << 64))):
        (item,) = gallop.decode_many([gif], frames=frames)
        assert item.indices.tolist() == list(range(18))[frames]
    for frames in (1 << 64, [(1 << 64) + 3], [-(1 << 64)], slice(1 << 65, None)):
        (item,) = gallop.decode_many([gif], frames=frames)
        assert isinstance(item.error, gallop.GIFFrameError)
    (item,) = gallop.decode_many([gif], frames=slice(3, 3))
    assert "none of its 18 frames" in str(item.error)
    (item,) = gallop.decode_many([gif], frames=iter([1, 2]))
    assert item.indices.tolist() == [1, 2]


@pytest.mark.parametrize("out", [[1], numpy.zeros(10, numpy.uint8), numpy.zeros((), numpy.uint8), numpy.zeros((1, 2, 3))])
def test_what_cannot_take_results_gets_a_sentence(thrice: Path, out: Any) -> None:
    with pytest.raises(ValueError, match="^out "):
        gallop.decode_many([thrice], out=out)
