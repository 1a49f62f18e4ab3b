#!/usr/bin/env python3
"""Prints how fast thumbnails of many GIFs are made: by a pool of processes and by Ray, with gallop and with Pillow.

    bench_ray.py --wheel WHEEL [--files 1000] [--quick] [GIF or folder...]

The GIFs are repeated to the number of files, and every fiftieth is corrupt. Each method runs in a process of its own.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench_python import HERE, default_files
from environment import Environment
from galloptools.gif.files import gifs
from galloptools.measuring.commands import Failure
from galloptools.measuring.machine import this_machine
from galloptools.measuring.tables import table, times
from ray_run import METHODS

SIDE = 96
TITLES = {
    "pool-gallop": "process pool, gallop",
    "pool-pillow": "process pool, Pillow",
    "ray-gallop": "Ray, gallop.ray (paths travel)",
    "ray-pillow": "Ray, Pillow (`read_binary_files`)",
}

Outcome = dict[str, Any]


def make_folder(folder: Path, files: Sequence[Path], count: int) -> list[Path]:
    """Links to the files, again and again; every fiftieth is a file cut inside its header."""
    made = []
    for number, file in zip(range(count), itertools.cycle(files)):
        path = folder / f"{number:06}.gif"
        if number % 50 == 7:
            path.write_bytes(b"GIF89a")
        else:
            path.symlink_to(file.resolve())
        made.append(path)
    return made


def run(environment: Environment, method: str, workers: int, listing: Path) -> Outcome | None:
    command = [str(environment.python), str(HERE / "ray_run.py"), method, str(workers), str(SIDE), str(listing)]
    outcome = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "RAY_DEDUP_LOGS": "0"})
    lines = outcome.stdout.strip().splitlines()
    if outcome.returncode != 0 or not lines:
        last = (outcome.stderr.strip().splitlines() or ["no message"])[-1]
        print(f"{TITLES[method]}, {workers} workers: {last}", file=sys.stderr)
        return None
    return dict(json.loads(lines[-1]))


def report(outcomes: Mapping[tuple[str, int], Outcome]) -> str:
    """Files a second, and the time over that of a pool with gallop and as many workers."""
    heads = ["method", "workers", "start", "seconds", "files a second", "to the pool", "frames", "errors"]
    rows = []
    for (method, workers), found in outcomes.items():
        base = outcomes.get(("pool-gallop", workers))
        ratio = found["seconds"] / base["seconds"] if base else None
        speed = found["files"] / found["seconds"]
        figures = [f"{found['start']:.1f} s", f"{found['seconds']:.1f}", f"{speed:.0f}", times(ratio)]
        rows.append([TITLES[method], str(workers), *figures, str(found["frames"]), str(found["errors"])])
    return table(heads, rows, left=1)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Compares ways to make thumbnails of many GIFs.")
    parser.add_argument("gifs", type=Path, nargs="*", help="GIFs or folders, repeated to the number of files")
    parser.add_argument("--wheel", type=Path, required=True, help="the wheel of gallop-gif")
    parser.add_argument("--environment", type=Path, default=HERE / ".venv", help="where the libraries are installed")
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--quick", action="store_true", help="a tenth of the files")
    options = parser.parse_args(arguments)
    machine = this_machine()
    try:
        environment = Environment(options.environment)
        environment.install_wheel(options.wheel)
        for module, package in {"PIL": "pillow", "ray.data": "ray[data]"}.items():
            if not environment.imports(module):
                environment.install(package)
    except Failure as error:
        print(f"bench-ray: {error}", file=sys.stderr)
        return 1
    files = [file for path in options.gifs for file in gifs(path)] or default_files()
    count = options.files // 10 if options.quick else options.files
    outcomes: dict[tuple[str, int], Outcome] = {}
    with tempfile.TemporaryDirectory() as folder:
        listing = Path(folder) / "listing.txt"
        listing.write_text("\n".join(map(str, make_folder(Path(folder), files, count))))
        for workers in (1, 2):
            for method in METHODS:
                outcome = run(environment, method, workers, listing)
                if outcome:
                    outcomes[method, workers] = outcome
    print(report(outcomes), end="\n\n")
    print(f"{count} files, boxes of {SIDE} x {SIDE}, {machine.cores} cores of {machine.cpu}, {machine.system}.")
    for warning in machine.warnings(options.quick):
        print(warning)
    return 0


if __name__ == "__main__":
    sys.exit(main())
