#!/usr/bin/env python3
"""Checks that each row which a comment cites stands in the table of BrokenGIFs.md, numbered from 1 without a gap."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "Sources/Engine/Gallop/Gallop.docc/BrokenGIFs.md"
FOLDERS = ["Sources/Engine/GIFDecoding", "Tests/Engine/GIFDecodingTests"]
CITATION = re.compile(r"\b[Rr]ows? (\d+(?:(?:, | and | - )\d+)*)")


def cited(text):
    """The rows that a comment names: `row 25`, `rows 25 and 29`, `rows 3 - 7`. Row 0 is one of a picture."""
    for citation in CITATION.finditer(text):
        for part in re.split(r", | and ", citation[1]):
            first, _, last = part.partition(" - ")
            yield from range(max(1, int(first)), int(last or first) + 1)


def main():
    assert list(cited("rows 3 - 5, 7 and 9; Row 12")) == [3, 4, 5, 7, 9, 12]
    rows = [int(number) for number in re.findall(r"^\| (\d+) \|", PAGE.read_text(), re.MULTILINE)]
    faults = [] if rows == list(range(1, len(rows) + 1)) else [f"{PAGE.name}: rows are not numbered 1, 2, 3..."]
    seen = set()
    for path in sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.swift")):
        for line, text in enumerate(path.read_text().splitlines(), 1):
            comment = text.partition("//")[2]
            for row in cited(comment):
                seen.add(row)
                if row not in rows:
                    faults.append(f"{path.relative_to(ROOT)}:{line}: row {row} is not in {PAGE.name}")
    if not seen:
        faults.append("no comment cites a row")
    print("\n".join(faults) or f"{len(seen)} of {len(rows)} rows are cited")
    return 1 if faults else 0


sys.exit(main())
