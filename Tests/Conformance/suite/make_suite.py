#!/usr/bin/env python3
"""Writes the GIFs of the suite, or checks that those committed are the ones that the catalogue describes.

    make_suite.py            writes gifs/ again
    make_suite.py --check    compares gifs/ and expected.jsonl with the catalogue; status 1 on any difference

Needs Tests/Tools on PYTHONPATH, as `make suite` sets it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from catalogue import all_entries
from catalogue.entry import Entry

FOLDER = Path(__file__).resolve().parent
MOST_BYTES = 2 << 20


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="make_suite.py", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare instead of write")
    options = parser.parse_args(arguments)
    entries = all_entries()
    total = sum(len(entry.data) for entry in entries)
    if total > MOST_BYTES:
        print(f"make_suite: {total} bytes, more than {MOST_BYTES}", file=sys.stderr)
        return 1
    if not options.check:
        write(entries, FOLDER / "gifs")
        print(f"{len(entries)} files, {total} bytes")
        return 0
    found = file_differences(entries, FOLDER / "gifs") + index_differences(entries, FOLDER / "expected.jsonl")
    print("\n".join(found) or f"{len(entries)} files, {total} bytes: as committed")
    return 1 if found else 0


def write(entries: Sequence[Entry], folder: Path) -> None:
    """Write all files, and remove GIFs of entries that are gone."""
    wanted = {folder / entry.file for entry in entries}
    for path in folder.rglob("*.gif"):
        if path not in wanted:
            path.unlink()
    for entry in entries:
        path = folder / entry.file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(entry.data)


def file_differences(entries: Sequence[Entry], folder: Path) -> list[str]:
    """Files that are missing, differ, or are in no entry."""
    names = {entry.file for entry in entries}
    found = [
        f"{path.relative_to(folder)}: in no catalogue"
        for path in sorted(folder.rglob("*.gif"))
        if path.relative_to(folder).as_posix() not in names
    ]
    for entry in entries:
        path = folder / entry.file
        if not path.exists():
            found.append(f"{entry.file}: missing")
        elif path.read_bytes() != entry.data:
            found.append(f"{entry.file}: other bytes than the generator makes")
    return found


def index_differences(entries: Sequence[Entry], path: Path) -> list[str]:
    """Lines of the index that are missing or of another file."""
    lines: dict[str, Any] = {row["file"]: row for row in map(json.loads, path.read_text(encoding="utf-8").splitlines())}
    found = [f"{file}: recorded, but in no catalogue" for file in lines.keys() - {entry.file for entry in entries}]
    for entry in entries:
        row = lines.get(entry.file)
        if row is None:
            found.append(f"{entry.file}: not recorded; see README.md")
        elif row["sha256"] != hashlib.sha256(entry.data).hexdigest():
            found.append(f"{entry.file}: recorded from other bytes")
        elif (row["title"], row["rows"], row["kind"]) != facts(entry):
            found.append(f"{entry.file}: title, rows or kind are not those of the catalogue")
    return sorted(found)


def facts(entry: Entry) -> tuple[str, list[int], str]:
    """What the index says about an entry besides what browsers show."""
    return entry.title, list(entry.rows), "damaged" if entry.is_damaged else "sound"


if __name__ == "__main__":
    sys.exit(main())
