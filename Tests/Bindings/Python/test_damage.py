"""Corrupt files: what shows, what is reported, and what cannot be used."""

from __future__ import annotations

import pickle
import random
from pathlib import Path

import gallop
import pytest
from conftest import SAMPLES, tiny
from galloptools.gif.mutants import make


def test_a_file_that_ends_early(cut: Path) -> None:
    image = gallop.open(cut)
    assert not image.is_complete
    frames = list(image)
    assert frames[-1].status == "truncated" and frames[0].status is gallop.FrameStatus.COMPLETE
    codes = [fault.code for fault in image.diagnostics]
    assert "truncatedFrame" in codes
    fault = image.diagnostics[codes.index("truncatedFrame")]
    assert fault.frame == len(frames) - 1 and 0 < fault.offset <= 200_000
    assert f"frame {fault.frame}" in str(fault)


def test_damage_inside_a_frame_is_found_when_it_is_decoded(horse: Path) -> None:
    data = bytearray(horse.read_bytes())
    image = gallop.open(horse)
    start = image.infos[5].offset + 40
    data[start : start + 300] = bytes([0xFF]) * 300
    damaged = gallop.open(bytes(data))
    before = damaged.diagnostics
    statuses = [str(frame.status) for frame in damaged]
    assert statuses[5] == "failed" and statuses[6] == "blank"
    found = [fault for fault in damaged.diagnostics if fault not in before]
    assert found[0].frame == 5
    # Each fault once, however often the frame is decoded.
    damaged.decode()
    assert len(damaged.diagnostics) == len(before) + len(found)
    resilient = gallop.open(bytes(data), damage=gallop.DamagePolicy.RESILIENT)
    assert "blank" not in [str(frame.status) for frame in resilient]


@pytest.mark.parametrize(
    ("data", "code"),
    [(b"", "emptyFile"), (b"PNG, not GIF", "notAGIF"), (b"GIF89a", "truncatedHeader"), (b"GIF89a" + bytes(7), None)],
)
def test_what_is_no_gif(data: bytes, code: str) -> None:
    with pytest.raises(gallop.GIFError) as caught:
        gallop.open(data)
    error = caught.value
    assert error.code == (code or error.code) and error.path is None and str(error)


def test_errors_say_where(tmp_path: Path) -> None:
    path = tmp_path / "bad.gif"
    path.write_bytes(b"GIF89a")
    with pytest.raises(gallop.GIFError) as caught:
        gallop.open(path)
    error = caught.value
    assert (error.code, error.offset, error.frame, error.path) == ("truncatedHeader", 6, None, str(path))
    assert str(path) in str(error) and "offset=6" in repr(error)
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.code, copy.offset, copy.path, str(copy)) == (error.code, error.offset, error.path, str(error))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as missing:
        gallop.open(tmp_path / "none.gif")
    assert isinstance(missing.value, gallop.GIFError) and missing.value.errno == 2
    assert missing.value.filename == str(tmp_path / "none.gif")
    with pytest.raises(OSError) as folder:
        gallop.open(tmp_path)
    assert isinstance(folder.value, gallop.GIFFileError) and folder.value.code == "isDirectory"
    with pytest.raises(gallop.GIFError) as device:
        gallop.open("/dev/null")
    assert device.value.code == "notAFile"


def test_a_canvas_above_the_limit() -> None:
    def canvas(side: int) -> bytes:
        return tiny(1)[:6] + side.to_bytes(2, "little") * 2 + tiny(1)[10:]

    with pytest.raises(gallop.GIFError) as caught:
        gallop.open(canvas(65_535))
    assert caught.value.code == "canvasTooLarge"
    large = gallop.open(canvas(9000))
    with pytest.raises(gallop.GIFError) as caught:
        large[0]
    assert caught.value.code == "canvasTooLarge"


def test_files_damaged_at_random_raise_nothing_else() -> None:
    originals = [
        (path.name, path.read_bytes()) for path in sorted(SAMPLES.glob("*.gif")) if path.stat().st_size < 90_000
    ]
    opened = refused = 0
    for number in range(400):
        try:
            image = gallop.open(make("python", number, originals).data, limits=gallop.Limits(canvas_pixels=1 << 20))
            for frame in image:
                assert frame.array.shape == (image.height, image.width, 4)
            opened += 1
        except gallop.GIFError as error:
            assert error.code not in ("", "unknown") and str(error)
            refused += 1
    assert opened > 100 and refused > 10


def test_cut_at_any_place() -> None:
    data = tiny(3)
    counts = []
    for end in range(len(data)):
        try:
            counts.append(len(list(gallop.open(data[:end]))))
        except gallop.GIFError:
            counts.append(-1)
    assert counts == sorted(counts) and counts[-1] == 3


def test_random_bytes() -> None:
    source = random.Random(3)
    for _ in range(200):
        with pytest.raises(gallop.GIFError):
            gallop.open(source.randbytes(source.randrange(300)))
