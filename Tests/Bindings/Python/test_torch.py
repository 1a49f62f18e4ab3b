"""Datasets for PyTorch, with workers by fork and spawn."""

from __future__ import annotations

import io
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import gallop
import pytest
from conftest import ROOT

torch = pytest.importorskip("torch")

from gallop.torch import Clips, ClipStream  # noqa: E402
from torch.utils.data import DataLoader  # noqa: E402

CLIP = {"frames": 4, "size": (24, 16)}


@pytest.fixture
def files(horse: Path, thrice: Path, disposals: Path) -> list[Any]:
    return [horse, str(thrice), disposals.read_bytes()]


@pytest.fixture
def shard(files: list[Any], tmp_path: Path) -> Path:
    """A tar with the files as `0.gif`, `1.gif`, `2.gif`, one that is no GIF, and a label of each."""
    path = tmp_path / "shard.tar"
    with tarfile.open(path, "w") as tar:
        for number, file in enumerate([*files, b"no GIF"]):
            data = file if isinstance(file, bytes) else Path(file).read_bytes()
            for name, content in ((f"{number}.gif", data), (f"{number}.cls", b"7")):
                member = tarfile.TarInfo(name)
                member.size = len(content)
                tar.addfile(member, io.BytesIO(content))
    return path


def expected(files: list[Any]) -> list[Any]:
    return [torch.from_numpy(gallop.open(file).clip(**CLIP)) for file in files]


def test_a_dataset_has_the_clip_of_each_file(files: list[Any]) -> None:
    dataset = Clips(files, ["a", "b", "c"], **CLIP)
    assert len(dataset) == 3
    for (clip, target), own, name in zip((dataset[place] for place in range(3)), expected(files), "abc"):
        assert clip.dtype is torch.uint8 and torch.equal(clip, own) and target == name
    halved = Clips(files, transform=lambda clip: clip.float() / 2, **CLIP)
    assert torch.equal(halved[-1], expected(files)[-1].float() / 2)
    with pytest.raises(ValueError, match="3 files have 1 targets"):
        Clips(files, [1])


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_workers_give_every_clip_once(files: list[Any], start: str) -> None:
    many = files * 5
    # The parent has decoded, and has threads of the library, before its workers begin.
    list(gallop.clips(files))
    loader = DataLoader(Clips(many, range(15), **CLIP), 4, num_workers=2, multiprocessing_context=start)
    clips, targets = zip(*loader)
    assert torch.equal(torch.cat(clips), torch.stack(expected(many)))
    assert torch.cat(targets).tolist() == list(range(15))
    stream = DataLoader(ClipStream(many, len, **CLIP), 1, num_workers=2, multiprocessing_context=start)
    found = [clip[0] for clip, _ in stream]
    assert len(found) == 15
    # Each worker its part, in turns.
    assert torch.equal(torch.stack(found), torch.stack(expected(many)))


def test_a_file_that_cannot_be_used_is_an_error_or_blank(files: list[Any]) -> None:
    bad = [files[0], b"no GIF"]
    with pytest.raises(gallop.GIFError):
        Clips(bad, **CLIP)[1]
    blank = Clips(bad, errors="blank", background=(1, 2, 3), **CLIP)[1]
    assert blank.shape == (4, 3, 16, 24) and (blank[:, 2] == 3).all()
    with pytest.raises(ValueError, match="raise, blank"):
        Clips(bad, errors="skip")
    assert len(list(ClipStream(bad, errors="skip", **CLIP))) == 1
    assert len(list(ClipStream(bad, errors="blank", **CLIP))) == 2
    with pytest.raises(gallop.GIFError):
        list(ClipStream(bad, **CLIP))


def test_shards_are_read_member_by_member(shard: Path, files: list[Any]) -> None:
    stream = ClipStream([shard, files[1]], str, errors="skip", **CLIP)
    found = list(stream)
    assert [name for _, name in found] == ["0.gif", "1.gif", "2.gif", str(files[1])]
    assert torch.equal(torch.stack([clip for clip, _ in found]), torch.stack(expected([*files, files[1]])))
    loader = DataLoader(stream, None, num_workers=2)
    assert sorted(name for _, name in loader) == sorted(name for _, name in found)


def test_a_shard_that_cannot_be_read_on_is_left_out_with_a_warning(shard: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.tar"
    cut.write_bytes(shard.read_bytes()[: 512 * 3])
    for sources in ([tmp_path / "none.tar", shard], [cut, shard]):
        with pytest.raises((OSError, tarfile.TarError)):
            list(ClipStream(sources, **CLIP))
        with pytest.warns(UserWarning, match="cannot be read on"):
            assert len(list(ClipStream(sources, errors="skip", **CLIP))) >= 3


def test_a_member_is_not_read_beyond_the_limit(shard: Path) -> None:
    few = gallop.Limits(stream_bytes=20_000)
    with pytest.raises(gallop.GIFError) as caught:
        list(ClipStream(shard, limits=few, **CLIP))
    assert caught.value.code == "tooLarge" and "0.gif" in str(caught.value)
    names = [name for _, name in ClipStream(shard, str, limits=few, errors="skip", **CLIP)]
    assert names == ["1.gif", "2.gif"]


def test_one_source_is_one_source(thrice: Path) -> None:
    expected_clip = expected([thrice])[0]
    for source in (thrice, str(thrice), thrice.read_bytes(), bytearray(thrice.read_bytes()), gallop.open(thrice)):
        (clip,) = ClipStream(source, **CLIP)
        assert torch.equal(clip, expected_clip) and torch.equal(Clips([source], **CLIP)[0], expected_clip)
    with pytest.raises(TypeError, match="a list of paths or bytes"):
        Clips(str(thrice))


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_the_sample_trains(horse: Path, thrice: Path, disposals: Path, tmp_path: Path, start: str) -> None:
    for name, paths in (("one", [horse, thrice]), ("two", [disposals])):
        (tmp_path / name).mkdir()
        for path in paths:
            (tmp_path / name / path.name).symlink_to(path)
    (tmp_path / "two" / "broken.gif").write_bytes(b"GIF89a")
    script = ROOT / "Samples" / "Python" / "train_clips.py"
    arguments = [sys.executable, str(script), str(tmp_path), "--epochs", "1", "--start", start]
    outcome = subprocess.run(arguments, capture_output=True, text=True, timeout=240)
    assert outcome.returncode == 0, outcome.stderr
    assert " of 3 right, " in outcome.stdout and "broken.gif" in outcome.stderr
