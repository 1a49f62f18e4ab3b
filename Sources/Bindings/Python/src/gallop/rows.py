"""GIFs as rows of Arrow tables, for engines that work on many machines: Ray, Spark, Daft, Dask.

`FrameRows` gives a row a frame, `ClipRows` a row a clip, `GIFRows` a row a GIF. Paths travel to the machines, not bytes.
A file that cannot be used is a row with a status and an error. Schemas are fixed, so that a part without errors has the
same columns as one with errors. Tables are small, whatever the files are.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy
import pyarrow

from ._memory import Pixels, new_pixels
from .clip import ClipOptions
from .decoding import Frames, Size, checked_indices, chosen
from .enums import Fit, FrameStatus
from .errors import missing_frame
from .image import GIF, open
from .journal import Journal
from .sources import Limits

Row = dict[str, Any]

TABLE_BYTES = 16 << 20
"""A table is handed on once its pixels pass this."""
TABLE_ROWS = 1024

ERROR, CRASHED = "error", "crashed"
"""The status of a file that cannot be used, and of one that ends its process."""

_DIAGNOSTIC = pyarrow.struct(
    [("code", pyarrow.string()), ("frame", pyarrow.int32()), ("offset", pyarrow.int64()), ("message", pyarrow.string())]
)
_OUTCOME = [(name, pyarrow.string()) for name in ("path", "status", "error", "error_code")]
"""The first columns of every table."""
_FRAME_SCHEMA = pyarrow.schema(
    [
        *_OUTCOME,
        ("frame", pyarrow.int32()),
        ("frame_count", pyarrow.int32()),
        ("time_ms", pyarrow.int64()),
        ("delay_ms", pyarrow.int64()),
        ("width", pyarrow.int32()),
        ("height", pyarrow.int32()),
        ("pixels", pyarrow.large_binary()),
        ("diagnostics", pyarrow.list_(_DIAGNOSTIC)),
    ]
)
_CLIP_SCHEMA = pyarrow.schema(
    [
        *_OUTCOME,
        ("frames", pyarrow.list_(pyarrow.int32())),
        ("shape", pyarrow.list_(pyarrow.int32())),
        ("pixels", pyarrow.large_binary()),
    ]
)
_CRASH = "the process that read the file ended, {} times"


class FileRows(ABC):
    """The rows of files, in a schema that begins with `path`, `status` and `error`."""

    @property
    @abstractmethod
    def schema(self) -> pyarrow.Schema:
        """The columns of every table."""

    @abstractmethod
    def rows(self, gif: GIF) -> Iterator[Row]:
        """A GIF's rows, without path and error."""

    def of_path(self, path: str) -> Iterator[Row]:
        """A file's rows; what it raises is the last one."""
        try:
            with open(path, limits=self.limits) as gif:
                for row in self.rows(gif):
                    yield {"path": path, **row}
        except Exception as error:  # also what a function of the caller's raises
            code = getattr(error, "code", type(error).__name__)
            yield {"path": path, "status": ERROR, "error": str(error) or code, "error_code": code}

    def tables(self, paths: Iterable[str], journal: Journal | None = None) -> Iterator[pyarrow.Table]:
        """The rows of many files as tables. A journal keeps a file from ending one process after another."""
        waiting: list[Row] = []
        size = 0
        for path in paths:
            for row in self._careful(path, journal):
                waiting.append(row)
                size += len(row.get("pixels") or b"")
                if size >= TABLE_BYTES or len(waiting) >= TABLE_ROWS:
                    yield self._table(waiting, journal)
                    waiting, size = [], 0
        if waiting:
            yield self._table(waiting, journal)
        if journal is not None:
            journal.remove()

    def _careful(self, path: str, journal: Journal | None) -> Iterator[Row]:
        if journal is None:
            yield from self.of_path(path)
            return
        crashes = journal.crashes(path)
        if crashes >= journal.attempts:
            # What was handed on before the crash is handed on again: the engine counts on the same rows.
            for _, row in zip(range(journal.rows(path)), self.of_path(path)):
                yield row
            yield {"path": path, "status": CRASHED, "error": _CRASH.format(crashes), "error_code": CRASHED}
            return
        journal.begin(path)
        yield from self.of_path(path)
        journal.end(path)

    def _table(self, rows: list[Row], journal: Journal | None) -> pyarrow.Table:
        if journal is not None:
            journal.hand_on([row["path"] for row in rows])
        for row in rows:
            row["path"] = printable(row["path"])
        return pyarrow.Table.from_pylist(rows, schema=self.schema)

    @property
    def limits(self) -> Limits | None:
        """The limits for opening a file: those of rows that have any."""
        return getattr(self, "file_limits", None)


@dataclass(frozen=True)
class FrameRows(FileRows):
    """A row for each frame: its pixels, its times and its faults."""

    size: Size | None = None
    """The box that frames are made to fit in; None for the size of the canvas."""
    frames: Frames = None
    """Which frames: all, one, a slice, or a list of indices. A file that has none of them is a row with an error."""
    file_limits: Limits | None = None

    @property
    def schema(self) -> pyarrow.Schema:
        return _FRAME_SCHEMA

    def rows(self, gif: GIF) -> Iterator[Row]:
        wanted = self.frames
        if wanted is not None and not isinstance(wanted, slice):
            # Of a shorter file those that it has; none at all is an error, so that each file has a row.
            numbers = checked_indices(wanted)
            wanted = [index for index in numbers if -len(gif) <= index < len(gif)] or numbers
        wanted = chosen(wanted, len(gif), gif.path)
        if not wanted:
            raise missing_frame(getattr(self.frames, "start", None) or 0, len(gif), gif.path)
        told = 0
        for frame in gif.frames(wanted, size=self.size, fit=Fit.CONTAIN):
            faults = gif.diagnostics
            yield {
                "status": str(frame.status),
                "frame": frame.index,
                "frame_count": len(gif),
                "time_ms": frame.time_ms,
                "delay_ms": frame.delay_ms,
                "width": frame.width,
                "height": frame.height,
                "pixels": frame.tobytes(),
                "diagnostics": [vars(fault) for fault in faults[told:]],
            }
            told = len(faults)


@dataclass(frozen=True)
class ClipRows(FileRows):
    """A row for each GIF: its clip, the frames of it, and the status of the first one that is not complete.

    Its options are those of `GIF.clip`: `ClipRows(ClipOptions.of(frames=16))`.
    """

    options: ClipOptions
    file_limits: Limits | None = None

    @property
    def schema(self) -> pyarrow.Schema:
        return _CLIP_SCHEMA

    def rows(self, gif: GIF) -> Iterator[Row]:
        pixels = new_pixels(self.options.shape)
        indices, statuses = gif.read_clip(self.options, pixels)
        faulty = [status for status in statuses if status is not FrameStatus.COMPLETE]
        yield {
            "status": str(faulty[0] if faulty else FrameStatus.COMPLETE),
            "frames": indices.tolist(),
            "shape": list(pixels.shape),
            "pixels": pixels.tobytes(),
        }


@dataclass(frozen=True)
class GIFRows(FileRows):
    """A row for each GIF, with what a function makes of it."""

    function: Callable[[GIF], Mapping[str, Any]]
    """Gives the values of `fields`. What it raises is the row's error."""
    fields: pyarrow.Schema
    file_limits: Limits | None = None

    @property
    def schema(self) -> pyarrow.Schema:
        return pyarrow.schema([*_OUTCOME, *self.fields])

    def rows(self, gif: GIF) -> Iterator[Row]:
        values = dict(self.function(gif))
        yield {"status": "complete" if gif.is_complete else "truncated", **values}


def printable(path: str) -> str:
    """A path as text; bytes of it that are not UTF-8 become U+FFFD."""
    return os.fsencode(path).decode("utf-8", "replace")


def array_of(row: Mapping[str, Any]) -> Pixels:
    """The frame of a row as height x width x 4 bytes, or its clip."""
    shape = row["shape"] if "shape" in row else (row["height"], row["width"], 4)
    pixels: Pixels = numpy.frombuffer(row["pixels"], numpy.uint8)
    return pixels.reshape(shape)
