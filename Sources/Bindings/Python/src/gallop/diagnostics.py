"""Faults of a file, treated as browsers do."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ._library import END, check, known
from ._structs import DiagnosticRecord


@dataclass(frozen=True)
class Diagnostic:
    """One fault, and what follows from it."""

    code: str
    """The engine's word for it, such as `truncatedFrame`."""
    frame: int | None
    """The frame concerned; None for the file."""
    offset: int
    """The byte offset in the file."""
    message: str

    def __str__(self) -> str:
        where = f"at byte {self.offset}" if self.frame is None else f"frame {self.frame}, at byte {self.offset}"
        return f"{where}: {self.message}"


def read_diagnostics(function: Callable[..., int], handle: int, first: int = 0) -> Iterator[Diagnostic]:
    """The faults that a function of the library lists, from `first` on."""
    record: Any = DiagnosticRecord()
    while check(function(handle, first, ctypes.byref(record))) != END:
        first += 1
        yield Diagnostic(record.code.decode(), known(record.frame), record.offset, record.message.decode())
