"""Rows 9 to 12: what becomes of a frame when its time is over."""

from __future__ import annotations

from collections.abc import Iterator

from galloptools.gif.pieces import TRAILER, control, image, loop, screen

from catalogue.entry import HEIGHT, PALETTE, WIDTH, Entry, frame, gif

_WORDS = {0: "nothing", 1: "keep", 2: "clear", 3: "restore"}


def entries() -> list[Entry]:
    """All of the topic."""
    return [*_each(), *_two_in_a_row(), *_first_frames(), *_rectangles(), *_backgrounds()]


def _each() -> Iterator[Entry]:
    for disposal in range(8):
        rows = (9,) if disposal < 4 else (10,)
        parts = (
            frame(transparent=0),
            frame(1, 1, 5, 3, 2, disposal, transparent=3),
            frame(4, 0, 4, 6, 1, disposal, transparent=1),
            frame(0, 5, 1, 1, 2),
        )
        yield Entry(f"disposal/each-{disposal}", rows, f"two frames of disposal {disposal}", gif(loop(0), *parts))
        parts = (frame(), frame(disposal=disposal, first=1), frame(2, 2, 3, 2, 3))
        yield Entry(
            f"disposal/whole-screen-{disposal}",
            rows,
            f"a frame of the whole screen, of disposal {disposal}",
            gif(*parts),
        )


def _two_in_a_row() -> Iterator[Entry]:
    for first in (1, 2, 3):
        for second in (1, 2, 3):
            for transparent in (None, 2):
                ending = "" if transparent is None else "-transparent"
                title = f"{_WORDS[first]}, then {_WORDS[second]}" + (
                    "" if transparent is None else ", transparent pixels"
                )
                parts = (
                    frame(),
                    frame(1, 1, 4, 4, 1, first, transparent=transparent),
                    frame(3, 2, 4, 3, 2, second, transparent=transparent),
                    frame(0, 4, 8, 1, 3, transparent=transparent),
                )
                yield Entry(f"disposal/{first}-then-{second}{ending}", (9,), title, gif(loop(0), *parts))


def _first_frames() -> list[Entry]:
    last = frame(3, 1, 3, 3, 2)
    files = {
        "restore-first": ("the first frame restores", (frame(disposal=3), last)),
        "restore-first-two": ("the first two frames restore", (frame(disposal=3), frame(1, 1, 3, 3, 1, 3), last)),
        "restore-first-part": ("a first frame of a part of the screen restores", (frame(1, 1, 4, 3, disposal=3), last)),
        "restore-all": ("all frames restore", (frame(disposal=3), frame(1, 1, 3, 3, 1, 3), frame(3, 1, 3, 3, 2, 3))),
        "restore-after-clear": (
            "what comes back is a cleared canvas",
            (frame(disposal=2), frame(1, 1, 3, 3, 1, 3), last),
        ),
        "clear-first-part": ("a first frame of a part of the screen clears", (frame(1, 1, 4, 3, disposal=2), last)),
        "restore-three-deep": (
            "three that restore after one that stays",
            (frame(), frame(0, 0, 3, 3, 1, 3), frame(1, 1, 3, 3, 2, 3), frame(2, 2, 3, 3, 3, 3), frame(7, 0, 1, 6)),
        ),
        "restore-4-and-3": ("3 and 4 do the same", (frame(), frame(0, 0, 3, 3, 1, 4), frame(1, 1, 3, 3, 2, 3), last)),
    }
    return [Entry(f"disposal/{name}", (11, 9), title, gif(loop(0), *parts)) for name, (title, parts) in files.items()]


def _rectangles() -> Iterator[Entry]:
    for disposal in (2, 3):
        word = _WORDS[disposal]
        files = {
            f"{word}-beyond-the-edge": ("a frame that reaches beyond the canvas", frame(6, 4, 5, 5, 1, disposal)),
            f"{word}-outside": ("a frame outside of the canvas", frame(20, 20, 5, 5, 1, disposal)),
            f"{word}-without-area": ("a frame without area", frame(2, 2, 0, 3, 1, disposal)),
            f"{word}-one-pixel": ("a frame of one pixel", frame(7, 5, 1, 1, 1, disposal)),
        }
        for name, (title, part) in files.items():
            yield Entry(
                f"disposal/{name}", (9, 19), f"{word}: {title}", gif(loop(0), frame(), part, frame(0, 0, 2, 2, 3))
            )
    # A restored frame above one that clears: which picture is saved?
    parts = (frame(), frame(1, 1, 5, 3, 1, 2), frame(2, 2, 4, 3, 2, 3), frame(0, 0, 1, 1, 3))
    yield Entry(
        "disposal/restore-upon-clear", (9,), "a frame that restores, behind one that clears", gif(loop(0), *parts)
    )
    # All pixels transparent: nothing is drawn, and yet the rectangle is cleared.
    clear = control(2, 5, 2) + image(1, 1, 4, 4, [2] * 16)
    yield Entry(
        "disposal/clear-behind-transparent",
        (9,),
        "a transparent frame clears its rectangle",
        gif(loop(0), frame(), clear, frame(5, 0, 2, 2, 3)),
    )


def _backgrounds() -> list[Entry]:
    parts = (frame(1, 1, 4, 3, disposal=2), frame(5, 3, 2, 2, 1))
    body = b"".join(parts) + TRAILER
    files = {
        "index-1": ("a background colour", screen(WIDTH, HEIGHT, PALETTE, background=1)),
        "beyond-palette": ("a background colour beyond the palette", screen(WIDTH, HEIGHT, PALETTE, background=200)),
        "without-palette": ("a background colour without a palette", screen(WIDTH, HEIGHT, background=3)),
    }
    found = [Entry(f"disposal/background-{name}", (12,), title, head + body) for name, (title, head) in files.items()]
    transparent = (frame(1, 1, 4, 3, disposal=2, transparent=1), frame(5, 3, 2, 2, 1, transparent=1))
    data = screen(WIDTH, HEIGHT, PALETTE, background=1) + b"".join(transparent) + TRAILER
    return [
        *found,
        Entry("disposal/background-is-transparent", (12,), "the background is the transparent colour", data),
    ]
