"""Clips: the frames, sizes and channels of one, and batches of many."""

from __future__ import annotations

import gc
import inspect
import os
import signal
import subprocess
import sys
import threading
import weakref
from bisect import bisect_right
from fractions import Fraction
from pathlib import Path
from typing import Any

import gallop
import numpy
import pytest
from conftest import CONFORMANCE, SAMPLES, slow, tiny
from galloptools.gif.pieces import image, words


def middle(frames: numpy.ndarray[Any, Any], width: int, height: int) -> numpy.ndarray[Any, Any]:
    """The middle of frames x height x width x channels."""
    y, x = (frames.shape[1] - height + 1) // 2, (frames.shape[2] - width + 1) // 2
    return frames[:, y : y + height, x : x + width]


# ---- One clip


def test_a_clip_has_frames_of_equal_distance_over_the_play(disposals: Path) -> None:
    gif = gallop.open(disposals)
    for count in (1, 8, 40):
        expected = gif.decode(
            frames=gif.indices(count), size=(112, 112), format="rgb", layout="TCHW", background=(1, 2, 3)
        )
        assert (gif.clip(count, fit="stretch", background=(1, 2, 3)) == expected).all()
    assert gif.clip().shape == (8, 3, 112, 112)


def test_a_clip_at_a_rate_begins_anew_at_the_end_of_its_part(thrice: Path) -> None:
    gif = gallop.open(thrice)
    options = {"fit": "stretch", "format": "rgba", "layout": "THWC", "size": gif.size}
    for fps, start, stop in ((25, "0.2", "0.7"), (25, "0", "0.2"), (5, "0.1", "0.9"), (50, "0.1", "0.8"), (7, "0.3", "0.6")):
        # In fractions: binary remainders of such numbers lie on both sides of the whole.
        length = Fraction(stop) - Fraction(start)
        times = [Fraction(start) + Fraction(number, fps) % length for number in range(60)]
        starts = [info.time_ms for info in gif.infos]
        frames = [bisect_right(starts, time * 1000) - 1 for time in times]
        assert (gif.clip(60, fps=fps, start=float(start), stop=float(stop), **options) == gif.decode(frames=frames)).all()
    # A whole play of two frames more begins again with the first ones.
    count = round(gif.duration * 100) + 2
    whole = gif.clip(count, fps=100, **options)
    assert (whole[-2:] == whole[:2]).all()


@pytest.mark.parametrize("layout", ["THWC", "TCHW"])
@pytest.mark.parametrize("format", ["rgb", "gray", "rgba", "bgra-premultiplied"])
def test_a_size_is_covered_by_the_middle(horse: Path, format: str, layout: str) -> None:
    gif = gallop.open(horse)
    found = gif.clip(3, size=(80, 100), format=format, layout=layout)
    if layout == "TCHW":
        found = found.transpose(0, 2, 3, 1)
    # 480 x 270 is 178 x 100 then.
    scaled = gif.decode(frames=gif.indices(3), size=(178, 100), format=format)
    assert (found == middle(scaled, 80, 100)).all()


def test_what_is_contained_has_the_background_around_it(horse: Path) -> None:
    gif = gallop.open(horse)
    frames, colour = gif.indices(2), (200, 100, 50)
    tall = gif.clip(2, size=(96, 96), fit="contain", layout="THWC", background=colour)
    assert (tall[:, 21:75] == gif.decode(frames=frames, size=(96, 54), format="rgb")).all()
    assert (tall[:, :21] == colour).all() and (tall[:, 75:] == colour).all()
    # Also where it is one row or column, whatever the array had.
    for size in ((480, 271), (481, 270), (96, 55), (8, 6)):
        outs = [numpy.full((2, size[1], size[0], 3), before, numpy.uint8) for before in (1, 2)]
        for out in outs:
            gif.clip(2, size=size, fit="contain", layout="THWC", background=colour, out=out)
        inside = gif.decode(frames=frames, size=size, fit="contain", format="rgb")
        y, x = (size[1] - inside.shape[1]) // 2, (size[0] - inside.shape[2]) // 2
        place = (slice(None), slice(y, y + inside.shape[1]), slice(x, x + inside.shape[2]))
        assert (out[place] == inside).all() and (outs[0] == outs[1]).all()
        out[place] = colour
        assert (out == colour).all()
    # The canvas is not enlarged.
    large = gif.clip(2, size=(500, 300), fit="contain", format="rgba", layout="THWC")
    assert (large[:, 15:285, 10:490] == gif.decode(frames=frames)).all()
    assert not large[:, :15].any() and not large[:, :, 490:].any()


def test_the_background_of_a_gray_clip_is_that_of_its_pictures() -> None:
    # One pixel, transparent: what shows is the background.
    see_through = b"GIF89a\1\0\1\0\x80\0\0\0\0\0\xff\xff\xff\x21\xf9\4\1\0\0\0\0\x2c\0\0\0\0\1\0\1\0\0\2\2\x44\1\0\x3b"
    for colour in [(255, 0, 0), (0, 255, 0), (0, 0, 255), (10, 200, 90), (255, 255, 255)]:
        clip = gallop.open(see_through).clip(1, size=(3, 1), fit="contain", format="gray", background=colour)
        assert clip[0, 0, 0, 0] == clip[0, 0, 0, 1] == clip[0, 0, 0, 2]


@pytest.mark.parametrize("canvas", [(1, 1), (3, 500), (500, 3), (97, 113)])
def test_any_canvas_covers_any_size(canvas: tuple[int, int]) -> None:
    gif = gallop.open(tiny(1)[:6] + words(*canvas) + tiny(1)[10:])
    assert gif.size == canvas
    for size in [(1, 1), (112, 112), (7, 300), (300, 7)]:
        for fit in ("cover", "contain", "stretch"):
            out = numpy.full((1, 3, size[1], size[0]), 77, numpy.uint8)
            # All of it is written: the GIF is black, and so is what is around it.
            assert not gif.clip(1, size=size, fit=fit, out=out).any()


def test_a_long_canvas_shows_its_middle() -> None:
    # One pixel wide: covering two columns it would be twice as high, more than any picture may be.
    rows = 65_535
    bands = [4 * row // rows for row in range(rows)]
    screen = b"GIF89a" + words(1, rows) + b"\x81\0\0" + bytes(range(12))
    gif = gallop.open(screen + image(0, 0, 1, rows, bands) + b"\x3b")
    canvas = gif.decode(format="rgb")[0]
    assert len({tuple(row[0]) for row in canvas.tolist()}) == 4
    for layout in ("THWC", "TCHW"):
        clip = gif.clip(1, size=(2, 6), layout=layout)[0]
        clip = clip if layout == "THWC" else clip.transpose(1, 2, 0)
        middle_rows = canvas[rows // 2 - 1 : rows // 2 + 2]
        assert (clip[:, 0] == clip[:, 1]).all() and (clip[::2, :1] == middle_rows).all() and (clip[1::2, :1] == middle_rows).all()


def test_a_clip_goes_into_a_part_of_an_array(horse: Path, thrice: Path) -> None:
    batch = numpy.zeros((2, 4, 3, 40, 50), numpy.uint8)
    for gif, out in zip(map(gallop.open, (horse, thrice)), batch):
        assert gif.clip(4, size=(50, 40), out=out) is out
        assert (out == gif.clip(4, size=(50, 40))).all()
    with pytest.raises(ValueError, match="the shape"):
        gallop.open(horse).clip(5, size=(50, 40), out=batch[0])


@pytest.mark.parametrize(
    "arguments",
    [
        {"frames": 0}, {"frames": 2.5}, {"frames": "8"}, {"start": "a"}, {"fps": "a"}, {"fps": 1e-300}, {"fps": 0}, {"fps": float("nan")}, {"start": 3, "stop": 2}, {"start": -1}, {"size": (0, 5)},
        {"size": 112}, {"fit": "fill"}, {"format": "cmyk"}, {"layout": "HW"}, {"background": 3},
    ],
)  # fmt: skip
def test_what_no_clip_can_have_is_refused_at_once(arguments: dict[str, Any]) -> None:
    gif = gallop.open(tiny(1))
    with pytest.raises((TypeError, ValueError)):
        gif.clip(**arguments)
    with pytest.raises((TypeError, ValueError)):
        gallop.clips([gif], **arguments)


def test_frames_alone_do_not_cover(thrice: Path) -> None:
    with pytest.raises(ValueError, match="clips alone cover"):
        gallop.open(thrice).decode(size=(10, 10), fit="cover")


# ---- Many


def test_batches_have_the_clips_in_order(horse: Path, thrice: Path, disposals: Path) -> None:
    sources = [horse, thrice.read_bytes(), gallop.open(disposals), horse, thrice]
    expected = [gallop.open(path).clip(3, size=(20, 30)) for path in (horse, thrice, disposals, horse, thrice)]
    for jobs in (1, 2, 7):
        done: list[int] = []
        batches = list(gallop.clips(sources, 2, jobs, frames=3, size=(20, 30), progress=done.append))
        assert [(batch.index, len(batch)) for batch in batches] == [(0, 2), (2, 2), (4, 1)]
        assert (numpy.concatenate([batch.array for batch in batches]) == expected).all()
        assert done == [1, 2, 3, 4, 5]
        assert batches[1].frames.tolist() == [gallop.open(path).indices(3).tolist() for path in (disposals, horse)]
        assert batches[0].good is batches[0].array


def test_errors_are_results(horse: Path, cut: Path, tmp_path: Path) -> None:
    sources = [tmp_path / "none.gif", horse, b"no GIF", tiny(0), cut]
    (batch,) = gallop.clips(sources, frames=11, format="gray", background=(255, 255, 255))
    codes = [error.code if isinstance(error, gallop.GIFError) else error for error in batch.errors]
    assert codes == ["unreadable", None, "notAGIF", "noFrames", None]
    assert len(batch.good) == 2 and (batch.good[0] == batch.array[1]).all()
    assert (batch.array[[0, 2, 3]] == 255).all() and (batch.frames[[0, 2, 3]] == -1).all()
    assert batch.statuses[0] == () and batch.statuses[1] == (gallop.FrameStatus.COMPLETE,) * 11
    assert gallop.FrameStatus.TRUNCATED in batch.statuses[4]
    assert "3 errors" in repr(batch)


def test_sources_are_taken_as_batches_are(thrice: Path) -> None:
    taken: list[int] = []

    def sources() -> Any:
        for number in range(100):
            taken.append(number)
            yield thrice

    batches = gallop.clips(sources(), 5, 2, size=(8, 8))
    next(batches)
    assert len(taken) == 10
    next(batches)
    assert len(taken) == 15
    batches.close()
    assert len(taken) == 15 and not [each for each in threading.enumerate() if each.name.startswith("gallop-clips")]


def test_closing_ends_what_is_under_way(tmp_path: Path) -> None:
    endless = tmp_path / "endless.gif"
    os.mkfifo(endless)
    # No writer ever comes, so that nothing but the closing ends the reading.
    with os.fdopen(os.open(endless, os.O_RDWR)):
        batches = gallop.clips([tiny(1), endless, endless], 1, 2)
        next(batches)
        batches.close()


def test_a_program_ends_though_an_iterator_is_open(tmp_path: Path) -> None:
    endless = tmp_path / "endless.gif"
    os.mkfifo(endless)
    code = """if True:
        import os, sys, gallop
        keep = os.open(sys.argv[2], os.O_RDWR)
        batches = gallop.clips([sys.argv[1], sys.argv[2]], 1, 2)
        next(batches)
        print("ends")
    """
    arguments = [sys.executable, "-c", code, str(SAMPLES / "thrice.gif"), str(endless)]
    outcome = subprocess.run(arguments, capture_output=True, text=True, timeout=60)
    assert (outcome.returncode, outcome.stdout, outcome.stderr) == (0, "ends\n", "")


def test_a_child_is_told_that_the_threads_stayed_behind(thrice: Path) -> None:
    batches = gallop.clips([thrice] * 8, 1, 2)
    next(batches)
    child = os.fork()
    if child == 0:
        try:
            list(batches)
        except gallop.GIFError as error:
            os._exit(7 if error.code == "forked" else 1)
        os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert len(list(batches)) == 7


def test_file_objects_are_read_when_they_are_taken(thrice: Path, disposals: Path) -> None:
    def files() -> Any:
        for path in (thrice, disposals) * 8:
            with path.open("rb") as file:
                yield file

    (batch,) = gallop.clips(files(), jobs=2, size=(8, 8))
    assert batch.errors == (None,) * 16
    expected = [gallop.open(path).clip(size=(8, 8)) for path in (thrice, disposals)]
    assert all((clip == expected[place % 2]).all() for place, clip in enumerate(batch.array))


def test_an_error_keeps_no_batch_in_memory() -> None:
    (batch,) = gallop.clips([b"no GIF"] * 2)
    errors = batch.errors
    array = weakref.ref(batch.array.base if batch.array.base is not None else batch.array)
    del batch
    gc.collect()
    assert errors[0] is not None and array() is None


def test_what_begins_after_the_end_is_an_error(thrice: Path) -> None:
    for start in (gallop.open(thrice).duration, 100):
        (batch,) = gallop.clips([thrice], start=start)
        assert isinstance(batch.errors[0], gallop.GIFFrameError) and "ends after" in str(batch.errors[0])


def test_a_signal_ends_the_wait() -> None:
    class Rang(Exception):
        pass

    def ring(*_: object) -> None:
        raise Rang

    former = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(Rang):
            list(gallop.clips([slow(4000, 2000)] * 4, jobs=2))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)


def test_what_a_progress_callback_raises_ends_the_work(thrice: Path) -> None:
    def stop(count: int) -> None:
        raise KeyError(count)

    with pytest.raises(KeyError):
        list(gallop.clips([thrice] * 50, 4, progress=stop))


def test_a_notebook_shows_clips(thrice: Path) -> None:
    (batch,) = gallop.clips([thrice, b"no GIF"], frames=20, size=(10, 12))
    png = batch._repr_png_()
    assert png is not None and png[:8] == b"\x89PNG\r\n\x1a\n"
    # Two clips, of each the first eight frames.
    assert (int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")) == (80, 24)


def test_every_odd_file_has_a_clip_or_the_reason_that_opening_has() -> None:
    folder = CONFORMANCE / "gifs"
    paths = sorted(folder.rglob("*.gif")) if folder.is_dir() else sorted(SAMPLES.glob("*.gif"))
    limits = gallop.Limits.untrusted()
    rows = [
        (path, error, clip)
        for batch in gallop.clips(paths, frames=4, size=(16, 16), limits=limits)
        for path, error, clip in zip(batch.sources, batch.errors, batch.array)
    ]
    assert [path for path, _, _ in rows] == paths
    for path, error, clip in rows:
        try:
            expected = gallop.open(path, limits=limits).clip(4, size=(16, 16))
            assert error is None and (clip == expected).all(), path
        except gallop.GIFError as reason:
            assert isinstance(error, gallop.GIFError) and error.code == reason.code, path


# ---- The command


def test_the_command_writes_one_array(horse: Path, thrice: Path, tmp_path: Path, capsys: Any) -> None:
    from gallop.__main__ import main

    folder = tmp_path / "gifs"
    folder.mkdir()
    (folder / "a.gif").write_bytes(horse.read_bytes())
    (folder / "b.gif").write_bytes(b"no GIF")
    output = tmp_path / "clips.npy"
    assert main(["clips", "-o", str(output), "--frames", "3", "--size", "20x30", str(folder), str(thrice)]) == 1
    told = capsys.readouterr()
    assert "2 clips of 3 files, 3 x 3 x 3 x 30 x 20 bytes" in told.out and "b.gif" in told.err
    array = numpy.load(output)
    assert (array[0] == gallop.open(horse).clip(3, size=(20, 30))).all() and not array[1].any()
    assert (array[2] == gallop.open(thrice).clip(3, size=(20, 30))).all()
    assert main(["clips", "-o", str(output), str(thrice)]) == 1
    assert "--force" in capsys.readouterr().err and numpy.load(output).shape[0] == 3
    assert main(["clips", "--force", "-o", str(output), str(thrice)]) == 0
    assert numpy.load(output).shape == (1, 8, 3, 112, 112)
    assert main(["clips", "-o", str(thrice), str(thrice)]) == 1
    assert main(["clips", "-o", str(folder), "--force", str(thrice)]) == 1
    assert main(["clips", "--force", "-o", str(output), "--frames", "0", str(thrice)]) == 1
    assert main(["clips", "--force", "-o", str(output), "--size", "100000x100000", str(thrice)]) == 1
    assert numpy.load(output).shape[0] == 1 and sorted(tmp_path.iterdir()) == [output, folder]
    assert main(["clips", "-o", str(tmp_path / "no" / "x.npy"), str(thrice)]) == 1


def test_keywords_are_the_arguments_of_the_options() -> None:
    from gallop.clip import ClipChoices, ClipOptions

    expected = list(inspect.signature(ClipOptions.of).parameters)
    assert list(ClipChoices.__annotations__) == expected
    own = inspect.signature(gallop.GIF.clip).parameters
    assert [name for name in own if name not in ("self", "out")] == expected
    assert all(own[name].default == inspect.signature(ClipOptions.of).parameters[name].default for name in expected)
