"""Decoders: frames in order for iteration, in any order for indices, and many into one array."""

from __future__ import annotations

import ctypes
import operator
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, SupportsIndex, Union

import numpy

from ._handles import Interruptible, Owned, make
from ._library import check, lib
from ._memory import LEAST_LARGE, PixelMemory, Pixels, new_pixels
from ._structs import DecoderInfo, DecoderOptions, FrameView, Handle, Target
from .diagnostics import Diagnostic, read_diagnostics
from .enums import Fit, FrameStatus, Layout, PixelFormat
from .errors import missing_frame
from .frames import Frame, FrameTable, rect_of

if TYPE_CHECKING:
    import numpy.typing

    IntegerArray = numpy.typing.NDArray[numpy.integer[Any]]
else:
    IntegerArray = numpy.ndarray

Size = tuple[int, int]
"""Width and height; a side of 0 follows from the other one and the shape of the canvas."""
Frames = Union[None, SupportsIndex, slice, range, Sequence[int], IntegerArray]
"""Which frames: all, one, a part as of a list, or these indices."""
Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""

LUMA = numpy.array([19595, 38470, 7471], numpy.uint32)
"""The library's weights of red, green and blue for the brightness, of 65,536: ITU-R 601."""

_STATUSES: tuple[FrameStatus, ...] = tuple(FrameStatus)
_NO_CHECKPOINTS, _CHECKPOINTS_ON_DEMAND = -1, 0
_READ_UNCACHED = 2


@dataclass(frozen=True)
class Picture:
    """The size and the form of decoded frames."""

    size: Size | None = None
    fit: Fit = Fit.STRETCH
    format: PixelFormat = PixelFormat.RGBA

    @classmethod
    def of(cls, size: Size | None, fit: Fit | str, format: PixelFormat | str) -> Picture:
        return cls(None if size is None else checked_size(size), Fit(fit), PixelFormat(format))


@dataclass(frozen=True)
class Packing:
    """What arrays have of each pixel, and where."""

    format: PixelFormat
    layout: Layout
    background: int

    @classmethod
    def of(cls, format: PixelFormat | str, layout: Layout | str, background: Colour) -> Packing:
        return cls(PixelFormat(format), Layout(layout), checked_colour(background))

    @property
    def decoded(self) -> PixelFormat:
        """The format that the decoder draws in."""
        return self.format if self.format.channels == 4 else PixelFormat.RGBA

    @property
    def number(self) -> int:
        """The library's number of the channels."""
        return {4: 0, 3: 1, 1: 2}[self.format.channels]

    def shape(self, count: int, height: int, width: int) -> tuple[int, ...]:
        """Of an array of this many frames."""
        if self.layout is Layout.TCHW:
            return count, self.format.channels, height, width
        return count, height, width, self.format.channels

    def target(self, picture: Pixels) -> Target:
        """The memory of a frame in an array: of height, width and channels, or of channels, height and width."""
        pixels = picture.transpose(1, 2, 0) if self.layout is Layout.TCHW else picture
        rows, columns, planes = pixels.strides
        size = 1 + sum(stride * (length - 1) for stride, length in zip(pixels.strides, pixels.shape))
        return Target(
            pixels=pixels.ctypes.data, size=size, row_stride=rows, pixel_stride=columns, plane_stride=planes,
            channels=self.number, background=self.background,
        )  # fmt: skip


class Answer:
    """Memory that a decoder answers into."""

    __slots__ = ("out", "out_pointer", "view", "view_pointer")

    def __init__(self) -> None:
        self.view: Any = FrameView()
        self.out = Handle()
        self.view_pointer, self.out_pointer = ctypes.byref(self.view), ctypes.byref(self.out)


class Decoder:
    """A decoder of the library. It does one thing at a time: to a second thread it answers that it is busy."""

    def __init__(
        self,
        image: int,
        table: FrameTable,
        picture: Picture,
        is_in_order: bool,
        interruptible: Interruptible | None = None,
    ) -> None:
        self.table = table
        self._format = picture.format
        self._interruptible = interruptible or Interruptible()
        width, height = picture.size or (0, 0)
        options = DecoderOptions(
            format=picture.format.number,
            fit=picture.fit.number,
            width=width,
            height=height,
            checkpoint_bytes=_NO_CHECKPOINTS if is_in_order else _CHECKPOINTS_ON_DEMAND,
            cancel=self._interruptible.token.value,
        )
        self.handle = make("decoder", lib.gallop_decoder_new, image, ctypes.byref(options))
        # Taken for each call and put back: a thread never reads what another one's call has written.
        self._idle = [Answer()]
        info = self.info
        self.width, self.height = info.width, info.height

    @property
    def info(self) -> Any:
        record = DecoderInfo()
        check(lib.gallop_decoder_get_info(self.handle.value, ctypes.byref(record)))
        return record

    def frame(self, index: int) -> Frame:
        """A frame in memory of the library, without a copy."""
        answer = self._take_answer()
        self._interruptible.call(
            lib.gallop_decoder_frame, self.handle.value, index, answer.out_pointer, answer.view_pointer
        )
        view = answer.view
        owner = Owned(answer.out.value, lib.gallop_frame_release)
        memory = PixelMemory(view.pixels, (view.height, view.width, 4), owner, view.stride)
        status, rect = _STATUSES[view.status], rect_of(view.changed)
        time_ms = self.table.start_ms(index)
        frame = Frame(memory, view.width, view.height, index, status, view.delay_ms, time_ms, rect, self._format)
        self._idle.append(answer)
        return frame

    def packed_frame(self, index: int, packing: Packing) -> Frame:
        """A frame with other channels than four, in memory of its own."""
        pixels = numpy.empty((self.height, self.width, packing.format.channels), numpy.uint8)
        answer = self._read_to(index, packing.target(pixels))
        view = answer.view
        memory = PixelMemory(pixels.ctypes.data, pixels.shape, pixels)
        status, rect, delay_ms = _STATUSES[view.status], rect_of(view.changed), int(view.delay_ms)
        self._idle.append(answer)
        time_ms = self.table.start_ms(index)
        return Frame(memory, self.width, self.height, index, status, delay_ms, time_ms, rect, packing.format)

    def read_to(self, index: int, target: Target) -> FrameStatus:
        """Decodes a frame into memory of the caller's, in any layout."""
        answer = self._read_to(index, target)
        status = int(answer.view.status)
        self._idle.append(answer)
        return _STATUSES[status]

    def _read_to(self, index: int, target: Target) -> Answer:
        """What the library says of a frame that it has written."""
        answer = self._take_answer()
        self._interruptible.call(
            lib.gallop_decoder_read_to, self.handle.value, index, ctypes.byref(target), answer.view_pointer
        )
        return answer

    def _take_answer(self) -> Answer:
        try:
            return self._idle.pop()
        except IndexError:  # another thread has it, or a call that has failed had it
            return Answer()

    def diagnostics(self) -> Iterator[Diagnostic]:
        """The damage found in frames decoded so far."""
        return read_diagnostics(lib.gallop_decoder_diagnostic, self.handle.value)

    def close(self) -> None:
        self.handle.close()


class FrameIterator(Iterator[Frame]):
    """Frames one after another. Those given before are not kept, and stay valid."""

    def __init__(
        self, decoder: Decoder, indices: Iterable[int], damage: dict[Diagnostic, None], packing: Packing | None = None
    ) -> None:
        self._decoder = decoder
        self._packing = packing
        self._indices = iter(indices)
        self._damage = damage

    def __next__(self) -> Frame:
        index = next(self._indices, None)
        if index is None:
            self.close()
            raise StopIteration
        return self._decoder.frame(index) if self._packing is None else self._decoder.packed_frame(index, self._packing)

    def close(self) -> None:
        """Ends the iteration; the damage that it has found is then among the GIF's diagnostics."""
        self._indices = iter(())
        if self._decoder.handle.value:
            self._damage.update(dict.fromkeys(self._decoder.diagnostics()))
            self._decoder.close()

    def __enter__(self) -> FrameIterator:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def checked_colour(colour: Any) -> int:
    """A colour as 0xRRGGBB. Raises TypeError or ValueError with a sentence."""
    try:
        red, green, blue = (operator.index(part) for part in colour)
    except (TypeError, ValueError) as error:
        raise type(error)(f"a background is red, green and blue, as (255, 255, 255), not {colour!r}") from None
    if not all(0 <= part <= 255 for part in (red, green, blue)):
        raise ValueError(f"red, green and blue are from 0 to 255, not {colour!r}")
    return red << 16 | green << 8 | blue


def checked_size(size: Any) -> Size:
    """A width and a height, of any integers. Raises TypeError or ValueError with a sentence."""
    try:
        width, height = (operator.index(side) for side in size)
    except (TypeError, ValueError) as error:
        raise type(error)(f"a size is a width and a height in pixels, as (320, 0), not {size!r}") from None
    if not (0 <= width < 1 << 32 and 0 <= height < 1 << 32 and (width or height)):
        raise ValueError(f"a size is a width and a height in pixels, one of them more than 0, not {size!r}")
    return width, height


def checked_indices(frames: Any) -> list[int]:
    """The numbers of frames: one, or those of a list, a tuple, a range or an array of integers."""
    try:
        return [operator.index(frames)]
    except TypeError:
        pass
    try:
        if isinstance(frames, (str, bytes, dict)):
            raise TypeError
        return [operator.index(number) for number in frames]
    except TypeError:
        raise TypeError(f"frames are a number, a slice or numbers, not {frames!r}") from None


def chosen(frames: Frames, count: int, path: str | None = None) -> Sequence[int]:
    """The indices of the frames asked for; negative ones count from the end. Raises GIFFrameError."""
    if count == 0:
        raise missing_frame(0, count, path)
    if frames is None:
        return range(count)
    if isinstance(frames, slice):
        return range(*frames.indices(count))
    return [checked_index(number, count, path) for number in checked_indices(frames)]


def checked_index(index: int, count: int, path: str | None = None) -> int:
    place = index + count if index < 0 else index
    if not 0 <= place < count:
        raise missing_frame(index, count, path)
    return place


def is_ascending(indices: Sequence[int]) -> bool:
    """Whether a decoder never goes back."""
    if isinstance(indices, range):
        return indices.step > 0 or len(indices) < 2
    return all(first < second for first, second in zip(indices, indices[1:]))


def decode_into(decoder: Decoder, indices: Sequence[int], packing: Packing, out: Pixels | None) -> Pixels:
    """Frames in an array of the packing's shape, a new one or the caller's."""
    shape = packing.shape(len(indices), decoder.height, decoder.width)
    if out is None:
        out = new_pixels(shape)
    else:
        check_out(out, shape)
    if not out.size:
        return out
    flags = _READ_UNCACHED if out.nbytes >= LEAST_LARGE else 0
    target = packing.target(out[0])
    target.flags = flags
    start, step = out.ctypes.data, out.strides[0]
    for place, index in enumerate(indices):
        target.pixels = start + place * step
        decoder.read_to(index, target)
    return out


def check_out(out: Pixels, shape: tuple[int, ...]) -> None:
    """Raises ValueError unless frames of a shape can be written into the array, which may be a view of another one."""
    if not isinstance(out, numpy.ndarray) or out.dtype != numpy.uint8:
        raise ValueError("out must be an array of uint8")
    if out.shape != shape:
        raise ValueError(f"out must have the shape {shape}, not {out.shape}")
    if not out.flags.writeable:
        raise ValueError("out is read-only")
    if out.size and min(out.strides[1:], default=1) <= 0:
        raise ValueError("the rows, pixels and channels of out must lie in order")
