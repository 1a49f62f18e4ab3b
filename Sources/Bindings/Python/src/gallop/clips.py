"""Clips of many GIFs: batches for training, filled by several threads."""

from __future__ import annotations

import atexit
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import islice
from queue import SimpleQueue
from typing import TYPE_CHECKING, Union
from weakref import WeakSet

import numpy

from ._handles import Interruptible
from ._memory import Pixels, new_pixels
from .batch import each_of
from .clip import ClipChoices, ClipOptions
from .enums import DamagePolicy, FrameStatus, Layout, PixelFormat
from .errors import GIFError
from .image import GIF
from .png import png_of
from .sources import Limits, Reading, Source
from .times import Indices

if TYPE_CHECKING:
    from typing_extensions import Unpack

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
    limits: Limits | None = None,
    damage: DamagePolicy | str = DamagePolicy.CHROMIUM,
    progress: Callable[[int], object] | None = None,
    **choices: Unpack[ClipChoices],
) -> Iterator[ClipBatch]:
    """Clips of many GIFs, a batch at a time, in the order of the sources; the last batch may have fewer.

    `choices` are the keywords of `GIF.clip`: `frames`, `fps`, `size`, `fit` and so on. A source that cannot be used is an error in its batch, and the rest goes
    on. By default as many threads decode as there are processors; they fill one batch while the program uses the one
    before. Sources are taken, and file objects read, on the thread that takes the batches; so is `progress` called, with
    the number of sources done. Closing the iterator ends all work.
    """
    if batch < 1 or (jobs is not None and jobs < 1):
        raise ValueError("at least one clip a batch and one job are needed")
    options = ClipOptions.of(**choices)
    jobs = jobs or len(os.sched_getaffinity(0))
    return _batches(each_of(sources), batch, jobs, options, limits, DamagePolicy(damage), progress)


_Made = tuple[Union[Indices, None], tuple[FrameStatus, ...], Union[Exception, None]]
"""The frames of a clip and their statuses, or the error instead."""


@dataclass
class _Filling:
    """A batch whose clips are under way."""

    index: int
    sources: tuple[Source | GIF, ...]
    array: Pixels
    results: list[Future[_Made]]


class _Threads:
    """Threads that make clips. Python does not wait for them at its end."""

    def __init__(self, jobs: int, options: ClipOptions) -> None:
        self.options = options
        self._interruptible = Interruptible()
        self._process = os.getpid()
        self._is_over = False
        self._tasks: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._threads = [threading.Thread(target=self._serve, name="gallop-clips", daemon=True) for _ in range(jobs)]
        for thread in self._threads:
            thread.start()
        _running.add(self)

    def begin(self, source: Source | GIF, limits: Limits | None, damage: DamagePolicy, out: Pixels) -> Future[_Made]:
        """Has a thread make a clip of a source, which is read now where it is a file object."""
        result: Future[_Made] = Future()
        try:
            reading = None if isinstance(source, GIF) else Reading.of(source, limits, damage)
        except Exception as error:  # of a file object, whatever its kind
            result.set_result((None, (), plain(error)))
            return result

        def work() -> None:
            # Set in any case: the iterator waits for it.
            result.set_result(self._made(source if isinstance(source, GIF) else reading, out))

        self._tasks.put(work)
        return result

    def wait(self, result: Future[_Made]) -> _Made:
        if os.getpid() != self._process:
            raise GIFError("clips: their threads stayed in the parent process", "forked")
        return result.result()

    def end(self) -> None:
        """Ends the work, and waits for the threads."""
        self.cancel()
        if os.getpid() == self._process:
            for thread in self._threads:
                thread.join()

    def cancel(self) -> None:
        self._is_over = True
        self._interruptible.cancel()
        for _ in self._threads:
            self._tasks.put(None)

    def _serve(self) -> None:
        while (work := self._tasks.get()) is not None and not self._is_over:
            work()

    def _made(self, source: GIF | Reading | None, out: Pixels) -> _Made:
        try:
            if isinstance(source, GIF):
                return (*source.read_clip(self.options, out, self._interruptible), None)
            assert source is not None
            with GIF(source, source.open(self._interruptible)) as gif:
                return (*gif.read_clip(self.options, out, self._interruptible), None)
        except Exception as error:
            return None, (), plain(error)


_running: WeakSet[_Threads] = WeakSet()


@atexit.register
def _cancel_all() -> None:
    for threads in list(_running):
        threads.cancel()


def plain(error: Exception) -> Exception:
    """An error without the frames in which it was raised: they hold the memory of whole batches."""
    error.__context__ = None
    return error.with_traceback(None)


def _batches(
    sources: Iterable[Source | GIF],
    batch: int,
    jobs: int,
    options: ClipOptions,
    limits: Limits | None,
    damage: DamagePolicy,
    progress: Callable[[int], object] | None,
) -> Iterator[ClipBatch]:
    threads = _Threads(jobs, options)
    waiting = iter(sources)
    filling: deque[_Filling] = deque()
    count = 0
    try:
        while True:
            while len(filling) < 2:
                array: Pixels | None = None
                taken: list[Source | GIF] = []
                results: list[Future[_Made]] = []
                for source in islice(waiting, batch):
                    if array is None:
                        array = new_pixels((batch, *options.shape))
                    results.append(threads.begin(source, limits, damage, array[len(taken)]))
                    taken.append(source)
                if array is None:
                    break
                filling.append(_Filling(count, tuple(taken), array[: len(taken)], results))
                count += len(taken)
            if not filling:
                return
            yield _finished(threads, filling.popleft(), progress)
    finally:
        threads.end()


def _finished(threads: _Threads, filling: _Filling, progress: Callable[[int], object] | None) -> ClipBatch:
    options = threads.options
    frames = numpy.full((len(filling.sources), options.frames), -1, numpy.int64)
    made = []
    for place, result in enumerate(filling.results):
        made.append(threads.wait(result))
        indices = made[-1][0]
        if indices is None:
            options.blank(filling.array[place])
        else:
            frames[place] = indices
        if progress is not None:
            progress(filling.index + place + 1)
    statuses, errors = tuple(each[1] for each in made), tuple(each[2] for each in made)
    return ClipBatch(filling.index, filling.sources, filling.array, frames, statuses, errors, options)
