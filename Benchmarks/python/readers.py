"""How each Python library reads a GIF: the frames of one file's bytes, one after another, as arrays.

Every reader takes bytes and yields HxWx4 (RGBA) or HxWx3 (RGB) arrays of uint8. A reader that the library offers only
for whole files yields from what it has read. Where a library can fill one array with all frames, which costs fewer
page faults than many arrays, a second function does so. Imports stand in the functions: each runs where its own
library is.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import Any, NamedTuple

Reader = Callable[[bytes], Iterator[Any]]
NO_FRAME = -1


class Library(NamedTuple):
    """A library, what it is called where it comes from, and how it reads."""

    title: str
    package: str
    module: str
    read: Reader
    read_all: Callable[[bytes], Any] | None = None
    """All frames into one array, where that is possible."""
    read_rgb: Callable[[bytes], Any] | None = None
    """All frames without alpha into one array, where there is a way that takes no second pass over the pixels."""
    is_large: bool = False
    """Whether it is asked for by name only: its download is hundreds of megabytes."""

    @property
    def version(self) -> str:
        return f"{self.title} {version(self.package)}"


def read_gallop(data: bytes) -> Iterator[Any]:
    import gallop

    with gallop.open(data) as gif:
        for frame in gif:
            yield frame.array


def read_all_gallop(data: bytes) -> Any:
    import gallop

    with gallop.open(data) as gif:
        return gif.decode()


def read_rgb_gallop(data: bytes) -> Any:
    import gallop

    with gallop.open(data) as gif:
        return gif.decode(format="rgb")


def read_pillow(data: bytes) -> Iterator[Any]:
    import numpy
    from PIL import Image

    with Image.open(io.BytesIO(data)) as image:
        for index in range(getattr(image, "n_frames", 1)):
            image.seek(index)
            yield numpy.asarray(image.convert("RGBA"))


def read_imageio(data: bytes) -> Iterator[Any]:
    import imageio.v3

    yield from imageio.v3.imiter(data, plugin="pillow", mode="RGBA")


def read_pyav(data: bytes) -> Iterator[Any]:
    import av

    with av.open(io.BytesIO(data), format="gif") as container:
        container.streams.video[0].codec_context.thread_count = 1
        for frame in container.decode(video=0):
            yield frame.to_ndarray(format="rgba")


def read_opencv(data: bytes) -> Iterator[Any]:
    import cv2
    import numpy

    cv2.setNumThreads(1)
    done, animation = cv2.imdecodeanimation(numpy.frombuffer(data, numpy.uint8))
    if not done:
        raise ValueError("OpenCV does not decode it")
    for frame in animation.frames:
        yield cv2.cvtColor(frame, cv2.COLOR_BGRA2RGBA if frame.shape[2] == 4 else cv2.COLOR_BGR2RGB)


def read_pyvips(data: bytes) -> Iterator[Any]:
    import pyvips

    image = pyvips.Image.gifload_buffer(data, n=-1, access="sequential")
    if image.bands < 3:
        image = image.colourspace("srgb")
    height = image.get("page-height") if image.get_typeof("page-height") else image.height
    for top in range(0, image.height, height):
        yield image.crop(0, top, image.width, height).numpy()


def read_imagecodecs(data: bytes) -> Iterator[Any]:
    import imagecodecs

    frames = imagecodecs.gif_decode(data, asrgb=True)
    yield from frames if frames.ndim == 4 else [frames]


def read_skia(data: bytes) -> Iterator[Any]:
    for canvas in skia_canvases(data):
        yield canvas.copy()


def read_all_skia(data: bytes) -> Any:
    return skia_array(data, 4)


def read_rgb_skia(data: bytes) -> Any:
    return skia_array(data, 3)


def skia_array(data: bytes, channels: int) -> Any:
    """One array of all frames, as a program with Skia would fill it."""
    import numpy

    info = (codec := skia_codec(data)).getInfo()
    out = numpy.empty((max(1, codec.getFrameCount()), info.height(), info.width(), channels), numpy.uint8)
    for place, canvas in zip(out, skia_canvases(data)):
        numpy.copyto(place, canvas[..., :channels])
    return out


def skia_canvases(data: bytes) -> Iterator[Any]:
    """The same canvas with one frame after another."""
    import numpy
    import skia

    codec = skia_codec(data)
    infos = codec.getFrameInfo() if codec.getFrameCount() > 1 else []
    undone = [info.fDisposalMethod == skia.Codec.kRestorePrevious for info in infos] or [False]
    info = codec.getInfo().makeColorType(skia.kRGBA_8888_ColorType).makeAlphaType(skia.kUnpremul_AlphaType)
    canvas = numpy.zeros((info.height(), info.width(), 4), numpy.uint8)
    saved, prior = canvas, NO_FRAME
    for index in range(max(1, codec.getFrameCount())):
        if index > 0 and undone[index - 1]:
            numpy.copyto(canvas, saved)
        elif undone[index]:
            saved = canvas.copy()
        options = skia.Codec.Options()
        options.fFrameIndex = index
        # Skia refuses a frame as the prior one if it is disposed of to what was before it.
        options.fPriorFrame = prior
        result = codec.getPixels(info, canvas, info.width() * 4, options)
        if result not in (skia.Codec.kSuccess, skia.Codec.kIncompleteInput, skia.Codec.kErrorInInput):
            raise ValueError(f"frame {index}: {result}")
        prior = prior if undone[index] else index
        yield canvas


def skia_codec(data: bytes) -> Any:
    import skia

    return skia.Codec.MakeFromData(skia.Data.MakeWithoutCopy(data))


def read_torchvision(data: bytes) -> Iterator[Any]:
    import torch
    from torchvision.io import decode_gif

    torch.set_num_threads(1)
    frames = decode_gif(torch.frombuffer(bytearray(data), dtype=torch.uint8))
    for frame in frames if frames.ndim == 4 else [frames]:
        yield frame.permute(1, 2, 0).numpy()


def read_tensorflow(data: bytes) -> Iterator[Any]:
    import tensorflow

    yield from tensorflow.io.decode_gif(data).numpy()


LIBRARIES = {
    "gallop": Library("Gallop", "gallop-gif", "gallop", read_gallop, read_all_gallop, read_rgb_gallop),
    "skia": Library("skia-python", "skia-python", "skia", read_skia, read_all_skia, read_rgb_skia),
    "pyvips": Library("pyvips", "pyvips", "pyvips", read_pyvips),
    "pyav": Library("PyAV", "av", "av", read_pyav),
    "pillow": Library("Pillow", "pillow", "PIL", read_pillow),
    "imageio": Library("imageio, RGBA", "imageio", "imageio", read_imageio),
    "imagecodecs": Library("imagecodecs", "imagecodecs", "imagecodecs", read_imagecodecs),
    "opencv": Library("OpenCV", "opencv-python-headless", "cv2", read_opencv),
    "torchvision": Library("torchvision", "torchvision", "torchvision", read_torchvision, is_large=True),
    "tensorflow": Library("TensorFlow", "tensorflow-cpu", "tensorflow", read_tensorflow, is_large=True),
}
"""In the order of the tables."""

PACKAGES = {"pyvips": "pyvips[binary]"}
"""What pip installs, where that is not the package's name."""
