#!/usr/bin/env python3
"""Cuts each file of the suite in a test that runs twice, with fresh and freed memory filled in two ways.

    cuts.py [--step 1] -- swift test --skip-build ...

The command runs SuiteCutTests, which compares whole and in pieces, and writes a digest for each file. Where the digests
of the two runs differ, a picture had memory in it that was never written. glibc fills the memory.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

FILLINGS = (0x55, 0xAA)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="cuts.py", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--step", type=int, default=1, help="cut at every this many bytes (default: 1)")
    parser.add_argument("command", nargs="+", help="what runs the test")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        digests: list[dict[str, str]] = []
        for filling in FILLINGS:
            path = Path(folder) / f"{filling}"
            status = run(options.command, options.step, filling, path)
            if status != 0 or not path.exists():
                print(f"cuts: FAIL: the test ends with status {status}, memory filled with {filling:02X}")
                return 1
            digests.append(read(path))
    found = compare(*digests)
    for line in found:
        print(f"cuts: FAIL: {line}")
    if not found:
        print(
            f"cuts: {len(digests[0])} files, cut at every {options.step} bytes: the same with memory filled in two ways"
        )
    return 1 if found else 0


def run(command: Sequence[str], step: int, filling: int, path: Path) -> int:
    """One run; the allocator fills what is new with a byte, and what is freed with its complement."""
    environment = dict(os.environ)
    # Without its caches every block passes through the code that fills it.
    environment["GLIBC_TUNABLES"] = f"glibc.malloc.perturb={filling}:glibc.malloc.tcache_count=0"
    environment["GALLOP_CUT_FILLING"] = str(filling)
    environment["GALLOP_CUT_STEP"] = str(step)
    environment["GALLOP_CUT_DIGESTS"] = str(path)
    return subprocess.run(command, env=environment, check=False).returncode


def read(path: Path) -> dict[str, str]:
    """The digest of each file."""
    return dict(line.split(" ", 1) for line in path.read_text(encoding="utf-8").splitlines())


def compare(first: dict[str, str], second: dict[str, str]) -> list[str]:
    """The differences of two runs in words."""
    if not first:
        return ["no file was cut"]
    if first.keys() != second.keys():
        return ["the runs cut different files"]
    return [
        f"{file}: another picture with memory filled in another way" for file in first if first[file] != second[file]
    ]


if __name__ == "__main__":
    sys.exit(main())
