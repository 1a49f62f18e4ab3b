"""Every pair of oddities that act on the same pixels: disposal, transparency, interlacing, rectangle and damage."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from galloptools.gif.pieces import loop

from catalogue.entry import Entry, faulty, frame, gif

_RECTANGLES = {"whole": (0, 0, 8, 6), "part": (1, 1, 5, 4), "beyond": (4, 2, 7, 6)}
_FAULTS = {"sound": (), "invalid": (29,), "short": (31,), "cut": (25,)}


def entries() -> list[Entry]:
    """All of the topic."""
    return [*_frames(), *_loops()]


def _frames() -> Iterator[Entry]:
    """A frame of each kind upon a cleared strip, and two frames behind it, one of which restores."""
    for disposal, transparent, interlaced, place, fault in product(
        (1, 2, 3), (False, True), (False, True), _RECTANGLES, _FAULTS
    ):
        # A third of the combinations: each pair of values stands in some of them.
        kinds = (list(_RECTANGLES).index(place), list(_FAULTS).index(fault))
        if (disposal + transparent + 2 * interlaced + kinds[0] + kinds[1]) % 3:
            continue
        options = {
            "first": 1,
            "disposal": disposal,
            "transparent": 2 if transparent else None,
            "interlaced": interlaced,
        }
        rectangle = _RECTANGLES[place]
        pixels = rectangle[2] * rectangle[3] // 2 + 1
        part = frame(*rectangle, **options) if fault == "sound" else faulty(fault, pixels, *rectangle, **options)
        behind = () if fault == "cut" else (frame(2, 3, 4, 2, 3, 3), frame(6, 0, 2, 6, 2, transparent=1))
        words = ["keep clear restore".split()[disposal - 1]]
        words += ["transparent"] * transparent + ["interlaced"] * interlaced + [place] + [fault]
        rows = (9, *([46] if interlaced else []), *([19] if place == "beyond" else []), *_FAULTS[fault])
        data = gif(loop(0), frame(), frame(0, 2, 8, 2, 3, 2), part, *behind, ends=fault != "cut")
        yield Entry(f"pairs/{'-'.join(words)}", rows, ", ".join(words), data, is_damaged=fault != "sound")


def _loops() -> Iterator[Entry]:
    """How damage and the number of plays go together."""
    for count in (None, 0, 2):
        parts = () if count is None else (loop(count),)
        name = "no-loop" if count is None else f"loop-{count}"
        for fault, rows in _FAULTS.items():
            if fault == "sound":
                continue
            files = (frame(), frame(1, 1, 3, 3, 1, delay=0), faulty(fault, 20, transparent=0, delay=1))
            yield Entry(
                f"pairs/{name}-last-{fault}",
                (3, 4, *rows),
                f"{name.replace('-', ' ')}, and a damaged last frame",
                gif(*parts, *files, ends=fault != "cut"),
                is_damaged=True,
            )
    yield Entry(
        "pairs/loop-behind-damage",
        (7, 29),
        "a loop extension behind a damaged frame",
        gif(frame(), faulty("invalid", 20), loop(3), frame(1, 1, 3, 3)),
        is_damaged=True,
    )
    yield Entry(
        "pairs/loop-behind-cut",
        (7, 28),
        "a loop extension behind the byte that ends the animation",
        gif(loop(1), frame(), frame(first=1), b"\0", loop(3)),
        is_damaged=True,
    )
    yield Entry(
        "pairs/loop-behind-trailer",
        (7, 55),
        "a loop extension behind the trailer",
        gif(loop(1), frame(), frame(first=1)) + loop(3),
    )
