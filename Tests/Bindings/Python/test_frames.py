"""Decoded frames: their pixels, their memory, and the ways to ask for them."""

from __future__ import annotations

import gc
import hashlib
import os
import pickle
import subprocess
from collections.abc import Callable
from pathlib import Path

import gallop
import numpy
import pytest
from conftest import SAMPLES, tiny
from gallop._library import lib


def test_iteration(horse: Path) -> None:
    with gallop.open(horse) as image:
        frames = list(image)
    assert [frame.index for frame in frames] == list(range(30))
    assert {frame.status for frame in frames} == {gallop.FrameStatus.COMPLETE}
    assert [frame.time for frame in frames[:3]] == [0, 0.03, 0.06]
    assert (frames[0].delay, frames[0].delay_ms) == (0.03, 30)
    assert frames[0].rect == (0, 0, 480, 270)
    assert all(frame.array.shape == (270, 480, 4) and frame.array.dtype == numpy.uint8 for frame in frames)


def test_pixels_by_hand() -> None:
    # Colours 0 and 1 of a frame's own palette.
    palette = bytes([10, 20, 30, 200, 100, 50])
    data = b"GIF89a\2\0\1\0\0\0\0" + b"\x2c\0\0\0\0\2\0\1\0\x80" + palette + b"\2\2\x44\x0a\0;"
    assert gallop.open(data)[0].array.tolist() == [[[10, 20, 30, 255], [200, 100, 50, 255]]]
    swapped = next(gallop.open(data).frames(format="bgra"))
    assert swapped.array.tolist() == [[[30, 20, 10, 255], [50, 100, 200, 255]]]


def test_every_way_gives_the_same_frames(disposals: Path) -> None:
    image = gallop.open(disposals)
    whole = image.decode()
    assert whole.shape == (14, 160, 240, 4)
    assert all((frame.array == whole[frame.index]).all() for frame in image)
    # Against the order, too.
    assert all((image[index].array == whole[index]).all() for index in (13, 7, 7, 0, -1, 5))
    assert [frame.index for frame in image[2:9:3]] == [2, 5, 8]
    assert all((frame.array == whole[frame.index]).all() for frame in image[::-1])
    assert (image.decode(frames=[4, 2, 4, -1]) == whole[[4, 2, 4, -1]]).all()
    assert (image.decode(frames=slice(3, None, 4)) == whole[3::4]).all()
    assert (image.decode(frames=5) == whole[5:6]).all()
    assert image.decode(frames=[]).shape == (0, 160, 240, 4)


def test_frames_that_do_not_exist(thrice: Path) -> None:
    image = gallop.open(thrice)
    for index in (18, -19, 1 << 40):
        with pytest.raises(IndexError, match="of 18"):
            image[index]
    with pytest.raises(IndexError):
        image.decode(frames=[0, 18])
    assert image[18:] == []


def test_sizes(horse: Path) -> None:
    image = gallop.open(horse)
    assert image.decode(size=(96, 54), frames=0).shape == (1, 54, 96, 4)
    assert image.decode(size=(96, 0), frames=0).shape == (1, 54, 96, 4)
    assert image.decode(size=(100, 100), frames=0, fit="contain").shape == (1, 56, 100, 4)
    assert image.decode(size=(960, 540), frames=0, fit="contain").shape == (1, 270, 480, 4)
    thumbnail = image.thumbnail((64, 64), frame=9)
    assert (thumbnail.index, thumbnail.array.shape) == (9, (36, 64, 4))
    assert (thumbnail.array == image.decode(size=(64, 36), frames=9)[0]).all()
    for size in ((0, 0), (-1, 4), (1, 2, 3), (1 << 32, 1)):
        with pytest.raises(ValueError, match="size"):
            image.decode(size=size)
    with pytest.raises(ValueError):
        image.decode(format="cmyk")


def test_premultiplied_pixels(disposals: Path) -> None:
    image = gallop.open(disposals)
    straight, multiplied = image.decode(), image.decode(format="rgba-premultiplied")
    alpha = straight[..., 3:]
    assert set(numpy.unique(alpha)) == {0, 255}
    assert (multiplied == straight * (alpha // 255)).all()


def test_into_memory_of_the_caller(thrice: Path) -> None:
    image = gallop.open(thrice)
    whole = image.decode()
    out = numpy.full((18, 140, 140, 4), 7, numpy.uint8)
    assert image.decode(out=out) is out and (out == whole).all()
    # Every other place of a larger array, with room beside each row, which stays as it was.
    wide = numpy.full((36, 140, 150, 4), 7, numpy.uint8)
    image.decode(out=wide[::2, :, :140])
    assert (wide[::2, :, :140] == whole).all() and (wide[1::2] == 7).all() and (wide[:, :, 140:] == 7).all()


def test_memory_that_does_not_fit(thrice: Path) -> None:
    image = gallop.open(thrice)
    fine = numpy.zeros((18, 140, 140, 4), numpy.uint8)
    locked = fine.copy()
    locked.flags.writeable = False
    wrong = [fine[:17], fine.astype(numpy.uint16), locked, fine[:, ::-1], fine[..., ::-1]]
    for out in wrong:
        before = out.copy()
        with pytest.raises(ValueError, match="out"):
            image.decode(out=out)
        assert (out == before).all()


def test_large_arrays_are_the_callers_in_memory_that_is_recycled(horse: Path) -> None:
    held = lib.gallop_handle_count()
    image = gallop.open(horse)
    first = image.decode()
    assert first.nbytes == 30 * 270 * 480 * 4 and first.flags.writeable and first.flags.c_contiguous
    expected = hashlib.sha256(first).digest()
    part = first[7, 100:120]
    image.close()
    del image
    pixels = part.copy()
    del first
    # A part keeps all of it, so others get other memory.
    others = [gallop.open(horse).decode() for _ in range(3)]
    assert (part == pixels).all()
    for other in others:
        assert hashlib.sha256(other).digest() == expected and not numpy.shares_memory(other, part)
        other[:] = 9
    assert (part == pixels).all()
    del part, other, others
    assert lib.gallop_handle_count() == held
    assert hashlib.sha256(gallop.open(horse).decode()).digest() == expected


def test_kept_frames_stay_as_they_are(horse: Path) -> None:
    image = gallop.open(horse)
    expected = image.decode()
    for step in (1, 2, 7):
        frames = [frame for frame in image if frame.index % step == 0]
        again = list(image)
        for frame in frames + again:
            assert (frame.array == expected[frame.index]).all()
        # Those that are left stay when others are released.
        del frames[::2]
        drawn = list(image)
        for frame in frames + drawn:
            assert (frame.array == expected[frame.index]).all()


def test_no_room_for_all_frames() -> None:
    # All frames together pass what a process can address: 529 million pixels 131,000 times.
    side = (23_000).to_bytes(2, "little")
    data = tiny(131_000)
    limits = gallop.Limits(canvas_pixels=1 << 30, decoded_bytes=1 << 40)
    image = gallop.open(data[:6] + side + side + data[10:], limits=limits)
    assert len(image) == 131_000
    with pytest.raises(MemoryError):
        image.decode()


def test_arrays_share_the_frames_memory_and_outlive_all_else(horse: Path) -> None:
    image = gallop.open(horse)
    held = lib.gallop_handle_count()
    frame = image[3]
    array, again = frame.array, numpy.asarray(frame)
    assert numpy.shares_memory(array, again) and not array.flags.owndata
    assert not array.flags.writeable
    with pytest.raises(ValueError):
        array[0, 0, 0] = 1
    expected = array.copy()
    image.close()
    del image, frame, again
    for other in gallop.open(horse):
        assert other.array is not array
    gc.collect()
    assert (array == expected).all()
    part = array[5:9, 5:9]
    del array
    gc.collect()
    assert (part == expected[5:9, 5:9]).all()
    del part, other
    gc.collect()
    assert lib.gallop_handle_count() < held


def test_frames_given_before_do_not_change(thrice: Path) -> None:
    image = gallop.open(thrice)
    whole = image.decode()
    kept = []
    for frame in image:
        kept.append((frame.index, frame.array))
    assert all((array == whole[index]).all() for index, array in kept)


def test_dlpack_is_without_a_copy(horse: Path) -> None:
    frame = gallop.open(horse)[2]
    imported = numpy.from_dlpack(frame)
    assert numpy.shares_memory(imported, frame.array) and (imported == frame.array).all()
    assert frame.__dlpack_device__() == (1, 0)

    # A consumer of before DLPack 1 gets the same memory, a copy is its own.
    class Older:
        def __dlpack__(self, **_: object) -> object:
            return frame.__dlpack__()

        def __dlpack_device__(self) -> tuple[int, int]:
            return frame.__dlpack_device__()

    assert numpy.shares_memory(numpy.from_dlpack(Older()), frame.array)
    with pytest.raises(BufferError):
        frame.__dlpack__(stream=1)


def test_dlpack_to_pytorch(horse: Path) -> None:
    torch = pytest.importorskip("torch")
    frame = gallop.open(horse)[2]
    tensor = torch.from_dlpack(frame)
    assert tensor.data_ptr() == frame.array.ctypes.data
    assert (tensor.numpy() == frame.array).all()


def test_frames_pickle(horse: Path) -> None:
    frame = gallop.open(horse)[4]
    copy = pickle.loads(pickle.dumps(frame))
    assert (copy.array == frame.array).all() and repr(copy) == repr(frame)
    assert (copy.index, copy.status, copy.delay, copy.time, copy.rect) == (
        4,
        frame.status,
        frame.delay,
        frame.time,
        frame.rect,
    )


def test_a_hundred_thousand_frames_without_growth() -> None:
    image = gallop.open(tiny(100_000))
    assert len(image) == 100_000
    image.infos
    sizes, handles, count = [], [], 0
    for frame in image:
        assert frame.index == count
        count += 1
        if count % 20_000 == 0:
            sizes.append(resident_bytes())
            handles.append(lib.gallop_handle_count())
    assert count == 100_000
    assert max(sizes) - sizes[0] < 2 << 20
    assert len(set(handles)) == 1


def resident_bytes() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.gif")), ids=lambda path: path.stem)
def test_the_same_pixels_as_the_command_line_tool(path: Path) -> None:
    tool = os.environ.get("GALLOP_TOOL")
    if not tool:
        pytest.skip("GALLOP_TOOL names no gallop")
    for size, options in ((None, []), ((48, 0), ["--size", "48x"])):
        command = [tool, "decode", "--quiet", "--format", "rgba", "--output", "-", *options, str(path)]
        output = subprocess.run(command, check=True, capture_output=True).stdout
        assert output == gallop.open(path).decode(size=size).tobytes()


def test_a_gif_without_frames_says_so_whatever_is_asked_for() -> None:
    gif = gallop.open(tiny(0))
    assert (len(gif), list(gif.infos)) == (0, [])
    asked: list[Callable[[], object]] = [
        gif.decode,
        lambda: gif.decode(frames=slice(0, 0)),
        lambda: list(gif),
        lambda: gif[0],
        lambda: gif[:],
        gif.thumbnail,
        lambda: gif.frames(range(3)),
        lambda: gif.decode(frames=[5]),
    ]
    for work in asked:
        with pytest.raises(gallop.GIFError) as caught:
            work()
        assert caught.value.code == "noFrames" and isinstance(caught.value, IndexError)
    results = list(gallop.decode_many([tiny(0), tiny(2), gif], jobs=1))
    assert [getattr(item.error, "code", None) for item in results] == ["noFrames", None, "noFrames"]


def test_a_frame_that_is_not_there_is_an_error_of_its_gif(thrice: Path) -> None:
    gif = gallop.open(thrice)
    for work in (lambda: gif[18], lambda: gif.decode(frames=[3, 50]), lambda: gif.frames(-19), lambda: gif.palette(99)):
        with pytest.raises(gallop.GIFFrameError) as caught:
            work()
        assert caught.value.code == "noSuchFrame" and caught.value.path == str(thrice)
    assert gif.decode(frames=slice(30, None)).shape == (0, 140, 140, 4)
    found = list(gallop.decode_many([thrice, gif], frames=50))
    assert [item.error.code for item in found if item.error] == ["noSuchFrame"] * 2


# ---- Formats, layouts and backgrounds

PACKED = ["gallop", "disposals", "horseshoe"]


def over(pixels: numpy.ndarray, background: tuple[int, int, int]) -> numpy.ndarray:
    """RGBA over a background, by the book."""
    alpha = pixels[..., 3:].astype(numpy.int64)
    return ((pixels[..., :3] * alpha + numpy.array(background) * (255 - alpha) + 127) // 255).astype(numpy.uint8)


@pytest.mark.parametrize("name", PACKED)
@pytest.mark.parametrize("size", [None, (37, 21)])
@pytest.mark.parametrize("background", [(0, 0, 0), (255, 255, 255), (1, 200, 77)])
def test_rgb_and_gray_lie_over_the_background(
    name: str, size: tuple[int, int] | None, background: tuple[int, int, int]
) -> None:
    with gallop.open(SAMPLES / f"{name}.gif") as gif:
        whole = gif.decode(size=size)
        rgb = gif.decode(size=size, format="rgb", background=background)
        assert numpy.array_equal(rgb, over(whole, background))
        gray = gif.decode(size=size, format="gray", background=background)
        assert gray.shape == (*whole.shape[:3], 1)
        weights = numpy.array([19595, 38470, 7471])
        assert numpy.array_equal(gray[..., 0], (rgb.astype(numpy.int64) @ weights + 0x8000) >> 16)


@pytest.mark.parametrize("format", ["rgba", "bgra", "rgba-premultiplied", "rgb", "gray"])
def test_planes_are_the_same_pixels(format: str) -> None:
    with gallop.open(SAMPLES / "disposals.gif") as gif:
        side = gif.decode(format=format)
        planes = gif.decode(format=format, layout="TCHW", frames=slice(None, None, 2))
        assert numpy.array_equal(planes, side[::2].transpose(0, 3, 1, 2))
        assert planes.flags.c_contiguous


@pytest.mark.parametrize("format", ["rgba", "rgb", "gray"])
@pytest.mark.parametrize("layout", ["THWC", "TCHW"])
def test_out_may_be_any_part_of_a_larger_array(format: str, layout: str) -> None:
    with gallop.open(SAMPLES / "disposals.gif") as gif:
        wanted = gif.decode(format=format, layout=layout)
        larger = numpy.full([2 * length + 3 for length in wanted.shape], 7, numpy.uint8)
        out = larger[tuple(slice(1, 1 + 2 * length, 2) for length in wanted.shape)]
        assert gif.decode(format=format, layout=layout, out=out) is out
        assert numpy.array_equal(out, wanted)
        out[...] = 7
        assert (larger == 7).all()
        with pytest.raises(ValueError, match="in order"):
            gif.decode(format=format, layout=layout, out=wanted[:, ::-1])


def test_a_frame_that_cannot_be_drawn_shows_the_background() -> None:
    data = bytearray((SAMPLES / "disposals.gif").read_bytes())
    with gallop.open(bytes(data), limits=gallop.Limits(frame_pixels=1)) as gif:
        assert set(gif.decode(format="rgb", background=(9, 8, 7)).reshape(-1, 3).tolist()[0]) == {9, 8, 7}
        assert not gif.decode(layout="TCHW").any()


@pytest.mark.parametrize("format", ["rgb", "gray"])
def test_frames_one_by_one_have_any_channels(format: str) -> None:
    with gallop.open(SAMPLES / "disposals.gif") as gif:
        every = gif.decode(format=format, background=(200, 100, 0))
        for frame, wanted, plain in zip(gif.frames(format=format, background=(200, 100, 0)), every, gif):
            assert (frame.array == wanted).all() and frame.format == format
            facts = ("index", "delay_ms", "time_ms", "rect", "status", "width", "height")
            assert [getattr(frame, name) for name in facts] == [getattr(plain, name) for name in facts]
            assert (frame.rgba[..., :3] == wanted).all() and (frame.rgba[..., 3] == 255).all()
            again = pickle.loads(pickle.dumps(frame))
            assert (again.array == frame.array).all() and frame.to_png() == again.to_png()
            assert frame.to_pil().size == gif.size


def test_what_no_format_and_no_background_is_gets_a_sentence() -> None:
    with gallop.open(SAMPLES / "disposals.gif") as gif:
        for background in [(256, 0, 0), (0, 0), "white"]:
            with pytest.raises((TypeError, ValueError), match="red, green and blue"):
                gif.decode(format="rgb", background=background)
        for wrong in [{"layout": "CTHW"}, {"format": "cmyk"}]:
            with pytest.raises(ValueError):
                gif.decode(**wrong)


@pytest.mark.parametrize("format", ["rgb", "gray"])
def test_the_colours_are_those_of_pillow(format: str) -> None:
    with gallop.open(SAMPLES / "gallop.gif") as gif:
        image = gif[7].to_pil().convert({"rgb": "RGB", "gray": "L"}[format])
        frame = gif.decode(format=format, frames=7)[0]
        assert numpy.array_equal(frame.squeeze(), numpy.asarray(image))
