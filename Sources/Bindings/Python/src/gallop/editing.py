"""Edits: cut, reverse, retime, join and crop GIFs, exact in every pixel, copied where that can be."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import secrets
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Union

from ._handles import Interruptible, Owned
from ._library import check, lib
from ._structs import EditorRecord, EditRecord, Handle
from ._structs import Rect as RectRecord
from .decoding import Frames, Size, checked_size, chosen
from .enums import DamagePolicy, Order
from .image import GIF, open
from .sources import Limits, Source

Sources = Union[Source, GIF, Sequence[Union[Source, GIF]]]
"""A GIF, or several that are joined."""
Box = tuple[int, int, int, int]
"""Column and row of the upper left corner, width and height."""

_FLIPS = {None: (0, 0), "x": (1, 0), "y": (0, 1), "xy": (1, 1), "yx": (1, 1)}


@dataclass(frozen=True)
class EditSummary:
    """What became of an edit's frames."""

    frame_count: int
    """The frames of the output."""
    copied_frames: int
    """Those that were copied; the others were written anew."""
    byte_count: int
    """The bytes of the output."""


class Edit:
    """An edit that is planned: `save` writes it to a file, `data` has its bytes. Made by `gallop.edit`.

    The result is compared with what was chosen before it is returned or gets its name: each pixel, each delay as browsers
    play it, the plays.
    """

    def __init__(self, images: Sequence[GIF], record: Any, kept: Any) -> None:
        self._images = images
        # What the record points to, for as long as it is used.
        self._record, self._kept = record, kept
        self._interruptible = Interruptible()
        record.cancel = self._interruptible.token.value
        # What cannot be is an error now.
        self._planned: list[Owned] = [self._plan()]
        self._data: bytes | None = None

    @property
    def data(self) -> bytes:
        """The bytes of the GIF. The first time takes as long as the edit."""
        if self._data is None:
            editor = self._editor()
            address, size = ctypes.c_void_p(), ctypes.c_size_t()
            self._interruptible.call(
                lib.gallop_editor_bytes, editor.value, ctypes.byref(address), ctypes.byref(size)
            )
            self._data = ctypes.string_at(address.value or 0, size.value)
        return self._data

    def __bytes__(self) -> bytes:
        return self.data

    def save(self, output: str | os.PathLike[str], *, force: bool = False) -> EditSummary:
        """Writes the GIF to a file, which has its name only when it is whole and checked.

        Neither input nor output is held in memory. A file that exists is a FileExistsError, unless `force` is true; one of
        the sources is never overwritten.
        """
        target = Path(os.fsdecode(output))
        if force:
            # A link stays a link; its target is replaced.
            target = Path(os.path.realpath(target))
        for image in self._images:
            if image.path is not None and target.exists() and os.path.samefile(image.path, target):
                raise ValueError(f"{target} is one of the sources")
        if os.path.lexists(target) and not force:
            raise FileExistsError(f"{target} exists; force=True overwrites it")
        editor = self._editor()
        with _draft(target, force) as descriptor:
            self._interruptible.call(lib.gallop_editor_write, editor.value, descriptor)
        return _summary(editor)

    def _editor(self) -> Owned:
        return self._planned.pop() if self._planned else self._plan()

    def _plan(self) -> Owned:
        handles = (Handle * len(self._images))(*(image._image for image in self._images))
        out = Handle()
        self._interruptible.call(
            lib.gallop_editor_new, handles, len(handles), ctypes.byref(self._record), ctypes.byref(out)
        )
        return Owned(out.value, lib.gallop_editor_release)

    def __repr__(self) -> str:
        count = f"{len(self._images)} GIFs" if len(self._images) > 1 else repr(self._images[0])
        return f"<Edit of {count}>"


def edit(
    source: Sources,
    *,
    canvas: Size | None = None,
    crop: Box | None = None,
    flip: str | None = None,
    rotate: int = 0,
    frames: Frames = None,
    skip_failed: bool = False,
    every: int = 1,
    order: Order | str = Order.FORWARD,
    merge_still: bool = False,
    rate: float = 1,
    delay: float | None = None,
    last_delay: float | None = None,
    plays: int | None = None,
    strip: bool = False,
    comment: str | None = None,
    smaller: bool = False,
    limits: Limits | None = None,
    damage: DamagePolicy | str = DamagePolicy.CHROMIUM,
) -> Edit:
    """Plans a GIF of the frames of one, or of several joined: `edit(...).save(path)`, or `edit(...).data`.

    Frames are copied as they are compressed wherever they then show the same; others are written anew, without a colour
    changed. The options apply in their order:

    `canvas` is a width and a height, in whose middle each GIF stands; `crop` the part to keep: column, row, width, height.
    `flip` is `x`, `y` or `xy`; `rotate` is 90, 180 or 270 degrees clockwise.
    `frames` are those to keep, in this order, counted through all sources. `skip_failed` leaves damaged ones out.
    `every=2` keeps every second one and adds up the delays. `order` is `forward`, `reversed` or `bounced`.
    `merge_still` makes neighbours that show the same one frame.
    `rate=2` plays twice as fast; 0.001 to 1000. `delay` and `last_delay` are seconds, 0.02 to 655.35 in steps of 0.01.
    `plays` are all plays, `FOREVER`, or None for those of the first GIF.
    `strip` leaves out comments and data of programs, `comment` adds one. `smaller` takes longer for fewer bytes.

    Raises GIFError; its codes are `canvasMismatch` here, and `failedFrame` and `tooManyColors` when frames are written:
    nothing is ever quantised.
    """
    images = [one if isinstance(one, GIF) else open(one, limits=limits, damage=damage) for one in _listed(source)]
    if not images:
        raise ValueError("there is nothing to edit")
    width, height = (0, 0) if canvas is None else checked_size(canvas)
    if flip not in _FLIPS:
        raise ValueError(f"flip is 'x', 'y' or 'xy', not {flip!r}")
    if rotate % 90 != 0:
        raise ValueError(f"rotate is a multiple of 90 degrees, not {rotate!r}")
    numbers = None
    if frames is not None:
        indices = chosen(frames, sum(map(len, images)))
        if not indices:
            raise ValueError("frames has none")
        numbers = (ctypes.c_int64 * len(indices))(*indices)
    text = None if comment is None else comment.encode()
    record = EditRecord(
        canvas_width=width,
        canvas_height=height,
        crop=RectRecord(*(crop or (0, 0, 0, 0))),
        flips_columns=_FLIPS[flip][0],
        flips_rows=_FLIPS[flip][1],
        quarter_turns=rotate // 90 % 4,
        order=Order(order).number,
        frames=numbers,
        frame_count=0 if numbers is None else len(numbers),
        step=_at_least_one("every", every),
        rate=_rate(rate),
        delay_ms=_milliseconds("delay", delay),
        last_delay_ms=_milliseconds("last_delay", last_delay),
        plays=0 if plays is None else plays,
        skips_failed_frames=skip_failed,
        merges_stills=merge_still,
        strips_metadata=strip,
        makes_smaller=smaller,
        comment=text,
    )
    return Edit(images, record, (numbers, text))


def _listed(source: Sources) -> Sequence[Source | GIF]:
    return source if isinstance(source, (list, tuple)) else [source]  # type: ignore[list-item]


def _at_least_one(name: str, number: int) -> int:
    if number < 1:
        raise ValueError(f"{name} is 1 or more, not {number!r}")
    return number


def _rate(rate: float) -> float:
    if not 0.001 <= rate <= 1000:
        raise ValueError(f"rate is 0.001 to 1000, not {rate!r}")
    return rate


def _milliseconds(name: str, delay: float | None) -> int:
    """A delay as the library takes it; 0 for None."""
    if delay is None:
        return 0
    if not 0.02 <= delay <= 655.35:
        raise ValueError(f"{name} is 0.02 to 655.35 seconds, not {delay!r}")
    centiseconds = round(delay * 100)
    # No more than what a float of seconds is beside the truth.
    if abs(delay * 100 - centiseconds) > 1e-6:
        raise ValueError(f"{name} is a whole number of hundredths of a second, not {delay!r}")
    return centiseconds * 10


def _summary(editor: Owned) -> EditSummary:
    record = EditorRecord()
    check(lib.gallop_editor_get_info(editor.value, ctypes.byref(record)))
    return EditSummary(int(record.frame_count), int(record.copied_frames), int(record.byte_count))


@contextlib.contextmanager
def _draft(target: Path, force: bool) -> Iterator[int]:
    """A new file beside the target, which gets the target's name unless the body raises."""
    draft = target.with_name(f".gallop-{secrets.token_hex(6)}")
    descriptor = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        try:
            if force:
                _copy_mode(target, descriptor)
            yield descriptor
        finally:
            # Some file systems report a full disk only here.
            os.close(descriptor)
        if force:
            os.replace(draft, target)
        else:
            _place(draft, target)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(draft)


def _copy_mode(old: Path, descriptor: int) -> None:
    """Gives a file the owner and the mode of one that it will replace, if there is one."""
    try:
        status = os.stat(old)
    except FileNotFoundError:
        return
    mode = stat.S_IMODE(status.st_mode)
    # Only root may give files away, and some file systems have neither owners nor modes.
    with contextlib.suppress(OSError):
        os.fchown(descriptor, status.st_uid, -1)
    try:
        os.fchown(descriptor, -1, status.st_gid)
    except OSError:
        # What was the group's is not another group's.
        mode &= ~stat.S_IRWXG
    with contextlib.suppress(OSError):
        os.fchmod(descriptor, mode)


def _place(draft: Path, target: Path) -> None:
    """Gives a file a name that is free."""
    try:
        # Another program may have made the file meanwhile: a link never overwrites it.
        os.link(draft, target)
    except OSError as error:
        # File systems without links.
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.ENOSYS):
            raise
        # Reserves the name, so that only an empty file of this is overwritten.
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC))
        try:
            os.replace(draft, target)
        except OSError:
            os.unlink(target)
            raise
