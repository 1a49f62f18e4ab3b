"""GIFs for training with PyTorch: clips as tensors, from files, bytes and tar shards, with any number of workers.

    dataset = gallop.torch.Clips(paths, labels, frames=16)
    for clips, labels in torch.utils.data.DataLoader(dataset, batch_size=32, shuffle=True, num_workers=2): ...

A tensor shares the memory of the clip's array. Workers may be forked or spawned: what they get are paths or bytes.
"""

from __future__ import annotations

import os
import tarfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Union

import torch
import torch.utils.data

from ._memory import new_pixels
from .clip import CLIP_SIZE, ClipOptions
from .decoding import Colour, Size
from .enums import Fit, Layout, PixelFormat
from .errors import GIFError
from .image import open
from .sources import Limits

__all__ = ["ClipStream", "Clips"]

File = Union[str, "os.PathLike[str]", bytes]
"""A GIF: its path or its bytes."""

_TAR_NAMES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
_POLICIES = ("raise", "blank", "skip")


class Clips(torch.utils.data.Dataset[Any]):
    """A dataset with the clip of each GIF, by its place among the files.

    An item is the tensor, or with `targets` the tensor and the file's target. `errors` says what becomes of a file that
    cannot be used: `raise` its GIFError, or `blank`, a clip of the background. Frames and shapes are those of `GIF.clip`.
    `transform` gets the tensor.
    """

    def __init__(
        self,
        files: Sequence[File],
        targets: Sequence[Any] | None = None,
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
        errors: str = "raise",
        transform: Callable[[torch.Tensor], Any] | None = None,
    ) -> None:
        if targets is not None and len(targets) != len(files):
            raise ValueError(f"{len(files)} files have {len(targets)} targets")
        options = ClipOptions.of(frames, start, stop, fps, size, fit, format, layout, background)
        self.files, self.targets = files, targets
        self._reader = _Reader(options, limits, _checked(errors, _POLICIES[:2]), transform)

    def __len__(self) -> int:
        return len(self.files)

    def __getitem__(self, place: int) -> Any:
        item = self._reader.item(self.files[place])
        return item if self.targets is None else (item, self.targets[place])


class ClipStream(torch.utils.data.IterableDataset[Any]):
    """The clips of GIFs one after another: of files, bytes, and the members of tar shards that end in `.gif`.

    An item is the tensor, or with `target` the tensor and what that function makes of the file's name: its path, its name
    within its shard, or for bytes an empty text. Each worker reads its part of the GIFs: the fifth of eight workers the
    fifth, the thirteenth and so on. `errors` may be `skip`, too: files that cannot be used are left out. The rest is as
    of `Clips`.
    """

    def __init__(
        self,
        sources: Iterable[File],
        target: Callable[[str], Any] | None = None,
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
        errors: str = "raise",
        transform: Callable[[torch.Tensor], Any] | None = None,
    ) -> None:
        options = ClipOptions.of(frames, start, stop, fps, size, fit, format, layout, background)
        self.sources, self.target = sources, target
        self._reader = _Reader(options, limits, _checked(errors, _POLICIES), transform)

    def __iter__(self) -> Iterator[Any]:
        worker = torch.utils.data.get_worker_info()
        first, step = (worker.id, worker.num_workers) if worker else (0, 1)
        for place, (name, read) in enumerate(_gifs_of(self.sources)):
            if place % step != first:
                continue
            item = self._reader.item(read())
            if item is not None:
                yield item if self.target is None else (item, self.target(name))


class _Reader:
    """Makes tensors of GIFs."""

    def __init__(
        self,
        options: ClipOptions,
        limits: Limits | None,
        errors: str,
        transform: Callable[[torch.Tensor], Any] | None,
    ) -> None:
        self.options, self.limits, self.errors, self.transform = options, limits, errors, transform

    def item(self, file: File) -> Any:
        """A GIF's clip; None where it is to be left out."""
        clip = new_pixels(self.options.shape)
        try:
            with open(file, limits=self.limits) as gif:
                gif.read_clip(self.options, clip)
        except (GIFError, ValueError):
            if self.errors == "raise":
                raise
            if self.errors == "skip":
                return None
            self.options.blank(clip)
        tensor = torch.from_numpy(clip)
        return tensor if self.transform is None else self.transform(tensor)


def _checked(errors: str, policies: Sequence[str]) -> str:
    if errors not in policies:
        raise ValueError(f"errors is one of {', '.join(policies)}, not {errors!r}")
    return errors


def _gifs_of(sources: Iterable[File]) -> Iterator[tuple[str, Callable[[], File]]]:
    """Each GIF: its name, and what gives its path or bytes."""
    for source in sources:
        path = "" if isinstance(source, bytes) else os.fspath(source)
        if not path.lower().endswith(_TAR_NAMES):
            yield path, partial(_itself, source)
            continue
        with tarfile.open(path) as shard:
            for member in shard:
                if member.isfile() and member.name.lower().endswith(".gif"):
                    yield member.name, partial(_content, shard, member)


def _itself(file: File) -> File:
    return file


def _content(shard: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    file = shard.extractfile(member)
    return b"" if file is None else file.read()
