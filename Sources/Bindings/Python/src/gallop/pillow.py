"""GIFs as Pillow's images: its methods, with the frames and delays that Chromium shows.

image = gallop.pillow.open("horse.gif")
for frame in PIL.ImageSequence.Iterator(image):
    print(frame.info["duration"], frame.size)

After `register()` PIL.Image.open reads GIFs so.
"""

from __future__ import annotations

import os
from typing import Any, BinaryIO

from PIL import Image, UnidentifiedImageError

from . import image as gif_image
from .errors import GIFError
from .frames import Frame
from .image import GIF
from .sources import Source

_FORMAT = "GIF"


def open(source: Source | GIF) -> GIFImage:
    """A GIF with Pillow's methods, at its first frame. Raises GIFError."""
    return GIFImage(source if isinstance(source, GIF) else gif_image.open(source))


def register() -> None:
    """Has PIL.Image.open read GIFs by Gallop. A broken one raises UnidentifiedImageError, with the GIFError as its cause."""
    # Pillow's own reader, which is replaced, registers itself there.
    Image.preinit()
    Image.register_open(_FORMAT, _open_for_pillow, _is_gif)


def _is_gif(prefix: bytes) -> bool:
    return prefix[:4] == b"GIF8"


def _open_for_pillow(file: BinaryIO, name: Any) -> GIFImage:
    path = os.fspath(name) if isinstance(name, (str, bytes, os.PathLike)) and name else None
    if path is not None:
        # Pillow has opened it, but the library reads only the frames that are asked for.
        file.close()
    try:
        image = open(file if path is None else os.fsdecode(path))
    except GIFError as error:
        raise UnidentifiedImageError(str(error)) from error
    image.filename = path if path is not None else ""
    return image


class GIFImage(Image.Image):  # type: ignore[misc]  # Pillow may be absent
    """An RGBA image that shows one frame of a GIF: `seek` goes to another, in any order."""

    format = _FORMAT
    format_description = "Animated GIF, by Gallop"

    def __init__(self, gif: GIF) -> None:
        super().__init__()
        self.gif = gif
        self.filename: str | bytes = gif.path or ""
        self._place = -1
        self._show(gif[0])

    @property
    def n_frames(self) -> int:
        return len(self.gif)

    @property
    def is_animated(self) -> bool:
        return len(self.gif) > 1

    def get_format_mimetype(self) -> str:
        """`image/gif`."""
        return str(Image.MIME[_FORMAT])

    def seek(self, frame: int) -> None:
        """Goes to a frame; raises EOFError where there is none, as Pillow does."""
        if frame == self._place:
            return
        if not 0 <= frame < len(self.gif):
            raise EOFError(f"there is no frame {frame} of {len(self.gif)}")
        self._show(self.gif[frame])

    def tell(self) -> int:
        return self._place

    def close(self) -> None:
        self.gif.close()
        super().close()

    def _show(self, shown: Frame) -> None:
        picture = shown.to_pil()
        self.im, self._mode, self._size, self.readonly = picture.im, picture.mode, picture.size, picture.readonly
        version = f"GIF{self.gif.version}".encode()
        self.info = {"duration": shown.delay_ms, "version": version, "status": str(shown.status)}
        # Pillow's word: repetitions after the first play, 0 for without end; absent for a single play.
        if self.gif.plays != 1:
            self.info["loop"] = (self.gif.plays or 1) - 1
        comments = self.gif.comments
        if comments:
            self.info["comment"] = comments[-1]
        self._place = shown.index
