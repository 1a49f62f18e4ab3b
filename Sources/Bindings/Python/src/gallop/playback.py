"""How a player plays, and states of players that are kept and restored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypedDict

from ._player_structs import PlayerOptions, SnapshotRecord
from .decoding import Picture, Size
from .enums import (
    DelayPolicy,
    Fit,
    FlashPolicy,
    LatePolicy,
    Motion,
    PlaybackMode,
    PlaybackState,
    Preload,
    Priority,
    SuspensionPolicy,
    Visibility,
)
from .timing import Clock, FrameBudget, nanoseconds

FrameRange = range
"""Frames that follow each other; another name, as players have a property `range`."""

FOREVER = -1
"""For `plays`: without end."""


def range_numbers(frames: FrameRange | None) -> tuple[int, int]:
    """The first frame and how many; 0 and 0 for all."""
    if frames is None:
        return 0, 0
    if frames.step != 1 or frames.start < 0 or len(frames) < 1:
        raise ValueError(f"frames that follow each other are needed, not {frames!r}")
    return frames.start, len(frames)


@dataclass(frozen=True)
class PlaybackOptions:
    """How an animation is played; what is left out is as in browsers."""

    delay: DelayPolicy | str = DelayPolicy.BROWSER
    delay_ms: int = 0
    """For the delays `minimum` and `constant`."""
    plays: int | None = None
    """Total plays: None for what the file says, FOREVER for without end."""
    mode: PlaybackMode | str = PlaybackMode.FORWARD
    range: FrameRange | None = None
    """The frames to play; None for all."""
    rate: float = 1
    """The speed, 0.05 to 20 times."""
    late: LatePolicy | str = LatePolicy.SKIP
    late_count: int = 0
    suspension: SuspensionPolicy | str = SuspensionPolicy.RESUME
    motion: Motion | str = Motion.FULL
    motion_part: float = 1
    """The part of the speed for the motion `slow`, 0.05 to 1."""
    priority: Priority | str = Priority.HIGH
    visibility: Visibility | str = Visibility.VISIBLE
    """A player that begins hidden begins once it is visible."""
    is_loading: bool = False
    """Whether more of the image follows: see `Player.update`."""
    size: Size | None = None
    fit: Fit | str = Fit.STRETCH
    read_ahead: float = 0
    """Seconds that frames are decoded ahead; 0 for 0.25, and at most 8 frames."""
    read_ahead_frames: int = 0
    preload: Preload | str = Preload.NONE
    preload_amount: int = 0
    """Frames or milliseconds, by `preload`."""
    budget: FrameBudget | None = None
    """The memory for the frames; None for that of the process."""
    clock: Clock | None = None
    """The time; None for that of the process, which has a thread."""
    flash_policy: FlashPolicy | str = FlashPolicy.ALLOW
    """What becomes of a GIF that flashes more than WCAG 2.2 allows."""
    shares_field: bool = False
    """Whether GIFs of its size play beside it, as in a grid: their flashes count together."""
    shown_size: Size | None = None
    """The size at which the frames are shown in CSS pixels, for the verdict on flashes; None for their own."""

    def record(self) -> PlayerOptions:
        """The struct of the library."""
        picture = Picture.of(self.size, self.fit, "rgba")
        width, height = picture.size or (0, 0)
        first, count = range_numbers(self.range)
        shown_width, shown_height = self.shown_size or (0, 0)
        return PlayerOptions(
            delay=DelayPolicy(self.delay).number,
            delay_ms=self.delay_ms,
            plays=self.plays or 0,
            mode=PlaybackMode(self.mode).number,
            range_first=first,
            range_count=count,
            rate=self.rate,
            late=LatePolicy(self.late).number,
            late_count=self.late_count,
            suspension=SuspensionPolicy(self.suspension).number,
            motion=Motion(self.motion).number,
            motion_part=self.motion_part,
            priority=Priority(self.priority).number,
            visibility=Visibility(self.visibility).number,
            is_loading=int(self.is_loading),
            width=width,
            height=height,
            fit=picture.fit.number,
            read_ahead_ms=round(self.read_ahead * 1000),
            read_ahead_frames=self.read_ahead_frames,
            preload=Preload(self.preload).number,
            preload_amount=self.preload_amount,
            budget=self.budget._handle.value if self.budget else None,
            clock=self.clock._handle.value if self.clock else None,
            flash_policy=FlashPolicy(self.flash_policy).number,
            shares_field=int(self.shares_field),
            shown_width=shown_width,
            shown_height=shown_height,
        )


class PlaybackChanges(TypedDict, total=False):
    """The fields of PlaybackOptions, as keywords of a player."""

    delay: DelayPolicy | str
    delay_ms: int
    plays: int | None
    mode: PlaybackMode | str
    range: FrameRange | None
    rate: float
    late: LatePolicy | str
    late_count: int
    suspension: SuspensionPolicy | str
    motion: Motion | str
    motion_part: float
    priority: Priority | str
    visibility: Visibility | str
    is_loading: bool
    size: Size | None
    fit: Fit | str
    read_ahead: float
    read_ahead_frames: int
    preload: Preload | str
    preload_amount: int
    budget: FrameBudget | None
    clock: Clock | None
    flash_policy: FlashPolicy | str
    shares_field: bool
    shown_size: Size | None


@dataclass(frozen=True)
class PlaybackSnapshot:
    """The state of a player, to be restored later, also in another process."""

    state: PlaybackState
    frame: int
    elapsed: float
    """Seconds that the frame has been due, in media time."""
    loop: int
    """The number of the loop, from 0: as many were completed before."""
    mode: PlaybackMode
    range: FrameRange | None
    rate: float
    is_returning: bool
    """Whether it stands on the way back of a bounce."""

    def to_record(self) -> SnapshotRecord:
        first, count = range_numbers(self.range)
        return SnapshotRecord(
            state=self.state.number,
            mode=self.mode.number,
            frame=self.frame,
            elapsed_ns=nanoseconds(self.elapsed),
            loop=self.loop,
            range_first=first,
            range_count=count,
            rate=self.rate,
            is_returning=int(self.is_returning),
        )


def snapshot_of(record: Any) -> PlaybackSnapshot:
    return PlaybackSnapshot(
        state=PlaybackState.of(record.state),
        frame=record.frame,
        elapsed=record.elapsed_ns / 1e9,
        loop=record.loop,
        mode=PlaybackMode.of(record.mode),
        range=range_of(record),
        rate=record.rate,
        is_returning=bool(record.is_returning),
    )


def range_of(record: Any) -> FrameRange | None:
    """The frames to play; None for all."""
    first, count = int(record.range_first), int(record.range_count)
    return range(first, first + count) if count else None


@dataclass(frozen=True)
class CacheStatistics:
    """What a player's frames cost and gained."""

    hits: int
    misses: int
    """Frames that were looked for before they were there."""
    decoded_frames: int
    composed_frames: int
    evictions: int
    resident_frames: int
    resident_bytes: int
    peak_bytes: int
