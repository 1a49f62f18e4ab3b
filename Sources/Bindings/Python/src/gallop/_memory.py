"""Pixels in memory that an array shows without a copy, and that lives as long as any such array."""

from __future__ import annotations

import ctypes
import math
from typing import TYPE_CHECKING, Any

import numpy

from ._handles import make
from ._library import check, lib

if TYPE_CHECKING:
    import numpy.typing

    Pixels = numpy.typing.NDArray[numpy.uint8]
    """An array of bytes."""
else:
    Pixels = numpy.ndarray

DEVICE = (1, 0)
"""DLPack's word for the memory of the processor."""


class PixelMemory:
    """Bytes at an address, and what keeps them there. NumPy makes an array of it: the array's base is this object."""

    __slots__ = ("__array_interface__", "__weakref__", "_owner")

    def __init__(
        self, address: int, shape: tuple[int, ...], owner: object, stride: int = 0, is_read_only: bool = True
    ) -> None:
        # A stride is given by rows only where these have gaps.
        strides = (stride, 4, 1) if stride and stride != shape[1] * 4 else None
        self.__array_interface__ = {
            "version": 3,
            "shape": shape,
            "typestr": "|u1",
            "data": (address, is_read_only),
            "strides": strides,
        }
        self._owner = owner

    @property
    def array(self) -> Pixels:
        """A new array over these bytes."""
        return numpy.asarray(self)

    def dlpack(self, max_version: tuple[int, int] | None, copy: bool | None) -> Any:
        """A capsule for DLPack.

        Its version 1 says that the memory is read-only, if NumPy is 2.1 or later. Older consumers cannot be told, so
        they get the same memory and, as with arrays of JAX, must not write to it.
        """
        if copy:
            return self.array.copy().__dlpack__()
        if max_version is not None and max_version[0] >= 1:
            try:
                return self.array.__dlpack__(max_version=max_version)
            except TypeError:  # before NumPy 2.1
                pass
        interface: dict[str, Any] = self.__array_interface__
        return numpy.asarray(_Writable({**interface, "data": (interface["data"][0], False)}, self)).__dlpack__()


LEAST_LARGE = 4 << 20
"""Smaller arrays have memory of NumPy's, which recycles it as well. Larger ones are written past the caches."""


def new_pixels(shape: tuple[int, ...]) -> Pixels:
    """A new array, not cleared. The library recycles the memory of large ones. Raises MemoryError."""
    size = math.prod(shape)
    if size < LEAST_LARGE:
        return numpy.empty(shape, numpy.uint8)
    address = ctypes.c_void_p()
    owner = make("memory", lib.gallop_memory_new, size, ctypes.byref(address))
    return PixelMemory(address.value or 0, shape, owner, is_read_only=False).array


def trim_memory() -> None:
    """Gives the memory that the library keeps for later arrays back to the system, as `malloc_trim` does."""
    check(lib.gallop_memory_trim())


class _Writable:
    """The same memory without its mark of being read-only."""

    __slots__ = ("__array_interface__", "_memory")

    def __init__(self, interface: dict[str, Any], memory: PixelMemory) -> None:
        self.__array_interface__ = interface
        self._memory = memory


def memory_of_bytes(data: bytes, shape: tuple[int, ...]) -> PixelMemory:
    """The bytes themselves as pixels."""
    address = ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value or 0
    return PixelMemory(address, shape, data)
