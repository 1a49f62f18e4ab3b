"""A clip: some frames of a GIF, at instants of its play, all of one size, as networks take them."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

import numpy

from ._memory import Pixels
from .decoding import LUMA, Colour, Decoder, Packing, Size, checked_size
from .enums import Fit, FrameStatus, Layout, PixelFormat
from .errors import GIFFrameError, missing_frame
from .times import Indices, clip_instants, frames_at

CLIP_SIZE: Size = (112, 112)
_MOST_SIDE = 65_535
"""Pixels of the longest side at which a frame is decoded."""


class ClipChoices(TypedDict, total=False):
    """The arguments of `ClipOptions.of`, as keywords of what makes clips. Their defaults are those of `GIF.clip`."""

    frames: int
    start: float
    stop: float | None
    fps: float | None
    size: Size
    fit: Fit | str
    format: PixelFormat | str
    layout: Layout | str
    background: Colour


@dataclass(frozen=True)
class ClipOptions:
    """What a clip has of a GIF: which instants, at which size, with which channels."""

    frames: int
    start: float
    stop: float | None
    fps: float | None
    size: Size
    fit: Fit
    packing: Packing

    @classmethod
    def of(
        cls,
        frames: int = 8,
        start: float = 0,
        stop: float | None = None,
        fps: float | None = None,
        size: Size = CLIP_SIZE,
        fit: Fit | str = Fit.COVER,
        format: PixelFormat | str = PixelFormat.RGB,
        layout: Layout | str = Layout.TCHW,
        background: Colour = (0, 0, 0),
    ) -> ClipOptions:
        """Raises TypeError or ValueError for what no clip can have."""
        width, height = checked_size(size)
        try:
            frames = operator.index(frames)
        except TypeError:
            raise TypeError(f"a clip has a number of frames, as 8, not {frames!r}") from None
        for name, value in (("start", start), ("stop", stop), ("fps", fps)):
            if not (isinstance(value, (int, float, numpy.number)) or (value is None and name != "start")):
                unit = "frames a second" if name == "fps" else "seconds"
                raise TypeError(f"{name} is a number of {unit}, not {value!r}")
        if not (width and height):
            raise ValueError(f"clips have a width and a height, both more than 0, not {size!r}")
        # Wrong instants are an error here, not one of each GIF.
        clip_instants(frames, fps, start, stop, max(1, start))
        packing = Packing.of(format, layout, background)
        return cls(frames, start, stop, fps, (width, height), Fit(fit), packing)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of a clip's array."""
        return self.packing.shape(self.frames, self.size[1], self.size[0])

    def indices(self, bounds_ms: Sequence[int], path: str | None) -> Indices:
        """The frames that are seen at the clip's instants. Raises GIFFrameError for a GIF without frames."""
        if len(bounds_ms) < 2:
            raise missing_frame(0, 0, path)
        duration = bounds_ms[-1] / 1000
        if self.stop is None and self.start >= duration:
            message = f"a play ends after {duration} s; the clip begins at {self.start} s"
            raise GIFFrameError(message, "noSuchFrame", path=path)
        times = clip_instants(self.frames, self.fps, self.start, self.stop, duration)
        return frames_at(bounds_ms, times, path)

    def blank(self, out: Pixels) -> None:
        """Fills an array with the background, or with what is transparent."""
        out[...] = 0
        if self.packing.format.channels < 4 and self.packing.background:
            out[...] = self._background()

    def _background(self) -> Pixels:
        """The background's channels, in the shape that spreads over an array of clips."""
        channels = numpy.array([self.packing.background >> shift & 255 for shift in (16, 8, 0)], numpy.uint8)
        if self.packing.format.channels == 1:
            channels = numpy.array([(int(channels @ LUMA) + 0x8000) >> 16], numpy.uint8)
        return channels.reshape(-1, 1, 1) if self.packing.layout is Layout.TCHW else channels


@dataclass(frozen=True)
class Placement:
    """Where a clip's box has the pictures of a GIF."""

    size: Size
    """The size of the scaled picture."""
    corner: tuple[int, int]
    """Where its left upper corner is in the box; outside of it where the box shows a part."""
    decoded: Size
    """The size at which it is decoded: that of the canvas where the scaled one is too long to be one."""

    @classmethod
    def stretched(cls, box: Size) -> Placement:
        """The whole picture in the whole box."""
        return cls(box, (0, 0), box)

    @classmethod
    def contained(cls, size: Size, box: Size) -> Placement:
        """A picture of a size within the box in its middle."""
        return cls(size, ((box[0] - size[0]) // 2, (box[1] - size[1]) // 2), size)

    @classmethod
    def covering(cls, canvas: Size, box: Size) -> Placement:
        """The middle of a picture that fills the box."""
        scale = max(box[0] / canvas[0], box[1] / canvas[1])
        # A rounding must not leave a gap.
        size = max(box[0], math.floor(canvas[0] * scale + 0.5)), max(box[1], math.floor(canvas[1] * scale + 0.5))
        corner = (box[0] - size[0]) // 2, (box[1] - size[1]) // 2
        return cls(size, corner, size if max(size) <= _MOST_SIDE else canvas)


def read_clip(
    decoder: Decoder, indices: Indices, options: ClipOptions, place: Placement, out: Pixels
) -> tuple[FrameStatus, ...]:
    """Writes frames into an array of a clip's shape; returns how the decoding of each ended.

    Each frame is decoded once, in the file's order, from the nearest one that needs no other.
    """
    window = _Window(options, place, out)
    slots: dict[int, int] = {}
    statuses: dict[int, FrameStatus] = {}
    numbers: list[int] = indices.tolist()
    for slot, index in sorted(enumerate(numbers), key=lambda pair: pair[1]):
        if index in slots:
            out[slot] = out[slots[index]]
        else:
            slots[index] = slot
            statuses[index] = window.read(decoder, index, out[slot])
    return tuple(statuses[index] for index in numbers)


class _Window:
    """What of a decoded picture is in a clip's box, and where in the box."""

    def __init__(self, options: ClipOptions, place: Placement, out: Pixels) -> None:
        self._packing = options.packing
        self._is_whole = place.decoded == options.size
        if self._is_whole:
            return
        (width, height), (x, y) = place.size, place.corner
        columns, rows = options.size
        self._scratch: Pixels = numpy.empty(options.packing.shape(1, *reversed(place.decoded))[1:], numpy.uint8)
        if place.decoded == place.size:
            self._from = self._part(slice(max(0, -y), rows - y), slice(max(0, -x), columns - x))
        else:
            # The nearest pixels of a long canvas, of which the box shows little.
            across, down = place.decoded
            self._from = self._part(_nearest(rows, -y, height, down)[:, None], _nearest(columns, -x, width, across))
        self._to = self._part(slice(max(0, y), y + height), slice(max(0, x), x + width))
        if width < columns or height < rows:
            options.blank(out)

    def _part(self, rows: Any, columns: Any) -> tuple[Any, ...]:
        return (slice(None), rows, columns) if self._packing.layout is Layout.TCHW else (rows, columns)

    def read(self, decoder: Decoder, index: int, picture: Pixels) -> FrameStatus:
        """Decodes a frame into a picture of a clip."""
        if self._is_whole:
            return decoder.read_to(index, self._packing.target(picture))
        status = decoder.read_to(index, self._packing.target(self._scratch))
        picture[self._to] = self._scratch[self._from]
        return status


def _nearest(count: int, first: int, scaled: int, side: int) -> Indices:
    """The pixels of a side that this many pixels of the scaled one show, from `first` on."""
    return (2 * (numpy.arange(count, dtype=numpy.int64) + first) + 1) * side // (2 * scaled)
