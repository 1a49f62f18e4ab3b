#!/usr/bin/env python3
"""Checks that comments in Swift keep the width that .swift-format says: the formatter leaves them as they are."""

import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WIDTH = json.loads((ROOT / ".swift-format").read_text())["lineLength"]
FOLDERS = ["Sources", "Tests", "Samples", "Benchmarks"]


def main() -> int:
    faults = []
    for file in sorted(file for folder in FOLDERS for file in (ROOT / folder).rglob("*.swift")):
        if ".build" in file.parts:
            continue
        for number, line in enumerate(file.read_text().splitlines(), 1):
            # A row of a table, a grammar or an example is no sentence that could be broken.
            if line.lstrip().startswith("//") and len(line) > WIDTH and "///    " not in line:
                faults.append(f"{file.relative_to(ROOT)}:{number}: {len(line)} columns instead of {WIDTH}")
    print("\n".join(faults) or "comments keep their width")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
