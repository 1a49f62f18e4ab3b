"""Rows 23, 28, 39 to 45 and 55: blocks that are odd, missing or in odd places."""

from __future__ import annotations

from collections.abc import Iterator

from galloptools.gif.codes import CodeStream, encode
from galloptools.gif.pieces import TRAILER, coded, comment, control, descriptor, extension, loop, plain_text, screen

from catalogue.entry import HEIGHT, PALETTE, WIDTH, Entry, faulty, frame, gif, pattern, picture


def entries() -> list[Entry]:
    """All of the topic."""
    return [
        *_signatures(),
        *_unknown(),
        *_terminators(),
        *_without_data(),
        *_controls(),
        *_malformed(),
        *_extensions(),
        *_trailing(),
    ]


def _signatures() -> Iterator[Entry]:
    for version in (b"GIF90a", b"GIF88a", b"gif89a", b"GIF89A", b"GIF89b", b"GIF87A", b"\0IF89a"):
        name = version.decode().replace("\0", "0").replace("GIF", "upper-").replace("gif", "lower-")
        name = name[:-1] + ("upper-" if name[-1].isupper() else "") + name[-1].lower()
        data = screen(WIDTH, HEIGHT, PALETTE, version=version) + frame() + TRAILER
        yield Entry(
            f"blocks/signature-{name}", (23,), f"the signature {ascii(version.decode())[1:-1]}", data, is_damaged=True
        )


def _unknown() -> Iterator[Entry]:
    for byte in (0x00, 0x01, 0x2A, 0xFF):
        noise = bytes([byte])
        yield Entry(
            f"blocks/unknown-{byte:02x}-between",
            (28,),
            f"a byte {byte:02X} between two frames",
            gif(loop(0), frame(), noise, frame(first=1)),
            is_damaged=True,
        )
    yield Entry(
        "blocks/unknown-between-two-and-one",
        (28,),
        "a byte 00 behind two frames",
        gif(loop(0), frame(), frame(1, 1, 3, 3, 1), b"\0", frame(first=1)),
        is_damaged=True,
    )
    yield Entry(
        "blocks/unknown-before-first", (28,), "a byte 00 before the first frame", gif(b"\0", frame()), is_damaged=True
    )
    yield Entry(
        "blocks/unknown-behind-control",
        (28, 42),
        "a byte 00 between a control and its image",
        gif(frame(), control(0, 5), b"\0", picture(first=1)),
        is_damaged=True,
    )
    yield Entry("blocks/trailer-first", (24, 55), "a trailer before the first frame", gif(TRAILER, frame()))


def _terminators() -> Iterator[Entry]:
    yield Entry(
        "blocks/no-terminator-between",
        (39,),
        "a first frame's data without its terminator",
        gif(frame()[:-1], frame(first=1)),
        is_damaged=True,
    )
    yield Entry(
        "blocks/no-terminator-last",
        (39,),
        "a last frame's data without its terminator",
        gif(frame(), frame(first=1)[:-1]),
        is_damaged=True,
    )
    yield Entry(
        "blocks/no-terminator-still",
        (39,),
        "an only frame's data without its terminator",
        gif(picture()[:-1]),
        is_damaged=True,
    )
    yield Entry(
        "blocks/no-terminator-damaged",
        (39, 29),
        "the same behind an invalid code",
        gif(frame(), faulty("invalid", 9)[:-1], frame(first=1)),
        is_damaged=True,
    )
    yield Entry(
        "blocks/no-terminator-comment",
        (39,),
        "a comment without its terminator",
        gif(frame(), comment(b"comment")[:-1], frame(first=1), frame(first=2)),
        is_damaged=True,
    )
    yield Entry(
        "blocks/empty-sub-block-in-data",
        (31,),
        "a terminator amid an image's data",
        gif(
            frame(),
            control(0, 5) + descriptor(0, 0, WIDTH, HEIGHT) + b"\2" + b"\3\x84\x8f\xa9\0\2\xcb\xed\0",
            frame(1, 1, 3, 3, 3),
        ),
        is_damaged=True,
    )


def _without_data() -> Iterator[Entry]:
    nothing = descriptor(0, 0, WIDTH, HEIGHT) + coded(CodeStream(2))
    files = {
        "first": (nothing, frame(1, 1, 3, 3, 1)),
        "only": (nothing,),
        "later": (frame(), control(0, 5) + nothing, frame(1, 1, 3, 3, 1)),
        "later-transparent": (frame(), control(0, 5, 1) + nothing, frame(1, 1, 3, 3, 1), frame(first=1)),
        "last": (frame(), frame(1, 1, 3, 3, 1), control(2, 9) + nothing),
        "only-one-pixel-transparent": (control(0, 0, 0) + descriptor(0, 0, 1, 1) + coded(CodeStream(2)),),
    }
    for name, parts in files.items():
        yield Entry(
            f"blocks/no-data-{name}",
            (40,),
            f"a frame without data: {name.replace('-', ' ')}",
            gif(*parts),
            is_damaged=True,
        )


def _controls() -> Iterator[Entry]:
    last = frame(first=2, delay=7, transparent=3)
    files = {
        "two": (41, "two controls before an image", (frame(), control(2, 90, 1), last, frame(0, 0, 2, 2))),
        "two-comment-between": (
            41,
            "two controls and a comment between them",
            (frame(), control(2, 90, 1), comment(b"between"), last),
        ),
        "transparent-then-none": (
            41,
            "a second control takes transparency back",
            (frame(), control(0, 9, 1), frame(first=2)),
        ),
        "three-first": (
            41,
            "three controls before the first image",
            (control(3, 1, 1), control(2, 90, 2), last, frame(0, 0, 2, 2, 1)),
        ),
        "at-end": (42, "a control without an image at the end", (frame(), frame(1, 1, 3, 3, 1), control(2, 40))),
        "only": (42, "a control and no image at all", (control(2, 40),)),
        "survives": (
            44,
            "other extensions between a control and its image",
            (
                frame(),
                control(1, 30, 2),
                comment(b"between"),
                plain_text(b"never drawn"),
                extension(0x99, b"\1\2"),
                picture(first=3),
            ),
        ),
        "survives-clear": (
            44,
            "the same, and the frame clears",
            (frame(), control(2, 30), plain_text(b"text"), picture(1, 1, 4, 3, 1), frame(0, 0, 1, 1)),
        ),
        "text-takes-no-time": (
            44,
            "plain text with a control of its own, before an image",
            (frame(), control(0, 50), plain_text(b"text"), frame(first=1)),
        ),
        "text-alone": (44, "plain text and no image behind it", (frame(), control(0, 50), plain_text(b"text"))),
        "reserved-bits": (
            41,
            "reserved bits of a control change nothing",
            (frame(), b"\x21\xf9\x04\xe4\x05\0\0\0" + picture(1, 1, 3, 3, 1)),
        ),
    }
    for name, (row, title, parts) in files.items():
        yield Entry(f"blocks/control-{name}", (row,), title, gif(loop(0), *parts))


def _malformed() -> Iterator[Entry]:
    body = bytes([4, 5, 0, 0])
    forms = {
        "of-0": extension(0xF9),
        "of-1": extension(0xF9, body[:1]),
        "of-3": extension(0xF9, body[:3]),
        "of-5": extension(0xF9, body + b"\0"),
        "of-255": extension(0xF9, body + bytes(251)),
        "extra-sub-block": extension(0xF9, body, b"\7"),
        "no-terminator": extension(0xF9, body, ends=False),
    }
    for name, form in forms.items():
        later = (frame(), frame(1, 1, 3, 3, 1), form, picture(first=2))
        yield Entry(
            f"blocks/control-{name}",
            (43,),
            f"a malformed control behind two frames: {name.replace('-', ' ')}",
            gif(loop(0), *later),
            is_damaged=True,
        )
        yield Entry(
            f"blocks/control-{name}-first",
            (43,),
            f"a malformed control before the first frame: {name.replace('-', ' ')}",
            gif(form, picture()),
            is_damaged=True,
        )


def _extensions() -> Iterator[Entry]:
    for label in (0x01, 0xFE, 0xFF, 0x42, 0x00):
        empty = extension(label)
        yield Entry(
            f"blocks/empty-extension-{label:02x}",
            (45,),
            f"an extension {label:02X} without a sub-block",
            gif(empty, frame(), empty, frame(1, 1, 3, 3, 1)),
        )
    yield Entry(
        "blocks/extension-looks-like-frames",
        (45,),
        "an extension whose bytes look like frames",
        gif(frame(), extension(0x42, picture(), b";"), frame(first=1)),
    )
    yield Entry(
        "blocks/comment-of-600", (44,), "a comment in three sub-blocks", gif(comment(b"six hundred " * 50), frame())
    )
    magic = bytes([1, *range(255, -1, -1), 0])
    packet = extension(0xFF, b"XMP DataXMP", ends=False) + b"<x:xmpmeta/>" + magic
    yield Entry(
        "blocks/packet-with-magic-trailer",
        (44,),
        "a packet outside of sub-blocks, with the trailer that makes it skippable",
        gif(packet, frame(), frame(first=1)),
    )
    profile = extension(0xFF, b"ICCRGBG1012", bytes(40))
    yield Entry("blocks/broken-colour-profile", (44,), "a colour profile of zeros", gif(profile, frame()))


def _trailing() -> Iterator[Entry]:
    still = gif(picture())
    two = gif(loop(0), frame(), frame(first=1))
    yield Entry("blocks/trailing-zeros", (55,), "zeros behind the trailer", two + bytes(30))
    yield Entry("blocks/trailing-frame", (55,), "a frame behind the trailer", two + frame(first=2) + TRAILER)
    yield Entry("blocks/trailing-gif", (55,), "another file behind the trailer", still + two)
    yield Entry("blocks/two-trailers", (55,), "two trailers", two + TRAILER)
    yield Entry(
        "blocks/one-frame-of-many-blocks",
        (39,),
        "one frame in sub-blocks of one byte, and a comment behind it",
        gif(descriptor(0, 0, WIDTH, HEIGHT) + coded(encode(pattern(WIDTH, HEIGHT, 3)), block_size=1), comment(b"end")),
    )
