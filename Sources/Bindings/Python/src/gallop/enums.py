"""The engine's words for what frames and players are and do. Each is a string, and may be given as one."""

from __future__ import annotations

from enum import Enum
from typing import TypeVar

_Word = TypeVar("_Word", bound="_Words")


class _Words(str, Enum):
    """Words in the order of the library's numbers."""

    def __str__(self) -> str:
        return str(self.value)

    @property
    def number(self) -> int:
        """The library's number."""
        return list(type(self)).index(self)

    @classmethod
    def of(cls: type[_Word], number: int) -> _Word:
        """The word for a number of the library's."""
        return list(cls)[number]


class FrameStatus(_Words):
    """How a frame's decoding ended."""

    COMPLETE = "complete"
    TRUNCATED = "truncated"
    """The file ends inside the frame; what is there shows."""
    FAILED = "failed"
    """The frame's data is damaged; what is there shows."""
    BLANK = "blank"
    """A frame that this one builds on failed; it is transparent."""


class Disposal(_Words):
    """What becomes of a frame's rectangle when its time is over."""

    KEEP = "keep"
    BACKGROUND = "background"
    PREVIOUS = "previous"


class FlashResult(_Words):
    """Whether a GIF flashes more than WCAG 2.2 allows."""

    PASSES = "passes"
    FAILS = "fails"
    UNKNOWN = "unknown"
    """What was read passes, but not all of the file is there, or a limit has left frames out."""


class FlashPolicy(_Words):
    """What becomes of a GIF that flashes more than WCAG 2.2 allows."""

    ALLOW = "allow"
    """Plays; nothing is judged."""
    WARN = "warn"
    """Plays, and reports the verdict."""
    HOLD = "hold"
    """Stands while the verdict is unknown, and where it fails."""
    SLOW = "slow"
    """Stands while the verdict is unknown, and plays at the greatest rate that passes where it fails."""


class FlashState(_Words):
    """The verdict on a player's GIF as it is shown, and what became of it."""

    UNJUDGED = "unjudged"
    JUDGING = "judging"
    """An image that loads has no verdict before it is complete."""
    PASSES = "passes"
    WARNED = "warned"
    """It fails, and plays all the same."""
    SLOWED = "slowed"
    """It fails, and plays at a lower rate."""
    HELD = "held"
    """It does not play: it fails, or cannot be judged."""


class PixelFormat(_Words):
    """The order of a pixel's bytes; premultiplied: colours are multiplied by alpha."""

    RGBA = "rgba"
    BGRA = "bgra"
    RGBA_PREMULTIPLIED = "rgba-premultiplied"
    BGRA_PREMULTIPLIED = "bgra-premultiplied"
    RGB = "rgb"
    """Over a background."""
    GRAY = "gray"
    """The brightness over a background."""

    @property
    def channels(self) -> int:
        """Bytes of a pixel."""
        return {PixelFormat.RGB: 3, PixelFormat.GRAY: 1}.get(self, 4)

    @property
    def is_premultiplied(self) -> bool:
        return self in (PixelFormat.RGBA_PREMULTIPLIED, PixelFormat.BGRA_PREMULTIPLIED)

    @property
    def is_bgra(self) -> bool:
        return self in (PixelFormat.BGRA, PixelFormat.BGRA_PREMULTIPLIED)


class Layout(_Words):
    """The axes of arrays of frames: time, height, width, channels."""

    THWC = "THWC"
    TCHW = "TCHW"


class Fit(_Words):
    """How frames fill a size."""

    STRETCH = "stretch"
    """Exactly that size."""
    CONTAIN = "contain"
    """The largest size of the canvas's shape within it, never larger than the canvas."""
    COVER = "cover"
    """The middle of the canvas fills that size; clips alone do it."""

    @property
    def number(self) -> int:
        if self is Fit.COVER:
            raise ValueError("clips alone cover a size; frames are stretched to it, or contained")
        return super().number


class DamagePolicy(_Words):
    """What shows of frames that build on a damaged one."""

    CHROMIUM = "chromium"
    """Nothing, until an independent one."""
    RESILIENT = "resilient"
    """They are drawn over what there is of the damaged one."""


class DelayPolicy(_Words):
    """Which delays count."""

    BROWSER = "browser"
    """10 ms or less as 100."""
    ENCODED = "encoded"
    MINIMUM = "minimum"
    """As stored, and never shorter than the player's `delay_ms`."""
    CONSTANT = "constant"
    """The player's `delay_ms` for every frame."""


class PlaybackMode(_Words):
    """The order in which frames are shown."""

    FORWARD = "forward"
    REVERSE = "reverse"
    BOUNCE = "bounce"


class Order(_Words):
    """The direction in which an edit writes frames."""

    FORWARD = "forward"
    REVERSED = "reversed"
    BOUNCED = "bounced"
    """Forward, then backward without the two frames at the ends."""


class PlaybackState(_Words):
    """What a player does."""

    STOPPED = "stopped"
    PLAYING = "playing"
    PAUSED = "paused"
    FINISHED = "finished"
    FAILED = "failed"


class LatePolicy(_Words):
    """What becomes of frames that cannot be shown at their time."""

    SKIP = "skip"
    CATCH_UP = "catchUp"
    """At most the player's `late_count` of them are shown, each for half its time."""
    WAIT = "wait"


class SuspensionPolicy(_Words):
    """What becomes of a gap in the clock of more than five minutes."""

    RESUME = "resume"
    KEEP_SCHEDULE = "keepSchedule"


class Motion(_Words):
    """How motion is reduced for users whom it disturbs."""

    FULL = "full"
    SLOW = "slow"
    FIRST_FRAME = "firstFrame"


class Priority(_Words):
    """Whether other players show fewer frames first when decoding cannot keep up."""

    HIGH = "high"
    LOW = "low"


class Visibility(_Words):
    """Whether the user sees a player."""

    VISIBLE = "visible"
    NEAR = "near"
    """Soon in sight: has the frames ready that each command needs, and shows nothing."""
    HIDDEN = "hidden"
    """Keeps its schedule; shows, decodes and reports nothing."""


class Preload(_Words):
    """What is decoded beyond the read-ahead while there is room."""

    NONE = "none"
    FRAMES = "frames"
    TIME = "time"
    ALL = "all"


class Buffering(_Words):
    """What playback waits for."""

    NONE = "none"
    SOURCE = "source"
    DECODER = "decoder"


class Cause(_Words):
    """Why a frame is shown."""

    PLAY = "play"
    LOOP = "loop"
    SEEK = "seek"
    STEP = "step"
    RESTART = "restart"
    APPEAR = "appear"
    """The player has become visible: the frame to be seen now, also if it is the one shown last."""


class Pressure(_Words):
    """How short memory is."""

    NORMAL = "normal"
    WARNING = "warning"
    CRITICAL = "critical"
