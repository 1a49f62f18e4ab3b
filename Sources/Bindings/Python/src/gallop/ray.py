"""Folders of GIFs on Ray: a Dataset with a row a frame, or a row a GIF.

    frames = gallop.ray.read_gifs("folder", size=(96, 96))
    frames.write_parquet("thumbnails")

Paths travel to the workers, not bytes, and tables of some megabytes back: the memory stays bounded. A corrupt file is
a row with a status and an error. A killed worker's task is done again elsewhere, with the same rows. A file that ends
its worker is passed over after two attempts, with the status `crashed`. Ray shows the progress, as for every Dataset.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pyarrow

from .clip import CLIP_SIZE, ClipOptions
from .decoding import Colour, Frames, Size
from .enums import Fit, Layout, PixelFormat
from .image import GIF
from .journal import Journal
from .rows import ClipRows, FileRows, FrameRows, GIFRows, array_of
from .sources import Limits, Paths, gif_paths

__all__ = ["ClipRows", "FrameRows", "GIFRows", "array_of", "gif_paths", "map_gifs", "read_clips", "read_gifs"]

PATHS_A_TASK = 16
ATTEMPTS = 2
"""Crashes after which a file is passed over."""


def read_gifs(
    paths: Paths,
    *,
    size: Size | None = None,
    frames: Frames = None,
    limits: Limits | None = None,
    **settings: Any,
) -> Any:
    """A Dataset with a row for each frame of the GIFs in a folder or a list; see FrameRows for its columns.

    `size` makes thumbnails that fit in it, `frames` chooses frames. The settings are those of `dataset`.
    """
    return dataset(FrameRows(size, frames, limits), paths, **settings)


def read_clips(
    paths: Paths,
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
    **settings: Any,
) -> Any:
    """A Dataset with a row for each GIF: the clip that `GIF.clip` makes of it; see ClipRows for its columns.

    `array_of(row)` is the clip's array.
    """
    options = ClipOptions.of(frames, start, stop, fps, size, fit, format, layout, background)
    return dataset(ClipRows(options, limits), paths, **settings)


def map_gifs(
    paths: Paths,
    function: Callable[[GIF], Mapping[str, Any]],
    fields: pyarrow.Schema,
    *,
    limits: Limits | None = None,
    **settings: Any,
) -> Any:
    """A Dataset with a row for each GIF: `path`, `status`, `error`, and the fields that a function fills in."""
    return dataset(GIFRows(function, fields, limits), paths, **settings)


def dataset(
    rows: FileRows,
    paths: Paths,
    *,
    paths_per_task: int = PATHS_A_TASK,
    num_cpus: float = 1,
    concurrency: int | None = None,
    max_errored_blocks: int = 8,
) -> Any:
    """A Dataset of the rows of files, read by tasks of this many paths.

    At most `concurrency` tasks run at a time. A task whose worker ends is done again; each file ends two workers of a
    machine at the most. A task that fails in another way is left out, up to `max_errored_blocks` of them.
    """
    import ray.data

    # Bytes, as a path need not be text.
    found = [{"path": os.fsencode(path)} for path in gif_paths(paths)]
    if not found:
        return ray.data.from_arrow(rows.schema.empty_table())
    blocks = -(-len(found) // paths_per_task)
    context = ray.data.DataContext.get_current()
    kept = context.max_errored_blocks
    context.max_errored_blocks = max_errored_blocks
    try:
        # The Dataset keeps a copy of the context.
        source = ray.data.from_items(found, override_num_blocks=blocks)
    finally:
        context.max_errored_blocks = kept
    return source.map_batches(
        _Task(rows, uuid.uuid4().hex),
        batch_size=None,
        batch_format="pyarrow",
        num_cpus=num_cpus,
        compute=ray.data.TaskPoolStrategy(size=concurrency),
    )


class _Task:
    """What a worker does with a table of paths."""

    def __init__(self, rows: FileRows, run: str) -> None:
        self.rows = rows
        self.run = run
        # What Ray calls the task where it shows it.
        self.__name__ = f"read_{type(rows).__name__}"

    def __call__(self, table: pyarrow.Table) -> Iterator[pyarrow.Table]:
        paths = [os.fsdecode(path) for path in table.column("path").to_pylist()]
        yield from self.rows.tables(paths, Journal(self.run, paths, ATTEMPTS))
