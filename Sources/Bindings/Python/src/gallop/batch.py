"""Many GIFs decoded by several threads, in order, in bounded memory."""

from __future__ import annotations

import ctypes
import operator
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Union, cast

import numpy

from ._handles import Interruptible, Owned, make
from ._library import AGAIN, UNREADABLE, check, known, lib, status_name
from ._memory import PixelMemory, Pixels
from ._structs import BatchOptions, BatchRecord, FrameChoice
from .decoding import Colour, Frames, Packing, Picture, Size, check_out, checked_indices
from .diagnostics import Diagnostic, read_diagnostics
from .enums import DamagePolicy, Fit, FrameStatus, Layout, PixelFormat
from .errors import make_error
from .frames import Frame, Rect
from .image import GIF
from .sources import Limits, Reading, Source
from .times import Indices

Choice = Union[Frames, Callable[[Any], Frames]]
"""Which frames of each source: the same of all, or what a function says of a source."""

MOST_NUMBERS = 1 << 22
BEHIND_ALL, BEFORE_ALL = (1 << 63) - 1, -(1 << 63)
"""Numbers of frames beyond every file."""

SLICE_MS = 50
"""How long the main thread waits at a time, so that it hears signals."""

_STATUSES = tuple(FrameStatus)


@dataclass(frozen=True, eq=False)
class Decoded:
    """A source's result: the GIF and its frames, or the error."""

    index: int
    """The source's place among the sources."""
    source: Source | GIF
    error: Exception | None
    """Why the source cannot be used: a GIFError, or what reading a file object has raised."""
    gif: GIF | None
    array: Pixels | None
    """Frames x height x width x channels, or with planes; read-only, or the part of `out`."""
    indices: Indices
    """The index of each frame."""
    statuses: tuple[FrameStatus, ...]
    diagnostics: tuple[Diagnostic, ...]
    """The faults of the file, and the damage in the decoded frames."""
    format: PixelFormat = PixelFormat.RGBA
    layout: Layout = Layout.THWC

    def result(self) -> Pixels:
        """The array; raises the error instead if there is one."""
        if self.error is not None:
            raise self.error
        assert self.array is not None
        return self.array

    def frames(self) -> Iterator[Frame]:
        """The frames one by one, over the same memory as the array."""
        if self.gif is None or self.array is None:
            return
        if self.layout is not Layout.THWC:
            raise ValueError("frames are height x width x channels; those of the array have planes")
        _, height, width, _ = self.array.shape
        # A part of the caller's array may have gaps.
        pictures = numpy.ascontiguousarray(self.array)
        for picture, index, status in zip(pictures, self.indices.tolist(), self.statuses):
            info = self.gif.infos[index]
            memory = PixelMemory(picture.ctypes.data, picture.shape, picture)
            # What differs from the frame before is known of the canvas alone.
            rect = info.changed if (width, height) == self.gif.size else Rect(0, 0, width, height)
            yield Frame(memory, width, height, info.index, status, info.delay_ms, info.time_ms, rect, self.format)


def decode_many(
    sources: Iterable[Source | GIF] | Source | GIF,
    jobs: int | None = None,
    *,
    size: Size | None = None,
    frames: Choice = None,
    fit: Fit | str = Fit.STRETCH,
    format: PixelFormat | str = PixelFormat.RGBA,
    layout: Layout | str = Layout.THWC,
    background: Colour = (0, 0, 0),
    out: Pixels | None = None,
    limits: Limits | None = None,
    damage: DamagePolicy | str = DamagePolicy.CHROMIUM,
    window: int | None = None,
    item_bytes: int | None = None,
    waiting_bytes: int | None = None,
) -> Iterator[Decoded]:
    """Decodes many GIFs, or one, with this many threads, by default one a processor; gives their results in order.

    `size` is a width and a height. `frames` are all, one, a slice or a list, as of `GIF.decode`, or what a function says
    of each source; a source that has none of a slice is a result with an error. `out` has a part for each source, in its
    first axis: the frames are copied there. Where they have another shape, that is the result's error.

    A source that cannot be used is a result with an error, and the rest goes on. The sources are taken as results are:
    at most `window` of them (eight times the jobs and one) are under way or wait. No thread begins another while more
    than `waiting_bytes` of pixels wait, 256 MiB by default. `item_bytes` bounds one GIF's frames, 1 GiB by default; as
    much more may wait behind a GIF that takes long. Closing the iterator ends all work.
    """
    if jobs is not None and jobs < 1:
        raise ValueError("at least one job is needed")
    choose = frames if callable(frames) else None
    choice = None if callable(frames) else frame_choice(frames)
    packing = Packing.of(format, layout, background)
    if out is not None:
        check_out(out, getattr(out, "shape", ()))
        if out.ndim != 5:
            raise ValueError(f"out has a part for each source, of frames of three axes: five in all, not {out.ndim}")
    picture = Picture.of(size, fit, packing.decoded)
    batch = _Batch(picture, packing, jobs or 0, choice, choose, out, limits, DamagePolicy(damage))
    batch.options.window = window or 0
    batch.options.item_bytes = item_bytes or 0
    batch.options.waiting_bytes = waiting_bytes or 0
    return batch.results(each_of(sources))


def each_of(sources: Iterable[Source | GIF] | Source | GIF) -> Iterable[Source | GIF]:
    """Sources one by one, also where only one is given: a path, bytes and a file could be iterated, too."""
    is_one = isinstance(sources, (str, bytes, bytearray, memoryview, os.PathLike, GIF)) or hasattr(sources, "read")
    return cast("Iterable[Source | GIF]", [sources] if is_one else sources)


def frame_choice(frames: Frames) -> Any:
    """The library's struct for a choice of frames."""
    if frames is None:
        frames = slice(None)
    if isinstance(frames, slice):
        step = 1 if frames.step is None else _number(frames.step)
        if step == 0:
            raise ValueError("a slice of frames has a step, not 0")
        first, end = (0, BEHIND_ALL) if step > 0 else (BEHIND_ALL, BEFORE_ALL)
        first = first if frames.start is None else _number(frames.start)
        end = end if frames.stop is None else _number(frames.stop)
        return FrameChoice(first=first, end=end, step=step)
    numbers = checked_indices(frames)
    if not 0 < len(numbers) <= MOST_NUMBERS:
        raise ValueError(f"a list of frames has 1 to {MOST_NUMBERS} of them, not {len(numbers)}")
    # ctypes keeps the array with the struct.
    return FrameChoice(indices=(ctypes.c_int64 * len(numbers))(*map(_number, numbers)), count=len(numbers))


def _number(number: Any) -> int:
    """A frame's number for the library; one beyond its integers is beyond every file, too."""
    return max(BEFORE_ALL, min(BEHIND_ALL, operator.index(number)))


@dataclass
class _Pending:
    """A source that has been taken, and what cannot be read of it."""

    index: int
    source: Source | GIF
    reading: Reading | None = None
    error: Exception | None = None
    choice: Any = None
    """The struct for its frames, where a function has chosen them."""


class _Batch:
    """A batch of the library, and the sources that it has not answered."""

    def __init__(
        self,
        picture: Picture,
        packing: Packing,
        jobs: int,
        choice: Any,
        choose: Callable[[Any], Frames] | None,
        out: Pixels | None,
        limits: Limits | None,
        damage: DamagePolicy,
    ) -> None:
        self._packing, self._choice, self._choose, self._out = packing, choice, choose, out
        self._limits, self._damage = limits, damage
        self._interruptible = Interruptible()
        width, height = picture.size or (0, 0)
        self.options: Any = BatchOptions(
            format=picture.format.number,
            fit=picture.fit.number,
            width=width,
            height=height,
            jobs=jobs,
            damage=damage.number,
            limits=ctypes.pointer(limits.record()) if limits else None,
            cancel=self._interruptible.token.value,
            channels=packing.number,
            is_planar=packing.layout is Layout.TCHW,
            background=packing.background,
        )
        self._pending: deque[_Pending] = deque()

    def results(self, sources: Iterable[Source | GIF]) -> Iterator[Decoded]:
        handle = make("batch", lib.gallop_batch_new, ctypes.byref(self.options))
        batch = handle.value
        if self._choice is not None:
            check(lib.gallop_batch_choose(batch, ctypes.byref(self._choice)))
        waiting = enumerate(sources)
        held: _Pending | None = None
        is_over = False
        try:
            while True:
                while not is_over:
                    if held is None:
                        held = self._take(waiting)
                        is_over = held is None
                    if held is None or not self._add(batch, held):
                        break
                    self._pending.append(held)
                    held = None
                if not self._pending:
                    return
                oldest = self._pending.popleft()
                yield self._failed(oldest, oldest.error) if oldest.error else self._next(batch, oldest)
        finally:
            lib.gallop_cancel_set(self._interruptible.token.value)
            handle.close()

    def _take(self, waiting: Iterator[tuple[int, Source | GIF]]) -> _Pending | None:
        following = next(waiting, None)
        if following is None:
            return None
        pending = _Pending(*following)
        if not isinstance(pending.source, GIF):
            try:
                pending.reading = Reading.of(pending.source, self._limits, self._damage)
            except Exception as error:  # of a file object, whatever its kind
                pending.error = error
        if self._choose is not None and pending.error is None:
            pending.choice = frame_choice(self._choose(pending.source))
        return pending

    def _add(self, batch: int, pending: _Pending) -> bool:
        """Whether there was room for it."""
        reading = pending.reading
        if pending.error is not None:
            # Without an end a row of such sources would all be taken at once.
            return not self._pending or self._pending[-1].error is None
        if pending.choice is not None:
            check(lib.gallop_batch_choose(batch, ctypes.byref(pending.choice)))
        if isinstance(pending.source, GIF):
            status = lib.gallop_batch_add_image(batch, pending.source._image, pending.index)
        elif reading is not None and reading.data is not None:
            status = lib.gallop_batch_add_bytes(batch, reading.data, len(reading.data), pending.index)
        else:
            path = os.fsencode((reading and reading.path) or "")
            status = lib.gallop_batch_add_path(batch, path, pending.index)
        return check(status) != AGAIN

    def _next(self, batch: int, pending: _Pending) -> Decoded:
        item: Any = BatchRecord()
        is_main = threading.get_ident() == threading.main_thread().ident
        while check(lib.gallop_batch_next(batch, SLICE_MS if is_main else -1, ctypes.byref(item))) == AGAIN:
            pass
        return self._decoded(batch, item, pending)

    def _decoded(self, batch: int, item: Any, pending: _Pending) -> Decoded:
        image = Owned(item.image, lib.gallop_image_release)
        owners = (Owned(item.frames, lib.gallop_frame_release), Owned(item.memory, lib.gallop_memory_release))
        reading = pending.reading
        gif = pending.source if isinstance(pending.source, GIF) else None
        if gif is None and reading is not None and image.value:
            gif = GIF(reading, image)
        path = gif.path if gif is not None else reading.path if reading is not None else None
        found = list(gif.diagnostics) if gif is not None else []
        found += read_diagnostics(lib.gallop_batch_diagnostic, batch)
        faults = tuple(dict.fromkeys(found))
        if item.status < 0:
            number = item.error_value if item.status == UNREADABLE else None
            message = (item.message or b"").decode("utf-8", "replace")
            where = known(item.error_frame), known(item.error_offset)
            error = make_error(message, status_name(item.status), *where, path, number)
            return self._failed(pending, error, gif, faults)
        shape = self._packing.shape(item.frame_count, item.frame_height, item.width)
        array = PixelMemory(item.pixels or 0, shape, owners).array
        statuses = tuple(map(_STATUSES.__getitem__, ctypes.string_at(item.statuses, item.frame_count)))
        indices: Indices = numpy.array(item.indices[: item.frame_count], numpy.int64)
        if self._out is not None:
            try:
                array = self._placed(array, pending.index)
            except (IndexError, ValueError) as error:
                return self._failed(pending, error, gif, faults)
        form = self._packing.format, self._packing.layout
        return Decoded(pending.index, pending.source, None, gif, array, indices, statuses, faults, *form)

    def _placed(self, array: Pixels, index: int) -> Pixels:
        """The frames in the caller's array. Raises IndexError and ValueError where they do not fit in."""
        assert self._out is not None
        if index >= len(self._out):
            raise IndexError(f"out has {len(self._out)} parts, and this is source {index}")
        part: Pixels = self._out[index]
        if part.shape != array.shape:
            raise ValueError(f"the frames have the shape {array.shape}, and the parts of out {part.shape}")
        part[...] = array
        return part

    def _failed(
        self, pending: _Pending, error: Exception, gif: GIF | None = None, faults: tuple[Diagnostic, ...] = ()
    ) -> Decoded:
        nothing: Indices = numpy.empty(0, numpy.int64)
        form = self._packing.format, self._packing.layout
        return Decoded(pending.index, pending.source, error, gif, None, nothing, (), faults, *form)
