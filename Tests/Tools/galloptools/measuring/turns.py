"""The order in which programs take turns."""

from __future__ import annotations

from collections.abc import Sequence


def rotated(tools: Sequence[str], turn: int) -> list[str]:
    """The order of tools in a round: another one begins each time, so that none always follows the same."""
    if not tools:
        return []
    first = turn % len(tools)
    return [*tools[first:], *tools[:first]]
