"""Rows 24 to 27: files that end too early."""

from __future__ import annotations

from collections.abc import Iterator

from galloptools.gif.pieces import comment, control, descriptor, extension, loop, screen

from catalogue.entry import HEIGHT, PALETTE, WIDTH, Entry, faulty, frame, gif, picture

_PIXELS = WIDTH * HEIGHT


def entries() -> list[Entry]:
    """All of the topic."""
    return [*_in_later_frame(), *_bases(), *_in_first_frame(), *_in_head(), *_between(), *_descriptors()]


def _entry(name: str, row: int, title: str, *parts: bytes) -> Entry:
    return Entry(f"cuts/{name}", (row,), title, gif(*parts, ends=False), is_damaged=True)


def _in_later_frame() -> Iterator[Entry]:
    kinds = {
        "opaque": ("an opaque frame of the whole screen", {}),
        "transparent": ("a transparent frame of the whole screen", {"transparent": 0}),
        "part": ("a frame of a part of the screen", {"x": 1, "y": 1, "width": 6, "height": 4}),
        "clearing": ("a frame that clears", {"disposal": 2, "transparent": 3}),
        "restoring": ("a frame that restores", {"disposal": 3, "transparent": 3}),
        "beyond": ("a frame beyond the canvas", {"x": 5, "y": 3}),
    }
    for name, (title, options) in kinds.items():
        for pixels in (0, 1, 11, 20):
            part = faulty("cut", pixels, **options)
            yield _entry(
                f"later-{name}-{pixels}", 25, f"{title}, {pixels} pixels", loop(0), frame(), frame(2, 2, 3, 3, 1), part
            )
    yield _entry(
        "later-whole-without-terminator",
        25,
        "all pixels are there, the terminator is missing",
        loop(0),
        frame(),
        frame(first=1)[:-1],
    )
    yield _entry(
        "later-without-end-code",
        25,
        "all pixels are there, the end code is missing",
        loop(0),
        frame(),
        faulty("cut", _PIXELS),
    )
    yield _entry("later-last-pixel", 25, "all pixels but the last one", loop(0), frame(), faulty("cut", _PIXELS - 1))


def _bases() -> Iterator[Entry]:
    """What shows through the gaps of a cut frame."""
    part = faulty("cut", 11, 0, 1, WIDTH, 4)
    see_through = faulty("cut", 11, 0, 1, WIDTH, 4, transparent=1)
    befores = {
        "cleared": ("behind a frame that clears", (frame(), frame(0, 1, WIDTH, 3, 1, 2))),
        "restored": ("behind a frame that restores", (frame(), frame(0, 1, WIDTH, 3, 1, 3))),
        "cleared-whole": ("behind a frame of the whole screen that clears", (frame(disposal=2),)),
        "restored-first": ("behind a first frame that restores", (frame(disposal=3),)),
        "failed": ("behind a failed frame", (frame(), faulty("invalid", 9, transparent=2))),
        "empty": ("behind a frame without area", (frame(), frame(1, 1, 0, 0))),
        "outside": ("behind a frame outside of the canvas", (frame(), frame(90, 90, 3, 3))),
    }
    for name, (title, parts) in befores.items():
        yield _entry(f"base-{name}", 25, f"an opaque frame, {title}", loop(0), *parts, part)
        yield _entry(f"base-{name}-transparent", 25, f"a transparent frame, {title}", loop(0), *parts, see_through)


def _in_first_frame() -> Iterator[Entry]:
    for pixels in (0, 1, 9, 24, _PIXELS - 1, _PIXELS):
        yield _entry(f"first-{pixels}", 26, f"{pixels} pixels of the first frame", faulty("cut", pixels))
        yield _entry(
            f"first-transparent-{pixels}",
            26,
            f"{pixels} pixels of a transparent first frame",
            faulty("cut", pixels, transparent=1),
        )
    yield _entry("first-part", 26, "a first frame of a part of the screen", faulty("cut", 7, 1, 1, 6, 4))
    yield _entry("first-without-control", 26, "without a control", faulty("cut", 9)[8:])
    yield _entry("first-forever", 26, "in a file that loops for ever", loop(0), faulty("cut", 9))
    yield _entry("first-beyond", 26, "a first frame that makes the canvas larger", faulty("cut", 9, 4, 3))
    yield _entry("first-no-code-size", 26, "nothing behind the descriptor", descriptor(0, 0, WIDTH, HEIGHT))
    yield _entry("first-code-size-only", 26, "nothing behind the code size", descriptor(0, 0, WIDTH, HEIGHT) + b"\2")
    local = descriptor(0, 0, WIDTH, HEIGHT, PALETTE)
    yield _entry("first-in-local-palette", 26, "within a local palette", local[:15])
    yield _entry("first-behind-local-palette", 26, "behind a local palette", local)


def _in_head() -> Iterator[Entry]:
    head = screen(WIDTH, HEIGHT, PALETTE)
    for size, place in (
        (1, "header"),
        (6, "header"),
        (9, "screen"),
        (12, "screen"),
        (13, "palette"),
        (19, "palette"),
        (25, "first block"),
    ):
        yield Entry(
            f"cuts/head-{size}",
            (27,),
            f"{size} bytes: the file ends before or in the {place}",
            head[:size],
            is_damaged=True,
        )


def _between() -> Iterator[Entry]:
    two = (frame(), frame(first=1))
    tail = frame(first=2)
    yield _entry("no-trailer", 27, "no trailer", loop(0), *two)
    yield _entry("no-trailer-still", 27, "a still without a trailer", picture())
    for size in (1, 2, 3, 5, 7, 8):
        yield _entry(f"in-control-{size}", 27, f"{size} bytes of a control", loop(0), *two, tail[:size])
    pieces = {
        "comment": (comment(b"nothing to see here"), (2, 3, 9)),
        "application": (extension(0xFF, b"NETSCAPE2.0", b"\1\5\0"), (2, 8, 15, 18)),
    }
    for name, (piece, sizes) in pieces.items():
        for size in sizes:
            yield _entry(
                f"in-{name}-{size}", 27, f"{size} bytes of the extension behind the frames", *two, piece[:size]
            )
    yield _entry("in-first-control", 27, "within the control of the first frame", control(0, 5)[:5])
    yield Entry("cuts/no-frame", (24,), "no frame", gif(comment(b"nothing to see")))
    yield Entry("cuts/no-frame-loop", (24,), "no frame, and a loop extension", gif(loop(0)))
    yield _entry("no-frame-no-trailer", 24, "nothing behind the screen and a comment", comment(b"nothing to see"))


def _descriptors() -> Iterator[Entry]:
    whole = descriptor(1, 1, 4, 3)
    for size in (1, 5, 8, 9):
        yield _entry(f"descriptor-{size}", 27, f"{size} bytes of a later descriptor", loop(0), frame(), whole[:size])
        yield _entry(
            f"descriptor-{size}-with-control",
            27,
            f"a control and {size} bytes of a later descriptor",
            loop(0),
            frame(),
            control(2, 30, 1) + whole[:size],
        )
        yield _entry(f"first-descriptor-{size}", 27, f"{size} bytes of the first descriptor", whole[:size])
    yield _entry("descriptor-whole", 27, "a whole later descriptor and nothing more", loop(0), frame(), whole)
