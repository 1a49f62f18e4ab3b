"""A GIF that arrives in pieces."""

from __future__ import annotations

import ctypes

from ._handles import Owned, make
from ._library import AGAIN, check, lib
from ._structs import Handle, OpenOptions
from .enums import DamagePolicy
from .image import GIF
from .sources import Limits, Reading


class GIFStream:
    """Takes bytes as they come, and gives the GIF so far.

    stream.feed(part); player.update(stream.image(), is_complete=False)
    """

    def __init__(self, *, limits: Limits | None = None, damage: DamagePolicy | str = DamagePolicy.CHROMIUM) -> None:
        self._limits, self._damage = limits, DamagePolicy(damage)
        record = limits.record() if limits else None
        options = OpenOptions(damage=self._damage.number, limits=ctypes.pointer(record) if record else None)
        self._handle = make("stream", lib.gallop_stream_new, ctypes.byref(options))
        self._parts: list[bytes] = []

    def feed(self, data: bytes) -> None:
        """Takes the next bytes, any number. Once a fault is certain, this and all further calls raise it."""
        check(lib.gallop_stream_feed(self._handle.value, data, len(data)))
        self._parts.append(data)

    def image(self) -> GIF | None:
        """The GIF so far: all whole frames, and the first one as far as it has come; None until its size is known."""
        out = Handle()
        if check(lib.gallop_stream_image(self._handle.value, ctypes.byref(out))) == AGAIN:
            return None
        return self._gif(Owned(out.value, lib.gallop_image_release))

    def finish(self) -> GIF:
        """Ends the file wherever it breaks off. The stream takes no more bytes."""
        return self._gif(make("image", lib.gallop_stream_finish, self._handle.value))

    def close(self) -> None:
        self._handle.close()

    def __repr__(self) -> str:
        return f"<GIFStream, {sum(map(len, self._parts))} bytes so far>"

    def __enter__(self) -> GIFStream:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _gif(self, handle: Owned) -> GIF:
        self._parts = [b"".join(self._parts)]
        return GIF(Reading(None, self._parts[0], self._limits, self._damage), handle)
