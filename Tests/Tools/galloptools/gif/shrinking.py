"""Makes a failing file smaller."""

from __future__ import annotations

from collections.abc import Callable


def shrink(data: bytes, fails: Callable[[bytes], bool], tries: int) -> bytes:
    """Leave out ever smaller parts as long as the rest still fails; ask at most `tries` times."""
    size = max(1, len(data) // 2)
    while tries > 0:
        start = 0
        while start < len(data) and tries > 0:
            tries -= 1
            smaller = data[:start] + data[start + size :]
            if smaller and fails(smaller):
                data = smaller
            else:
                start += size
        if size == 1:
            break
        size //= 2
    return data
