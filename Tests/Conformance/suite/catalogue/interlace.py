"""Rows 46 and 47: interlaced frames, whole and unfinished."""

from __future__ import annotations

from collections.abc import Iterator

from galloptools.gif.pieces import TRAILER, loop, screen

from catalogue.entry import PALETTE, WIDTH, Entry, faulty, frame, gif

_ROWS = 13


def entries() -> list[Entry]:
    """All of the topic."""
    return [*_whole(), *_mixed(), *_cut(), *_failed()]


def _tall(height: int, *parts: bytes, ends: bool = True) -> bytes:
    return screen(WIDTH, height, PALETTE) + b"".join(parts) + (TRAILER if ends else b"")


def _whole() -> Iterator[Entry]:
    for height in (1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17):
        yield Entry(
            f"interlace/rows-{height}",
            (46,),
            f"{height} rows",
            _tall(height, frame(0, 0, WIDTH, height, interlaced=True)),
        )
    yield Entry(
        "interlace/column", (46,), "a column of one pixel", _tall(_ROWS, frame(0, 0, 1, _ROWS, interlaced=True))
    )


def _mixed() -> Iterator[Entry]:
    files = {
        "part": ("a later frame of a part of the screen", (frame(), frame(1, 1, 5, 4, 1, interlaced=True))),
        "part-transparent": (
            "the same with transparent pixels",
            (frame(), frame(1, 1, 5, 4, 1, transparent=0, interlaced=True)),
        ),
        "clear": (
            "an interlaced frame that clears",
            (frame(), frame(1, 1, 5, 4, 1, 2, interlaced=True), frame(0, 0, 2, 2, 3)),
        ),
        "restore": (
            "an interlaced frame that restores",
            (frame(), frame(1, 1, 5, 4, 1, 3, interlaced=True), frame(0, 0, 2, 2, 3)),
        ),
        "restore-transparent": (
            "the same with transparent pixels",
            (frame(), frame(1, 1, 5, 4, 1, 3, transparent=2, interlaced=True), frame(0, 0, 2, 2, 3)),
        ),
        "beyond": ("an interlaced frame beyond the canvas", (frame(), frame(4, 3, 9, 9, 1, interlaced=True))),
        "all": (
            "nothing but interlaced frames",
            tuple(frame(first=index, transparent=index, interlaced=True) for index in range(4)),
        ),
    }
    for name, (title, parts) in files.items():
        yield Entry(f"interlace/{name}", (46,), title, gif(loop(0), *parts))


def _cut() -> Iterator[Entry]:
    """Of 13 rows the passes store rows 0 and 8; 4 and 12; 2, 6 and 10; and the odd ones."""
    kinds = {
        "first": ("an opaque first frame", (), {}),
        "first-transparent": ("a transparent first frame", (), {"transparent": 1}),
        "later": ("a later frame", (frame(0, 0, WIDTH, _ROWS),), {}),
    }
    for name, (title, before, options) in kinds.items():
        for rows in (1, 2, 3, 4, 6, 7, 10):
            pixels = rows * WIDTH + 3
            part = faulty("cut", pixels, 0, 0, WIDTH, _ROWS, interlaced=True, **options)
            yield Entry(
                f"interlace/cut-{name}-after-{rows}",
                (47, 25 if before else 26),
                f"{title} that ends after {rows} stored rows and 3 pixels",
                _tall(_ROWS, *before, part, ends=False),
                is_damaged=True,
            )


def _failed() -> Iterator[Entry]:
    for fault in ("invalid", "end", "short"):
        part = faulty(fault, 30, 0, 0, WIDTH, _ROWS, interlaced=True)
        yield Entry(
            f"interlace/{fault}-first",
            (47, 29),
            "a damaged interlaced first frame",
            _tall(_ROWS, part),
            is_damaged=True,
        )
        parts = (
            frame(0, 0, WIDTH, _ROWS),
            faulty(fault, 30, 0, 0, WIDTH, _ROWS, interlaced=True, transparent=0),
            frame(0, 0, 3, 3, 3),
        )
        yield Entry(
            f"interlace/{fault}-later",
            (47, 29),
            "a damaged interlaced later frame",
            _tall(_ROWS, loop(0), *parts),
            is_damaged=True,
        )
    for name, (x, y, width, height) in {"part": (2, 3, 4, 8), "beyond": (3, 4, 9, 20)}.items():
        part = faulty("cut", 3 * width + 1, x, y, width, height, interlaced=True)
        yield Entry(
            f"interlace/cut-first-{name}",
            (47, 26),
            f"a cut interlaced first frame of {width} x {height} at {x}, {y}",
            _tall(_ROWS, part, ends=False),
            is_damaged=True,
        )
