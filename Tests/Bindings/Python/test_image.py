"""What a GIF says about itself, and the ways to open one."""

from __future__ import annotations

import io
import os
import pickle
import threading
from pathlib import Path

import gallop
import pytest
from conftest import tiny
from galloptools.gif.minimal import IMAGE, IMAGE_WITH_TABLE, application_extension, gif


def test_facts_of_a_file(horse: Path) -> None:
    with gallop.open(horse) as image:
        assert (image.size, len(image), image.plays, image.duration) == ((480, 270), 30, None, 0.9)
        assert (image.version, image.is_complete, image.byte_count) == ("89a", True, horse.stat().st_size)
        assert image.comments == [b"A horse at a gallop. Made by Gallop."]
        assert [one.identifier for one in image.application_extensions] == ["NETSCAPE2.0"]
        assert image.global_palette is not None and image.global_palette.shape == (128, 4)
        assert image.palette(0) is None
        assert image.diagnostics == []


def test_facts_of_frames(disposals: Path) -> None:
    with gallop.open(disposals) as image:
        infos = image.infos
        assert len(infos) == 14
        assert {info.disposal for info in infos} == set(gallop.Disposal)
        assert [info.time_ms for info in infos[:3]] == [0, infos[0].delay_ms, infos[0].delay_ms + infos[1].delay_ms]
        assert infos[0].is_keyframe and infos[0].required_frame is None
        assert [info.index for info in infos[-2:]] == [12, 13]
        with pytest.raises(IndexError):
            infos[14]


def test_plays(thrice: Path) -> None:
    assert gallop.open(thrice).plays == 3
    assert gallop.open(tiny(2)).plays == 1
    assert gallop.open(gif(application_extension(b"NETSCAPE2.0", b"\1\0\0"), IMAGE, IMAGE)).plays is None


def test_a_palette_of_a_frame() -> None:
    image = gallop.open(gif(IMAGE, IMAGE_WITH_TABLE))
    assert image.palette(0) is None
    assert image.palette(-1).shape == (4, 4)
    assert image.global_palette.shape == (2, 4)


def test_every_kind_of_source(horse: Path) -> None:
    data = horse.read_bytes()
    sources = [horse, str(horse), data, bytearray(data), memoryview(data), io.BytesIO(data)]
    with horse.open("rb") as file:
        assert [len(gallop.open(source)) for source in [*sources, file]] == [30] * 7


def test_a_stream_that_cannot_seek(horse: Path) -> None:
    reading, writing = os.pipe()

    def write() -> None:
        with open(writing, "wb") as file:
            file.write(horse.read_bytes())

    writer = threading.Thread(target=write)
    writer.start()
    with open(reading, "rb") as file:
        assert len(gallop.open(file)) == 30
    writer.join()


def test_a_named_pipe(horse: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(horse.read_bytes()))
    writer.start()
    assert len(gallop.open(pipe)) == 30
    writer.join()


def test_a_name_that_is_not_text(horse: Path, tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/\xff\xfe.gif"
    Path(os.fsdecode(path)).write_bytes(horse.read_bytes())
    assert len(gallop.open(os.fsdecode(path))) == 30


def test_what_is_no_source() -> None:
    with pytest.raises(TypeError, match="not int"):
        gallop.open(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="binary"):
        gallop.open(io.StringIO("GIF89a"))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="null"):
        gallop.open("a\0b")


def test_closing(horse: Path) -> None:
    image = gallop.open(horse)
    frames = iter(image)
    first = next(frames)
    image.close()
    image.close()
    assert image.closed and "480 x 270" in repr(image)
    with pytest.raises(ValueError, match="closed"):
        image[0]
    with pytest.raises(ValueError, match="closed"):
        iter(image)
    # What was begun goes on: it needs no GIF.
    assert next(frames).index == 1 and first.array.shape == (270, 480, 4)


def test_pickles_by_its_source(horse: Path) -> None:
    opened = gallop.open(horse, limits=gallop.Limits(frame_count=7), damage="resilient")
    by_path = pickle.dumps(opened)
    assert len(by_path) < 2000
    copy = pickle.loads(by_path)
    assert (copy.path, len(copy)) == (str(horse), 7)
    of_bytes = pickle.loads(pickle.dumps(gallop.open(tiny(3))))
    assert (of_bytes.path, len(of_bytes)) == (None, 3)


def test_limits() -> None:
    few = gallop.open(tiny(5), limits=gallop.Limits(frame_count=2))
    assert len(few) == 2 and "frameLimit" in [fault.code for fault in few.diagnostics]
    with gallop.GIFStream(limits=gallop.Limits(stream_bytes=10)) as stream, pytest.raises(gallop.GIFError) as caught:
        stream.feed(tiny(1))
    assert caught.value.code == "inputTooLarge"
    assert gallop.Limits.untrusted().stream_bytes == 64 << 20


def test_a_gif_that_arrives_in_pieces(horse: Path) -> None:
    data = horse.read_bytes()
    counts = []
    with gallop.GIFStream() as stream:
        assert stream.image() is None
        for place in range(0, len(data), 50_000):
            stream.feed(data[place : place + 50_000])
            counts.append(len(stream.image()))
        whole = stream.finish()
    assert counts == sorted(counts) and counts[0] < 30
    assert len(whole) == 30 and whole.is_complete
    assert (whole[29].array == gallop.open(horse)[29].array).all()
    assert len(pickle.loads(pickle.dumps(whole))) == 30
