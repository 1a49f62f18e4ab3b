"""Rows 13 to 16: transparent indices, palettes, and indices beyond them."""

from __future__ import annotations

from collections.abc import Iterator

from galloptools.gif.codes import encode
from galloptools.gif.pieces import TRAILER, coded, control, descriptor, image, loop, screen

from catalogue.entry import HEIGHT, PALETTE, TWO_COLOURS, WIDTH, Entry, frame, gif, pattern, picture

_LOCAL = (0xF2C14E, 0x7A3E9D, 0x2E86AB, 0xF4EFE6)


def entries() -> list[Entry]:
    """All of the topic."""
    return [*_transparent(), *_beyond(), *_missing(), *_local(), *_sizes()]


def _transparent() -> Iterator[Entry]:
    for index in range(4):
        parts = (frame(), frame(1, 1, 6, 4, 1, transparent=index))
        yield Entry(f"colours/transparent-index-{index}", (9,), f"index {index} is transparent", gif(loop(0), *parts))
    solid = control(0, 5, 2) + image(1, 1, 6, 4, [2] * 24)
    yield Entry("colours/all-transparent", (9,), "a frame of transparent pixels only", gif(loop(0), frame(), solid))
    yield Entry(
        "colours/all-transparent-first",
        (9,),
        "a first frame of transparent pixels only",
        gif(loop(0), control(0, 5, 2) + image(0, 0, WIDTH, HEIGHT, [2] * 48), frame(2, 2, 3, 3)),
    )
    for index in (4, 17, 255):
        parts = (frame(transparent=index), frame(1, 1, 4, 3, 1))
        yield Entry(
            f"colours/transparent-{index}-of-4",
            (13,),
            f"transparent index {index} with a palette of 4: not in the picture",
            gif(*parts),
        )


def _beyond() -> Iterator[Entry]:
    """The pattern has four indices, the palette two."""
    small = {"palette": TWO_COLOURS}
    yield Entry("colours/index-beyond", (14,), "indices beyond the palette", gif(frame(), **small))
    for index in (2, 3):
        yield Entry(
            f"colours/transparent-{index}-of-2",
            (13, 14),
            f"index {index}, beyond the palette, is transparent",
            gif(frame(transparent=index), **small),
        )
    yield Entry(
        "colours/transparent-1-of-2",
        (14,),
        "an index within the palette is transparent, others are beyond it",
        gif(frame(transparent=1), **small),
    )
    wide = [(7 * x + 31 * y) % 256 for y in range(HEIGHT) for x in range(WIDTH)]
    yield Entry(
        "colours/index-far-beyond",
        (14,),
        "indices up to 255 with a palette of 4",
        gif(control(0, 5) + image(0, 0, WIDTH, HEIGHT, wide)),
    )
    yield Entry(
        "colours/index-far-beyond-transparent",
        (13, 14),
        "the same, and index 7 is transparent",
        gif(frame(), control(0, 5, 7) + image(0, 0, WIDTH, HEIGHT, wide)),
    )
    parts = (frame(), frame(1, 1, 6, 4, palette=TWO_COLOURS, disposal=2), frame(2, 2, 2, 2))
    yield Entry("colours/index-beyond-local", (14, 9), "indices beyond a local palette", gif(loop(0), *parts))
    parts = (frame(), frame(1, 0, 4, 6, palette=TWO_COLOURS, interlaced=True, transparent=3))
    yield Entry(
        "colours/index-beyond-local-interlaced", (13, 14, 46), "the same, interlaced and transparent", gif(*parts)
    )


def _missing() -> Iterator[Entry]:
    def of(name: str, row: int, title: str, *parts: bytes) -> Entry:
        return Entry(f"colours/no-palette-{name}", (row,), title, gif(loop(0), *parts, palette=None))

    yield of("still", 15, "no palette", picture())
    yield of("at-all", 15, "no palette in two frames", frame(), frame(1, 1, 3, 2, 1))
    yield of("transparent", 15, "no palette, and a transparent index", frame(transparent=2), frame(1, 0, 2, 3))
    yield of("interlaced", 15, "no palette, interlaced, and a transparent index", frame(transparent=1, interlaced=True))
    yield of(
        "cleared",
        15,
        "no palette, and frames that clear",
        frame(1, 1, 5, 4, disposal=2, transparent=3),
        frame(0, 0, 2, 2),
    )
    local = {"palette": _LOCAL}
    yield of("later", 16, "a later frame without a palette", frame(**local), frame(1, 1, 4, 3, 1))
    yield of(
        "first", 16, "a first frame without a palette, and later ones with one", frame(), frame(1, 1, 4, 3, 1, **local)
    )
    yield of(
        "later-transparent",
        16,
        "a later one without a palette, transparent",
        frame(**local),
        frame(1, 1, 5, 4, 1, transparent=0),
    )
    yield of(
        "later-restores",
        16,
        "a later one without a palette, which restores",
        frame(**local),
        frame(1, 1, 5, 4, 1, 3),
        frame(6, 0, 2, 2, **local),
    )
    yield of(
        "between",
        16,
        "one between two with palettes",
        frame(**local),
        frame(1, 1, 4, 3, 1),
        frame(4, 2, 3, 3, palette=PALETTE),
    )


def _local() -> Iterator[Entry]:
    yield Entry(
        "colours/local-palette",
        (16,),
        "a local palette counts for its own frame only",
        gif(loop(0), frame(), frame(1, 1, 4, 3, palette=_LOCAL), frame(4, 2, 4, 3)),
    )
    yield Entry(
        "colours/local-palette-transparent",
        (13,),
        "a transparent index of a local palette",
        gif(loop(0), frame(), frame(1, 1, 6, 4, palette=_LOCAL, transparent=3)),
    )
    yield Entry(
        "colours/local-palettes-only",
        (16,),
        "a local palette in each frame, none for all",
        gif(frame(palette=_LOCAL), frame(2, 1, 4, 4, palette=PALETTE), palette=None),
    )
    sorted_flag = descriptor(0, 0, WIDTH, HEIGHT, _LOCAL, flags=0xA1) + coded(encode(pattern(WIDTH, HEIGHT)))
    yield Entry("colours/sorted-flag", (16,), "the flag of a sorted palette changes nothing", gif(sorted_flag))
    reserved = descriptor(0, 0, WIDTH, HEIGHT, _LOCAL, flags=0x99) + coded(encode(pattern(WIDTH, HEIGHT)))
    yield Entry("colours/reserved-flags", (16,), "reserved flags of a descriptor change nothing", gif(reserved))


def _sizes() -> Iterator[Entry]:
    for count in (2, 4, 8, 16, 32, 64, 128, 256):
        palette = [
            (place * 255 // count) << 16 | (place * 7 % 256) << 8 | 255 - place * 255 // count for place in range(count)
        ]
        indices = [place * count // 64 for place in range(64)]
        data = screen(8, 8, palette) + image(0, 0, 8, 8, indices) + TRAILER
        yield Entry(f"colours/palette-of-{count}", (14,), f"a palette of {count} colours", data)
    yield Entry(
        "colours/depth-bits",
        (14,),
        "the screen's colour resolution changes nothing",
        screen(WIDTH, HEIGHT, PALETTE, flags=0x81) + picture() + TRAILER,
    )
    yield Entry(
        "colours/aspect-ratio",
        (18,),
        "a pixel aspect ratio changes nothing",
        screen(WIDTH, HEIGHT, PALETTE, aspect=113) + picture() + TRAILER,
    )
