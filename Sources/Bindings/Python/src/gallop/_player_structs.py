"""The structs of gallop.h that players use; `make lint` compares them with the header."""

from __future__ import annotations

from ctypes import c_double, c_int32, c_int64, c_size_t, c_uint32, c_uint64

from ._structs import FlashReportRecord, Handle, Rect, Sized


class PlayerOptions(Sized):
    _fields_ = [
        ("struct_size", c_size_t),
        ("delay", c_int32),
        ("mode", c_int32),
        ("delay_ms", c_int64),
        ("plays", c_int64),
        ("range_first", c_int64),
        ("range_count", c_int64),
        ("rate", c_double),
        ("late", c_int32),
        ("late_count", c_int32),
        ("suspension", c_int32),
        ("motion", c_int32),
        ("motion_part", c_double),
        ("priority", c_int32),
        ("is_loading", c_int32),
        ("width", c_uint32),
        ("height", c_uint32),
        ("fit", c_int32),
        ("read_ahead_frames", c_int32),
        ("read_ahead_ms", c_int64),
        ("preload", c_int32),
        ("visibility", c_int32),
        ("preload_amount", c_int64),
        ("budget", Handle),
        ("clock", Handle),
        ("flash_policy", c_int32),
        ("shares_field", c_int32),
        ("shown_width", c_uint32),
        ("shown_height", c_uint32),
    ]


class PlayerRecord(Sized):
    """`gallop_player_info`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("id", c_uint64),
        ("state", c_int32),
        ("error", c_int32),
        ("frame", c_int64),
        ("frame_count", c_int64),
        ("position_ns", c_int64),
        ("position_in_loop_ns", c_int64),
        ("duration_ns", c_int64),
        ("progress", c_double),
        ("rate", c_double),
        ("plays_left", c_int64),
        ("range_first", c_int64),
        ("range_count", c_int64),
        ("mode", c_int32),
        ("motion", c_int32),
        ("motion_part", c_double),
        ("visibility", c_int32),
        ("priority", c_int32),
        ("buffering", c_int32),
        ("is_complete", c_int32),
        ("is_scrubbing", c_int32),
        ("reserved", c_int32),
    ]


class PlayerFlashesRecord(Sized):
    """`gallop_player_flashes`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("policy", c_int32),
        ("state", c_int32),
        ("shares_field", c_int32),
        ("has_report", c_int32),
        ("shown_width", c_uint32),
        ("shown_height", c_uint32),
        ("rate", c_double),
        ("report", FlashReportRecord),
    ]


class SnapshotRecord(Sized):
    """`gallop_snapshot`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("state", c_int32),
        ("mode", c_int32),
        ("frame", c_int64),
        ("elapsed_ns", c_int64),
        ("loop", c_int64),
        ("range_first", c_int64),
        ("range_count", c_int64),
        ("rate", c_double),
        ("is_returning", c_int32),
        ("reserved", c_int32),
    ]


class StatisticsRecord(Sized):
    """`gallop_player_statistics`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("hits", c_int64),
        ("misses", c_int64),
        ("decoded_frames", c_int64),
        ("composed_frames", c_int64),
        ("evictions", c_int64),
        ("resident_frames", c_int64),
        ("resident_bytes", c_int64),
        ("peak_bytes", c_int64),
    ]


class EventRecord(Sized):
    """`gallop_event`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("kind", c_int32),
        ("cause", c_int32),
        ("player", c_uint64),
        ("frame_index", c_int64),
        ("frame_count", c_int64),
        ("is_complete", c_int32),
        ("state", c_int32),
        ("loop", c_int64),
        ("loops_left", c_int64),
        ("scheduled_ns", c_int64),
        ("shown_ns", c_int64),
        ("media_ns", c_int64),
        ("lateness_ns", c_int64),
        ("skipped_frames", c_int64),
        ("changed", Rect),
        ("buffering", c_int32),
        ("error", c_int32),
        ("dropped", c_int64),
        ("frame", Handle),
    ]
