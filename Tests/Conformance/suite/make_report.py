#!/usr/bin/env python3
"""Writes the browsable report: make_report.py FOLDER [--answers FOLDER]

The answers are those that `run.py --all --answers FOLDER` keeps; without them the report has the browsers alone.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from answers import read_index, read_pictures
from report.file import file_page
from report.front import front
from report.pages import address

FOLDER = Path(__file__).resolve().parent


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="make_report.py", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the pages go; what stands there is removed")
    parser.add_argument("--answers", type=Path, help="the answers of decoders")
    options = parser.parse_args(arguments)
    rows, pictures = read_index(FOLDER / "expected.jsonl"), read_pictures(FOLDER / "pictures.jsonl")
    recorded = json.loads((FOLDER / "recorded.json").read_text(encoding="utf-8"))
    paths = sorted(options.answers.glob("*.json")) if options.answers and options.answers.is_dir() else []
    peers = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in paths}
    peers = {key: peer for key, peer in peers.items() if len(peer["files"]) == len(rows)}
    shutil.rmtree(options.folder / "files", ignore_errors=True)
    options.folder.mkdir(parents=True, exist_ok=True)
    for name in ("style.css", "filters.js"):
        shutil.copyfile(FOLDER / "report" / name, options.folder / name)
    (options.folder / "index.html").write_text(front(rows, pictures, peers, recorded), encoding="utf-8")
    for place, row in enumerate(rows):
        path = options.folder / address(row)
        path.parent.mkdir(parents=True, exist_ok=True)
        before = rows[place - 1] if place else None
        behind = rows[place + 1] if place + 1 < len(rows) else None
        data = (FOLDER / "gifs" / row["file"]).read_bytes()
        path.write_text(file_page(row, data, pictures, peers, before, behind), encoding="utf-8")
    print(f"{len(rows)} files, {len(peers)} decoders: {options.folder / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
