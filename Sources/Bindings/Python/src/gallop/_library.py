"""The shared library and its functions; a test compares the declarations with gallop.h.

ctypes releases the interpreter's lock during every call, so other Python threads run while a frame is decoded.
"""

from __future__ import annotations

import ctypes
import os
from ctypes import POINTER, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from pathlib import Path
from typing import Any

from . import _player_structs as players
from . import _structs as structs
from .errors import GIFError, make_error

H = structs.Handle
OUT = POINTER(H)
STATUS = c_int32
NAME = "libgallop.so.0"
VERSION = (0, 1)

OK, END, AGAIN = 0, 1, 2
CANCELLED, UNREADABLE = -7, -20


def _out(struct: type[ctypes.Structure]) -> Any:
    return POINTER(struct)


# The functions by the part of the header that declares them: the result's type, then the arguments'.
FUNCTIONS: dict[str, tuple[Any, ...]] = {
    "gallop_version": (c_char_p,),
    "gallop_status_name": (c_char_p, STATUS),
    "gallop_last_error": (STATUS, _out(structs.Error)),
    "gallop_handle_count": (c_size_t,),
    # Cancelling
    "gallop_cancel_new": (STATUS, OUT),
    "gallop_cancel_set": (STATUS, H),
    "gallop_cancel_after": (STATUS, H, c_int64),
    "gallop_cancel_reset": (STATUS, H),
    "gallop_cancel_release": (STATUS, H),
    # Images
    "gallop_limits_init": (STATUS, _out(structs.Limits), c_int32),
    "gallop_image_open": (STATUS, c_char_p, _out(structs.OpenOptions), OUT),
    "gallop_image_from_bytes": (STATUS, c_void_p, c_size_t, _out(structs.OpenOptions), OUT),
    "gallop_image_release": (STATUS, H),
    "gallop_image_get_info": (STATUS, H, _out(structs.ImageInfo)),
    "gallop_image_get_frames": (STATUS, H, c_int64, c_int64, _out(structs.FrameRecord), c_size_t),
    "gallop_image_comment": (STATUS, H, c_int32, c_void_p, c_size_t, POINTER(c_size_t)),
    "gallop_image_extension": (STATUS, H, c_int32, _out(structs.Extension)),
    "gallop_image_palette": (STATUS, H, c_int64, c_int32, c_void_p, c_size_t, POINTER(c_size_t)),
    "gallop_image_diagnostic": (STATUS, H, c_int32, _out(structs.DiagnosticRecord)),
    # Streams
    "gallop_stream_new": (STATUS, _out(structs.OpenOptions), OUT),
    "gallop_stream_feed": (STATUS, H, c_void_p, c_size_t),
    "gallop_stream_image": (STATUS, H, OUT),
    "gallop_stream_finish": (STATUS, H, OUT),
    "gallop_stream_release": (STATUS, H),
    # Decoding
    "gallop_decoder_new": (STATUS, H, _out(structs.DecoderOptions), OUT),
    "gallop_decoder_get_info": (STATUS, H, _out(structs.DecoderInfo)),
    "gallop_decoder_read_to": (STATUS, H, c_int64, _out(structs.Target), _out(structs.FrameView)),
    "gallop_decoder_frame": (STATUS, H, c_int64, OUT, _out(structs.FrameView)),
    "gallop_decoder_diagnostic": (STATUS, H, c_int32, _out(structs.DiagnosticRecord)),
    "gallop_decoder_release": (STATUS, H),
    # Frames
    "gallop_frame_get_view": (STATUS, H, _out(structs.FrameView)),
    "gallop_frame_release": (STATUS, H),
    # Memory
    "gallop_memory_new": (STATUS, c_size_t, POINTER(c_void_p), OUT),
    "gallop_memory_release": (STATUS, H),
    "gallop_memory_trim": (STATUS,),
    # Many files
    "gallop_batch_new": (STATUS, _out(structs.BatchOptions), OUT),
    "gallop_batch_choose": (STATUS, H, _out(structs.FrameChoice)),
    "gallop_batch_add_path": (STATUS, H, c_char_p, c_uint64),
    "gallop_batch_add_bytes": (STATUS, H, c_void_p, c_size_t, c_uint64),
    "gallop_batch_add_image": (STATUS, H, H, c_uint64),
    "gallop_batch_next": (STATUS, H, c_int64, _out(structs.BatchRecord)),
    "gallop_batch_diagnostic": (STATUS, H, c_int32, _out(structs.DiagnosticRecord)),
    "gallop_batch_release": (STATUS, H),
    "gallop_image_flashes": (STATUS, H, _out(structs.FlashOptions), _out(structs.FlashReportRecord)),
    # Stills and WebP
    "gallop_image_poster": (STATUS, H, H, POINTER(c_int64)),
    "gallop_image_webp": (STATUS, H, _out(structs.WebPRecord), POINTER(c_void_p), POINTER(c_size_t)),
    # Editing
    "gallop_editor_new": (STATUS, POINTER(H), c_size_t, _out(structs.EditRecord), OUT),
    "gallop_editor_write": (STATUS, H, c_int),
    "gallop_editor_bytes": (STATUS, H, POINTER(c_void_p), POINTER(c_size_t)),
    "gallop_editor_get_info": (STATUS, H, _out(structs.EditorRecord)),
    "gallop_editor_release": (STATUS, H),
    # Clocks
    "gallop_clock_new": (STATUS, c_int32, OUT),
    "gallop_clock_tick": (STATUS, H),
    "gallop_clock_advance": (STATUS, H, c_int64),
    "gallop_clock_get_time": (STATUS, H, POINTER(c_int64), POINTER(c_int64)),
    "gallop_clock_release": (STATUS, H),
    # Budgets
    "gallop_budget_new": (STATUS, c_int64, OUT),
    "gallop_budget_shared": (STATUS, OUT),
    "gallop_budget_set_limit": (STATUS, H, c_int64),
    "gallop_budget_follow_pressure": (STATUS, H, c_int32),
    "gallop_simulate_pressure": (STATUS, c_int32),
    "gallop_budget_get_info": (STATUS, H, _out(structs.BudgetRecord)),
    "gallop_budget_release": (STATUS, H),
    # Players
    "gallop_player_new": (STATUS, H, _out(players.PlayerOptions), OUT),
    "gallop_player_release": (STATUS, H),
    "gallop_player_play": (STATUS, H),
    "gallop_player_pause": (STATUS, H),
    "gallop_player_stop": (STATUS, H),
    "gallop_player_restart": (STATUS, H),
    "gallop_player_seek_frame": (STATUS, H, c_int64),
    "gallop_player_seek_time": (STATUS, H, c_int64),
    "gallop_player_seek_in_loop": (STATUS, H, c_int64),
    "gallop_player_step": (STATUS, H, c_int64),
    "gallop_player_show_poster": (STATUS, H, c_int64),
    "gallop_player_set_rate": (STATUS, H, c_double),
    "gallop_player_set_mode": (STATUS, H, c_int32),
    "gallop_player_set_range": (STATUS, H, c_int64, c_int64),
    "gallop_player_set_motion": (STATUS, H, c_int32, c_double),
    "gallop_player_set_flash_policy": (STATUS, H, c_int32),
    "gallop_player_set_shares_field": (STATUS, H, c_int32),
    "gallop_player_set_shown_size": (STATUS, H, c_uint32, c_uint32),
    "gallop_player_get_flashes": (STATUS, H, _out(players.PlayerFlashesRecord)),
    "gallop_player_set_visibility": (STATUS, H, c_int32),
    "gallop_player_set_priority": (STATUS, H, c_int32),
    "gallop_player_preload": (STATUS, H, c_int32, c_int64),
    "gallop_player_begin_scrubbing": (STATUS, H),
    "gallop_player_scrub_frame": (STATUS, H, c_int64),
    "gallop_player_scrub_time": (STATUS, H, c_int64),
    "gallop_player_end_scrubbing": (STATUS, H),
    "gallop_player_update": (STATUS, H, H, c_int32),
    "gallop_player_get_info": (STATUS, H, _out(players.PlayerRecord)),
    "gallop_player_frame": (STATUS, H, OUT, _out(structs.FrameView)),
    "gallop_player_save": (STATUS, H, _out(players.SnapshotRecord)),
    "gallop_player_restore": (STATUS, H, _out(players.SnapshotRecord)),
    "gallop_player_get_statistics": (STATUS, H, _out(players.StatisticsRecord)),
    "gallop_player_event_fd": (STATUS, H, POINTER(c_int)),
    "gallop_player_next_event": (STATUS, H, _out(players.EventRecord), OUT),
    # Groups
    "gallop_group_new": (STATUS, H, OUT),
    "gallop_group_add": (STATUS, H, H, c_int64),
    "gallop_group_remove": (STATUS, H, H),
    "gallop_group_play": (STATUS, H),
    "gallop_group_pause": (STATUS, H),
    "gallop_group_seek": (STATUS, H, c_int64),
    "gallop_group_set_rate": (STATUS, H, c_double),
    "gallop_group_set_motion": (STATUS, H, c_int32, c_double),
    "gallop_group_get_info": (STATUS, H, _out(structs.GroupRecord)),
    "gallop_group_release": (STATUS, H),
}


def _load() -> ctypes.CDLL:
    """The library that GALLOP_LIBRARY names, or the one in this package, or the system's."""
    bundled = Path(__file__).parent / "_native" / NAME
    path = os.environ.get("GALLOP_LIBRARY") or (str(bundled) if bundled.is_file() else NAME)
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"gallop cannot load its library: {error}") from error
    for name, (result, *arguments) in FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    found = library.gallop_version().decode()
    if tuple(map(int, found.split(".")[:2])) != VERSION:
        raise ImportError(f"gallop needs version {VERSION[0]}.{VERSION[1]} of {path}, which is {found}")
    return library


lib = _load()
"""Its functions take handles as numbers, and structs by `ctypes.byref`."""


def check(status: int, path: str | None = None) -> int:
    """The status, if it is no error; otherwise raises the exception for the calling thread's last error."""
    if status < 0:
        raise last_error(status, path)
    return status


def last_error(status: int, path: str | None = None) -> GIFError:
    """The exception for a status that the last call on this thread gave."""
    error = structs.Error()
    lib.gallop_last_error(ctypes.byref(error))
    message = (error.message or b"").decode("utf-8", "replace") or status_name(status)
    frame, offset = known(error.frame), known(error.offset)
    number = int(error.value) if error.has_value and status == UNREADABLE else None
    return make_error(message, status_name(status), frame, offset, path, number)


def status_name(status: int) -> str:
    name: bytes = lib.gallop_status_name(status)
    return name.decode()


def known(number: int) -> int | None:
    """A number of the library's; None where it says -1."""
    return None if number < 0 else int(number)
