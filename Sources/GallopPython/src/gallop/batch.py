"""Many GIFs decoded by several threads, in order, in bounded memory."""

from __future__ import annotations

import ctypes
import os
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Union, cast

from ._handles import Interruptible, Owned, make
from ._library import AGAIN, UNREADABLE, check, known, lib, status_name
from ._memory import PixelMemory, Pixels
from ._structs import BatchOptions, BatchRecord
from .decoding import Picture, Size, checked_indices
from .diagnostics import Diagnostic, read_diagnostics
from .enums import DamagePolicy, Fit, FrameStatus, PixelFormat
from .errors import make_error
from .frames import Frame, Rect
from .image import GIF
from .sources import Limits, Reading, Source

Part = Union[None, int, slice, range]
"""Frames that follow each other: all, one, or from one to another."""

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
    """Frames x height x width x 4 bytes, read-only."""
    statuses: tuple[FrameStatus, ...]
    diagnostics: tuple[Diagnostic, ...]
    """The faults of the file, and the damage in the decoded frames."""
    first_frame: int = 0
    format: PixelFormat = PixelFormat.RGBA

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
        _, height, width, _ = self.array.shape
        for place, status in enumerate(self.statuses):
            info = self.gif.infos[self.first_frame + place]
            picture = self.array[place]
            memory = PixelMemory(picture.ctypes.data, picture.shape, picture)
            rect = info.changed if (width, height) == self.gif.size else Rect(0, 0, width, height)
            yield Frame(memory, width, height, info.index, status, info.delay_ms, info.time_ms, rect, self.format)


def decode_many(
    sources: Iterable[Source | GIF] | Source | GIF,
    jobs: int | None = None,
    *,
    size: Size | None = None,
    frames: Part = None,
    fit: Fit | str = Fit.STRETCH,
    format: PixelFormat | str = PixelFormat.RGBA,
    limits: Limits | None = None,
    damage: DamagePolicy | str = DamagePolicy.CHROMIUM,
    window: int | None = None,
    item_bytes: int | None = None,
    waiting_bytes: int | None = None,
) -> Iterator[Decoded]:
    """Decodes many GIFs, or one, with so many threads, by default one a processor; gives their results in order.

    A source that cannot be used is a result with an error, and the rest goes on. The sources are taken as results are:
    at most `window` of them (eight times the jobs and one) are under way or wait. No thread begins another while more
    than `waiting_bytes` of pixels wait, 256 MiB by default. `item_bytes` bounds one GIF's frames, 1 GiB by default; as
    much more may wait behind a GIF that takes long. Closing the iterator ends all work.
    """
    if jobs is not None and jobs < 1:
        raise ValueError("at least one job is needed")
    first, count = part(frames)
    batch = _Batch(Picture.of(size, fit, format), jobs or 0, first, count, limits, DamagePolicy(damage))
    batch.options.window = window or 0
    batch.options.item_bytes = item_bytes or 0
    batch.options.waiting_bytes = waiting_bytes or 0
    return batch.results(each_of(sources))


def each_of(sources: Iterable[Source | GIF] | Source | GIF) -> Iterable[Source | GIF]:
    """Sources one by one, also where only one is given: a path, bytes and a file could be iterated, too."""
    is_one = isinstance(sources, (str, bytes, bytearray, memoryview, os.PathLike, GIF)) or hasattr(sources, "read")
    return cast("Iterable[Source | GIF]", [sources] if is_one else sources)


def part(frames: Part) -> tuple[int, int]:
    """The first frame, and how many; 0 for all that follow."""
    if frames is None:
        return 0, 0
    if not isinstance(frames, (slice, range)):
        (number,) = checked_indices(frames)
        frames = range(number, number + 1)
    start, stop, step = frames.start or 0, frames.stop, frames.step
    if step not in (None, 1) or start < 0 or (stop is not None and stop <= start):
        raise ValueError(f"frames that follow each other are needed, counted from 0, not {frames!r}")
    return start, 0 if stop is None else stop - start


@dataclass
class _Pending:
    """A source that has been taken, and what cannot be read of it."""

    index: int
    source: Source | GIF
    reading: Reading | None = None
    error: Exception | None = None


class _Batch:
    """A batch of the library, and the sources that it has not answered."""

    def __init__(
        self,
        picture: Picture,
        jobs: int,
        first: int,
        count: int,
        limits: Limits | None,
        damage: DamagePolicy,
    ) -> None:
        self._limits, self._damage, self._first, self._format = limits, damage, first, picture.format
        self._interruptible = Interruptible()
        width, height = picture.size or (0, 0)
        self.options: Any = BatchOptions(
            format=picture.format.number,
            fit=picture.fit.number,
            width=width,
            height=height,
            jobs=jobs,
            first_frame=first,
            frame_count=count,
            damage=damage.number,
            limits=ctypes.pointer(limits.record()) if limits else None,
            cancel=self._interruptible.token.value,
        )
        self._pending: deque[_Pending] = deque()

    def results(self, sources: Iterable[Source | GIF]) -> Iterator[Decoded]:
        handle = make("batch", lib.gallop_batch_new, ctypes.byref(self.options))
        batch = handle.value
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
                yield self._failed(oldest) if oldest.error else self._next(batch, oldest)
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
        return pending

    def _add(self, batch: int, pending: _Pending) -> bool:
        """Whether there was room for it."""
        reading = pending.reading
        if pending.error is not None:
            # Without an end a row of such sources would all be taken at once.
            return not self._pending or self._pending[-1].error is None
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
        owner = Owned(item.frames, lib.gallop_frame_release)
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
            return Decoded(pending.index, pending.source, error, gif, None, (), faults, self._first, self._format)
        shape = (item.frame_count, item.frame_height, item.width, 4)
        array = PixelMemory(item.pixels or 0, shape, owner).array
        statuses = tuple(map(_STATUSES.__getitem__, ctypes.string_at(item.statuses, item.frame_count)))
        return Decoded(pending.index, pending.source, None, gif, array, statuses, faults, self._first, self._format)

    def _failed(self, pending: _Pending) -> Decoded:
        return Decoded(pending.index, pending.source, pending.error, None, None, (), (), self._first, self._format)
