"""What notebooks, terminals and tracebacks show of GIFs, frames and the package."""

from __future__ import annotations

import base64
import io
import pickle
import subprocess
import sys
from pathlib import Path

import gallop
import numpy
import pytest
from conftest import SAMPLES

HORSE = SAMPLES / "gallop.gif"
FORMATS = [str(format) for format in gallop.PixelFormat if format.channels == 4]


def png(data: bytes) -> numpy.ndarray:
    image = pytest.importorskip("PIL.Image").open(io.BytesIO(data))
    return numpy.asarray(image.convert("RGBA"))


def played(bundle: dict[str, str]) -> bytes:
    """The file that a notebook plays."""
    return base64.b64decode(bundle["text/html"].split("base64,")[1].split('"')[0])


def test_a_notebook_plays_a_gif_and_shows_the_first_frame_of_a_large_one(monkeypatch: pytest.MonkeyPatch) -> None:
    with gallop.open(HORSE) as gif:
        bundle = gif._repr_mimebundle_()
        assert played(bundle) == HORSE.read_bytes()
        assert bundle["text/plain"] == repr(gif)
        monkeypatch.setattr("gallop.image.MOST_NOTEBOOK_BYTES", 1000)
        large = gif._repr_mimebundle_()
        assert "text/html" not in large
        assert numpy.array_equal(png(base64.b64decode(large["image/png"])), gif[0].array)
    assert set(gif._repr_mimebundle_()) == {"text/plain"}


def test_a_notebook_shows_what_came_of_a_stream() -> None:
    stream = gallop.GIFStream()
    stream.feed(HORSE.read_bytes()[:5000])
    assert played(stream.finish()._repr_mimebundle_()) == HORSE.read_bytes()[:5000]


def test_a_hostile_name_stays_text_in_a_notebook(tmp_path: Path) -> None:
    path = tmp_path / '"><script>alert(1)<!--.gif'
    path.write_bytes(HORSE.read_bytes())
    with gallop.open(path) as gif:
        html = gif._repr_mimebundle_()["text/html"]
        assert html.count("<") == html.count(">") == 1
        assert "&quot;&gt;&lt;script&gt;" in html


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", ["gallop", "disposals", "horseshoe"])
def test_a_frame_is_the_same_picture_in_every_format(name: str, format: str) -> None:
    with gallop.open(SAMPLES / f"{name}.gif") as gif:
        for straight, frame in zip(gif, gif.frames(format=format)):
            assert frame.format == format
            # The colour of a pixel that is not seen is lost where it is multiplied by its alpha.
            seen = straight.array[..., 3:] > 0
            assert numpy.array_equal(frame.rgba * seen, straight.array * seen)
            assert numpy.array_equal(pickle.loads(pickle.dumps(frame)).rgba, frame.rgba)


def test_a_frame_is_shown_and_written_as_png() -> None:
    with gallop.open(SAMPLES / "disposals.gif") as gif:
        frames = list(gif)
        assert any((frame.array[..., 3] < 255).any() for frame in frames)
        for frame in [*frames, *gif.frames(0, size=(1, 1)), *gif.frames(size=(7, 5), format="bgra")]:
            assert numpy.array_equal(png(frame.to_png()), frame.rgba)
            assert frame._repr_png_() == frame.to_png()


def test_a_frame_becomes_an_image_of_pillow() -> None:
    pytest.importorskip("PIL")
    with gallop.open(HORSE) as gif:
        image = gif[3].to_pil()
        assert (image.mode, image.size) == ("RGBA", gif.size)
        swapped = next(gif.frames(3, format="bgra")).to_pil()
        assert image.tobytes() == swapped.tobytes() == gif[3].tobytes()
    for result in gallop.decode_many([HORSE], format="bgra", frames=slice(3, 4)):
        assert next(result.frames()).to_pil().tobytes() == image.tobytes()


def test_the_table_of_frames_pickles() -> None:
    with gallop.open(HORSE) as gif:
        table = pickle.loads(pickle.dumps(gif.infos))
        assert list(table) == list(gif.infos)
        assert table.bounds_ms == gif.infos.bounds_ms
        assert repr(table) == f"<FrameTable of {len(gif)} frames, {gif.duration_ms} ms>"


def test_everything_says_what_it_is() -> None:
    stream = gallop.GIFStream()
    stream.feed(b"GIF89a")
    texts = [repr(each) for each in (stream, gallop.Clock(manual=True), gallop.FrameBudget(1 << 20), gallop.SyncGroup())]
    assert texts == [
        "<GIFStream, 6 bytes so far>",
        "<Clock at 0.000 s>",
        "<FrameBudget of 1048576 bytes, 0 held>",
        "<SyncGroup of 0 players at 0.000 s>",
    ]


def test_the_package_lists_its_names_and_no_modules() -> None:
    assert set(dir(gallop)) == {*gallop.__all__, "__version__"}
    for word in ("source", "URLs", "limits", "damage", "Raises"):
        assert word in str(gallop.open.__doc__)


@pytest.mark.parametrize(
    ("path", "advice"), [("https://example.org/a.gif", "URLs are not loaded"), ("~/a.gif", "expanduser"), ("a.gif", "")]
)
def test_a_path_that_cannot_be_one_gets_advice(path: str, advice: str) -> None:
    with pytest.raises(FileNotFoundError) as raised:
        gallop.open(path)
    assert advice in str(raised.value)
    assert bool(advice) == (";" in str(raised.value))
    (result,) = gallop.decode_many([path])
    assert str(result.error) == str(raised.value)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "gallop", *arguments], capture_output=True, text=True, timeout=120)


def test_the_module_tells_what_is_in_files(tmp_path: Path) -> None:
    hostile = tmp_path / "a\x1b[31m.gif"
    hostile.write_bytes(HORSE.read_bytes()[:5000])
    outcome = run("info", str(HORSE), str(hostile), "--frames")
    assert outcome.returncode == 0, outcome.stderr
    lines = outcome.stdout.splitlines()
    assert lines[:3] == [str(HORSE), f"  480 x 270 pixels, {HORSE.stat().st_size} bytes", "  30 frames, 0.900 s, plays for ever"]
    assert sum(line.startswith("  #") for line in lines) > 30
    assert any(line.startswith("  damage: ") for line in lines)
    assert "\x1b" not in outcome.stdout


def test_the_module_goes_on_after_a_file_that_cannot_be_read() -> None:
    outcome = run("info", "missing.gif", str(HORSE))
    assert outcome.returncode == 1
    assert outcome.stderr.startswith("gallop: ") and "missing.gif" in outcome.stderr
    assert "30 frames" in outcome.stdout
    assert run("--version").stdout.split() == ["gallop", gallop.__version__]
    assert run().returncode == 2
