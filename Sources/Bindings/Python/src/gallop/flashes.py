"""Flashes: whether a GIF in a loop keeps within WCAG 2.2 (2.3.1). It informs, and certifies nothing."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

from ._handles import Interruptible
from ._library import lib
from ._structs import FlashOptions, FlashPeakRecord, FlashReportRecord
from .decoding import Size
from .enums import FlashResult, FlashState


@dataclass(frozen=True)
class FlashPeak:
    """The second with the most flashes that a large enough area has."""

    flashes_per_second: float
    """A flash is two opposing changes, so there may be a half."""
    start: float
    """When it begins, in seconds of a play."""
    first_frame: int
    last_frame: int
    """The frame with its first change, and that whose change makes them so many, maybe in a later play."""
    field_share: float
    """The greatest part of a field of 10 degrees that has flashed so often with that frame."""


@dataclass(frozen=True)
class FlashReport:
    """What is known of a GIF's flashes at a size and a rate."""

    result: FlashResult
    general: FlashPeak | None
    """The worst second of general flashes; None where they pass, or the verdict was all that was asked for."""
    red: FlashPeak | None
    """The worst second of flashes to or from a saturated red; None as the general one is."""
    safe_rate: float | None
    """The greatest rate at which the same size passes; None where the asked one passes, none does, the image is not all
    there or a limit leaves frames out, or the verdict was all that was asked for."""
    safe_size: Size | None
    """The greatest size of the same shape up to which each passes at the same rate; None as for the rate."""
    is_decoded: bool
    """Whether pictures were needed: otherwise the number, the time and the area of the changes prove it."""

    @property
    def passes(self) -> bool:
        """Whether all is there, and passes."""
        return self.result is FlashResult.PASSES


def flashes_of(
    image: int, size: Size | None, rate: float, *, is_partial: bool, is_verdict_only: bool, path: str | None
) -> FlashReport:
    """The report on the image of a handle. Raises ValueError for a rate that is none."""
    if not 0.05 <= rate <= 20:
        raise ValueError(f"a rate is a number from 0.05 to 20, not {rate!r}")
    interruptible = Interruptible()
    options = FlashOptions()
    if size is not None:
        options.width, options.height = size
    options.rate, options.cancel = rate, interruptible.token.value
    options.is_partial, options.is_verdict_only = is_partial, is_verdict_only
    record = FlashReportRecord()
    interruptible.call(
        lib.gallop_image_flashes, image, ctypes.byref(options), ctypes.byref(record), path=path
    )
    return report_of(record)


@dataclass(frozen=True)
class PlayerFlashes:
    """The verdict on a player's GIF as it is shown, and what became of it."""

    state: FlashState
    rate: float | None
    """The rate of a GIF that is slowed; None for others."""
    report: FlashReport | None
    """Why a GIF fails; None for others, and where it cannot be judged."""


def report_of(record: FlashReportRecord) -> FlashReport:
    """The report in a struct of the library."""
    return FlashReport(
        FlashResult.of(record.result), _peak(record.general), _peak(record.red), record.safe_rate or None,
        (record.safe_width, record.safe_height) if record.safe_width else None, bool(record.is_decoded),
    )


def _peak(record: FlashPeakRecord) -> FlashPeak | None:
    if not record.flashes_per_second:
        return None
    return FlashPeak(
        record.flashes_per_second, record.start_ms / 1000, record.first_frame, record.last_frame, record.field_share
    )
