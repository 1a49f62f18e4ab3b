"""Clips of many GIFs: batches for training, filled by several threads."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice

import numpy

from ._memory import Pixels, new_pixels
from .batch import each_of
from .clip import CLIP_SIZE, Cancellation, ClipOptions
from .decoding import Colour, Size
from .enums import DamagePolicy, Fit, FrameStatus, Layout, PixelFormat
from .image import GIF, open
from .png import png_of
from .sources import Limits, Source
from .times import Indices

MOST_SHOWN = 8
"""Clips, and frames of each, that a notebook shows."""


@dataclass(frozen=True, eq=False)
class ClipBatch:
    """The clips of sources that follow each other. A notebook shows them."""

    index: int
    """The place of its first source among the sources."""
    sources: tuple[Source | GIF, ...]
    array: Pixels
    """Clips x frames x channels x height x width, or with the channels last. What cannot be used is background."""
    frames: Indices
    """The index of each frame, clips x frames; -1 for what cannot be used."""
    statuses: tuple[tuple[FrameStatus, ...], ...]
    """How the decoding of each frame ended; nothing for what cannot be used."""
    errors: tuple[Exception | None, ...]
    """Why a source cannot be used: a GIFError, or what reading a file object has raised."""
    options: ClipOptions

    def __len__(self) -> int:
        return len(self.sources)

    @property
    def good(self) -> Pixels:
        """The clips without those that have an error: `array` itself where none has."""
        if not any(self.errors):
            return self.array
        return self.array[[error is None for error in self.errors]]

    def _repr_png_(self) -> bytes | None:
        """The first clips, a row each."""
        shown = self.array[:MOST_SHOWN, :MOST_SHOWN]
        if self.options.packing.format not in (PixelFormat.RGB, PixelFormat.GRAY, PixelFormat.RGBA):
            return None
        if self.options.packing.layout is Layout.TCHW:
            shown = numpy.moveaxis(shown, 2, -1)
        clips, frames, height, width, channels = shown.shape
        sheet = numpy.full((clips * height, frames * width, 4), 255, numpy.uint8)
        rows = shown.transpose(0, 2, 1, 3, 4).reshape(clips * height, frames * width, channels)
        sheet[..., : max(3, channels)] = rows[..., [0, 0, 0]] if channels == 1 else rows
        return png_of(sheet)

    def __repr__(self) -> str:
        failures = sum(error is not None for error in self.errors)
        return f"<ClipBatch of {len(self)} clips, {self.array.shape}, {failures} errors>"


def clips(
    sources: Iterable[Source | GIF] | Source | GIF,
    batch: int = 32,
    jobs: int | None = None,
    *,
    frames: int = 8,
    start: float = 0,
    stop: float | None = None,
    fps: float | None = None,
    size: Size = CLIP_SIZE,
    fit: Fit | str = Fit.COVER,
    format: PixelFormat | str = PixelFormat.RGB,
    layout: Layout | str = Layout.TCHW,
    background: Colour = (0, 0, 0),
    limits: Limits | None = None,
    damage: DamagePolicy | str = DamagePolicy.CHROMIUM,
    progress: Callable[[int], object] | None = None,
) -> Iterator[ClipBatch]:
    """Clips of many GIFs, so many at a time, in the order of the sources; the last batch may have fewer.

    Frames and shapes are those of `GIF.clip`. A source that cannot be used is an error in its batch, and the rest goes
    on. By default as many threads decode as there are processors; they fill one batch while the program uses the one
    before. `progress` is called with the number of sources done, on the thread that takes the batches. Closing the
    iterator ends all work.
    """
    if batch < 1 or (jobs is not None and jobs < 1):
        raise ValueError("at least one clip a batch and one job are needed")
    options = ClipOptions.of(frames, start, stop, fps, size, fit, format, layout, background)
    work = _Work(options, limits, DamagePolicy(damage), jobs or len(os.sched_getaffinity(0)), progress)
    return work.batches(each_of(sources), batch)


@dataclass
class _Filling:
    """A batch whose clips are under way."""

    index: int
    sources: tuple[Source | GIF, ...]
    array: Pixels
    results: list[Future[tuple[Indices, tuple[FrameStatus, ...]]]]


@dataclass
class _Work:
    """Threads that fill batches."""

    options: ClipOptions
    limits: Limits | None
    damage: DamagePolicy
    jobs: int
    progress: Callable[[int], object] | None

    def batches(self, sources: Iterable[Source | GIF], batch: int) -> Iterator[ClipBatch]:
        cancellation = Cancellation()
        threads = ThreadPoolExecutor(self.jobs, "gallop-clips")
        waiting = iter(sources)
        filling: deque[_Filling] = deque()
        count = 0
        try:
            while True:
                while len(filling) < 2:
                    taken = tuple(islice(waiting, batch))
                    if not taken:
                        break
                    filling.append(self._begin(threads, count, taken, cancellation))
                    count += len(taken)
                if not filling:
                    return
                yield self._finished(filling.popleft())
        finally:
            cancellation.set()
            threads.shutdown(cancel_futures=True)

    def _begin(
        self, threads: ThreadPoolExecutor, index: int, sources: tuple[Source | GIF, ...], cancellation: Cancellation
    ) -> _Filling:
        array = new_pixels((len(sources), *self.options.shape))
        results = [
            threads.submit(self._read, source, out, cancellation) for source, out in zip(sources, array)
        ]
        return _Filling(index, sources, array, results)

    def _read(
        self, source: Source | GIF, out: Pixels, cancellation: Cancellation
    ) -> tuple[Indices, tuple[FrameStatus, ...]]:
        if isinstance(source, GIF):
            return source.read_clip(self.options, out, cancellation)
        with open(source, limits=self.limits, damage=self.damage) as gif:
            return gif.read_clip(self.options, out, cancellation)

    def _finished(self, filling: _Filling) -> ClipBatch:
        frames = numpy.full((len(filling.sources), self.options.frames), -1, numpy.int64)
        statuses: list[tuple[FrameStatus, ...]] = []
        errors: list[Exception | None] = []
        for place, result in enumerate(filling.results):
            error = result.exception()
            if error is not None and not isinstance(error, Exception):
                raise error
            errors.append(error)
            if error is None:
                frames[place], found = result.result()
                statuses.append(found)
            else:
                self.options.blank(filling.array[place])
                statuses.append(())
            if self.progress is not None:
                self.progress(filling.index + place + 1)
        return ClipBatch(
            filling.index, filling.sources, filling.array, frames, tuple(statuses), tuple(errors), self.options
        )
