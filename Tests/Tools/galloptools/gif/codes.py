"""LZW code streams, lawful or not: codes are packed one by one at the width that a decoder expects for each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_LARGEST_TABLE = 4096
_LARGEST_WIDTH = 12


class CodeStream:
    """Codes of any kind, packed lowest bit first.

    A decoder's next free code starts at the end code and rises by one with every code that is neither clear nor end.
    The width grows as soon as the next free code no longer fits in it, up to 12 bits.
    """

    def __init__(self, code_size: int, codes: Iterable[int] = ()) -> None:
        self.code_size = code_size
        self.clear_code = 1 << code_size
        self.end_code = self.clear_code + 1
        self.next_code = self.end_code
        self._width = code_size + 1
        self._value = 0
        self._bits = 0
        for code in codes:
            self.append(code)

    def append(self, code: int) -> None:
        """Add a code at its proper width; bits that do not fit are dropped."""
        self._value |= (code & ((1 << self._width) - 1)) << self._bits
        self._bits += self._width
        if code == self.clear_code:
            self.next_code = self.end_code
            self._width = self.code_size + 1
        elif code != self.end_code and self.next_code < _LARGEST_TABLE:
            self.next_code += 1
            if self.next_code >= 1 << self._width and self._width < _LARGEST_WIDTH:
                self._width += 1

    @property
    def bit_count(self) -> int:
        """How many bits have been packed."""
        return self._bits

    def bytes(self) -> bytes:
        """The packed codes; the unused bits of the last byte are zero."""
        return self._value.to_bytes((self._bits + 7) // 8, "little")


def encode(
    indices: Sequence[int],
    code_size: int | None = None,
    starts_with_clear: bool = True,
    ends_with_end: bool = True,
    clear_after: int | None = None,
    clears_when_full: bool = True,
) -> CodeStream:
    """Compress indices; `clear_after` empties the table after this many codes, too."""
    stream = CodeStream(smallest_code_size(indices) if code_size is None else code_size)
    if starts_with_clear:
        stream.append(stream.clear_code)
    table: dict[tuple[int, int], int] = {}
    since_clear = 0
    current: int | None = None
    for index in indices:
        if current is None:
            current = index
        elif (current, index) in table:
            current = table[current, index]
        else:
            stream.append(current)
            since_clear += 1
            is_full = clears_when_full and stream.next_code == _LARGEST_TABLE
            if is_full or since_clear == clear_after:
                stream.append(stream.clear_code)
                table.clear()
                since_clear = 0
            elif stream.next_code < _LARGEST_TABLE:
                table[current, index] = stream.next_code
            current = index
    if current is not None:
        stream.append(current)
    if ends_with_end:
        stream.append(stream.end_code)
    return stream


def smallest_code_size(indices: Sequence[int]) -> int:
    """The smallest code size that the format allows for these indices: 2 to 8."""
    return max(2, max(indices, default=0).bit_length())
