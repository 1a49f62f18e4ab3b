"""Odd GIFs: those of the conformance set, and the samples cut off and damaged at places drawn by chance."""

from __future__ import annotations

import random
from pathlib import Path

from conftest import CONFORMANCE, SAMPLES

COUNT = 489
"""As many as the files with which readers once gave other numbers of results."""


def odd_files(folder: Path) -> list[Path]:
    """The paths; what is made lies in a folder."""
    paths = sorted((CONFORMANCE / "gifs").rglob("*.gif"))[:COUNT] + sorted(SAMPLES.glob("*.gif"))
    chance = random.Random(34)
    samples = [path.read_bytes() for path in sorted(SAMPLES.glob("*.gif"))]
    for number in range(max(0, COUNT - len(paths))):
        data = bytearray(chance.choice(samples))
        if number % 3 == 0:
            # Most of a file is pictures: its first bytes say what it is.
            del data[chance.randrange(chance.choice((16, 900, len(data)))) :]
        for _ in range(chance.randrange(1, 9) if number % 3 else 0):
            data[chance.randrange(min(len(data), chance.choice((30, 900, len(data)))))] = chance.randrange(256)
        path = folder / f"made-{number}.gif"
        path.write_bytes(data)
        paths.append(path)
    return paths[:COUNT]
