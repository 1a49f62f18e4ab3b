"""Waits for players' events, for the tests of players."""

from __future__ import annotations

import asyncio
import select
from collections.abc import Coroutine
from typing import Any, TypeVar

import gallop

T = TypeVar("T")
WAIT = 60
"""Seconds after which a test fails."""


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asyncio.wait_for(work, WAIT))


def wait_for(player: gallop.Player, kind: type[Any]) -> Any:
    """The next event of a kind, waiting at the descriptor as a loop without asyncio does."""
    while True:
        assert select.select([player.fileno()], [], [], WAIT)[0], "no event came"
        event = player.next_event()
        if isinstance(event, kind):
            return event


async def following(stream: gallop.EventStream[T]) -> T:
    """The stream's next event; Python 3.9 has no `anext`."""
    return await stream.__anext__()
