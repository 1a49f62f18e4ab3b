"""What a GIF's file says beside its frames: comments, extensions, palettes."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy

from ._library import check, lib
from ._memory import Pixels
from ._structs import Extension

GLOBAL = -1
"""The place of the palette that belongs to no frame."""


@dataclass(frozen=True)
class ApplicationExtension:
    """A block of a program's own, such as the one with the number of loops."""

    identifier: str
    offset: int
    byte_count: int


def read_comment(image: int, index: int) -> bytes:
    length = ctypes.c_size_t()
    check(lib.gallop_image_comment(image, index, None, 0, ctypes.byref(length)))
    buffer = ctypes.create_string_buffer(length.value + 1)
    check(lib.gallop_image_comment(image, index, buffer, len(buffer), ctypes.byref(length)))
    return buffer.raw[: length.value]


def read_extension(image: int, index: int) -> ApplicationExtension:
    record: Any = Extension()
    check(lib.gallop_image_extension(image, index, ctypes.byref(record)))
    return ApplicationExtension(record.identifier.decode("latin-1"), record.offset, record.byte_count)


def read_palette(image: int, frame: int) -> Pixels | None:
    """N x 4 bytes RGBA; None without a palette."""
    colors = numpy.empty((256, 4), numpy.uint8)
    count = ctypes.c_size_t()
    check(lib.gallop_image_palette(image, frame, 0, colors.ctypes.data, 256, ctypes.byref(count)))
    return colors[: count.value].copy() if count.value else None
