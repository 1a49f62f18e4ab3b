"""What can go wrong: one family of exceptions, with code, frame, byte offset and path."""

from __future__ import annotations

import errno
import os
import re
from typing import Any


class GIFError(Exception):
    """A GIF, or a player of one, that cannot be used.

    `code` is the engine's word for what happened, such as `notAGIF`. `frame`, `offset` and `path` say where, and are
    None where they say nothing.
    """

    def __init__(
        self,
        message: str,
        code: str,
        frame: int | None = None,
        offset: int | None = None,
        path: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.frame = frame
        self.offset = offset
        self.path = path

    def __str__(self) -> str:
        # The library's own sentences about opening a file name it.
        if self.path is None or self.path in self.message:
            return self.message
        return f"{self.path}: {self.message}"

    def __repr__(self) -> str:
        named = [("code", self.code), ("frame", self.frame), ("offset", self.offset), ("path", self.path)]
        known = "".join(f", {name}={value!r}" for name, value in named if value is not None)
        return f"{type(self).__name__}({self.message!r}{known})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message, self.code, self.frame, self.offset, self.path)


class GIFFileError(GIFError, OSError):
    """A file that cannot be read; `errno` and `filename` are those of the system."""


class GIFNotFoundError(GIFFileError, FileNotFoundError):
    """There is no such file."""


class GIFFrameError(GIFError, IndexError):
    """There is no such frame: the GIF has none at all (`noFrames`), or not as many (`noSuchFrame`)."""


class GIFMemoryError(GIFError, MemoryError):
    """There is no memory for a picture."""


_FRAME_CODES = ("noFrames", "noSuchFrame")

_FILE_CODES = {"unreadable": None, "isDirectory": errno.EISDIR, "notAFile": None, "noWriter": errno.ENXIO}
"""The codes of files that cannot be read, and the system's number where the code says it."""


def missing_frame(index: int, count: int, path: str | None = None) -> GIFFrameError:
    """Why a GIF of this many frames cannot show one of them."""
    if count == 0:
        return GIFFrameError("the GIF has no frame to show", "noFrames", path=path)
    return GIFFrameError(f"there is no frame {index} of {count}", "noSuchFrame", path=path)


def _advice(path: str) -> str:
    """What may help a caller whose path names no file."""
    if re.match(r"[a-z][a-z0-9+.-]*://", path, re.IGNORECASE):
        return "; URLs are not loaded: give the bytes that the server sends"
    return "; `~` is no folder here: use os.path.expanduser" if path.startswith("~") else ""


def make_error(
    message: str,
    code: str,
    frame: int | None = None,
    offset: int | None = None,
    path: str | None = None,
    number: int | None = None,
) -> GIFError:
    """The exception of the class that fits a code; `number` is the system's error number, if it is known."""
    if code == "outOfMemory":
        return GIFMemoryError(message, code, frame, offset, path)
    if code in _FRAME_CODES:
        return GIFFrameError(message, code, frame, offset, path)
    if code not in _FILE_CODES:
        return GIFError(message, code, frame, offset, path)
    number = number or _FILE_CODES[code]
    kind = GIFNotFoundError if number == errno.ENOENT else GIFFileError
    if kind is GIFNotFoundError and path is not None:
        message += _advice(path)
    error = kind(message, code, frame, offset, path)
    error.errno, error.filename = number, path
    error.strerror = message if number is None else os.strerror(number)
    return error
