#!/usr/bin/env python3
"""What a browser shows, as record.py saw it: browser.py chromium|firefox FILE...; needs Tests/Tools on PYTHONPATH.

Chromium is watched on the page, as `<img>` shows the frames of damaged files.
"""

from __future__ import annotations

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(SUITE))

from answers import read_index  # noqa: E402
from witnesses import Witness  # noqa: E402

from rows import LARGEST_SIDE, raw_delays  # noqa: E402  # isort: skip


def main() -> None:
    name, paths = sys.argv[1], sys.argv[2:]
    damaged = {row["file"] for row in read_index(SUITE / "expected.jsonl") if row["kind"] == "damaged"}
    with Witness(name) as witness:
        for path in paths:
            print(f"file {path}")
            data = Path(path).read_bytes()
            if (
                name == "firefox"
                and max(int.from_bytes(data[place : place + 2], "little") for place in (6, 8)) > LARGEST_SIDE
            ):
                print("error its decoder is not asked for sides of this size")
                continue
            is_damaged = any(Path(path).as_posix().endswith(file) for file in damaged)
            seen = witness.look(data, watches=is_damaged)
            decoding = seen.decoding
            print(f"size {decoding.width} {decoding.height}")
            print(f"plays {'-' if decoding.plays is None else decoding.plays}")
            for index, delay in enumerate(raw_delays(decoding.frames)):
                rgba = seen.picture(index)
                print(f"frame {'-' if delay is None else delay} {'none' if rgba is None else 'rgba ' + rgba.hex()}")
            sys.stdout.flush()


main()
