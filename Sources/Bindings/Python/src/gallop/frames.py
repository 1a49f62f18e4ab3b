"""One decoded frame, and what the index knows of frames."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy

from ._library import check, known, lib
from ._memory import DEVICE, PixelMemory, Pixels, memory_of_bytes
from ._structs import FrameRecord
from .enums import Disposal, FrameStatus, PixelFormat
from .png import png_of

if TYPE_CHECKING:
    import PIL.Image

_DISPOSALS = tuple(Disposal)


class Rect(NamedTuple):
    """A rectangle in pixels."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True)
class FrameInfo:
    """What the index knows of a frame, without decoding it."""

    index: int
    rect: Rect
    """As stored: it may be empty, and may reach beyond the canvas."""
    changed: Rect
    """Where the frame may differ from the one before it."""
    delay_ms: int
    """How long browsers show it: 10 ms or less as 100."""
    raw_delay_ms: int
    """The delay as stored."""
    time_ms: int
    """When it begins within a play."""
    disposal: Disposal
    transparent_index: int | None
    palette_size: int
    """Colours of the frame's own palette; 0 if it uses the global one."""
    is_interlaced: bool
    is_keyframe: bool
    """Whether it needs no other frame."""
    is_truncated: bool
    """Whether the file ends inside it."""
    required_frame: int | None
    """The earlier frame that it is drawn on."""
    offset: int
    """Where it begins in the file."""
    compressed_bytes: int


class FrameTable(Sequence[FrameInfo]):
    """What the index knows of all frames of a GIF; each is read when it is asked for."""

    def __init__(self, records: ctypes.Array[FrameRecord]) -> None:
        self._records = records
        self._starts: list[int] = list(accumulate((record.delay_ms for record in records), initial=0))

    @classmethod
    def of(cls, image: int, count: int) -> FrameTable:
        """The table of an image of the library's."""
        records = (FrameRecord * count)()
        if count:
            check(lib.gallop_image_get_frames(image, 0, count, records, ctypes.sizeof(FrameRecord)))
        return cls(records)

    def __len__(self) -> int:
        return len(self._records)

    @overload
    def __getitem__(self, index: int) -> FrameInfo: ...

    @overload
    def __getitem__(self, index: slice) -> list[FrameInfo]: ...

    def __getitem__(self, index: int | slice) -> FrameInfo | list[FrameInfo]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        record = self._records[index]
        return FrameInfo(
            index=record.index,
            rect=rect_of(record.rect),
            changed=rect_of(record.changed),
            delay_ms=record.delay_ms,
            raw_delay_ms=record.raw_delay_ms,
            time_ms=self._starts[record.index],
            disposal=_DISPOSALS[record.disposal],
            transparent_index=known(record.transparent_index),
            palette_size=record.palette_size,
            is_interlaced=bool(record.is_interlaced),
            is_keyframe=bool(record.is_keyframe),
            is_truncated=bool(record.is_truncated),
            required_frame=known(record.required_frame),
            offset=record.offset,
            compressed_bytes=record.compressed_bytes,
        )

    def __iter__(self) -> Iterator[FrameInfo]:
        return (self[index] for index in range(len(self)))

    def start_ms(self, index: int) -> int:
        """When a frame begins within a play."""
        return self._starts[index]

    @property
    def bounds_ms(self) -> list[int]:
        """When each frame begins within a play, and the end of the last one."""
        return self._starts

    def __repr__(self) -> str:
        return f"<FrameTable of {len(self)} frames, {self._starts[-1]} ms>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _table_of_bytes, (bytes(self._records), len(self))


def _table_of_bytes(data: bytes, count: int) -> FrameTable:
    return FrameTable((FrameRecord * count).from_buffer_copy(data))


def rect_of(rect: Any) -> Rect:
    return Rect(rect.x, rect.y, rect.width, rect.height)


class Frame:
    """The whole canvas while a frame shows. It needs neither the GIF nor its decoder any more.

    `array`, `numpy.asarray(frame)` and `torch.from_dlpack(frame)` show the same memory, which is read-only and lives
    as long as one of them. A notebook shows the picture.
    """

    __slots__ = ("_memory", "delay_ms", "format", "height", "index", "rect", "status", "time_ms", "width")

    def __init__(
        self,
        memory: PixelMemory,
        width: int,
        height: int,
        index: int,
        status: FrameStatus,
        delay_ms: int,
        time_ms: int,
        rect: Rect,
        format: PixelFormat = PixelFormat.RGBA,
    ) -> None:
        self._memory = memory
        self.width = width
        self.height = height
        self.index = index
        self.status = status
        """Whether it is complete, or why not."""
        self.delay_ms = delay_ms
        """How long browsers show it, in milliseconds."""
        self.time_ms = time_ms
        """When it begins within a play, in milliseconds."""
        self.rect = rect
        """Where it may differ from the frame before it."""
        self.format = format
        """The order of a pixel's bytes."""

    @property
    def delay(self) -> float:
        """How long browsers show it, in seconds."""
        return self.delay_ms / 1000

    @property
    def time(self) -> float:
        """When it begins within a play, in seconds."""
        return self.time_ms / 1000

    @property
    def array(self) -> Pixels:
        """Height x width x channels, without a copy, read-only."""
        return self._memory.array

    @property
    def __array_interface__(self) -> dict[str, Any]:
        interface: dict[str, Any] = self._memory.__array_interface__
        return interface

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """A capsule for `from_dlpack` of NumPy, PyTorch, JAX and others, without a copy."""
        if stream is not None or dl_device not in (None, DEVICE):
            raise BufferError("a frame lies in the memory of the processor")
        return self._memory.dlpack(max_version, copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        return DEVICE

    def tobytes(self) -> bytes:
        """A copy of the pixels, rows from the top without gaps."""
        return self.array.tobytes()

    @property
    def rgba(self) -> Pixels:
        """Height x width x 4 bytes with straight alpha: `array` itself, or what another format comes to."""
        pixels = self.array
        if self.format.channels < 4:
            opaque = numpy.full((*pixels.shape[:2], 4), 255, numpy.uint8)
            opaque[..., :3] = pixels
            return opaque
        if self.format.is_bgra:
            pixels = pixels[..., [2, 1, 0, 3]]
        if self.format.is_premultiplied:
            alpha = pixels[..., 3:].astype(numpy.uint16)
            colours = numpy.minimum((pixels[..., :3] * numpy.uint16(255) + alpha // 2) // numpy.maximum(alpha, 1), 255)
            pixels = numpy.concatenate([colours.astype(numpy.uint8), pixels[..., 3:]], axis=-1)
        return pixels

    def to_pil(self) -> PIL.Image.Image:
        """An RGBA image of Pillow, without a copy until something is drawn into it."""
        import PIL.Image

        pixels = self.rgba
        size = self.width, self.height
        if not pixels.flags.c_contiguous or not pixels.size:
            return PIL.Image.frombytes("RGBA", size, pixels.tobytes())
        return PIL.Image.frombuffer("RGBA", size, pixels, "raw", "RGBA", 0, 1)

    def to_png(self) -> bytes:
        """The picture as a PNG file."""
        return png_of(self.rgba)

    def _repr_png_(self) -> bytes:
        return self.to_png()

    def __repr__(self) -> str:
        return f"<Frame {self.index}, {self.width} x {self.height}, {self.delay_ms} ms, {self.status}>"

    def __reduce__(self) -> tuple[Any, ...]:
        facts = (self.width, self.height, self.index, self.status, self.delay_ms, self.time_ms, self.rect, self.format)
        return _frame_of_bytes, (self.tobytes(), *facts)


def _frame_of_bytes(pixels: bytes, width: int, height: int, *facts: Any) -> Frame:
    channels = len(pixels) // (width * height)
    return Frame(memory_of_bytes(pixels, (height, width, channels)), width, height, *facts)
