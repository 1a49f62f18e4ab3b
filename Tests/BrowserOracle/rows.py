"""The pure part of the oracle: what a browser reported, how it becomes a line of the set, and comparisons.

A line has exactly the fields of the conformance set: file, bytes, sha256, width, height, frameCount, plays,
frames[{rawMs, ms, sha, why?}], agree, and where they apply shown and note. A run with one browser only cannot know
whether browsers agree; it writes `browser` instead of `agree` (except `rejected`, which is Chromium's own word).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from galloptools.gif.records import LoopCounts

Row = dict[str, Any]
Plays = int | str | None

LISTED_FRAMES = 400
"""Only this many frames of a file are decoded and listed; `frameCount` stays the real number."""

LARGEST_SIDE = 32767
"""Beyond this side Chromium's ImageDecoder gives no picture although `<img>` shows one."""

FOREVER = "forever"
_UNCOMPARED = ("note", "browser")
_SHOWN_DIFFERENCES = 8


@dataclass(frozen=True)
class DecodedFrame:
    """What ImageDecoder said about one frame; times in microseconds, None where it said nothing."""

    timestamp: int | None = None
    duration: int | None = None
    sha: str | None = None
    why: str | None = None


@dataclass(frozen=True)
class Decoding:
    """What one browser made of one file."""

    width: int = 0
    height: int = 0
    frame_count: int = 0
    repetition: Plays = None
    frames: tuple[DecodedFrame, ...] = ()
    shown: str | None = None
    painted: tuple[str, ...] = ()
    """What `<img>` paints in each frame's time, where it was watched."""
    notes: tuple[str, ...] = ()
    broken: str | None = None
    """Why there is no result at all (crash, time-out). Not the same as a rejected file."""

    @property
    def plays(self) -> Plays:
        """Total number of plays."""
        return total_plays(self.repetition, self.frame_count)

    @property
    def has_unpictured_frame(self) -> bool:
        """Whether a listed frame gave no hash."""
        return any(frame.sha is None for frame in self.frames)


@dataclass(frozen=True)
class Source:
    """A GIF to look at: its name in the output and its content."""

    name: str
    data: bytes = field(repr=False)


def pixel_hash(rgba: bytes) -> str:
    """The reference form of the hash that the page computes; `rgba` is straight alpha, rows from the top."""
    cleaned = bytearray(rgba)
    for offset in range(0, len(cleaned), 4):
        if cleaned[offset + 3] == 0:
            cleaned[offset : offset + 3] = b"\0\0\0"
    return hashlib.sha256(cleaned).hexdigest()[:16]


def shown_ms(raw_ms: int) -> int:
    """The delay as browsers play it.

    Chromium's ImageDecoder reports delays as stored, but its `<img>` plays everything up to 10 ms as 100 ms;
    Firefox applies the same rule already in ImageDecoder, for which this changes nothing.
    """
    return 100 if raw_ms <= 10 else raw_ms


def total_plays(repetition: Plays, frame_count: int) -> Plays:
    """Plays from WebCodecs' repetitionCount, which does not count the first play.

    For stills browsers disagree about what "no loop extension" means (Chromium says forever, Firefox 0) and nothing
    moves anyway, so there a number is kept only if it must come from the file.
    """
    if repetition is None or frame_count == 0:
        return None
    if repetition == FOREVER:
        return FOREVER if frame_count > 1 else None
    plays = int(repetition) + 1
    return None if frame_count == 1 and plays == 1 else plays


def raw_delays(frames: Sequence[DecodedFrame]) -> list[int | None]:
    """Delays in milliseconds.

    A failed frame has no duration of its own, but where both its neighbours decoded, the gap between their times is
    its delay. A run of several failed frames cannot be split, nor has the last frame a right neighbour.
    """
    delays: list[int | None] = []
    for index, frame in enumerate(frames):
        duration = frame.duration
        if duration is None and 0 < index < len(frames) - 1:
            duration = _gap(frames[index - 1], frames[index + 1])
        elif duration is None and index == 0 and len(frames) > 1:
            duration = frames[1].timestamp
        delays.append(None if duration is None else round(duration / 1000))
    return delays


def _gap(left: DecodedFrame, right: DecodedFrame) -> int | None:
    if left.timestamp is None or left.duration is None or right.timestamp is None:
        return None
    return right.timestamp - left.timestamp - left.duration


def build_row(source: Source, decodings: Mapping[str, Decoding | None], loops: LoopCounts) -> Row:
    """The output line for a file.

    `decodings` has an entry for every browser of the run, Chromium's (the one followed) or the only one first;
    None for a browser that did not have to be asked.
    """
    name, decoding = next(iter(decodings.items()))
    if decoding is None:
        raise ValueError("the leading browser must have been asked")
    row: Row = {
        "file": source.name,
        "bytes": len(source.data),
        "sha256": hashlib.sha256(source.data).hexdigest(),
        "width": decoding.width,
        "height": decoding.height,
        "frameCount": decoding.frame_count,
        "plays": decoding.plays,
        "frames": _frame_fields(decoding, normalised_already=name == "firefox"),
    }
    notes = list(decoding.notes)
    if decoding.broken is not None:
        row["browser"] = name
        notes.append(f"{name}: {decoding.broken}")
    elif name == "chromium" and not decoding.frames:
        row["agree"] = "rejected"
    elif len(decodings) == 1:
        row["browser"] = name
    else:
        firefox = decodings["firefox"]
        row["agree"], note = compare(decoding, firefox, loops)
        notes += [note] if note else []
        notes += [f"firefox: {text}" for text in firefox.notes] if firefox else []
    if decoding.shown is not None:
        row["shown"] = decoding.shown
    if decoding.painted:
        row["painted"] = list(decoding.painted)
    if notes:
        row["note"] = "; ".join(notes)
    return row


def _frame_fields(decoding: Decoding, normalised_already: bool) -> list[Row]:
    fields: list[Row] = []
    for frame, raw_ms in zip(decoding.frames, raw_delays(decoding.frames), strict=True):
        entry: Row = {
            "rawMs": None if normalised_already else raw_ms,
            "ms": None if raw_ms is None else shown_ms(raw_ms),
            "sha": frame.sha,
        }
        if frame.why is not None:
            entry["why"] = frame.why
        fields.append(entry)
    return fields


def is_worth_comparing(leader: Decoding) -> bool:
    """Whether a second browser's answer can still change anything; also spares it files that may hang it."""
    return leader.broken is None and bool(leader.frames) and not leader.has_unpictured_frame


def compare(chromium: Decoding, firefox: Decoding | None, loops: LoopCounts) -> tuple[str, str | None]:
    """The value of `agree` for a file that Chromium takes, and a note if there is something to know.

    `firefox` is None where it was not asked: once a frame has no picture in Chromium the answer is settled.
    """
    if chromium.has_unpictured_frame or firefox is None:
        return "chromium", None
    if firefox.broken is not None:
        return "chromium", f"firefox: {firefox.broken}"
    same_shape = (chromium.width, chromium.height, chromium.frame_count) == (
        firefox.width,
        firefox.height,
        firefox.frame_count,
    )
    if not same_shape or [frame.sha for frame in chromium.frames] != [frame.sha for frame in firefox.frames]:
        return "chromium", None
    if not _same_delays(raw_delays(chromium.frames), raw_delays(firefox.frames)):
        return "chromium", None
    if chromium.plays == firefox.plays or None in (chromium.plays, firefox.plays):
        return "both", None
    if _is_late_loop(firefox, loops):
        return "both", f"Firefox reports repetition {firefox.repetition}: a loop extension follows frame 0"
    return "chromium", None


def _same_delays(ours: Sequence[int | None], theirs: Sequence[int | None]) -> bool:
    """Whether the delays are equal as played; a delay that one side leaves open (stills in Firefox) is no conflict."""
    return all(
        left is None or right is None or shown_ms(left) == shown_ms(right)
        for left, right in zip(ours, theirs, strict=True)
    )


def _is_late_loop(firefox: Decoding, loops: LoopCounts) -> bool:
    """Whether Firefox merely stated the count before a loop extension that follows the first image."""
    if loops.after_first_image is None:
        return False
    early = loops.before_first_image
    stated: Plays = 0 if early is None else FOREVER if early == 0 else early
    return firefox.repetition == stated


def to_json_line(row: Row) -> str:
    """One line of the file, without the newline."""
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"))


def read_rows(path: Path) -> dict[str, Row]:
    """The lines of an existing file by their `file` field."""
    rows: dict[str, Row] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            rows[row["file"]] = row
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{path}, line {number}: not a line of the set ({error})") from error
    return rows


def differences(expected: Row, actual: Row) -> list[str]:
    """What differs between two lines of the same file, in words; nothing if they are equal.

    Notes are prose and not compared. `agree` is compared where both lines have it, `shown` where the expectation has
    it. A Firefox-only line says nothing about stored delays.
    """
    if actual.get("browser") == "firefox":
        return _firefox_differences(expected, actual)
    found: list[str] = []
    for key in expected.keys() | actual.keys():
        if key in (*_UNCOMPARED, "frames") or (key == "agree" and (key not in expected or key not in actual)):
            continue
        if key in ("shown", "painted") and key not in expected:
            continue
        if expected.get(key) != actual.get(key):
            found.append(f"{key}: expected {expected.get(key)!r}, got {actual.get(key)!r}")
    found.sort()
    return found + _frame_differences(expected, actual, ("rawMs", "ms", "sha", "why"))


def _firefox_differences(expected: Row, actual: Row) -> list[str]:
    keys = ["bytes", "sha256", "width", "height", "frameCount"]
    if actual.get("plays") is not None and "Firefox reports repetition" not in expected.get("note", ""):
        keys.append("plays")
    found = [
        f"{key}: expected {expected.get(key)!r}, got {actual.get(key)!r}"
        for key in keys
        if expected.get(key) != actual.get(key)
    ]
    still = expected.get("frameCount") == 1
    return found + _frame_differences(expected, actual, ("sha",) if still else ("ms", "sha"))


def _frame_differences(expected: Row, actual: Row, keys: Iterable[str]) -> list[str]:
    ours, theirs = actual.get("frames", []), expected.get("frames", [])
    found = [] if len(ours) == len(theirs) else [f"listed frames: expected {len(theirs)}, got {len(ours)}"]
    for index, (wanted, got) in enumerate(zip(theirs, ours, strict=False)):
        for key in keys:
            if wanted.get(key) != got.get(key):
                found.append(f"frame {index} {key}: expected {wanted.get(key)!r}, got {got.get(key)!r}")
    if len(found) > _SHOWN_DIFFERENCES:
        found = [*found[:_SHOWN_DIFFERENCES], f"and {len(found) - _SHOWN_DIFFERENCES} more"]
    return found


@dataclass
class CheckReport:
    """The outcome of a comparison with an existing file."""

    equal: dict[str, int] = field(default_factory=dict)
    different: dict[str, int] = field(default_factory=dict)
    skipped: dict[str, int] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        """Whether nothing differs and nothing is missing."""
        return not self.lines


def check_rows(expected: dict[str, Row], actual: dict[str, Row]) -> CheckReport:
    """Compare every line; a file on one side only is a difference too."""
    report = CheckReport()
    for name in sorted(expected.keys() | actual.keys()):
        if not _is_comparable(expected.get(name), actual.get(name)):
            kind = str(expected[name].get("agree"))
            report.skipped[kind] = report.skipped.get(kind, 0) + 1
            continue
        if name not in actual:
            found, kind = ["expected, but there is no such file"], str(expected[name].get("agree"))
        elif name not in expected:
            found, kind = ["not in the expected file"], "unlisted"
        else:
            found, kind = differences(expected[name], actual[name]), str(expected[name].get("agree"))
        tally = report.different if found else report.equal
        tally[kind] = tally.get(kind, 0) + 1
        report.lines += [f"{name}: {text}" for text in found]
    return report


def _is_comparable(expected: Row | None, actual: Row | None) -> bool:
    """A Firefox-only line is no evidence about a file on which Chromium alone is followed."""
    if expected is None or actual is None or actual.get("browser") != "firefox":
        return True
    return expected.get("agree") not in ("chromium", "rejected")
