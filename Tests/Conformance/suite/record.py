#!/usr/bin/env python3
"""Asks Chromium and Firefox what they show of each file, and writes expected.jsonl, pictures.jsonl and recorded.json.

    record.py [--only TEXT...]     --only keeps the lines of other files

Needs chromium, firefox-esr, and Tests/Tools on PYTHONPATH; `make suite-record` calls it.
"""

from __future__ import annotations

import argparse
import base64
import json
import sys
import time
import zlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from catalogue import all_entries
from catalogue.entry import Entry
from make_suite import FOLDER, facts
from witnesses import Seen, Witness

from rows import LARGEST_SIDE, Source, build_row, pixel_hash, raw_delays, shown_ms, to_json_line  # isort: skip

from galloptools.gif.records import read_loop_counts

Row = dict[str, Any]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="record.py", description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--only", nargs="+", metavar="TEXT", help="only files whose names have one of these texts in them"
    )
    options = parser.parse_args(arguments)
    rows, pictures = read_lines("expected.jsonl", "file"), read_lines("pictures.jsonl", "sha")
    entries = all_entries()
    with Witness("chromium") as chromium, Witness("firefox") as firefox:
        for number, entry in enumerate(entries, 1):
            if options.only and entry.file in rows and not any(text in entry.file for text in options.only):
                continue
            rows[entry.file] = record(entry, chromium, firefox, pictures)
            print(f"{number}/{len(entries)} {entry.file}: {rows[entry.file]['agree']}", file=sys.stderr, flush=True)
        recorded = {"date": time.strftime("%Y-%m-%d"), "chromium": chromium.version, "firefox": firefox.version}
    names = [entry.file for entry in entries]
    wanted = {sha for name in names for sha in hashes(rows[name])}
    write_lines("expected.jsonl", [rows[name] for name in names])
    write_lines("pictures.jsonl", [pictures[sha] for sha in sorted(wanted)])
    (FOLDER / "recorded.json").write_text(json.dumps(recorded, indent=2) + "\n", encoding="utf-8")
    return 0


def record(entry: Entry, chromium: Witness, firefox: Witness, pictures: dict[str, Row]) -> Row:
    """The index line of a file; its pictures go into `pictures`."""
    theirs = chromium.look(entry.data, watches=entry.is_damaged)
    too_large = (
        max(int.from_bytes(entry.data[6:8], "little"), int.from_bytes(entry.data[8:10], "little")) > LARGEST_SIDE
    )
    others = None if too_large else firefox.look(entry.data, watches=False)
    for seen in (theirs, others):
        for rgba in [] if seen is None else [*seen.pictures, *seen.painted, seen.shown]:
            if rgba is not None:
                keep(pictures, rgba, seen)
    return line(entry, theirs, others)


def keep(pictures: dict[str, Row], rgba: bytes, seen: Seen) -> None:
    """Add a picture under its hash."""
    sha = pixel_hash(rgba)
    packed = base64.b64encode(zlib.compress(rgba, 9)).decode("ascii")
    pictures[sha] = {"sha": sha, "width": seen.decoding.width, "height": seen.decoding.height, "rgba": packed}


def line(entry: Entry, chromium: Seen, firefox: Seen | None) -> Row:
    """The index line: the fields of the conformance set, what the catalogue says, and Firefox's own answer."""
    # A first picture of <img> is of interest in the line only where frame 0 has none.
    frames = chromium.decoding.frames
    shown = chromium.decoding.shown if frames and frames[0].sha is None else None
    decodings = {"chromium": replace(chromium.decoding, shown=shown), "firefox": firefox.decoding if firefox else None}
    row = build_row(Source(entry.file, entry.data), decodings, read_loop_counts(entry.data))
    for index, frame in enumerate(row["frames"]):
        picture = chromium.picture(index)
        sha = None if picture is None else pixel_hash(picture)
        if sha != frame["sha"]:
            frame["decoder"] = frame["sha"]
            frame["sha"] = sha
    title, rows, kind = facts(entry)
    row |= {"title": title, "rows": rows, "kind": kind}
    if firefox is not None:
        row["firefox"] = own_answer(firefox)
    return row


def own_answer(seen: Seen) -> Row:
    """Firefox's answer; its decoder states played delays only."""
    decoding = seen.decoding
    delays = raw_delays(decoding.frames)
    return {
        "width": decoding.width,
        "height": decoding.height,
        "frameCount": decoding.frame_count,
        "plays": decoding.plays,
        "frames": [
            {"ms": None if delay is None else shown_ms(delay), "sha": frame.sha}
            for delay, frame in zip(delays, decoding.frames, strict=True)
        ],
        "shown": decoding.shown,
    }


def hashes(row: Row) -> set[str]:
    """All hashes that a line names."""
    own = row.get("firefox", {"frames": [], "shown": None})
    named = [frame[key] for frame in row["frames"] for key in ("sha", "decoder") if key in frame]
    named += [frame["sha"] for frame in own["frames"]] + [own["shown"], row.get("shown")]
    return {sha for sha in named if sha is not None}


def read_lines(name: str, key: str) -> dict[str, Row]:
    """An earlier recording."""
    path = FOLDER / name
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return {row[key]: row for row in map(json.loads, text.splitlines())}


def write_lines(name: str, rows: Sequence[Row]) -> None:
    (FOLDER / name).write_text("".join(to_json_line(row) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
