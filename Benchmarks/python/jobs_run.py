#!/usr/bin/env python3
"""Decodes files with one job and with two in turn, and prints a line of JSON: jobs_run.py arrays|thumbnails REPEAT FILE...

    {"1": SECONDS, "2": SECONDS, "apart": SECONDS, "looks": [{"line": NANOSECONDS, "one": GB/S, "two": GB/S}, ...]}

The best times of all files by `decode_many`. Each result is released before the next one is asked for. `apart` is that
of two processes which decode all files each, at the same time: what the machine's second processor gives. `looks` tell
how near the processors were between the runs.
"""

from __future__ import annotations

import json
import math
import multiprocessing
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from multiprocessing.connection import Connection

from galloptools.measuring.processors import Processors
from galloptools.measuring.turns import rotated

TURNS = 3
"""How often each file is decoded in a run, so that the last one decides little."""
SIZES = {"arrays": None, "thumbnails": (96, 0)}
"""All frames whole, or in a width of 96."""


def decode_all(files: list[str], jobs: int, size: tuple[int, int] | None) -> None:
    import gallop

    for item in gallop.decode_many(files * TURNS, jobs=jobs, size=size, item_bytes=2 << 30):
        item.result()


def answer(pipe: Connection, files: list[str], size: tuple[int, int] | None) -> None:
    """A process's work: decodes all files whenever it is asked."""
    while pipe.recv():
        decode_all(files, 1, size)
        pipe.send(True)


def seconds_of(work: Callable[[], None]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def main(arguments: Sequence[str]) -> int:
    size, repeats, files = SIZES[arguments[0]], int(arguments[1]), list(arguments[2:])
    context = multiprocessing.get_context("spawn")
    pipes: list[Connection] = []
    for _ in range(2):
        pipe, other = context.Pipe()
        context.Process(target=answer, args=(other, files, size), daemon=True).start()
        pipes.append(pipe)

    def apart() -> None:
        for pipe in pipes:
            pipe.send(True)
        for pipe in pipes:
            pipe.recv()

    apart()
    ways = {"1": lambda: decode_all(files, 1, size), "2": lambda: decode_all(files, 2, size), "apart": apart}
    best = dict.fromkeys(ways, math.inf)
    processors = Processors()
    for turn in range(repeats):
        for way in rotated(list(ways), turn):
            processors.look()
            best[way] = min(best[way], seconds_of(ways[way]))
    for pipe in pipes:
        pipe.send(False)
    print(json.dumps({**best, "looks": [asdict(look) for look in processors.looks]}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
