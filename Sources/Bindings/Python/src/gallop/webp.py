"""Animated WebPs of GIFs, by libwebp."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence

from ._handles import Interruptible
from ._library import lib
from ._structs import WebPRecord
from .decoding import Size

_free = ctypes.CDLL(None).free
_free.argtypes, _free.restype = [ctypes.c_void_p], None


def webp_of(
    image: int, indices: Sequence[int] | None, size: Size, quality: float | None, fps: float | None, path: str | None
) -> bytes:
    """The WebP of an image's handle. Raises ValueError for a quality or a rate that is none."""
    if quality is not None and not 0 <= quality <= 100:
        raise ValueError(f"quality is 0 to 100, or None for lossless, not {quality!r}")
    if fps is not None and not 0 < fps < math.inf:
        raise ValueError(f"fps is a number above 0, not {fps!r}")
    interruptible = Interruptible()
    record = WebPRecord(
        width=size[0],
        height=size[1],
        most_per_second=fps or 0,
        is_lossy=quality is not None,
        quality=quality or 0,
        cancel=interruptible.token.value,
    )
    if indices is not None:
        record.frames = (ctypes.c_int64 * len(indices))(*indices)
        record.frame_count = len(indices)
    address, count = ctypes.c_void_p(), ctypes.c_size_t()
    interruptible.call(
        lib.gallop_image_webp, image, ctypes.byref(record), ctypes.byref(address), ctypes.byref(count), path=path
    )
    try:
        return ctypes.string_at(address.value or 0, count.value)
    finally:
        _free(address)


def poster_of(image: int, path: str | None) -> int:
    """The frame that stands for an image's handle."""
    interruptible = Interruptible()
    index = ctypes.c_int64()
    interruptible.call(
        lib.gallop_image_poster, image, interruptible.token.value, ctypes.byref(index), path=path
    )
    return index.value
