"""The bytes of a GIF block by block, in words; harmless on any bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Block:
    """Some bytes with one meaning."""

    start: int
    end: int
    kind: str
    """screen, palette, control, extension, image, data, end, or odd for what stands where nothing should."""
    text: str


_EXTENSIONS = {0x01: "plain text", 0xF9: "graphics control", 0xFE: "comment", 0xFF: "application"}
_DISPOSALS = ("no disposal", "keep", "clear", "restore", "disposal 4: as restore")


def blocks(data: bytes) -> Iterator[Block]:
    """Every byte of a file once, in order."""
    place = 0
    for found in _walk(data):
        yield found
        place = found.end
    if place < len(data):
        yield Block(place, len(data), "odd", "behind the end: ignored")


def _walk(data: bytes) -> Iterator[Block]:
    if not data:
        return
    yield _part(data, 0, 6, "screen", f"signature {ascii(data[:6].decode('latin-1'))[1:-1]}")
    if len(data) <= 6:
        return
    width, height = _number(data, 6), _number(data, 8)
    yield _part(data, 6, 13, "screen", f"logical screen: {width} x {height}")
    if len(data) <= 13:
        return
    place = 13
    if data[10] & 0x80:
        size = 3 << ((data[10] & 7) + 1)
        yield _part(data, 13, 13 + size, "palette", f"global palette: {size // 3} colours")
        place += size
    while place < len(data):
        kind = data[place]
        if kind == 0x21:
            found = list(_extension(data, place))
        elif kind == 0x2C:
            found = list(_image(data, place))
        elif kind == 0x3B:
            yield Block(place, place + 1, "end", "trailer")
            return
        else:
            yield Block(place, place + 1, "odd", "begins no block: ends the animation")
            return
        yield from found
        place = found[-1].end


def _extension(data: bytes, place: int) -> Iterator[Block]:
    label = data[place + 1] if place + 1 < len(data) else None
    if label == 0xF9 and data[place + 2 : place + 3] == b"\4":
        packed = data[place + 3] if place + 3 < len(data) else 0
        clear = f", index {data[place + 6]} is transparent" if packed & 1 and place + 6 < len(data) else ""
        disposal = packed >> 2 & 7
        word = _DISPOSALS[disposal] if disposal < 5 else f"disposal {disposal}: as keep"
        text = f"graphics control: {word}, delay {_number(data, place + 4) * 10} ms{clear}"
        if data[place + 7 : place + 8] == b"\0":
            yield Block(place, place + 8, "control", text)
            return
        yield _part(data, place, place + 7, "control" if place + 7 >= len(data) else "odd", text)
        if place + 7 < len(data):
            yield from _sub_blocks(data, place + 7, "odd", "not the terminator of a control")
        return
    name = "no label" if label is None else _EXTENSIONS.get(label, f"unknown, {label:02X}")
    yield _part(data, place, place + 2, "odd" if label == 0xF9 else "extension", f"extension: {name}")
    if place + 2 < len(data):
        yield from _sub_blocks(data, place + 2, "extension", "")


def _image(data: bytes, place: int) -> Iterator[Block]:
    x, y, width, height = (_number(data, place + offset) for offset in (1, 3, 5, 7))
    flags = data[place + 9] if place + 9 < len(data) else 0
    text = f"image: {width} x {height} at {x}, {y}" + (", interlaced" if flags & 0x40 else "")
    yield _part(data, place, place + 10, "image", text)
    place += 10
    if flags & 0x80 and place < len(data):
        size = 3 << ((flags & 7) + 1)
        yield _part(data, place, place + size, "palette", f"local palette: {size // 3} colours")
        place += size
    if place < len(data):
        size = data[place]
        yield Block(
            place,
            place + 1,
            "image" if size <= 8 else "odd",
            f"code size {size}" + ("" if size <= 8 else ": out of range"),
        )
        if place + 1 < len(data):
            yield from _sub_blocks(data, place + 1, "data", "codes")


def _sub_blocks(data: bytes, place: int, kind: str, what: str) -> Iterator[Block]:
    while place < len(data):
        length = data[place]
        if length == 0:
            yield Block(place, place + 1, "end" if kind != "odd" else "odd", "terminator")
            return
        end = place + 1 + length
        content = data[place + 1 : end]
        text = what or _words(content)
        yield _part(data, place, end, kind, f"{length} bytes: {text}")
        place = min(end, len(data))


def _words(content: bytes) -> str:
    if len(content) == 3 and content[0] == 1:
        return f"loop count {int.from_bytes(content[1:], 'little')}"
    return ascii(content.decode("latin-1"))[1:-1][:60]


def _part(data: bytes, start: int, end: int, kind: str, text: str) -> Block:
    if end > len(data):
        return Block(start, len(data), "odd", f"{text}; the file ends here, {end - len(data)} bytes too early")
    return Block(start, end, kind, text)


def _number(data: bytes, place: int) -> int:
    return int.from_bytes(data[place : place + 2], "little")
