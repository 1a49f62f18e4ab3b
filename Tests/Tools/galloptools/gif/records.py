"""The records of a GIF: where each begins and ends, and what its loop extensions say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

_LOOP_IDENTIFIERS = frozenset({b"NETSCAPE2.0", b"ANIMEXTS1.0"})
_EXTENSION, _IMAGE, _APPLICATION = 0x21, 0x2C, 0xFF


class Record(NamedTuple):
    """An extension or an image."""

    kind: int
    start: int
    blocks: int
    """Where its sub-blocks begin; the end of the file if it is cut before them."""
    end: int

    @property
    def is_image(self) -> bool:
        return self.kind == _IMAGE


@dataclass(frozen=True)
class LoopCounts:
    """Stored loop counts (0 = forever); None where there is no loop extension."""

    before_first_image: int | None
    after_first_image: int | None


def records(data: bytes | bytearray) -> Iterator[Record]:
    """Walk up to the trailer, or to the first byte that begins no record."""
    place = 13 + (table_length(data[10]) if len(data) > 10 else 0)
    while place < len(data) and data[place] in (_EXTENSION, _IMAGE):
        start, kind = place, data[place]
        if kind == _EXTENSION:
            blocks = start + 2
        else:
            blocks = start + 11 + table_length(data[start + 9]) if start + 9 < len(data) else len(data)
        place = min(blocks, len(data))
        while place < len(data) and data[place]:
            place += 1 + data[place]
        place = min(place + 1, len(data))
        yield Record(kind, start, min(blocks, len(data)), place)


def record_places(data: bytes | bytearray) -> list[int]:
    """Where the records begin, and last where the walk ends."""
    found = list(records(data))
    first = 13 + (table_length(data[10]) if len(data) > 10 else 0)
    return [record.start for record in found] + [found[-1].end if found else min(first, len(data))]


def table_length(flags: int) -> int:
    """Bytes of the colour table that the packed field announces."""
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


def sub_blocks(data: bytes, place: int) -> list[bytes]:
    """The contents of the sub-blocks from `place` on."""
    blocks: list[bytes] = []
    while place < len(data) and data[place]:
        end = place + 1 + data[place]
        blocks.append(data[place + 1 : end])
        place = end
    return blocks


def read_loop_counts(data: bytes) -> LoopCounts:
    """Read the loop extensions before and after the first image.

    Firefox's ImageDecoder states the loop count as it is known when frame 0 begins, although the animation on screen
    follows a loop extension that comes later. To distinguish that from a real disagreement, both are needed.
    """
    before: int | None = None
    after: int | None = None
    seen_image = False
    for record in records(data):
        if record.is_image:
            seen_image = True
        elif data[record.start + 1 : record.start + 2] == bytes([_APPLICATION]):
            count = _loop_count(sub_blocks(data, record.blocks))
            if count is not None and seen_image:
                after = count
            elif count is not None:
                before = count
    return LoopCounts(before, after)


def _loop_count(blocks: list[bytes]) -> int | None:
    if len(blocks) < 2 or blocks[0] not in _LOOP_IDENTIFIERS or len(blocks[1]) != 3 or blocks[1][0] != 1:
        return None
    return int.from_bytes(blocks[1][1:], "little")
