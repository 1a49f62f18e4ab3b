"""Groups that keep players in step."""

from __future__ import annotations

import ctypes
from typing import Any

from ._handles import Owned, make
from ._library import check, lib
from ._structs import GroupRecord
from .control import PlayerControl
from .enums import Motion
from .timing import Clock, nanoseconds


class SyncGroup:
    """Players that start at the same instant and stay in step."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock
        self._handle: Owned = make("group", lib.gallop_group_new, clock._handle.value if clock else None)

    def add(self, player: PlayerControl, offset: float = 0) -> None:
        """Adds a player, whose media time is ahead of the group's by so many seconds."""
        check(lib.gallop_group_add(self._handle.value, player._handle.value, nanoseconds(offset)))

    def remove(self, player: PlayerControl) -> None:
        """The player goes on by itself."""
        check(lib.gallop_group_remove(self._handle.value, player._handle.value))

    def play(self) -> None:
        check(lib.gallop_group_play(self._handle.value))

    def pause(self) -> None:
        check(lib.gallop_group_pause(self._handle.value))

    def seek(self, time: float) -> None:
        """Goes to a media time in seconds."""
        check(lib.gallop_group_seek(self._handle.value, nanoseconds(time)))

    def set_motion(self, motion: Motion | str, part: float = 1) -> None:
        check(lib.gallop_group_set_motion(self._handle.value, Motion(motion).number, part))

    @property
    def rate(self) -> float:
        return float(self._info().rate)

    @rate.setter
    def rate(self, rate: float) -> None:
        check(lib.gallop_group_set_rate(self._handle.value, rate))

    @property
    def position(self) -> float:
        """Media time in seconds."""
        return float(self._info().position_ns) / 1e9

    @property
    def is_playing(self) -> bool:
        return bool(self._info().is_playing)

    def __len__(self) -> int:
        return int(self._info().player_count)

    def __repr__(self) -> str:
        return f"<SyncGroup of {len(self)} players at {self.position:.3f} s>"

    def _info(self) -> Any:
        record = GroupRecord()
        check(lib.gallop_group_get_info(self._handle.value, ctypes.byref(record)))
        return record
