"""Damaged GIFs made at random: synthetic animations with faults, and mutated and cut copies of other files.

The same seed and number always make the same file.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from galloptools.gif.changes import CHANGES, cut
from galloptools.gif.synthetic import animation

SYNTHETIC_SHARE = 0.5


@dataclass(frozen=True)
class Mutant:
    """A file and how it was made."""

    number: int
    origin: str
    data: bytes = field(repr=False)


def make(seed: str, number: int, originals: Sequence[tuple[str, bytes]]) -> Mutant:
    """The mutant of a number; `originals` are the names and contents of files to damage."""
    rng = random.Random(f"{seed} {number}")
    if not originals or rng.random() < SYNTHETIC_SHARE:
        origin, data = "synthetic", animation(rng)
        changes = rng.choice((0, 0, 0, 1, 2))
    else:
        origin, data = rng.choice(originals)
        changes = rng.choice((1, 1, 1, 2, 3, 8))
    content = bytearray(data)
    for _ in range(changes):
        rng.choice(CHANGES)(content, rng)
    if rng.random() < 0.2:
        cut(content, rng)
    return Mutant(number, origin, bytes(content) or b"G")
