"""What players report."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Union

from ._handles import Owned
from ._library import check, lib, status_name
from ._memory import PixelMemory
from ._structs import FrameView
from .enums import Buffering, Cause, FlashState, FrameStatus, PixelFormat, PlaybackState
from .errors import GIFError, make_error
from .frames import Frame, Rect, rect_of


@dataclass(frozen=True, eq=False)
class FrameChange:
    """Another frame is visible: once for each change, in order, never for a frame that was due but missing."""

    player: int
    """The player's number in this process."""
    frame: Frame
    frame_count: int
    is_complete: bool
    """Whether those are all frames."""
    loop: int
    """The number of the loop, from 0: as many were completed before."""
    cause: Cause
    scheduled_at: float
    """When it was due, in seconds on the player's clock."""
    shown_at: float
    media_time: float
    """When it is due in media time: seconds since the start of the first loop."""
    lateness: float
    """Seconds between `scheduled_at` and `shown_at`."""
    skipped_frames: int
    """Frames that were due since the one shown before, and are not shown."""
    changed_rect: Rect
    """Where it may differ from the frame shown before."""
    dropped: int
    """Frame changes before this one that nothing took in time; the pixels of the newest four are kept."""

    @property
    def current_frame_index(self) -> int:
        return self.frame.index


@dataclass(frozen=True)
class LoopCompletion:
    """A loop is over."""

    player: int
    count: int
    """Loops completed since the start."""
    remaining: int | None
    """Loops left; None for an animation without end."""


@dataclass(frozen=True)
class Finished:
    """All plays are over."""

    player: int


@dataclass(frozen=True)
class StateChange:
    """The player does something else than before."""

    player: int
    state: PlaybackState


@dataclass(frozen=True)
class BufferingChange:
    """Playback has begun to wait, or goes on."""

    player: int
    reason: Buffering
    frame_count: int
    is_complete: bool


@dataclass(frozen=True)
class Failure:
    """No frame can be made."""

    player: int
    error: GIFError


@dataclass(frozen=True)
class FlashesChange:
    """There is a verdict on flashes, or playback follows another one: `Player.flashes` has it."""

    player: int
    state: FlashState


Event = Union[FrameChange, LoopCompletion, Finished, StateChange, BufferingChange, Failure, FlashesChange]

FRAME, _LOOP, _FINISHED, _STATE, _BUFFERING, _FAILED, _FLASHES = range(1, 8)
_STATUSES = tuple(FrameStatus)
_CAUSES = tuple(Cause)


def event_of(record: Any, frame: Frame | None, dropped: int, path: str | None) -> Event:
    """An event of the library; `frame` and the number of changes dropped before it are those of a frame change."""
    player = record.player
    if record.kind == FRAME and frame is not None:
        return FrameChange(
            player=player,
            frame=frame,
            frame_count=record.frame_count,
            is_complete=bool(record.is_complete),
            loop=record.loop,
            cause=_CAUSES[record.cause],
            scheduled_at=record.scheduled_ns / 1e9,
            shown_at=record.shown_ns / 1e9,
            media_time=record.media_ns / 1e9,
            lateness=record.lateness_ns / 1e9,
            skipped_frames=record.skipped_frames,
            changed_rect=rect_of(record.changed),
            dropped=dropped,
        )
    if record.kind == _LOOP:
        return LoopCompletion(player, record.loop, None if record.loops_left < 0 else record.loops_left)
    if record.kind == _FINISHED:
        return Finished(player)
    if record.kind == _STATE:
        return StateChange(player, PlaybackState.of(record.state))
    if record.kind == _BUFFERING:
        reason = Buffering.of(record.buffering)
        return BufferingChange(player, reason, record.frame_count, bool(record.is_complete))
    if record.kind == _FLASHES:
        return FlashesChange(player, FlashState.of(record.state))
    code = status_name(record.error)
    return Failure(player, make_error(f"the player has failed: {code}", code, path=path))


def frame_of(handle: int, start_ms: Any) -> Frame:
    """The Frame for a frame's handle, which it releases; `start_ms` tells when a frame begins within a play."""
    owner = Owned(handle, lib.gallop_frame_release)
    view: Any = FrameView()
    check(lib.gallop_frame_get_view(handle, ctypes.byref(view)))
    memory = PixelMemory(view.pixels, (view.height, view.width, 4), owner, view.stride)
    status, rect = _STATUSES[view.status], rect_of(view.changed)
    index, delay_ms = view.index, view.delay_ms
    format = PixelFormat.of(view.format)
    return Frame(memory, view.width, view.height, index, status, delay_ms, start_ms(index), rect, format)
