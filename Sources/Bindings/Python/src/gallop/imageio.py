"""A plug-in for imageio, version 3.

    imageio.v3.imread("horse.gif", plugin=gallop.imageio.GIFPlugin)     # all frames
    imageio.v3.imiter("horse.gif", plugin=gallop.imageio.GIFPlugin)     # one after another

After `register()` the name "gallop" does, too, and GIFs are read so, from paths, URLs and bytes, unless another plug-in is
asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy
from imageio import config
from imageio.core.request import InitializationError, Request
from imageio.core.v3_plugin_api import ImageProperties, PluginV3

from . import image as gif_image
from ._memory import Pixels
from .decoding import LUMA
from .errors import GIFError

NAME = "gallop"


class GIFPlugin(PluginV3):  # type: ignore[misc]  # imageio has no types
    """Reads GIFs as RGBA frames; it writes nothing."""

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        if request.mode.io_mode != "r":
            raise InitializationError("gallop only reads")
        if not request.firstbytes.startswith(b"GIF8"):
            raise InitializationError("these are no bytes of a GIF")
        path = request.get_local_filename() if request.raw_uri and isinstance(request.raw_uri, str) else None
        try:
            self.gif = gif_image.open(request.get_file().read() if path is None else path)
        except GIFError as error:
            # Another plug-in would say less of a GIF that this one knows to be broken.
            raise OSError(str(error)) from error

    def read(self, *, index: Any = ..., size: Any = None, mode: str = "RGBA") -> Pixels:
        """All frames as one array, or the frame with an index.

        `size` is a width and a height, `mode` one of RGBA, RGB and L, as Pillow converts them.
        """
        if index is ... or index is None:
            return converted(self.gif.decode(size=size), mode)
        frame: Pixels = self.gif.decode(size=size, frames=[index])[0]
        return converted(frame, mode)

    def iter(self, *, size: Any = None, mode: str = "RGBA") -> Iterator[Pixels]:
        """The frames one after another."""
        for frame in self.gif.frames(size=size):
            yield converted(frame.array, mode)

    def write(self, ndimage: Any) -> None:
        raise NotImplementedError("gallop only reads")

    def properties(self, index: Any = ...) -> ImageProperties:
        picture = (self.gif.height, self.gif.width, 4)
        if index is ... or index is None:
            count = len(self.gif)
            return ImageProperties((count, *picture), numpy.dtype(numpy.uint8), n_images=count, is_batch=True)
        return ImageProperties(picture, numpy.dtype(numpy.uint8))

    def metadata(self, index: Any = ..., exclude_applied: bool = True) -> dict[str, Any]:
        """What the file says, and with an index what the frame does; times in milliseconds."""
        if index is ... or index is None:
            return {
                "loop": self.gif.plays or 0,
                "duration": self.gif.duration_ms,
                "n_frames": len(self.gif),
                "version": f"GIF{self.gif.version}",
                "comments": self.gif.comments,
            }
        info = self.gif.infos[index]
        return {"duration": info.delay_ms, "start": info.time_ms, "rect": info.rect, "disposal": str(info.disposal)}

    def close(self) -> None:
        # imageio closes a plug-in whose opening has failed, too.
        if "gif" in vars(self):
            self.gif.close()
        super().close()


def converted(pixels: Pixels, mode: str) -> Pixels:
    """RGBA pixels in another mode of Pillow's: alpha is dropped; grey is the luma of ITU-R 601."""
    if mode == "RGBA":
        return pixels
    if mode == "RGB":
        return numpy.ascontiguousarray(pixels[..., :3])
    if mode == "L":
        grey: Pixels = ((pixels[..., :3].astype(numpy.uint32) @ LUMA + 0x8000) >> 16).astype(numpy.uint8)
        return grey
    raise ValueError(f"the modes are RGBA, RGB and L, not {mode!r}")


def register() -> None:
    """Makes imageio know the name, and try it first for GIFs; for bytes, which have no name, before all others."""
    plugin = config.PluginConfig(name=NAME, class_name="GIFPlugin", module_name="gallop.imageio", is_legacy=False)
    others = {name: other for name, other in config.known_plugins.items() if name != NAME}
    config.known_plugins.clear()
    config.known_plugins.update({NAME: plugin, **others})
    for extension in config.extension_list:
        if extension.extension == ".gif" and NAME not in extension.priority:
            extension.priority.insert(0, NAME)
