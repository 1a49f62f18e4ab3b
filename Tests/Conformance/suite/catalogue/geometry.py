"""Rows 17 to 22, 52 and 53: canvases, and frames that do not fit in them."""

from __future__ import annotations

from collections.abc import Iterator

from galloptools.gif.codes import CodeStream
from galloptools.gif.pieces import TRAILER, coded, control, descriptor, loop, screen

from catalogue.entry import HEIGHT, PALETTE, WIDTH, Entry, frame, gif, pattern, picture


def entries() -> list[Entry]:
    """All of the topic."""
    return [*_first_beyond(), *_first_smaller(), *_later_beyond(), *_no_screen(), *_empty(), *_slim(), *_large()]


def _sized(width: int, height: int, *parts: bytes, version: bytes = b"GIF89a") -> bytes:
    return screen(width, height, PALETTE, version=version) + b"".join(parts) + TRAILER


def _first_beyond() -> Iterator[Entry]:
    rectangles = {
        "right": (2, 0, WIDTH, HEIGHT),
        "below": (0, 2, WIDTH, HEIGHT),
        "both": (3, 2, WIDTH, HEIGHT),
        "larger": (0, 0, 12, 9),
        "larger-and-off": (2, 3, 12, 9),
        "wholly-outside": (10, 8, 3, 2),
        "wide-only": (0, 1, 12, 3),
        "tall-only": (1, 0, 3, 11),
    }
    for name, (x, y, width, height) in rectangles.items():
        title = f"a first frame of {width} x {height} at {x}, {y} on a screen of {WIDTH} x {HEIGHT}"
        yield Entry(
            f"geometry/first-{name}", (17,), title, gif(loop(0), frame(x, y, width, height), frame(1, 1, 3, 3, 1))
        )
    yield Entry(
        "geometry/first-beyond-gif87a",
        (17,),
        "the same in GIF87a",
        _sized(WIDTH, HEIGHT, picture(3, 2), picture(first=1), version=b"GIF87a"),
    )
    yield Entry(
        "geometry/first-beyond-interlaced",
        (17, 46),
        "the same, interlaced",
        gif(frame(3, 2, interlaced=True), frame(first=1)),
    )
    yield Entry(
        "geometry/first-beyond-cleared",
        (17, 9),
        "the same, and the frame clears",
        gif(loop(0), frame(3, 2, disposal=2), frame(0, 0, 3, 3, 1)),
    )
    yield Entry(
        "geometry/first-beyond-transparent",
        (17,),
        "the same with transparent pixels",
        gif(loop(0), frame(3, 2, transparent=1), frame(first=1, transparent=2)),
    )
    yield Entry(
        "geometry/second-larger-than-first",
        (17, 19),
        "only the first frame makes the canvas larger",
        gif(loop(0), frame(0, 0, 10, 6), frame(0, 0, 12, 12, 1)),
    )


def _first_smaller() -> Iterator[Entry]:
    for version in (b"GIF87a", b"GIF89a"):
        name = version.decode().lower()
        yield Entry(
            f"geometry/first-smaller-{name}",
            (18,),
            f"a first frame smaller than the screen, {version.decode()}",
            _sized(WIDTH, HEIGHT, picture(2, 1, 3, 2), version=version),
        )
        yield Entry(
            f"geometry/first-smaller-animated-{name}",
            (18,),
            f"the same with two frames, {version.decode()}",
            _sized(WIDTH, HEIGHT, picture(2, 1, 3, 2), picture(4, 2, 4, 4, 1), version=version),
        )
    yield Entry(
        "geometry/control-in-gif87a",
        (18, 1),
        "extensions count in GIF87a, too",
        _sized(WIDTH, HEIGHT, loop(2), frame(delay=30, transparent=1), frame(first=1), version=b"GIF87a"),
    )


def _later_beyond() -> Iterator[Entry]:
    rectangles = {
        "right": (5, 1, 8, 3),
        "below": (1, 4, 3, 8),
        "corner": (5, 3, 8, 6),
        "outside": (50, 50, 4, 4),
        "beside": (8, 0, 2, 6),
        "covering": (0, 0, 20, 20),
        "one-pixel-in": (7, 5, 9, 9),
        "far": (65000, 65000, 5, 5),
    }
    for name, (x, y, width, height) in rectangles.items():
        parts = (frame(), frame(x, y, width, height, 1, delay=20), frame(2, 2, 2, 2, 2))
        title = f"a later frame of {width} x {height} at {x}, {y}"
        yield Entry(f"geometry/later-{name}", (19,), title, gif(loop(0), *parts))
        if name in ("corner", "outside", "covering"):
            shown = (frame(), frame(x, y, width, height, 1, 2, transparent=1, interlaced=True), frame(2, 2, 2, 2, 2))
            yield Entry(
                f"geometry/later-{name}-mixed",
                (19, 9, 46),
                f"{title}, interlaced, transparent and cleared",
                gif(loop(0), *shown),
            )


def _no_screen() -> Iterator[Entry]:
    for width, height in ((0, 0), (0, 6), (8, 0)):
        parts = (frame(), frame(1, 0, 2, 2, 1))
        yield Entry(
            f"geometry/screen-{width}-x-{height}",
            (20,),
            f"a screen of {width} x {height}",
            _sized(width, height, *parts),
        )
    yield Entry(
        "geometry/screen-0-first-off",
        (20,),
        "a screen of 0 x 0, and a first frame that is not in the corner",
        _sized(0, 0, frame(2, 3, 4, 3), frame(0, 0, 6, 6, 1)),
    )
    yield Entry("geometry/no-canvas", (21,), "a screen and a frame of 0 x 0", _sized(0, 0, frame(0, 0, 0, 0)))
    yield Entry(
        "geometry/no-canvas-then-frame",
        (21,),
        "the same, and then a frame with area",
        _sized(0, 0, frame(0, 0, 0, 0), frame()),
    )
    yield Entry(
        "geometry/no-canvas-at-offset",
        (20, 22),
        "a frame without area that is not in the corner",
        _sized(0, 0, frame(4, 3, 0, 0)),
    )


def _empty() -> Iterator[Entry]:
    last = frame(3, 2, 3, 2, 1)
    for width, height in ((0, 3), (3, 0), (0, 0)):
        for disposal in (0, 2, 3):
            parts = (frame(), frame(1, 1, width, height, 0, disposal, delay=30), last)
            yield Entry(
                f"geometry/empty-{width}-x-{height}-disposal-{disposal}",
                (22, 9),
                f"a frame of {width} x {height}, disposal {disposal}",
                gif(loop(0), *parts),
            )
    yield Entry(
        "geometry/empty-first", (22,), "a first frame without area", gif(loop(0), frame(0, 0, 0, 0), frame(1, 1, 4, 3))
    )
    yield Entry("geometry/empty-only", (22,), "nothing but a frame without area", gif(frame(0, 0, 0, 4)))
    codes = {
        "no-width-invalid": (0, 2, (4, 7), 0),
        "no-width-late-invalid": (0, 2, (4, 1, 4, 7), 0),
        "no-width-end": (0, 2, (4, 5), 0),
        "no-height-invalid": (2, 0, (4, 7), 0),
        "no-height-end": (2, 0, (4, 5), 0),
        "no-height-late-invalid": (2, 0, (4, 1, 4, 7), 0),
        "no-height-interlaced-invalid": (2, 0, (4, 7), 0x40),
        "no-height-interlaced-late-invalid": (2, 0, (4, 1, 4, 7), 0x40),
        "no-height-interlaced-sound": (2, 0, (4, 1, 5), 0x40),
        "no-area-invalid": (0, 0, (4, 7), 0),
        "no-area-pixels": (0, 0, (4, 1, 2, 3, 5), 0),
        "no-width-interlaced-invalid": (0, 2, (4, 7), 0x40),
    }
    for name, (width, height, stream, flags) in codes.items():
        part = control(0, 5) + descriptor(1, 1, width, height, flags=flags) + coded(CodeStream(2, stream))
        yield Entry(
            f"geometry/empty-{name}",
            (22, 29),
            f"{width} x {height}: codes {', '.join(map(str, stream))}",
            gif(frame(), part, frame(2, 1, 2, 2, 2, transparent=3)),
            is_damaged=True,
        )


def _slim() -> Iterator[Entry]:
    for width, height in ((1, 1), (1, 40), (40, 1), (2, 300), (300, 2)):
        parts = (frame(0, 0, width, height), frame(0, 0, (width + 1) // 2, (height + 1) // 2, 1))
        yield Entry(
            f"geometry/canvas-{width}-x-{height}",
            (18,),
            f"a canvas of {width} x {height}",
            _sized(width, height, loop(0), *parts),
        )


def _large() -> Iterator[Entry]:
    yield Entry(
        "geometry/canvas-beyond-31-bits", (52,), "a canvas of 32,768 x 16,384 pixels", _sized(32_768, 16_384, frame())
    )
    for name, flags in (("", 0), ("-interlaced", 0x40)):
        stream = CodeStream(2, [code for index in (2, 3, 2, 1, *pattern(40, 1)) for code in (4, index)])
        part = control(0, 5) + descriptor(1, 1, 65_535, 65_535, flags=flags) + coded(stream)
        yield Entry(
            f"geometry/frame-of-65535{name}",
            (53, 31),
            "a frame far larger than the canvas, with data for a few pixels",
            gif(frame(), part, frame(first=2)),
            is_damaged=True,
        )
    for name, interlaced in (("", False), ("-interlaced", True)):
        parts = (frame(), frame(1, 1, 400, 60, 1, interlaced=interlaced), frame(2, 1, 2, 2, 2, transparent=3))
        yield Entry(
            f"geometry/frame-of-400-x-60{name}", (53,), "a whole frame far larger than the canvas", gif(loop(0), *parts)
        )
