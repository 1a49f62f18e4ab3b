"""The structs of gallop.h, field by field; `make lint` compares them with the header."""

from __future__ import annotations

import ctypes
from ctypes import c_char, c_char_p, c_double, c_float, c_int32, c_int64, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p
from typing import Any

# Handles are numbers in a pointer's type, so a pointer to a handle is a pointer to one of these.
Handle = c_void_p


class Sized(ctypes.Structure):
    """A struct that begins with its own size, by which the library knows its version."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(struct_size=ctypes.sizeof(type(self)), **fields)


class Rect(ctypes.Structure):
    _fields_ = [("x", c_int32), ("y", c_int32), ("width", c_int32), ("height", c_int32)]


class Error(Sized):
    _fields_ = [
        ("struct_size", c_size_t),
        ("status", c_int32),
        ("frame", c_int32),
        ("offset", c_int64),
        ("value", c_int64),
        ("limit", c_int64),
        ("has_value", c_int32),
        ("has_limit", c_int32),
        ("message", c_char_p),
    ]


class Limits(Sized):
    _fields_ = [
        ("struct_size", c_size_t),
        ("canvas_pixels", c_int64),
        ("claimed_pixels", c_int64),
        ("frame_pixels", c_int64),
        ("decoded_bytes", c_int64),
        ("frame_count", c_int64),
        ("total_pixels", c_int64),
        ("comment_bytes", c_int64),
        ("stream_bytes", c_int64),
    ]


class OpenOptions(Sized):
    _fields_ = [
        ("struct_size", c_size_t),
        ("limits", ctypes.POINTER(Limits)),
        ("damage", c_int32),
        ("reserved", c_int32),
        ("cancel", Handle),
    ]


class ImageInfo(Sized):
    _fields_ = [
        ("struct_size", c_size_t),
        ("width", c_uint32),
        ("height", c_uint32),
        ("frame_count", c_int64),
        ("plays", c_int64),
        ("duration_ms", c_int64),
        ("byte_count", c_int64),
        ("is_complete", c_int32),
        ("palette_size", c_int32),
        ("background_index", c_int32),
        ("comment_count", c_int32),
        ("extension_count", c_int32),
        ("diagnostic_count", c_int32),
        ("version", c_char * 4),
        ("damage", c_int32),
    ]


class FrameRecord(Sized):
    """`gallop_frame_info`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("index", c_int64),
        ("rect", Rect),
        ("changed", Rect),
        ("delay_ms", c_int64),
        ("raw_delay_ms", c_int64),
        ("disposal", c_int32),
        ("transparent_index", c_int32),
        ("palette_size", c_int32),
        ("is_interlaced", c_int32),
        ("is_keyframe", c_int32),
        ("is_truncated", c_int32),
        ("required_frame", c_int64),
        ("offset", c_int64),
        ("compressed_bytes", c_int64),
    ]


class Extension(Sized):
    _fields_ = [
        ("struct_size", c_size_t),
        ("offset", c_int64),
        ("byte_count", c_int64),
        ("identifier", c_char * 12),
        ("reserved", c_int32),
    ]


class DiagnosticRecord(Sized):
    """`gallop_diagnostic`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("frame", c_int64),
        ("offset", c_int64),
        ("code", c_char_p),
        ("message", c_char_p),
    ]


class DecoderOptions(Sized):
    _fields_ = [
        ("struct_size", c_size_t),
        ("format", c_int32),
        ("fit", c_int32),
        ("width", c_uint32),
        ("height", c_uint32),
        ("checkpoint_bytes", c_int64),
        ("cancel", Handle),
    ]


class FrameView(Sized):
    _fields_ = [
        ("struct_size", c_size_t),
        ("pixels", c_void_p),
        ("stride", c_size_t),
        ("size", c_size_t),
        ("width", c_uint32),
        ("height", c_uint32),
        ("format", c_int32),
        ("status", c_int32),
        ("index", c_int64),
        ("delay_ms", c_int64),
        ("changed", Rect),
    ]


class Target(Sized):
    _fields_ = [
        ("struct_size", c_size_t),
        ("pixels", c_void_p),
        ("size", c_size_t),
        ("row_stride", c_size_t),
        ("pixel_stride", c_size_t),
        ("plane_stride", c_size_t),
        ("channels", c_int32),
        ("background", c_uint32),
        ("flags", c_uint32),
    ]


class DecoderInfo(Sized):
    _fields_ = [
        ("struct_size", c_size_t),
        ("width", c_uint32),
        ("height", c_uint32),
        ("frame_bytes", c_size_t),
        ("frame_count", c_int64),
        ("decoded_frames", c_int64),
        ("format", c_int32),
        ("diagnostic_count", c_int32),
    ]


class BatchOptions(Sized):
    _fields_ = [
        ("struct_size", c_size_t),
        ("limits", ctypes.POINTER(Limits)),
        ("damage", c_int32),
        ("format", c_int32),
        ("fit", c_int32),
        ("jobs", c_int32),
        ("width", c_uint32),
        ("height", c_uint32),
        ("window", c_int32),
        ("reserved", c_int32),
        ("first_frame", c_int64),
        ("frame_count", c_int64),
        ("item_bytes", c_int64),
        ("waiting_bytes", c_int64),
        ("cancel", Handle),
        ("channels", c_int32),
        ("is_planar", c_int32),
        ("background", c_uint32),
        ("reserved2", c_uint32),
    ]


class FrameChoice(Sized):
    """`gallop_frame_choice`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("first", c_int64),
        ("end", c_int64),
        ("step", c_int64),
        ("indices", ctypes.POINTER(c_int64)),
        ("count", c_size_t),
    ]


class BatchRecord(Sized):
    """`gallop_batch_item`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("tag", c_uint64),
        ("status", c_int32),
        ("error_frame", c_int32),
        ("error_offset", c_int64),
        ("error_value", c_int64),
        ("error_limit", c_int64),
        ("message", c_char_p),
        ("image", Handle),
        ("frames", Handle),
        ("frame_count", c_int64),
        ("width", c_uint32),
        ("frame_height", c_uint32),
        ("pixels", c_void_p),
        ("statuses", ctypes.POINTER(c_uint8)),
        ("diagnostic_count", c_int32),
        ("reserved", c_int32),
        ("indices", ctypes.POINTER(c_int64)),
        ("memory", Handle),
    ]


class BudgetRecord(Sized):
    """`gallop_budget_info`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("limit", c_int64),
        ("held_bytes", c_int64),
        ("frame_bytes", c_int64),
        ("decoder_bytes", c_int64),
        ("compressed_bytes", c_int64),
        ("floor_bytes", c_int64),
        ("peak_bytes", c_int64),
        ("animation_count", c_int64),
        ("pressure", c_int32),
        ("follows_pressure", c_int32),
        ("is_over_limit", c_int32),
        ("reserved", c_int32),
    ]


class GroupRecord(Sized):
    """`gallop_group_info`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("position_ns", c_int64),
        ("rate", c_double),
        ("is_playing", c_int32),
        ("player_count", c_int32),
    ]


class EditRecord(Sized):
    """`gallop_edit`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("canvas_width", c_uint32),
        ("canvas_height", c_uint32),
        ("crop", Rect),
        ("flips_columns", c_int32),
        ("flips_rows", c_int32),
        ("quarter_turns", c_int32),
        ("order", c_int32),
        ("frames", ctypes.POINTER(c_int64)),
        ("frame_count", c_size_t),
        ("step", c_int64),
        ("rate", c_double),
        ("delay_ms", c_int64),
        ("last_delay_ms", c_int64),
        ("plays", c_int64),
        ("skips_failed_frames", c_int32),
        ("merges_stills", c_int32),
        ("strips_metadata", c_int32),
        ("makes_smaller", c_int32),
        ("comment", c_char_p),
        ("cancel", Handle),
    ]


class EditorRecord(Sized):
    """`gallop_editor_info`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("chosen_frames", c_int64),
        ("frame_count", c_int64),
        ("copied_frames", c_int64),
        ("byte_count", c_int64),
    ]


class WebPRecord(Sized):
    """`gallop_webp_options`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("width", c_uint32),
        ("height", c_uint32),
        ("frames", ctypes.POINTER(c_int64)),
        ("frame_count", c_size_t),
        ("most_per_second", c_double),
        ("is_lossy", c_int32),
        ("quality", c_float),
        ("cancel", Handle),
    ]


class FlashOptions(Sized):
    """`gallop_flash_options`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("width", c_uint32),
        ("height", c_uint32),
        ("rate", c_double),
        ("cancel", Handle),
        ("is_partial", c_int32),
        ("is_verdict_only", c_int32),
    ]


class FlashPeakRecord(ctypes.Structure):
    """`gallop_flash_peak`."""

    _fields_ = [
        ("flashes_per_second", c_double),
        ("start_ms", c_int64),
        ("first_frame", c_int64),
        ("last_frame", c_int64),
        ("field_share", c_double),
    ]


class FlashReportRecord(Sized):
    """`gallop_flash_report`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("result", c_int32),
        ("is_decoded", c_int32),
        ("general", FlashPeakRecord),
        ("red", FlashPeakRecord),
        ("safe_rate", c_double),
        ("safe_width", c_uint32),
        ("safe_height", c_uint32),
    ]
