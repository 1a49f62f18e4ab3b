"""Every file of the conformance set through the package: what Chromium and Firefox made of it."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import gallop
import numpy
import pytest
from conftest import CONFORMANCE

LISTING = CONFORMANCE / "expected.jsonl"
ROWS = [json.loads(line) for line in LISTING.read_text().splitlines()] if LISTING.is_file() else []
COUNTS = {"both": 202, "chromium": 86, "rejected": 21}

needs_set = pytest.mark.skipif(not ROWS, reason="the conformance set is not there")


def rows(agree: str) -> list[dict[str, Any]]:
    return [row for row in ROWS if row["agree"] == agree]


def picture_hash(array: numpy.ndarray) -> str:
    """The hash of an expectation: straight RGBA, without colour where alpha is 0."""
    clean = numpy.where(array[:, :, 3:] == 0, 0, array).astype(numpy.uint8)
    return hashlib.sha256(clean.tobytes()).hexdigest()[:16]


def differences(row: dict[str, Any]) -> list[str]:
    found: list[str] = []

    def check(what: str, got: object, wanted: object) -> None:
        if got != wanted:
            found.append(f"{row['file']}, {what}: {got!r} instead of {wanted!r}")

    with gallop.open(CONFORMANCE / "gifs" / row["file"]) as gif:
        check("size", gif.size, (row["width"], row["height"]))
        check("frames", len(gif), row["frameCount"])
        if row["plays"] is not None:
            check("plays", gif.plays or "forever", row["plays"])
        hashes = [frame["sha"] for frame in row["frames"]]
        if hashes and hashes[0] is None and row.get("shown"):
            hashes[0] = row["shown"]
        for info, wanted in zip(gif.infos, row["frames"]):
            if wanted["rawMs"] is not None:
                check(f"stored delay of {info.index}", info.raw_delay_ms, wanted["rawMs"])
            if wanted["ms"] is not None:
                check(f"delay of {info.index}", info.delay_ms, wanted["ms"])
        if not any(hashes):
            return found
        for frame in gif:
            if frame.index < len(hashes) and hashes[frame.index] is not None:
                check(f"picture {frame.index}", picture_hash(frame.array), hashes[frame.index])
            check(f"delay of picture {frame.index}", frame.delay_ms, gif.infos[frame.index].delay_ms)
    return found


@needs_set
@pytest.mark.parametrize("agree", ["both", "chromium"])
def test_frames_delays_and_plays_are_the_browsers(agree: str) -> None:
    listed = rows(agree)
    assert len(listed) == COUNTS[agree]
    assert [text for row in listed for text in differences(row)] == []


@needs_set
def test_what_browsers_refuse_is_an_error_or_has_no_frames() -> None:
    listed = rows("rejected")
    assert len(listed) == COUNTS["rejected"]
    accepted = []
    for row in listed:
        try:
            with gallop.open(CONFORMANCE / "gifs" / row["file"]) as gif:
                accepted += [row["file"]] * bool(len(gif))
        except gallop.GIFError as error:
            assert error.code != "unknown"
    assert accepted == []
