"""GIFs for training with PyTorch: clips as tensors, from files, bytes and tar shards, with any number of workers.

    dataset = gallop.torch.Clips(paths, labels, frames=16)
    for clips, labels in torch.utils.data.DataLoader(dataset, batch_size=32, shuffle=True, num_workers=2): ...

A tensor shares the memory of the clip's array. Workers may be forked or spawned: what they get are paths or bytes.
"""

from __future__ import annotations

import os
import tarfile
import warnings
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Union

import torch
import torch.utils.data

from ._memory import new_pixels
from .batch import each_of
from .clip import ClipChoices, ClipOptions
from .errors import GIFError
from .image import GIF, open
from .sources import Limits, Source

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["ClipStream", "Clips"]

File = Union[Source, GIF]
"""A GIF: its path or its bytes, or what is opened already. With workers that are spawned file objects do not do."""

_TAR_NAMES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
_POLICIES = ("raise", "blank", "skip")


class Clips(torch.utils.data.Dataset[Any]):
    """A dataset with the clip of each GIF, by its place among the files.

    An item is the tensor, or with `targets` the tensor and the file's target. `errors` says what becomes of a file that
    cannot be used: `raise` its error, or `blank`, a clip of the background. `choices`
    are the keywords of `GIF.clip`. `transform` gets the tensor.
    """

    def __init__(
        self,
        files: Sequence[File],
        targets: Sequence[Any] | None = None,
        *,
        limits: Limits | None = None,
        errors: str = "raise",
        transform: Callable[[torch.Tensor], Any] | None = None,
        **choices: Unpack[ClipChoices],
    ) -> None:
        if isinstance(files, (str, os.PathLike, bytes, bytearray, memoryview)):
            raise TypeError(f"files are a list of paths or bytes, not one {type(files).__name__}")
        if targets is not None and len(targets) != len(files):
            raise ValueError(f"{len(files)} files have {len(targets)} targets")
        self.files, self.targets = files, targets
        self._reader = _Reader(ClipOptions.of(**choices), limits, _checked(errors, _POLICIES[:2]), transform)

    def __len__(self) -> int:
        return len(self.files)

    def __getitem__(self, place: int) -> Any:
        item = self._reader.item(partial(_itself, self.files[place]))
        return item if self.targets is None else (item, self.targets[place])


class ClipStream(torch.utils.data.IterableDataset[Any]):
    """The clips of GIFs one after another: of files, bytes, and the members of tar shards whose names end in `.gif`.

    An item is the tensor, or with `target` the tensor and what that function makes of the file's name: its path, its name
    within its shard, or for bytes an empty text. Each worker reads its part of the GIFs: the fifth of eight workers the
    fifth, the thirteenth and so on. `errors` may be `skip`, too: files that cannot be used are left out, and with
    `skip` or `blank` the rest of a shard that cannot be read on, with a warning. The rest is as of `Clips`.
    """

    def __init__(
        self,
        sources: Iterable[File] | File,
        target: Callable[[str], Any] | None = None,
        *,
        limits: Limits | None = None,
        errors: str = "raise",
        transform: Callable[[torch.Tensor], Any] | None = None,
        **choices: Unpack[ClipChoices],
    ) -> None:
        self.sources, self.target = sources, target
        self._reader = _Reader(ClipOptions.of(**choices), limits, _checked(errors, _POLICIES), transform)

    def __iter__(self) -> Iterator[Any]:
        worker = torch.utils.data.get_worker_info()
        first, step = (worker.id, worker.num_workers) if worker else (0, 1)
        for place, (name, read) in enumerate(self._reader.gifs_of(each_of(self.sources))):
            if place % step != first:
                continue
            item = self._reader.item(read)
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

    def item(self, read: Callable[[], Source | GIF]) -> Any:
        """A GIF's clip; None where it is to be left out."""
        clip = new_pixels(self.options.shape)
        try:
            source = read()
            if isinstance(source, GIF):
                source.read_clip(self.options, clip)
            else:
                with open(source, limits=self.limits) as gif:
                    gif.read_clip(self.options, clip)
        except (GIFError, ValueError, OSError, tarfile.TarError):
            if self.errors == "raise":
                raise
            if self.errors == "skip":
                return None
            self.options.blank(clip)
        tensor = torch.from_numpy(clip)
        return tensor if self.transform is None else self.transform(tensor)

    def gifs_of(self, sources: Iterable[Source | GIF]) -> Iterator[tuple[str, Callable[[], Source | GIF]]]:
        """Each GIF: its name, and what gives its source."""
        for source in sources:
            path = os.fsdecode(source) if isinstance(source, (str, os.PathLike)) else ""
            if not path.lower().endswith(_TAR_NAMES):
                yield path, partial(_itself, source)
                continue
            try:
                with tarfile.open(path) as shard:
                    for member in shard:
                        if member.isfile() and member.name.lower().endswith(".gif"):
                            yield member.name, partial(self._content, path, shard, member)
            except (OSError, EOFError, zlib.error, tarfile.TarError) as error:
                if self.errors == "raise":
                    raise
                warnings.warn(f"{path}: the shard cannot be read on: {error}", stacklevel=2)

    def _content(self, path: str, shard: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
        """The bytes of a member, within the limit of streams."""
        limit = (self.limits and self.limits.stream_bytes) or Limits.engine_defaults().stream_bytes or 0
        if member.size > limit:
            text = f"{member.name} has {member.size} bytes, more than the limit of {limit}"
            raise GIFError(text, "tooLarge", path=f"{path}/{member.name}")
        file = shard.extractfile(member)
        return b"" if file is None else file.read()


def _checked(errors: str, policies: Sequence[str]) -> str:
    if errors not in policies:
        raise ValueError(f"errors is one of {', '.join(policies)}, not {errors!r}")
    return errors


def _itself(source: Source | GIF) -> Source | GIF:
    return source
