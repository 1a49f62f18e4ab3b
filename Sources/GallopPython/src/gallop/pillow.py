"""GIFs as Pillow's images: its methods, with the frames and delays that Chromium shows.

image = gallop.pillow.open("horse.gif")
for frame in PIL.ImageSequence.Iterator(image):
    print(frame.info["duration"], frame.size)
"""

from __future__ import annotations

from PIL import Image

from . import image as gif_image
from .frames import Frame
from .image import GIF
from .sources import Source


def to_image(frame: Frame) -> Image.Image:
    """A frame as an RGBA image with memory of its own."""
    return Image.frombytes("RGBA", (frame.width, frame.height), frame.tobytes())


def open(source: Source | GIF) -> GIFImage:
    """A GIF with Pillow's methods, at its first frame."""
    return GIFImage(source if isinstance(source, GIF) else gif_image.open(source))


class GIFImage(Image.Image):  # type: ignore[misc]  # Pillow may be absent
    """An RGBA image that shows one frame of a GIF: `seek` goes to another, in any order."""

    format = "GIF"
    format_description = "Animated GIF, by Gallop"

    def __init__(self, gif: GIF) -> None:
        super().__init__()
        self.gif = gif
        self._place = -1
        self.seek(0)

    @property
    def n_frames(self) -> int:
        return len(self.gif)

    @property
    def is_animated(self) -> bool:
        return len(self.gif) > 1

    def seek(self, frame: int) -> None:
        """Goes to a frame; raises EOFError where there is none, as Pillow does."""
        if frame == self._place:
            return
        if not 0 <= frame < len(self.gif):
            raise EOFError(f"there is no frame {frame} of {len(self.gif)}")
        shown = self.gif[frame]
        picture = to_image(shown)
        self.im, self._mode, self._size = picture.im, picture.mode, picture.size
        version = f"GIF{self.gif.version}".encode()
        self.info = {"duration": shown.delay_ms, "version": version, "status": str(shown.status)}
        # Pillow's word: repetitions after the first play, 0 for without end; absent for a single play.
        if self.gif.plays != 1:
            self.info["loop"] = (self.gif.plays or 1) - 1
        comments = self.gif.comments
        if comments:
            self.info["comment"] = comments[-1]
        self._place = frame

    def tell(self) -> int:
        return self._place

    def close(self) -> None:
        self.gif.close()
        super().close()
