"""Plays a GIF: commands, states, and events for asyncio or any other loop."""

from __future__ import annotations

import asyncio
import ctypes
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ._handles import make
from ._library import AGAIN, END, check, lib
from ._player_structs import EventRecord
from ._structs import Handle
from .control import PlayerControl
from .dispatch import Dispatcher, EventStream, Subscription
from .events import (
    FRAME,
    BufferingChange,
    Event,
    Failure,
    Finished,
    FlashesChange,
    FrameChange,
    LoopCompletion,
    StateChange,
    event_of,
    frame_of,
)
from .image import GIF, open
from .playback import PlaybackChanges, PlaybackOptions
from .sources import Source

if TYPE_CHECKING:
    from typing_extensions import Unpack

ALL_EVENTS: tuple[type[Event], ...] = (
    FrameChange, LoopCompletion, Finished, StateChange, BufferingChange, Failure, FlashesChange,
)
STREAM_LIMIT = 4
"""Frame changes that wait for a reader with their pixels."""


class Player(PlayerControl):
    """Plays an animation; it shows nothing before the first command.

    Commands may come from any thread. Events go to one asyncio loop, or to a program's own loop by `fileno` and
    `next_event`.
    """

    def __init__(
        self, gif: GIF | Source, options: PlaybackOptions | None = None, **changes: Unpack[PlaybackChanges]
    ) -> None:
        """`changes` are fields of PlaybackOptions: `Player("horse.gif", rate=2, mode="bounce")`."""
        if options is not None and changes:
            raise TypeError("either options or single ones are needed")
        self.options = options or PlaybackOptions(**changes)
        self.gif = gif if isinstance(gif, GIF) else open(gif)
        self._handle = make("player", lib.gallop_player_new, self.gif._image, ctypes.byref(self.options.record()))
        self._dispatcher: Dispatcher | None = None
        self._starts = self.gif.infos.start_ms
        # Frame changes without pixels since the last one that was given.
        self._dropped = 0

    def update(self, gif: GIF, *, is_complete: bool) -> bool:
        """Takes more of a GIF that loads, from the same stream; False if it is ignored."""
        took = check(lib.gallop_player_update(self._value, gif._image, int(is_complete))) != END
        if took:
            self.gif, self._starts = gif, gif.infos.start_ms
        return took

    # ---- Events

    def events(self, limit: int = STREAM_LIMIT) -> EventStream[Event]:
        """All events, for `async for` on the running loop; the last one is Finished or Failure.

        A player that plays again afterwards is asked for another stream.
        """
        return EventStream(self._on_loop(), ALL_EVENTS, limit)

    def frame_changes(self, limit: int = STREAM_LIMIT) -> EventStream[FrameChange]:
        """The frames shown, for `async for` on the running loop, to the end of the last play."""
        return EventStream(self._on_loop(), (FrameChange,), limit)

    def __aiter__(self) -> EventStream[FrameChange]:
        return self.frame_changes()

    def on_event(self, callback: Callable[[Event], object]) -> Subscription:
        """Calls back for every event, on the running loop. What a callback raises goes to the loop's handler."""
        return self._on_loop().subscribe(ALL_EVENTS, callback)

    def on_frame_change(self, callback: Callable[[FrameChange], object]) -> Subscription:
        return self._on_loop().subscribe((FrameChange,), callback)

    def on_loop(self, callback: Callable[[LoopCompletion], object]) -> Subscription:
        return self._on_loop().subscribe((LoopCompletion,), callback)

    def on_finish(self, callback: Callable[[Finished], object]) -> Subscription:
        return self._on_loop().subscribe((Finished,), callback)

    def on_state_change(self, callback: Callable[[StateChange], object]) -> Subscription:
        return self._on_loop().subscribe((StateChange,), callback)

    def on_flashes(self, callback: Callable[[FlashesChange], object]) -> Subscription:
        return self._on_loop().subscribe((FlashesChange,), callback)

    def on_buffering(self, callback: Callable[[BufferingChange], object]) -> Subscription:
        return self._on_loop().subscribe((BufferingChange,), callback)

    def on_failure(self, callback: Callable[[Failure], object]) -> Subscription:
        return self._on_loop().subscribe((Failure,), callback)

    def fileno(self) -> int:
        """A descriptor that is readable exactly while events wait; neither to be read nor closed."""
        descriptor = ctypes.c_int()
        self._do(lib.gallop_player_event_fd, ctypes.byref(descriptor))
        return descriptor.value

    def next_event(self) -> Event | None:
        """Takes the oldest event that waits; events are collected from the first call of `fileno` or this on."""
        while True:
            record, frame = EventRecord(), Handle()
            status = check(lib.gallop_player_next_event(self._value, ctypes.byref(record), ctypes.byref(frame)))
            if status == AGAIN:
                return None
            if record.kind != FRAME:
                return event_of(record, None, 0, self.gif.path)
            dropped = self._dropped + record.dropped
            if frame.value:
                self._dropped = 0
                return event_of(record, frame_of(frame.value, self._starts), dropped, self.gif.path)
            # The pixels are gone, as newer changes wait: one more that came too late.
            self._dropped = dropped + 1

    # ---- Life

    @property
    def closed(self) -> bool:
        return not self._handle.value

    def close(self) -> None:
        """Stops the player and ends its streams. With listeners to be called on their loop's thread."""
        if self._dispatcher is not None:
            self._dispatcher.close()
            self._dispatcher = None
        self._handle.close()

    def __enter__(self) -> Player:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Player of {self.gif!r}, {'closed' if self.closed else self.state}>"

    def _on_loop(self) -> Dispatcher:
        """The dispatcher of the running loop."""
        loop = asyncio.get_running_loop()
        if self._dispatcher is None or self._dispatcher.loop.is_closed():
            self._value  # noqa: B018  (raises if the player is closed)
            self._dispatcher = Dispatcher(self, loop)
        if self._dispatcher.loop is not loop:
            raise RuntimeError("the player's events go to another loop")
        return self._dispatcher
