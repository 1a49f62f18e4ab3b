"""Brings a player's events to one asyncio loop. No Python code runs on a thread of the engine.

The player has a descriptor that is readable exactly while events wait. The loop watches it, takes the events, and calls
listeners itself: a callback on an engine thread would wait for the interpreter's lock, and hold up the clock of all
players.
"""

from __future__ import annotations

import asyncio
import weakref
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Generic, Protocol, TypeVar

from .enums import PlaybackState
from .events import Event, Failure, Finished, FrameChange

E = TypeVar("E", bound=Event)

_OVER = (PlaybackState.FINISHED, PlaybackState.FAILED)

BATCH = 64
"""Events taken at a time, so that other work of the loop has its turn."""


class EventSource(Protocol):
    """What a dispatcher asks of a player."""

    @property
    def state(self) -> PlaybackState: ...

    def fileno(self) -> int: ...

    def next_event(self) -> Event | None: ...


class Subscription:
    """A callback for events; it lasts until it is cancelled, or until the player is closed."""

    def __init__(self, dispatcher: Dispatcher, kinds: tuple[type, ...], callback: Callable[[Any], object]) -> None:
        self._dispatcher = dispatcher
        self.kinds = kinds
        self.callback = callback

    def cancel(self) -> None:
        """No call follows this one. To be called on the loop's thread."""
        self._dispatcher.remove(self)

    def __enter__(self) -> Subscription:
        return self

    def __exit__(self, *exception: object) -> None:
        self.cancel()


class Dispatcher:
    """The listeners of one player on one loop."""

    def __init__(self, player: EventSource, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._player = player
        self._descriptor: int | None = None
        self._subscriptions: list[Subscription] = []
        # A stream that its reader has left, as `break` does, is gone from here.
        self._streams: weakref.WeakSet[EventStream[Any]] = weakref.WeakSet()

    def subscribe(self, kinds: tuple[type, ...], callback: Callable[[Any], object]) -> Subscription:
        subscription = Subscription(self, kinds, callback)
        self._subscriptions.append(subscription)
        self._watch()
        return subscription

    def add_stream(self, stream: EventStream[Any]) -> None:
        self._streams.add(stream)
        self._watch()
        if self._player.state in _OVER:
            self.loop.call_soon(self._end_if_over, weakref.ref(stream))

    def remove(self, subscription: Subscription) -> None:
        self._subscriptions = [one for one in self._subscriptions if one is not subscription]
        self._rest()

    def remove_stream(self, stream: EventStream[Any]) -> None:
        self._streams.discard(stream)
        self._rest()

    def close(self) -> None:
        """Ends all streams and forgets the listeners."""
        self._unwatch()
        self._subscriptions.clear()
        for stream in list(self._streams):
            stream.end()
        self._streams.clear()

    def _watch(self) -> None:
        if self._descriptor is None:
            self._descriptor = self._player.fileno()
            self.loop.add_reader(self._descriptor, self._take)

    def _rest(self) -> None:
        """Leaves the descriptor alone while nothing listens."""
        if not self._subscriptions and not self._streams:
            self._unwatch()

    def _unwatch(self) -> None:
        if self._descriptor is not None and not self.loop.is_closed():
            self.loop.remove_reader(self._descriptor)
        self._descriptor = None

    def _take(self) -> None:
        """The descriptor is readable: hands out the events that wait."""
        for _ in range(BATCH):
            if self._descriptor is None:  # a listener has closed the player
                return
            event = self._player.next_event()
            if event is None:
                break
            for stream in list(self._streams):
                stream.put(event)
                if isinstance(event, (Finished, Failure)):
                    self._end(stream)
            for subscription in list(self._subscriptions):
                if subscription in self._subscriptions and isinstance(event, subscription.kinds):
                    self._call(subscription, event)
        self._rest()

    def _end(self, stream: EventStream[Any]) -> None:
        self._streams.discard(stream)
        stream.end()

    def _end_if_over(self, reference: weakref.ref[EventStream[Any]]) -> None:
        """Ends a stream of a player whose plays were over before; events that wait for it come first."""
        stream = reference()
        if stream is None or stream not in self._streams or self._descriptor is None:
            return
        self._take()
        if stream in self._streams and self._player.state in _OVER:
            self._end(stream)
            self._rest()

    def _call(self, subscription: Subscription, event: Event) -> None:
        try:
            subscription.callback(event)
        except (SystemExit, KeyboardInterrupt):
            raise
        except BaseException as error:
            facts = {"message": f"a listener of {self._player!r} has raised", "exception": error}
            self.loop.call_exception_handler({**facts, "callback": subscription.callback})


class EventStream(Generic[E]):
    """Events for `async for`, to the end of the plays: after Finished or Failure nothing follows.

    It holds at most `limit` frame changes that wait, and drops the oldest beyond that.
    """

    def __init__(self, dispatcher: Dispatcher, kinds: tuple[type[E], ...], limit: int) -> None:
        self._dispatcher = dispatcher
        self._kinds = kinds
        self._limit = limit
        self._events: deque[E] = deque()
        self._waiter: asyncio.Future[None] | None = None
        self._is_over = False
        self._dropped = 0
        dispatcher.add_stream(self)

    def __repr__(self) -> str:
        return f"<EventStream, {len(self._events)} events wait{', ended' if self._is_over else ''}>"

    def put(self, event: Event) -> None:
        if not isinstance(event, self._kinds):
            return
        changes = [waiting for waiting in self._events if isinstance(waiting, FrameChange)]
        if isinstance(event, FrameChange) and len(changes) >= self._limit:
            self._events.remove(changes[0])
            self._dropped += 1 + changes[0].dropped
        self._events.append(event)
        self._wake()

    def end(self) -> None:
        """Nothing follows; events that wait are still given."""
        self._is_over = True
        self._wake()

    async def aclose(self) -> None:
        """Ends the stream."""
        self._dispatcher.remove_stream(self)
        self._events.clear()
        self.end()

    def __aiter__(self) -> EventStream[E]:
        return self

    async def __anext__(self) -> E:
        while not self._events:
            if self._is_over:
                raise StopAsyncIteration
            self._waiter = self._dispatcher.loop.create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        event = self._events.popleft()
        if isinstance(event, FrameChange) and self._dropped:
            event = replace(event, dropped=event.dropped + self._dropped)
            self._dropped = 0
        return event

    async def __aenter__(self) -> EventStream[E]:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.aclose()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
