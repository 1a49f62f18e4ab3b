"""Animated GIFs: every frame and every delay as Chromium shows them, as NumPy arrays; and a player.

    with gallop.open("horse.gif") as gif:
        for frame in gif:
            show(frame.array, frame.delay)

`gallop.imageio`, `gallop.pillow`, `gallop.torch` and `gallop.ray` connect it to those libraries; they are imported by
name.
"""

from ._library import lib as _lib
from ._memory import trim_memory
from .batch import Decoded, decode_many
from .clips import ClipBatch, clips
from .decoding import FrameIterator
from .diagnostics import Diagnostic
from .dispatch import EventStream, Subscription
from .editing import Edit, EditSummary, edit
from .enums import (
    Buffering,
    Cause,
    DamagePolicy,
    DelayPolicy,
    Disposal,
    Fit,
    FlashPolicy,
    FlashResult,
    FlashState,
    FrameStatus,
    LatePolicy,
    Layout,
    Motion,
    Order,
    PixelFormat,
    PlaybackMode,
    PlaybackState,
    Preload,
    Pressure,
    Priority,
    SuspensionPolicy,
    Visibility,
)
from .errors import GIFError, GIFFileError, GIFFrameError, GIFMemoryError, GIFNotFoundError
from .events import (
    BufferingChange,
    Event,
    Failure,
    Finished,
    FlashesChange,
    FrameChange,
    LoopCompletion,
    StateChange,
)
from .flashes import FlashPeak, FlashReport, PlayerFlashes
from .frames import Frame, FrameInfo, FrameTable, Rect
from .group import SyncGroup
from .image import GIF, open
from .metadata import ApplicationExtension
from .playback import FOREVER, CacheStatistics, PlaybackOptions, PlaybackSnapshot
from .player import Player
from .sources import Limits
from .stream import GIFStream
from .timing import BudgetInfo, Clock, FrameBudget, simulate_pressure

__all__ = [
    "FOREVER",
    "GIF",
    "ApplicationExtension",
    "BudgetInfo",
    "Buffering",
    "BufferingChange",
    "CacheStatistics",
    "Cause",
    "ClipBatch",
    "Clock",
    "DamagePolicy",
    "Decoded",
    "DelayPolicy",
    "Diagnostic",
    "Disposal",
    "Edit",
    "EditSummary",
    "Event",
    "EventStream",
    "Failure",
    "Finished",
    "Fit",
    "FlashPeak",
    "FlashPolicy",
    "FlashReport",
    "FlashResult",
    "FlashState",
    "FlashesChange",
    "Frame",
    "FrameBudget",
    "FrameChange",
    "FrameInfo",
    "FrameIterator",
    "FrameStatus",
    "FrameTable",
    "GIFError",
    "GIFFileError",
    "GIFFrameError",
    "GIFMemoryError",
    "GIFNotFoundError",
    "GIFStream",
    "LatePolicy",
    "Layout",
    "Limits",
    "LoopCompletion",
    "Motion",
    "Order",
    "PixelFormat",
    "PlaybackMode",
    "PlaybackOptions",
    "PlaybackSnapshot",
    "PlaybackState",
    "Player",
    "PlayerFlashes",
    "Preload",
    "Pressure",
    "Priority",
    "Rect",
    "StateChange",
    "Subscription",
    "SuspensionPolicy",
    "SyncGroup",
    "Visibility",
    "clips",
    "decode_many",
    "edit",
    "open",
    "simulate_pressure",
    "trim_memory",
]


def __dir__() -> list[str]:
    # Not the modules, which are found through what is imported here.
    return [*__all__, "__version__"]


__version__: str = _lib.gallop_version().decode()
"""The version of the library."""
