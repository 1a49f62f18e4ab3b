"""Rows 1 to 8 and 48: delays, loops and stills."""

from __future__ import annotations

from galloptools.gif.pieces import extension, loop

from catalogue.entry import Entry, frame, gif, picture

_NETSCAPE = b"NETSCAPE2.0"


def entries() -> list[Entry]:
    """All of the topic."""
    return [*_delays(), *_without_control(), *_counts(), *_forms(), *_several(), *_stills()]


def _delays() -> list[Entry]:
    found = [
        Entry(
            f"timing/delay-{delay}",
            (1,),
            f"a stored delay of {delay} hundredths of a second",
            gif(loop(0), frame(delay=delay), frame(first=1, delay=7)),
        )
        for delay in (0, 1, 2, 3, 5, 10, 100, 6000, 65535)
    ]
    mixed = [frame(first=delay % 4, delay=delay) for delay in (0, 1, 2, 3, 10, 6000)]
    return [
        *found,
        Entry("timing/delays-mixed", (1,), "six frames with six delays", gif(loop(0), *mixed)),
        Entry(
            "timing/delay-0-all-plays-once",
            (1, 4, 8),
            "delays of 0 only, and one play",
            gif(*[frame(first=index, delay=0) for index in range(4)]),
        ),
        Entry(
            "timing/user-input",
            (1,),
            "the flag that waits for user input changes nothing",
            gif(loop(0), frame().replace(b"\x21\xf9\x04\0", b"\x21\xf9\x04\2", 1), frame(first=1)),
        ),
    ]


def _without_control() -> list[Entry]:
    behind = picture(1, 1, 4, 3)
    return [
        Entry(
            "timing/no-control-after-delay",
            (2,),
            "a frame without a control does not have the delay of the one before",
            gif(frame(delay=30), behind),
        ),
        Entry(
            "timing/no-control-after-transparency",
            (2,),
            "nor its transparent colour",
            gif(frame(), frame(0, 0, 3, 3, transparent=1), behind),
        ),
        Entry(
            "timing/no-control-after-disposal",
            (2, 9),
            "nor its disposal",
            gif(frame(), frame(0, 0, 3, 3, disposal=2), behind, picture(6, 0, 2, 2)),
        ),
        Entry(
            "timing/no-control-at-all",
            (2,),
            "three frames without any control",
            gif(picture(), behind, picture(first=2)),
        ),
    ]


def _counts() -> list[Entry]:
    two = (frame(), frame(first=1))
    found = [
        Entry(f"timing/loop-count-{count}", (3, 4, 8), f"a loop count of {count}", gif(loop(count), *two))
        for count in (0, 1, 2, 9, 255, 256, 32768, 65534, 65535)
    ]
    return [*found, Entry("timing/loop-absent", (4, 8), "no loop extension", gif(*two))]


def _forms() -> list[Entry]:
    two = (frame(), frame(first=1))

    def of(name: str, row: int, title: str, *parts: bytes) -> Entry:
        return Entry(f"timing/loop-{name}", (row,), title, gif(*parts, *two))

    def application(*blocks: bytes) -> bytes:
        return extension(0xFF, *blocks)

    count = b"\1\5\0"
    identifiers = {
        "animexts": b"ANIMEXTS1.0",
        "netscape-1": b"NETSCAPE1.0",
        "netscape-lower-case": b"netscape2.0",
        "identifier-of-10": b"NETSCAPE2.",
        "identifier-of-12": b"NETSCAPE2.00",
        "other-program": b"GIFLOOPS1.0",
    }
    return [
        *(
            of(name, 5, f"a loop extension of {text.decode()}", application(text, count))
            for name, text in identifiers.items()
        ),
        of("sub-block-kind-2", 6, "a sub-block that begins with 2", application(_NETSCAPE, b"\2\5\0")),
        of("sub-block-kind-0", 6, "a sub-block that begins with 0", application(_NETSCAPE, b"\0\5\0")),
        of("sub-block-kind-9", 6, "a sub-block that begins with 9", application(_NETSCAPE, b"\x09\5\0")),
        of("sub-block-kind-65", 6, "a sub-block whose low bits alone are a 1", application(_NETSCAPE, b"\x41\5\0")),
        of("sub-block-of-1", 6, "a sub-block of one byte", application(_NETSCAPE, b"\1")),
        of("sub-block-of-2", 6, "a sub-block of two bytes", application(_NETSCAPE, b"\1\5")),
        of("sub-block-of-4", 6, "a sub-block of four bytes", application(_NETSCAPE, count + b"\0")),
        of("second-sub-block", 6, "the count in the second sub-block", application(_NETSCAPE, b"\2\0\0\0\0", count)),
        of(
            "buffering-first", 6, "a buffering sub-block before the count", application(_NETSCAPE, b"\2\0\1\0\0", count)
        ),
        of("more-sub-blocks", 6, "a second count behind the first one", application(_NETSCAPE, count, b"\1\1\0")),
        of(
            "buffering-behind",
            6,
            "a buffering sub-block behind the count",
            application(_NETSCAPE, count, b"\2\0\1\0\0"),
        ),
        *_swallowing(),
    ]


def _swallowing() -> list[Entry]:
    """Without a sub-block, the zero behind the identifier is no end."""
    return [
        Entry(
            f"timing/loop-no-sub-block-{name}",
            (6,),
            "without a sub-block, what follows is swallowed up to a length of 0",
            gif(frame(), extension(0xFF, identifier), b"\2\x2c\x3b\0", frame(first=1)),
        )
        for name, identifier in {"netscape": _NETSCAPE, "animexts": b"ANIMEXTS1.0"}.items()
    ]


def _several() -> list[Entry]:
    one, two = frame(), frame(first=1)
    wrong = extension(0xFF, _NETSCAPE, b"\2\1\0")
    files = {
        "two-before": ("two loop extensions before the first frame", (loop(1), loop(6), one, two)),
        "before-and-between": ("one before the first frame and one behind it", (loop(1), one, loop(6), two)),
        "before-and-behind": ("one before the first frame and one behind the last", (loop(1), one, two, loop(6))),
        "behind-only": ("one behind the last frame only", (one, two, loop(6))),
        "between-only": ("one behind the first frame only", (one, loop(6), two)),
        "forever-then-count": ("for ever, and then a count", (loop(0), one, two, loop(2))),
        "count-then-forever": ("a count, and then for ever", (loop(2), one, two, loop(0))),
        "right-then-malformed": ("a right one, and then a malformed one", (loop(4), wrong, one, two)),
        "malformed-then-right": ("a malformed one, and then a right one", (wrong, loop(4), one, two)),
        "netscape-then-animexts": ("one of each identifier", (loop(4), loop(2, b"ANIMEXTS1.0"), one, two)),
        "between-control-and-image": ("one between a control and its image", (one, two[:8], loop(3), two[8:])),
    }
    return [Entry(f"timing/loops-{name}", (7,), title, gif(*parts)) for name, (title, parts) in files.items()]


def _stills() -> list[Entry]:
    files = {
        "still": ("a single frame with a delay", (frame(delay=1000),)),
        "still-loops": ("a single frame in a file that loops for ever", (loop(0), frame(delay=2))),
        "still-loop-count": ("a single frame and a loop count", (loop(3), frame(delay=2))),
        "still-without-control": ("a single frame without a control", (picture(),)),
        "still-transparent": ("a single frame with transparent pixels", (frame(transparent=2),)),
    }
    return [Entry(f"timing/{name}", (48,), title, gif(*parts)) for name, (title, parts) in files.items()]
