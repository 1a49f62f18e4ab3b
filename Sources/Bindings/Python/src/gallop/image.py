"""A GIF: what its file says, and its frames."""

from __future__ import annotations

import ctypes
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape
from typing import Any, SupportsIndex, overload

import numpy

from ._handles import Interruptible, Owned
from ._library import check, lib
from ._memory import Pixels, new_pixels
from ._structs import ImageInfo
from .clip import CLIP_SIZE, ClipOptions, Placement, read_clip
from .decoding import (
    Colour,
    Decoder,
    FrameIterator,
    Frames,
    Packing,
    Picture,
    Size,
    check_out,
    checked_index,
    checked_indices,
    checked_size,
    chosen,
    decode_into,
    is_ascending,
)
from .diagnostics import Diagnostic, read_diagnostics
from .enums import DamagePolicy, Fit, FrameStatus, Layout, PixelFormat
from .flashes import FlashReport, flashes_of
from .frames import Frame, FrameTable
from .metadata import GLOBAL, ApplicationExtension, read_comment, read_extension, read_palette
from .sources import Limits, Reading, Source
from .times import Indices, Seconds, frames_at, instants, seconds
from .webp import poster_of, webp_of

THUMBNAIL: Size = (160, 160)
MOST_NOTEBOOK_BYTES = 8 << 20
"""A notebook keeps what it shows, so that a larger file is shown by its first frame."""


def open(
    source: Source,
    *,
    limits: Limits | None = None,
    damage: DamagePolicy | str = DamagePolicy.CHROMIUM,
) -> GIF:
    """Reads the records of a GIF, without decoding a pixel.

    `source` is a path, the bytes of a GIF, or a binary file object, which is read to its end. URLs are not loaded.
    `limits` say what a file may claim; `Limits.untrusted()` is for files from strangers.
    `damage` says what becomes of damaged frames: `chromium` shows what Chromium does; see DamagePolicy.

    Raises GIFError; for a file that cannot be read it is also an OSError. Damage raises nothing: `gif.diagnostics` and
    `frame.status` tell it.
    """
    return GIF(Reading.of(source, limits, damage))


class GIF:
    """An animated GIF. Immutable, and safe to use from several threads; pickles by its path or its bytes.

    A notebook plays it.
    """

    def __init__(self, reading: Reading, handle: Owned | None = None) -> None:
        self._reading = reading
        self._handle = handle or reading.open()
        info: Any = ImageInfo()
        check(lib.gallop_image_get_info(self._handle.value, ctypes.byref(info)))
        self._info = info
        self._table: FrameTable | None = None
        # Damage in frames, in the order of its discovery; a dictionary drops what is found twice.
        self._damage: dict[Diagnostic, None] = {}
        # Decoders for frames by index that no thread uses now; popped and appended, so that no lock is held at a fork.
        self._idle: list[Decoder] = []

    # ---- What the file says

    @property
    def path(self) -> str | None:
        """Where it was opened; None for bytes."""
        return self._reading.path

    @property
    def width(self) -> int:
        return int(self._info.width)

    @property
    def height(self) -> int:
        return int(self._info.height)

    @property
    def size(self) -> Size:
        """Width and height of the canvas: the logical screen, grown to hold the first frame."""
        return self.width, self.height

    def __len__(self) -> int:
        return int(self._info.frame_count)

    def __bool__(self) -> bool:
        return True

    @property
    def plays(self) -> int | None:
        """Total plays; None for without end."""
        return self._info.plays or None

    @property
    def duration(self) -> float:
        """One play in seconds, with the delays that browsers use."""
        return float(self._info.duration_ms) / 1000

    @property
    def duration_ms(self) -> int:
        """One play in milliseconds."""
        return int(self._info.duration_ms)

    @property
    def byte_count(self) -> int:
        """Bytes of the file."""
        return int(self._info.byte_count)

    @property
    def is_complete(self) -> bool:
        """False where the file breaks off."""
        return bool(self._info.is_complete)

    @property
    def version(self) -> str:
        """`87a` or `89a`, as far as the file is right."""
        return str(self._info.version.decode("latin-1"))

    @property
    def background_index(self) -> int:
        return int(self._info.background_index)

    @property
    def comments(self) -> list[bytes]:
        """The comments of the file, which may hold any bytes."""
        return [read_comment(self._image, index) for index in range(self._info.comment_count)]

    @property
    def application_extensions(self) -> list[ApplicationExtension]:
        return [read_extension(self._image, index) for index in range(self._info.extension_count)]

    @property
    def global_palette(self) -> Pixels | None:
        """N x 4 bytes RGBA; None without one."""
        return read_palette(self._image, GLOBAL)

    def palette(self, index: int) -> Pixels | None:
        """The colours of a frame's own palette, N x 4 bytes RGBA; None if the frame uses the global one."""
        return read_palette(self._image, checked_index(index, len(self), self.path))

    @property
    def infos(self) -> FrameTable:
        """What the index knows of each frame."""
        if self._table is None:
            self._table = FrameTable.of(self._image, len(self))
        return self._table

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """The faults of the file: those of its records, and the damage in frames decoded so far."""
        return [*read_diagnostics(lib.gallop_image_diagnostic, self._image), *list(self._damage)]

    # ---- Time, as browsers play it

    @property
    def times(self) -> Seconds:
        """When each frame begins within a play, in seconds."""
        return seconds(self.infos.bounds_ms[:-1])

    @property
    def delays(self) -> Seconds:
        """How long each frame is shown, in seconds."""
        return seconds(numpy.diff(self.infos.bounds_ms))

    def frame_at(self, time: float) -> int:
        """The frame that is seen this many seconds after the start; times beyond a play fall into the next one."""
        return int(frames_at(self.infos.bounds_ms, numpy.array([time]), self.path)[0])

    def indices(
        self, count: int | None = None, *, fps: float | None = None, start: float = 0, stop: float | None = None
    ) -> Indices:
        """The frames that are seen at instants of the same distance: this many, or this many a second.

        The first instant is `start`; all lie before `stop`, the end of the play unless it is given. Frames that are seen
        for long come several times, short ones may be left out.
        """
        end = self.duration if stop is None else stop
        return frames_at(self.infos.bounds_ms, instants(count, fps, start, end), self.path)

    # ---- Frames

    def __iter__(self) -> FrameIterator:
        """All frames in order, as the canvas shows them; only the frame in hand is in memory.

        Raises GIFFrameError for a GIF without frames, as all that asks for frames does.
        """
        return self.frames()

    def frames(
        self,
        frames: Frames = None,
        *,
        size: Size | None = None,
        fit: Fit | str = Fit.STRETCH,
        format: PixelFormat | str = PixelFormat.RGBA,
        background: Colour = (0, 0, 0),
    ) -> FrameIterator:
        """Some frames, of any size (width, height) and format, one after another.

        In the formats `rgb` and `gray` what is transparent shows the `background`.
        """
        packing = Packing.of(format, Layout.THWC, background)
        indices = chosen(frames, len(self), self.path)
        decoder = self._decoder(Picture.of(size, fit, packing.decoded), indices)
        return FrameIterator(decoder, indices, self._damage, packing if packing.format.channels < 4 else None)

    @overload
    def __getitem__(self, index: SupportsIndex) -> Frame: ...

    @overload
    def __getitem__(self, index: slice) -> list[Frame]: ...

    def __getitem__(self, index: SupportsIndex | slice) -> Frame | list[Frame]:
        if isinstance(index, slice):
            return list(self.frames(index))
        (number,) = checked_indices(index)
        place = checked_index(number, len(self), self.path)
        try:
            decoder = self._idle.pop()
        except IndexError:
            decoder = Decoder(self._image, self.infos, Picture(), is_in_order=False)
        frame = decoder.frame(place)
        self._damage.update(dict.fromkeys(decoder.diagnostics()))
        if not self._idle and not self.closed:
            self._idle.append(decoder)
        return frame

    def decode(
        self,
        *,
        size: Size | None = None,
        frames: Frames = None,
        out: Pixels | None = None,
        fit: Fit | str = Fit.STRETCH,
        format: PixelFormat | str = PixelFormat.RGBA,
        layout: Layout | str = Layout.THWC,
        background: Colour = (0, 0, 0),
    ) -> Pixels:
        """All frames, or some, as one array of frames x height x width x channels.

        `size` is a width and a height; one of 0 follows from the other. With the format `rgb` or `gray` what is
        transparent shows the `background`; a gray array has one channel. With the layout `TCHW` each channel is a plane.
        `out` takes the frames instead of a new array, and may be a view of a part of another one. Raises MemoryError
        where there is no room for them.
        """
        packing = Packing.of(format, layout, background)
        indices = chosen(frames, len(self), self.path)
        if out is None and size is None:
            # Before the decoder has memory of its own.
            out = new_pixels(packing.shape(len(indices), self.height, self.width))
        with self._ended(self._decoder(Picture.of(size, fit, packing.decoded), indices)) as decoder:
            return decode_into(decoder, indices, packing, out)

    def clip(
        self,
        frames: int = 8,
        *,
        start: float = 0,
        stop: float | None = None,
        fps: float | None = None,
        size: Size = CLIP_SIZE,
        fit: Fit | str = Fit.COVER,
        format: PixelFormat | str = PixelFormat.RGB,
        layout: Layout | str = Layout.TCHW,
        background: Colour = (0, 0, 0),
        out: Pixels | None = None,
    ) -> Pixels:
        """So many frames of one size (width, height), as one array of frames x channels x height x width.

        They are those seen at instants of the same distance from `start` to `stop`, in seconds of a play; with `fps` at
        this many a second from `start`, and again from there after `stop`. Frames come several times where the GIF has
        fewer. With the fit `cover` the middle of the canvas fills the size, `contain` has the background around it,
        `stretch` changes its shape. Format, layout, background and `out` are those of `decode`.
        """
        options = ClipOptions.of(frames, start, stop, fps, size, fit, format, layout, background)
        if out is None:
            out = new_pixels(options.shape)
        else:
            check_out(out, options.shape)
        self.read_clip(options, out)
        return out

    def read_clip(
        self, options: ClipOptions, out: Pixels, interruptible: Interruptible | None = None
    ) -> tuple[Indices, tuple[FrameStatus, ...]]:
        """Writes a clip into an array; returns its frames, and how the decoding of each ended."""
        indices = options.indices(self.infos.bounds_ms, self.path)
        box, form = options.size, options.packing.decoded
        is_contained = options.fit is Fit.CONTAIN
        place = Placement.covering(self.size, box) if options.fit is Fit.COVER else Placement.stretched(box)
        picture = Picture(place.decoded, Fit.CONTAIN if is_contained else Fit.STRETCH, form)
        with self._ended(Decoder(self._image, self.infos, picture, True, interruptible)) as decoder:
            if is_contained:
                place = Placement.contained((decoder.width, decoder.height), box)
            return indices, read_clip(decoder, indices, options, place, out)

    def flashes(
        self,
        size: Size | None = None,
        *,
        rate: float = 1.0,
        is_partial: bool = False,
        is_verdict_only: bool = False,
    ) -> FlashReport:
        """Whether it flashes, in a loop, more than WCAG 2.2 allows. It informs, and certifies nothing.

        `size` is the width and height at which it is seen, in CSS pixels; a side of 0 keeps the shape. What is
        transparent may show white or black. Of an image that still loads, `is_partial`, what passes so far is unknown.
        With `is_verdict_only` what fails is not measured: mostly it costs a few decodings at most.
        """
        shown = None if size is None else self._shaped(size)
        return flashes_of(
            self._image, shown, rate, is_partial=is_partial, is_verdict_only=is_verdict_only, path=self.path
        )

    def poster_index(self) -> int:
        """The frame that stands for it in a list: the first that is not nearly blank.

        Nearly blank is a frame of which less than a fiftieth differs from its prevailing colour. Looks at as many frames as
        take some hundred milliseconds, and finds 0 where there is nothing to see.
        """
        return poster_of(self._image, self.path)

    def to_webp(
        self,
        size: Size | None = None,
        *,
        frames: Frames = None,
        quality: float | None = None,
        fps: float | None = None,
    ) -> bytes:
        """An animated WebP: every picture for as long as browsers show the frame, as many plays, transparency.

        `size` is the width and height of its pictures; a side of 0 keeps the shape. `quality` is 0 to 100, or None for
        lossless. `fps` are the most pictures a second: others are left out, and the time stays. One frame gives a still.

        Raises GIFError with the code `noLibrary` where libwebp and libwebpmux are not installed.
        """
        indices = None if frames is None else chosen(frames, len(self), self.path)
        if indices is not None and not indices:
            raise ValueError("frames has none")
        return webp_of(
            self._image, indices, (0, 0) if size is None else self._shaped(size), quality, fps, self.path
        )

    def _shaped(self, size: Size) -> Size:
        """A size in which a side of 0 keeps the canvas's shape."""
        width, height = checked_size(size)
        return (width or max(1, round(self.width * height / self.height)),
                height or max(1, round(self.height * width / self.width)))

    def thumbnail(self, size: Size = THUMBNAIL, *, frame: int = 0) -> Frame:
        """A frame at the largest size of its shape within a size (width, height), never larger than it is."""
        with self.frames(frame, size=size, fit=Fit.CONTAIN) as frames:
            return next(frames)

    def _decoder(self, picture: Picture, indices: Sequence[int]) -> Decoder:
        return Decoder(self._image, self.infos, picture, is_ascending(indices))

    @contextmanager
    def _ended(self, decoder: Decoder) -> Iterator[Decoder]:
        """Closes a decoder at the end, and keeps the damage that it has found."""
        try:
            yield decoder
        finally:
            self._damage.update(dict.fromkeys(decoder.diagnostics()))
            decoder.close()

    # ---- Life

    @property
    def closed(self) -> bool:
        return not self._handle.value

    def close(self) -> None:
        """Gives the file back. Frames and arrays stay valid, and so do iterators and players under way."""
        self._idle.clear()
        self._handle.close()

    def __enter__(self) -> GIF:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return GIF, (self._reading,)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """What notebooks show: the file itself, which plays, or the first frame of a large one."""
        bundle = {"text/plain": repr(self)}
        if len(self) == 0 or self.closed:
            return bundle
        if self.byte_count <= MOST_NOTEBOOK_BYTES:
            # Not as image/gif, which pages and files made of notebooks leave out.
            data = b64encode(self._reading.read()).decode()
            return {**bundle, "text/html": f'<img alt="{escape(repr(self))}" src="data:image/gif;base64,{data}">'}
        return {**bundle, "image/png": b64encode(self.thumbnail((self.width, self.height)).to_png()).decode()}

    def __repr__(self) -> str:
        name = self.path or f"{self.byte_count} bytes"
        count = "1 frame" if len(self) == 1 else f"{len(self)} frames"
        return f"<GIF {name}, {self.width} x {self.height}, {count}>"

    @property
    def _image(self) -> int:
        if not self._handle.value:
            raise ValueError("the GIF is closed")
        return self._handle.value
