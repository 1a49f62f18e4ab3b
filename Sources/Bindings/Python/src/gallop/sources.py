"""What a GIF can be read from, and the options for reading it."""

from __future__ import annotations

import ctypes
import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, BinaryIO, Union

from ._handles import Interruptible, Owned, make
from ._library import check, lib
from ._structs import Limits as LimitsRecord
from ._structs import OpenOptions
from .enums import DamagePolicy

Source = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, BinaryIO]
"""A path, the bytes of a GIF, or a file object with its bytes, which need not be seekable."""

Paths = Union[str, "os.PathLike[str]", Iterable[Union[str, "os.PathLike[str]"]]]
"""Files and folders."""

LONG_FILE = 64 << 20
"""From this many bytes on the records take long enough that a signal must be heard meanwhile."""


@dataclass(frozen=True)
class Limits:
    """What a file may claim, checked before memory is allocated; None means the engine's default."""

    canvas_pixels: int | None = None
    """Pixels of the largest canvas to decode: 33,554,432."""
    claimed_pixels: int | None = None
    """Pixels of the largest canvas to index: 536,870,911."""
    frame_pixels: int | None = None
    """Pixels of the largest rectangle of a frame; a larger frame is not drawn: 33,554,432."""
    decoded_bytes: int | None = None
    """Bytes that one decoder holds: 512 MiB."""
    frame_count: int | None = None
    """Frames; further ones are ignored, with a diagnostic: 131,072."""
    total_pixels: int | None = None
    """The sum of all frames' rectangles; further frames are ignored, with a diagnostic: no limit."""
    comment_bytes: int | None = None
    """Comment bytes kept: 65,536."""
    stream_bytes: int | None = None
    """Bytes of a stream or a pipe, which are held in memory: 256 MiB."""

    @classmethod
    def untrusted(cls) -> Limits:
        """For files from strangers."""
        return cls._preset(1)

    @classmethod
    def engine_defaults(cls) -> Limits:
        """What counts where nothing is said, as numbers."""
        return cls._preset(0)

    @classmethod
    def _preset(cls, number: int) -> Limits:
        record = LimitsRecord()
        check(lib.gallop_limits_init(ctypes.byref(record), number))
        return cls(**{field.name: getattr(record, field.name) for field in fields(cls)})

    def record(self) -> LimitsRecord:
        """The struct of the library."""
        return LimitsRecord(**{field.name: getattr(self, field.name) or 0 for field in fields(self)})


@dataclass(frozen=True)
class Reading:
    """How a GIF is opened: its source, as a path or as bytes, and the options."""

    path: str | None
    data: bytes | None
    limits: Limits | None
    damage: DamagePolicy

    @classmethod
    def of(cls, source: Source, limits: Limits | None, damage: DamagePolicy | str) -> Reading:
        path, data = read_source(source)
        return cls(path, data, limits, DamagePolicy(damage))

    def read(self) -> bytes:
        """The file's bytes, as they are now."""
        if self.data is not None:
            return self.data
        with open(self.path or "", "rb") as file:
            return file.read()

    def open(self, interruptible: Interruptible | None = None) -> Owned:
        """The image's handle. With a token of the caller's, its threads are not Python's main one."""
        limits = self.limits.record() if self.limits else None
        options = OpenOptions(damage=self.damage.number, limits=ctypes.pointer(limits) if limits else None)
        if self.data is not None:
            return make("image", lib.gallop_image_from_bytes, self.data, len(self.data), ctypes.byref(options))
        path = self.path or ""
        if interruptible is not None:
            options.cancel = interruptible.token.value
        if interruptible is not None or not is_long(path):
            return make("image", lib.gallop_image_open, os.fsencode(path), ctypes.byref(options), path=path)
        # A pipe may wait for its writer for ever, and a long file takes its time.
        interruptible = Interruptible()
        options.cancel = interruptible.token.value
        opened: list[Owned] = []

        def work() -> int:
            opened.append(make("image", lib.gallop_image_open, os.fsencode(path), ctypes.byref(options), path=path))
            return 0

        interruptible.on_helper(work)
        return opened[0]


def read_source(source: Source) -> tuple[str | None, bytes | None]:
    """A source as a path or as bytes. A file object is read to its end."""
    if isinstance(source, (str, os.PathLike)):
        path = os.fsdecode(source)
        if "\0" in path:
            raise ValueError("a path holds no null character")
        return path, None
    if isinstance(source, (bytes, bytearray, memoryview)):
        return None, bytes(source)
    read: Any = getattr(source, "read", None)
    if read is None:
        raise TypeError(f"a path, bytes or a file object is needed, not {type(source).__name__}")
    data = read()
    if not isinstance(data, bytes):
        raise TypeError("the file object must be opened in binary mode")
    return None, data


def is_long(path: str) -> bool:
    """Whether opening may take long: the path names no file, or a large one."""
    try:
        facts = os.stat(path)
    except OSError:
        return False
    return not stat.S_ISREG(facts.st_mode) or facts.st_size >= LONG_FILE


def gif_paths(paths: Paths) -> list[str]:
    """The files of a list, and of each folder in it, and below, those whose names end in .gif, sorted."""
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    found: list[str] = []
    for path in map(Path, paths):
        if path.is_dir():
            inside = (file for file in path.rglob("*") if file.suffix.lower() == ".gif" and file.is_file())
            found += sorted(map(str, inside))
        else:
            found.append(str(path))
    return found
