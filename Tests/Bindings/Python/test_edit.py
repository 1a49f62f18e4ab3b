"""Edits show what was chosen, come as bytes and as files, and leave nothing behind where they fail."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import gallop
import numpy
import pytest
from conftest import slow, tiny
from galloptools.gif.minimal import IMAGE, gif


def test_a_cut_shows_the_frames_that_were_chosen(horse: Path) -> None:
    image = gallop.open(horse)
    cut = gallop.open(gallop.edit(horse, frames=slice(10, 20)).data)
    assert (len(cut), cut.plays, cut.size) == (10, None, image.size)
    assert numpy.array_equal(cut.decode(), image.decode(frames=range(10, 20)))
    assert numpy.array_equal(cut.delays, image.delays[10:20])


def test_orders_steps_and_times(disposals: Path) -> None:
    image = gallop.open(disposals)
    frames = image.decode()
    backwards = gallop.open(gallop.edit(image, order="reversed").data)
    assert numpy.array_equal(backwards.decode(), frames[::-1])
    bounced = gallop.open(bytes(gallop.edit(image, order=gallop.Order.BOUNCED, plays=2)))
    assert (len(bounced), bounced.plays) == (2 * len(image) - 2, 2)
    every = gallop.open(gallop.edit(image, every=2).data)
    assert numpy.array_equal(every.decode(), frames[::2])
    assert every.duration == pytest.approx(image.duration)
    paced = gallop.open(gallop.edit(image, delay=0.04, last_delay=2, plays=gallop.FOREVER).data)
    assert (paced.delays[0], paced.delays[-1], paced.plays) == (0.04, 2.0, None)
    assert gallop.open(gallop.edit(image, rate=2).data).duration == pytest.approx(image.duration / 2, abs=0.03)


def test_parts_mirrors_and_turns(horse: Path) -> None:
    first = gallop.open(horse)[0].array
    part = gallop.open(gallop.edit(horse, frames=0, crop=(40, 20, 100, 60)).data)
    assert numpy.array_equal(part[0].array, first[20:80, 40:140])
    turned = gallop.open(gallop.edit(horse, frames=[0], flip="x", rotate=90).data)
    assert numpy.array_equal(turned[0].array, numpy.rot90(first[:, ::-1], -1))


def test_several_are_joined(horse: Path, thrice: Path) -> None:
    with pytest.raises(gallop.GIFError) as raised:
        gallop.edit([horse, thrice])
    assert raised.value.code == "canvasMismatch"
    joined = gallop.open(gallop.edit([horse, thrice], canvas=(480, 270), frames=[29, 30]).data)
    assert numpy.array_equal(joined[0].array, gallop.open(horse)[29].array)
    assert numpy.array_equal(joined[1].array[65:205, 170:310], gallop.open(thrice)[0].array)


def test_comments(horse: Path) -> None:
    bare = gallop.open(gallop.edit(horse, strip=True, comment="Grüße").data)
    assert bare.comments == ["Grüße".encode()]


def test_a_file(horse: Path, tmp_path: Path) -> None:
    edit = gallop.edit(horse, frames=slice(0, 5))
    target = tmp_path / "cut.gif"
    summary = edit.save(target)
    assert summary == gallop.EditSummary(5, 5, target.stat().st_size)
    assert target.read_bytes() == edit.data
    with pytest.raises(FileExistsError):
        edit.save(target)
    edit.save(target, force=True)
    with pytest.raises(ValueError, match="one of the sources"):
        gallop.edit(target).save(target, force=True)
    mask = os.umask(0)
    os.umask(mask)
    assert target.stat().st_mode & 0o777 == 0o666 & ~mask
    with pytest.raises(FileNotFoundError):
        edit.save(tmp_path / "none" / "cut.gif")
    assert os.listdir(tmp_path) == ["cut.gif"]


def test_every_delay_that_a_gif_has_is_taken() -> None:
    from gallop.editing import _milliseconds

    assert all(_milliseconds("delay", number / 100) == number * 10 for number in range(2, 65536))


@pytest.mark.parametrize("number", [errno.EPERM, errno.ENOTSUP, errno.ENOSYS])
def test_a_file_system_without_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def link(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "link", link)
    target = tmp_path / "cut.gif"
    gallop.edit(tiny(3)).save(target)
    assert len(gallop.open(target)) == 3
    with pytest.raises(FileExistsError):
        gallop.edit(tiny(3)).save(target)
    assert os.listdir(tmp_path) == ["cut.gif"]

    def make_and_refuse(_: object, path: Path) -> None:
        path.write_bytes(b"of another program")
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "link", make_and_refuse)
    other = tmp_path / "other.gif"
    with pytest.raises(FileExistsError):
        gallop.edit(tiny(3)).save(other)
    assert other.read_bytes() == b"of another program"
    assert sorted(os.listdir(tmp_path)) == ["cut.gif", "other.gif"]


def test_a_full_disk_that_is_told_at_the_end_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "cut.gif"
    target.write_bytes(b"old")
    close = os.close

    def refuse(descriptor: int) -> None:
        close(descriptor)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "close", refuse)
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        gallop.edit(tiny(3)).save(target, force=True)
    assert target.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["cut.gif"]


def test_another_failure_to_name_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def link(_: object, target: Path) -> None:
        target.write_bytes(b"of another program")
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))

    monkeypatch.setattr(os, "link", link)
    with pytest.raises(FileExistsError):
        gallop.edit(tiny(3)).save(tmp_path / "cut.gif")
    assert (tmp_path / "cut.gif").read_bytes() == b"of another program"


def test_force_replaces_what_a_link_leads_to_and_keeps_its_mode(tmp_path: Path) -> None:
    target, link = tmp_path / "cut.gif", tmp_path / "link.gif"
    target.write_bytes(b"former")
    target.chmod(0o640)
    link.symlink_to("cut.gif")
    gallop.edit(tiny(3)).save(link, force=True)
    assert link.is_symlink()
    assert len(gallop.open(target)) == 3
    assert target.stat().st_mode & 0o777 == 0o640
    assert sorted(os.listdir(tmp_path)) == ["cut.gif", "link.gif"]


def test_what_fails_leaves_no_file(tmp_path: Path) -> None:
    # The second frame's data is no code stream.
    broken = IMAGE[:10] + b"\x02\x02\xff\xff\x00"
    source = gif(IMAGE, broken, IMAGE)
    with pytest.raises(gallop.GIFError) as raised:
        gallop.edit(source, order="reversed").save(tmp_path / "cut.gif")
    assert (raised.value.code, raised.value.frame) == ("failedFrame", 1)
    assert os.listdir(tmp_path) == []
    assert len(gallop.open(gallop.edit(source, skip_failed=True, frames=[0]).data)) == 1


@pytest.mark.parametrize(
    "options",
    [
        {"frames": []},
        {"every": 0},
        {"rate": 0},
        {"rate": float("nan")},
        {"rate": 0.0005},
        {"rate": 2000},
        {"delay": 0.01},
        {"delay": 0.025},
        {"last_delay": 1.999},
        {"last_delay": 700},
        {"rotate": 45},
        {"flip": "z"},
        {"order": "sideways"},
        {"canvas": (0, 0)},
    ],
)
def test_values_that_cannot_be(horse: Path, options: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        gallop.edit(horse, **options)  # type: ignore[arg-type]


def test_what_is_not_there(horse: Path) -> None:
    with pytest.raises(IndexError):
        gallop.edit(horse, frames=[30])
    with pytest.raises(ValueError):
        gallop.edit([])
    with pytest.raises(gallop.GIFError) as raised:
        gallop.edit(horse, crop=(400, 0, 100, 10))
    assert raised.value.code == "invalidArgument"


def test_ctrl_c_ends_an_edit() -> None:
    import signal

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        edit = gallop.edit(slow(2000, 400), order="reversed")
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(KeyboardInterrupt):
            edit.data
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_nothing_is_left() -> None:
    import gc

    gc.collect()
    handles = gallop._lib.gallop_handle_count()
    for _ in range(20):
        assert gallop.edit(tiny(3), order="bounced").data
    gc.collect()
    assert gallop._lib.gallop_handle_count() == handles
