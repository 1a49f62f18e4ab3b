"""Rows 29 to 38: what stands in a code stream."""

from __future__ import annotations

import random
from collections.abc import Iterator

from galloptools.gif.codes import CodeStream, encode
from galloptools.gif.pieces import TRAILER, coded, control, descriptor, image, loop, screen

from catalogue.entry import FAULTS, HEIGHT, PALETTE, WIDTH, Entry, faulty, frame, gif, pattern

_PIXELS = WIDTH * HEIGHT
_ROW = {"invalid": 29, "end": 30, "short": 31}


def entries() -> list[Entry]:
    """All of the topic."""
    return [*_amid(), *_first(), *_several(), *_lawful(), *_unlawful(), *_code_sizes(), *_tables()]


def _amid() -> Iterator[Entry]:
    """A damaged frame, then frames that build on it and frames that do not."""
    kinds = {
        "opaque": {},
        "transparent": {"transparent": 1},
        "part": {"x": 1, "y": 1, "width": 5, "height": 4},
        "part-transparent": {"x": 1, "y": 1, "width": 5, "height": 4, "transparent": 2},
        "clearing": {"disposal": 2, "transparent": 1},
        "restoring": {"disposal": 3, "transparent": 1},
    }
    for fault, row in _ROW.items():
        for name, options in kinds.items():
            parts = (
                frame(),
                faulty(fault, 11, **options),
                frame(1, 0, 3, 2, delay=20, transparent=2),
                frame(first=3, disposal=2),
                frame(2, 2, 3, 2, 1),
            )
            yield Entry(
                f"codes/{fault}-amid-{name}",
                (row,),
                f"{FAULTS[fault]} in a second frame: {name.replace('-', ', ')}",
                gif(loop(0), *parts),
                is_damaged=True,
            )


def _first() -> Iterator[Entry]:
    for fault, row in _ROW.items():
        parts = (faulty(fault, 11), frame(1, 1, 2, 2, transparent=0), frame(first=3))
        yield Entry(
            f"codes/{fault}-first", (row,), f"{FAULTS[fault]} in the first frame", gif(loop(0), *parts), is_damaged=True
        )
        yield Entry(
            f"codes/{fault}-still",
            (row,),
            f"{FAULTS[fault]} in the only frame",
            gif(faulty(fault, 11)),
            is_damaged=True,
        )
        yield Entry(
            f"codes/{fault}-last",
            (row,),
            f"{FAULTS[fault]} in the last frame",
            gif(frame(), frame(2, 2, 3, 2, 1), faulty(fault, 11, transparent=2)),
            is_damaged=True,
        )
        yield Entry(
            f"codes/{fault}-no-pixel",
            (row,),
            f"{FAULTS[fault]} before the first pixel",
            gif(frame(), faulty(fault, 0), frame(1, 1, 3, 2, 1)),
            is_damaged=True,
        )


def _several() -> Iterator[Entry]:
    strip = {"x": 0, "y": 1, "width": WIDTH, "height": 2}
    files = {
        "two": (frame(), faulty("invalid", 9, transparent=1), faulty("end", 20, transparent=2), frame(1, 1, 3, 3)),
        "base-taken-over": (
            frame(),
            frame(**strip, first=1),
            faulty("invalid", 2, **strip),
            faulty("invalid", 3, 0, 1, WIDTH, 3),
        ),
        "base-spared": (
            frame(),
            frame(0, 1, WIDTH, 1, 1),
            frame(**strip, first=3, disposal=3),
            faulty("invalid", 2, 0, 1, WIDTH, 3),
        ),
        "base-not-cleared": (frame(), frame(**strip, first=1, disposal=2), faulty("invalid", 3, 0, 1, WIDTH, 3)),
        "required-cleared": (
            frame(),
            frame(**strip, first=1, disposal=2),
            faulty("invalid", 3, 0, 1, WIDTH, 3, transparent=1),
        ),
        "then-restoring": (
            frame(),
            faulty("invalid", 11, transparent=1),
            frame(1, 1, 3, 3, 1, 3),
            frame(2, 2, 3, 3, 2),
        ),
        "restoring-then-sound": (
            frame(),
            faulty("invalid", 11, transparent=1, disposal=3),
            frame(2, 2, 3, 3, 2, transparent=0),
        ),
        "clearing-whole-then-part": (frame(), faulty("invalid", 11, disposal=2), frame(2, 2, 3, 3, 2)),
        "all": (faulty("invalid", 9), faulty("end", 19, transparent=1), faulty("short", 29, first=3)),
        "covered-part": (frame(), faulty("invalid", 5, **strip), frame(0, 0, WIDTH, 4, 1), frame(1, 5, 2, 1, 2)),
        "three-and-cut": (
            frame(),
            faulty("end", 9, transparent=0),
            faulty("short", 19, transparent=1),
            faulty("cut", 29, transparent=2),
        ),
    }
    for name, parts in files.items():
        data = gif(loop(0), *parts, ends=not name.endswith("cut"))
        yield Entry(
            f"codes/several-{name}", (29, 25), f"damaged frames: {name.replace('-', ' ')}", data, is_damaged=True
        )


def _stream(name: str, row: int, title: str, stream: CodeStream, is_damaged: bool = False, **options: int) -> Entry:
    part = control(0, 5) + descriptor(0, 0, WIDTH, HEIGHT) + coded(stream, **options)
    return Entry(f"codes/{name}", (row,), title, gif(frame(first=2), part, frame(1, 1, 2, 2, 3)), is_damaged)


def _lawful() -> Iterator[Entry]:
    indices = pattern(WIDTH, HEIGHT)
    yield _stream("no-end-code", 32, "a full frame without an end code", encode(indices, ends_with_end=False))
    yield _stream("no-clear-code-first", 34, "no clear code at the start", encode(indices, starts_with_clear=False))
    yield _stream(
        "too-many-pixels", 35, "more pixels than the frame has", encode([*indices, *indices[:20]]), block_size=4
    )
    late = encode(indices, ends_with_end=False)
    for code in (4, 7, 3, 5):
        late.append(code)
    yield _stream("rubbish-behind-pixels", 35, "an invalid code behind the last pixel", late)
    yield Entry(
        "codes/blocks-behind-end-code",
        (35,),
        "more blocks behind the end code",
        gif(
            control(0, 5) + descriptor(0, 0, WIDTH, HEIGHT) + coded(encode(indices))[:-1] + b"\3abc\2de\0",
            frame(1, 1, 2, 2, 3),
        ),
    )
    yield _stream("clear-after-each-code", 36, "a clear code behind each code", encode(indices, clear_after=1))
    yield _stream("clear-after-5-codes", 36, "a clear code behind each five codes", encode(indices, clear_after=5))
    yield _stream(
        "many-clear-codes",
        36,
        "clear codes one behind the other",
        CodeStream(2, [4] * 9 + [code for index in indices for code in (index, 4)]),
    )
    yield _stream(
        "own-last-character", 33, "codes that stand for themselves as they are defined", encode([1] * _PIXELS)
    )
    for size in (1, 2, 3):
        yield _stream(
            f"sub-blocks-of-{size}",
            39,
            f"sub-blocks of {size} bytes",
            encode([3 - index for index in indices]),
            block_size=size,
        )


def _unlawful() -> Iterator[Entry]:
    files = {
        "above-next-free": (33, "a code above the next free one", (4, 1, 2, 8, 3, 5)),
        "above-next-free-by-one": (33, "a code that is one too high", (4, 1, 7, 2, 5)),
        "no-literal-behind-clear": (34, "a code behind a clear code that is no literal", (4, 6, 1, 5)),
        "no-literal-behind-later-clear": (34, "the same behind a later clear code", (4, 1, 2, 3, 4, 6, 1, 5)),
        "no-literal-first": (34, "a first code that is no literal, without a clear code", (6, 1, 2, 5)),
        "end-code-first": (30, "an end code and nothing else", (4, 5)),
        "end-code-only": (30, "an end code without a clear code", (5,)),
        "clear-codes-only": (31, "clear codes and nothing else", (4, 4, 4, 4)),
        "own-last-character-behind-clear": (34, "the next free code right behind a clear code", (4, 4, 6, 1, 5)),
    }
    for name, (row, title, stream) in files.items():
        yield _stream(name, row, title, CodeStream(2, stream), is_damaged=True)


def _code_sizes() -> Iterator[Entry]:
    indices = pattern(WIDTH, HEIGHT)
    for size in range(2, 9):
        yield _stream(
            f"code-size-{size}",
            37,
            f"a code size of {size}, and indices up to 3",
            encode([(index + 1) % 4 for index in indices], size),
        )
    bits = [index * index // 3 % 2 for index in range(_PIXELS)]
    yield _stream("code-size-1", 38, "a code size of 1", encode(bits, 1))
    yield _stream("code-size-0", 38, "a code size of 0", encode([0] * _PIXELS, 0))
    for size in (9, 10, 11, 12, 13, 255):
        yield _stream(
            f"code-size-{size}", 37, f"a code size of {size}", encode(indices), is_damaged=True, declared=size
        )
        parts = descriptor(0, 0, WIDTH, HEIGHT) + coded(encode(indices), declared=size)
        yield Entry(
            f"codes/code-size-{size}-first",
            (37,),
            f"a code size of {size} in the first frame",
            gif(parts, frame(first=1)),
            is_damaged=True,
        )


def _tables() -> Iterator[Entry]:
    palette = [place << 16 | (place * 7) & 0xFF | (255 - place) << 8 for place in range(256)]
    rng = random.Random("full tables")
    noise = [rng.randrange(256) for _ in range(70 * 64)]
    for name, clears, title in (
        ("full-table-clear", True, "a full table, and then a clear code"),
        ("full-table-no-clear", False, "a full table without a clear code"),
    ):
        part = descriptor(0, 0, 70, 64) + coded(encode(noise, 8, clears_when_full=clears))
        yield Entry(f"codes/{name}", (36,), title, screen(70, 64, palette) + part + TRAILER)
    # Long runs: the longest strings that a table of this size has.
    runs = [place * 2 // 4096 for place in range(64 * 64)]
    yield Entry(
        "codes/long-strings",
        (36,),
        "strings of up to 90 pixels",
        screen(64, 64, PALETTE) + image(0, 0, 64, 64, runs) + TRAILER,
    )
