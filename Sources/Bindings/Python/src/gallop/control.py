"""A player's commands, and what it is and does."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import fields
from typing import Any

from ._handles import Owned
from ._library import AGAIN, check, lib, status_name
from ._player_structs import PlayerFlashesRecord, PlayerRecord, SnapshotRecord, StatisticsRecord
from ._structs import Handle
from .decoding import Size
from .enums import (
    Buffering,
    FlashPolicy,
    FlashState,
    Motion,
    PlaybackMode,
    PlaybackState,
    Preload,
    Priority,
    Visibility,
)
from .errors import GIFError, make_error
from .events import frame_of
from .flashes import PlayerFlashes, report_of
from .frames import Frame
from .image import GIF
from .playback import CacheStatistics, FrameRange, PlaybackSnapshot, range_numbers, range_of, snapshot_of
from .timing import nanoseconds, whole


class PlayerControl:
    """Commands and facts of a player, from any thread."""

    _handle: Owned
    gif: GIF

    # ---- Commands

    def play(self) -> None:
        """Starts, goes on after a pause, or starts over after the end."""
        self._do(lib.gallop_player_play)

    def pause(self) -> None:
        """Holds the frame; the rest of its time is kept."""
        self._do(lib.gallop_player_pause)

    def stop(self) -> None:
        """Goes back to the start and shows the first frame."""
        self._do(lib.gallop_player_stop)

    def restart(self) -> None:
        """Plays from the start."""
        self._do(lib.gallop_player_restart)

    def seek(self, frame: int) -> None:
        """Goes to a frame of the present loop. Raises `GIFError` with the code `noSuchFrame` if it is not played."""
        self._do(lib.gallop_player_seek_frame, whole(frame))

    def seek_time(self, time: float) -> None:
        """Goes to a media time in seconds, counted from the start of the first loop; at most to the last frame."""
        self._do(lib.gallop_player_seek_time, nanoseconds(time))

    def seek_in_loop(self, time: float) -> None:
        """Goes to a time in seconds within the present loop."""
        self._do(lib.gallop_player_seek_in_loop, nanoseconds(time))

    def step(self, count: int = 1) -> None:
        """Pauses and shows the frame this many steps on, or back if negative; at most to the end or the start."""
        self._do(lib.gallop_player_step, whole(count))

    def show_poster(self, frame: int | None = None) -> None:
        """Shows a frame without playing, if nothing has been played since the start or the last stop.

        Raises `GIFError` with the code `noSuchFrame` if there is no such frame.
        """
        if frame is not None and frame < 0:
            raise ValueError(f"frames count from 0, not {frame}")
        self._do(lib.gallop_player_show_poster, -1 if frame is None else whole(frame))

    def begin_scrubbing(self) -> None:
        """Holds the time while the user drags a handle; only the newest target is decoded and shown."""
        self._do(lib.gallop_player_begin_scrubbing)

    def scrub(self, frame: int) -> None:
        """Goes to a frame of the present loop. Raises `GIFError` unless it is played and scrubbing has begun."""
        self._do(lib.gallop_player_scrub_frame, whole(frame))

    def scrub_time(self, time: float) -> None:
        """Goes to a media time in seconds. Raises `GIFError` unless scrubbing has begun."""
        self._do(lib.gallop_player_scrub_time, nanoseconds(time))

    def end_scrubbing(self) -> None:
        """Goes on from the last target if it was playing before."""
        self._do(lib.gallop_player_end_scrubbing)

    def preload(self, preload: Preload | str, amount: int = 0) -> None:
        """What is decoded beyond the read-ahead while there is room: this many frames, or milliseconds."""
        self._do(lib.gallop_player_preload, Preload(preload).number, whole(amount))

    def set_motion(self, motion: Motion | str, part: float = 1) -> None:
        """How motion is reduced; the part of the speed is for `slow`."""
        self._do(lib.gallop_player_set_motion, Motion(motion).number, part)

    def save(self) -> PlaybackSnapshot:
        record = SnapshotRecord()
        self._do(lib.gallop_player_save, ctypes.byref(record))
        return snapshot_of(record)

    def restore(self, snapshot: PlaybackSnapshot) -> None:
        """If its frame is not played, the loop starts over."""
        self._do(lib.gallop_player_restore, ctypes.byref(snapshot.to_record()))

    # ---- What it is and does

    @property
    def id(self) -> int:
        """Its number in this process, as in its events."""
        return int(self._info().id)

    @property
    def state(self) -> PlaybackState:
        return PlaybackState.of(self._info().state)

    @property
    def error(self) -> GIFError | None:
        """Why it has failed."""
        status = self._info().error
        if not status:
            return None
        code = status_name(status)
        return make_error(f"the player has failed: {code}", code, path=self.gif.path)

    @property
    def frame(self) -> Frame | None:
        """The frame shown last."""
        out = Handle()
        status = check(lib.gallop_player_frame(self._value, ctypes.byref(out), None))
        return frame_of(out.value or 0, self.gif.infos.start_ms) if status != AGAIN else None

    @property
    def position(self) -> float:
        """Media time in seconds since the start of the first loop."""
        return float(self._info().position_ns) / 1e9

    @property
    def position_in_loop(self) -> float:
        return float(self._info().position_in_loop_ns) / 1e9

    @property
    def duration(self) -> float:
        """One loop as it is played, in seconds."""
        return float(self._info().duration_ns) / 1e9

    @property
    def progress(self) -> float:
        """The part of the loop that is over, 0 to 1."""
        return float(self._info().progress)

    @property
    def plays_left(self) -> int | None:
        """Plays that are not over, the present one included; None if without end or not known yet."""
        left = int(self._info().plays_left)
        return None if left < 0 else left

    @property
    def buffering(self) -> Buffering:
        return Buffering.of(self._info().buffering)

    @property
    def is_scrubbing(self) -> bool:
        return bool(self._info().is_scrubbing)

    @property
    def rate(self) -> float:
        """The speed, clipped to 0.05 to 20 times; a change makes no jump."""
        return float(self._info().rate)

    @rate.setter
    def rate(self, rate: float) -> None:
        self._do(lib.gallop_player_set_rate, rate)

    @property
    def mode(self) -> PlaybackMode:
        return PlaybackMode.of(self._info().mode)

    @mode.setter
    def mode(self, mode: PlaybackMode | str) -> None:
        self._do(lib.gallop_player_set_mode, PlaybackMode(mode).number)

    @property
    def range(self) -> FrameRange | None:
        """The frames to play; None for all.

        A range that ends beyond the image is clipped; one without a frame of it raises `GIFError` with the code
        `noSuchFrame`.
        """
        return range_of(self._info())

    @range.setter
    def range(self, frames: FrameRange | None) -> None:
        self._do(lib.gallop_player_set_range, *range_numbers(frames))

    @property
    def visibility(self) -> Visibility:
        return Visibility.of(self._info().visibility)

    @visibility.setter
    def visibility(self, visibility: Visibility | str) -> None:
        self._do(lib.gallop_player_set_visibility, Visibility(visibility).number)

    @property
    def priority(self) -> Priority:
        return Priority.of(self._info().priority)

    @priority.setter
    def priority(self, priority: Priority | str) -> None:
        self._do(lib.gallop_player_set_priority, Priority(priority).number)

    @property
    def flashes(self) -> PlayerFlashes:
        """The verdict on flashes as the GIF is played and shown, and what became of it."""
        record = self._flashes()
        report = report_of(record.report) if record.has_report else None
        return PlayerFlashes(FlashState.of(record.state), record.rate or None, report)

    @property
    def flash_policy(self) -> FlashPolicy:
        """What becomes of a GIF that flashes more than WCAG 2.2 allows.

        A program whose user asks to play a GIF that is held sets `warn`.
        """
        return FlashPolicy.of(self._flashes().policy)

    @flash_policy.setter
    def flash_policy(self, policy: FlashPolicy | str) -> None:
        self._do(lib.gallop_player_set_flash_policy, FlashPolicy(policy).number)

    @property
    def shown_size(self) -> Size | None:
        """The size at which the frames are shown in CSS pixels; None for their own."""
        record = self._flashes()
        return (record.shown_width, record.shown_height) if record.shown_width else None

    @shown_size.setter
    def shown_size(self, size: Size | None) -> None:
        self._do(lib.gallop_player_set_shown_size, *(size or (0, 0)))

    @property
    def shares_field(self) -> bool:
        """Whether GIFs of its size play beside it, as in a grid."""
        return bool(self._flashes().shares_field)

    @shares_field.setter
    def shares_field(self, shares_field: bool) -> None:
        self._do(lib.gallop_player_set_shares_field, int(shares_field))

    @property
    def statistics(self) -> CacheStatistics:
        record = StatisticsRecord()
        self._do(lib.gallop_player_get_statistics, ctypes.byref(record))
        return CacheStatistics(**{field.name: getattr(record, field.name) for field in fields(CacheStatistics)})

    @property
    def _value(self) -> int:
        if not self._handle.value:
            raise ValueError("the player is closed")
        return self._handle.value

    def _do(self, function: Callable[..., int], *arguments: Any) -> None:
        check(function(self._value, *arguments), self.gif.path)

    def _flashes(self) -> Any:
        record = PlayerFlashesRecord()
        self._do(lib.gallop_player_get_flashes, ctypes.byref(record))
        return record

    def _info(self) -> Any:
        record = PlayerRecord()
        self._do(lib.gallop_player_get_info, ctypes.byref(record))
        return record
