"""The plug-in for imageio, and the images of Pillow's shape."""

from __future__ import annotations

import io
from pathlib import Path

import gallop
import numpy
import pytest


def test_imageio_reads_frames_and_facts(disposals: Path) -> None:
    iio = pytest.importorskip("imageio.v3")
    from gallop.imageio import GIFPlugin

    expected = gallop.open(disposals).decode()
    assert (iio.imread(disposals, plugin=GIFPlugin) == expected).all()
    assert (iio.imread(disposals, plugin=GIFPlugin, index=5) == expected[5]).all()
    assert (numpy.stack(list(iio.imiter(disposals, plugin=GIFPlugin))) == expected).all()
    assert (iio.imread(disposals.read_bytes(), plugin=GIFPlugin) == expected).all()
    assert iio.imread(disposals, plugin=GIFPlugin, size=(60, 40)).shape == (14, 40, 60, 4)
    whole = iio.improps(disposals, plugin=GIFPlugin)
    assert (whole.shape, whole.n_images, whole.is_batch) == ((14, 160, 240, 4), 14, True)
    assert iio.improps(disposals, plugin=GIFPlugin, index=2).shape == (160, 240, 4)
    assert iio.immeta(disposals, plugin=GIFPlugin)["duration"] == 7800
    assert iio.immeta(disposals, plugin=GIFPlugin, index=0)["duration"] == 600


def test_imageio_knows_the_name(thrice: Path) -> None:
    iio = pytest.importorskip("imageio.v3")
    import gallop.imageio

    gallop.imageio.register()
    gallop.imageio.register()
    assert iio.imread(thrice).shape == iio.imread(thrice, plugin="gallop").shape == (18, 140, 140, 4)


def test_imageio_is_told_what_cannot_be_read(tmp_path: Path) -> None:
    iio = pytest.importorskip("imageio.v3")
    from gallop.imageio import GIFPlugin

    path = tmp_path / "bad.gif"
    path.write_bytes(b"GIF89a")
    with pytest.raises(OSError) as caught:
        iio.imread(path, plugin=GIFPlugin)
    assert "cut off" in str(caught.value.__cause__)
    with pytest.raises(OSError):
        iio.imwrite(tmp_path / "new.gif", numpy.zeros((2, 2, 4), numpy.uint8), plugin=GIFPlugin)


def test_imageio_reads_bytes_and_modes_after_registration(disposals: Path) -> None:
    iio = pytest.importorskip("imageio.v3")
    Image = pytest.importorskip("PIL.Image")
    import gallop.imageio

    gallop.imageio.register()
    expected = gallop.open(disposals).decode()
    for source in (disposals, disposals.read_bytes(), io.BytesIO(disposals.read_bytes())):
        assert (iio.imread(source) == expected).all()
    picture = Image.fromarray(expected[3])
    for mode in ("RGBA", "RGB", "L"):
        frame = iio.imread(disposals, index=3, mode=mode)
        assert (frame == numpy.asarray(picture.convert(mode))).all() and frame.flags.c_contiguous
        assert (next(iter(iio.imiter(disposals, mode=mode))) == iio.imread(disposals, mode=mode)[0]).all()
    with pytest.raises(ValueError, match="RGBA, RGB and L"):
        iio.imread(disposals, mode="CMYK")


def test_imageio_is_told_why_a_gif_is_broken_and_leaves_others_alone(tmp_path: Path) -> None:
    iio = pytest.importorskip("imageio.v3")
    Image = pytest.importorskip("PIL.Image")
    import gallop.imageio

    gallop.imageio.register()
    for source in (b"GIF89a", tmp_path / "bad.gif"):
        if isinstance(source, Path):
            source.write_bytes(b"GIF89a")
        with pytest.raises(OSError, match="cut off") as caught:
            iio.imread(source)
        assert isinstance(caught.value.__cause__, gallop.GIFError)
    buffer = io.BytesIO()
    Image.new("RGB", (5, 4), (1, 2, 3)).save(buffer, "PNG")
    assert iio.imread(buffer.getvalue()).shape == (4, 5, 3)
    named = tmp_path / "really_a_png.gif"
    named.write_bytes(buffer.getvalue())
    assert iio.imread(named).shape[-3:] == (4, 5, 3)


def test_pillow_opens_gifs_with_gallop_after_registration(disposals: Path, tmp_path: Path) -> None:
    Image = pytest.importorskip("PIL.Image")
    import gallop.pillow

    expected = gallop.open(disposals).decode()
    kept = dict(Image.OPEN)
    try:
        gallop.pillow.register()
        for source in (disposals, str(disposals), io.BytesIO(disposals.read_bytes())):
            with Image.open(source) as image:
                assert isinstance(image, gallop.pillow.GIFImage)
                assert (image.format, image.get_format_mimetype(), image.n_frames) == ("GIF", "image/gif", 14)
                assert str(image.filename) == ("" if isinstance(source, io.BytesIO) else str(disposals))
                image.seek(9)
                assert (numpy.asarray(image) == expected[9]).all()
        bad = tmp_path / "bad.gif"
        bad.write_bytes(b"GIF89a")
        with pytest.raises(Image.UnidentifiedImageError, match="cut off") as caught:
            Image.open(bad)
        assert isinstance(caught.value.__cause__, gallop.GIFError)
        Image.new("L", (3, 3)).save(tmp_path / "grey.png")
        assert Image.open(tmp_path / "grey.png").format == "PNG"
    finally:
        Image.OPEN.clear()
        Image.OPEN.update(kept)


def test_drawing_into_an_image_changes_neither_frame_nor_gif(disposals: Path) -> None:
    Image = pytest.importorskip("PIL.Image")
    import gallop.pillow

    frame = gallop.open(disposals)[4]
    before = frame.array.copy()
    image = frame.to_pil()
    image.paste((9, 8, 7, 6), (0, 0, 50, 50))
    image.putpixel((60, 60), (1, 2, 3, 4))
    assert image.getpixel((0, 0)) == (9, 8, 7, 6) and (frame.array == before).all()
    opened = gallop.pillow.open(disposals)
    opened.paste((9, 8, 7, 6), (0, 0, 50, 50))
    opened.seek(4)
    assert (numpy.asarray(opened) == before).all()
    # A frame of many rows that is seen through a part of its memory.
    assert Image.fromarray(numpy.asarray(opened)).size == frame.array.shape[1::-1]


def test_an_image_of_pillows_shape(disposals: Path) -> None:
    pytest.importorskip("PIL")
    import gallop.pillow
    from PIL import Image, ImageSequence

    expected = gallop.open(disposals).decode()
    image = gallop.pillow.open(disposals)
    assert (image.size, image.mode, image.n_frames, image.is_animated) == ((240, 160), "RGBA", 14, True)
    for index, frame in enumerate(ImageSequence.Iterator(image)):
        assert frame.tell() == index and frame.info["duration"] == image.gif.infos[index].delay_ms
        assert (numpy.asarray(frame) == expected[index]).all()
        if index == 1:
            break
    image.seek(13)
    copy = image.copy()
    image.seek(2)
    assert (numpy.asarray(copy) == expected[13]).all() and (numpy.asarray(image) == expected[2]).all()
    assert image.convert("RGB").resize((24, 16)).size == (24, 16)
    with pytest.raises(EOFError):
        image.seek(14)
    assert image.tell() == 2 and image.info["loop"] == 0
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    assert (numpy.asarray(Image.open(buffer)) == expected[2]).all()
    image.close()


def test_plays_in_pillows_words(thrice: Path, horse: Path) -> None:
    pytest.importorskip("PIL")
    import gallop.pillow
    from conftest import tiny

    # Three plays are two repetitions.
    assert gallop.pillow.open(thrice).info["loop"] == 2
    assert "loop" not in gallop.pillow.open(tiny(2)).info
    assert gallop.pillow.open(horse).info["comment"] == b"A horse at a gallop. Made by Gallop."


def test_a_frame_becomes_an_image(horse: Path) -> None:
    pytest.importorskip("PIL")
    frame = gallop.open(horse).thumbnail((64, 64))
    image = frame.to_pil()
    assert image.size == (64, 36) and (numpy.asarray(image) == frame.array).all()
