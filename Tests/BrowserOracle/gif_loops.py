"""Read the loop extensions that stand before the first image of a GIF.

Firefox's ImageDecoder states the loop count as it is known when frame 0 begins, although the animation on screen
follows a loop extension that comes later. To tell that apart from a real disagreement, `rows.compare` needs to know
what the beginning of the file says and whether there is a later extension.
"""

from __future__ import annotations

from dataclasses import dataclass

_LOOP_IDENTIFIERS = frozenset({b"NETSCAPE2.0", b"ANIMEXTS1.0"})
_EXTENSION, _IMAGE, _APPLICATION = 0x21, 0x2C, 0xFF


@dataclass(frozen=True)
class LoopCounts:
    """Stored loop counts (0 = forever); None where there is no loop extension."""

    before_first_image: int | None
    after_first_image: int | None


def read_loop_counts(data: bytes) -> LoopCounts:
    """Walk the blocks of `data` up to the trailer or the first thing that cannot be followed."""
    before: int | None = None
    after: int | None = None
    seen_image = False
    position = 13 + _table_length(data[10]) if len(data) >= 13 else len(data)
    while position < len(data):
        kind = data[position]
        if kind == _EXTENSION and position + 1 < len(data):
            blocks, end = _sub_blocks(data, position + 2)
            count = _loop_count(blocks) if data[position + 1] == _APPLICATION else None
            if count is not None and seen_image:
                after = count
            elif count is not None:
                before = count
            position = end
        elif kind == _IMAGE and position + 9 < len(data):
            seen_image = True
            _, position = _sub_blocks(data, position + 11 + _table_length(data[position + 9]))
        else:
            break
    return LoopCounts(before, after)


def _table_length(flags: int) -> int:
    """Bytes of the colour table that the packed field announces."""
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


def _sub_blocks(data: bytes, position: int) -> tuple[list[bytes], int]:
    """The sub-blocks from `position` on and the position behind their terminator."""
    blocks: list[bytes] = []
    while position < len(data) and data[position] != 0:
        end = position + 1 + data[position]
        blocks.append(data[position + 1 : end])
        position = end
    return blocks, position + 1


def _loop_count(blocks: list[bytes]) -> int | None:
    if len(blocks) < 2 or blocks[0] not in _LOOP_IDENTIFIERS or len(blocks[1]) != 3 or blocks[1][0] != 1:
        return None
    return int.from_bytes(blocks[1][1:], "little")
