"""What `<img>` paints while an animation plays: a third witness beside ImageDecoder.

The images stand on a page without background; a screenshot in the middle of each frame's time has their exact pixels,
alpha included. Delays are first made longer, so that a screenshot is never early or late.
"""

from __future__ import annotations

import json
import struct
import time
import zlib

from rows import pixel_hash

from galloptools.browsers.drivers import Chromium
from galloptools.browsers.page_server import PageServer
from galloptools.gif.records import record_places

FRAME_SECONDS = 0.4
_PATIENCE = 60.0
MOST_FRAMES = 40


class ImageWitness:
    """Screenshots of images in Chromium's page."""

    def __init__(self, browser: Chromium, server: PageServer) -> None:
        self._browser = browser
        self._server = server

    def hashes(self, data: bytes, width: int, height: int, count: int) -> list[str]:
        """The hashes of what `<img>` shows in each of the first frames' times."""
        return [pixel_hash(picture) for picture in self.pictures(data, width, height, min(count, MOST_FRAMES))]

    def pictures(
        self, data: bytes, width: int, height: int, count: int, frame_seconds: float = FRAME_SECONDS
    ) -> list[bytes]:
        """The pixels that `<img>` shows in the middle of each of the first frames' times."""
        deadline = time.monotonic() + _PATIENCE
        path = self._server.publish(slow_motion(data, frame_seconds))
        self._browser.evaluate(f"stage.show({json.dumps(path)})", deadline)
        begin = time.monotonic()
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        found = []
        for index in range(count):
            pause = begin + (index + 0.5) * frame_seconds - time.monotonic()
            time.sleep(max(0, pause))
            found.append(decode_png(self._browser.screenshot(clip, deadline), width, height))
        self._browser.evaluate("stage.clear()", deadline)
        self._server.withdraw(path)
        return found


def slow_motion(data: bytes, frame_seconds: float) -> bytes:
    """The same file with a long delay for each frame.

    A frame without a control gets one that changes nothing else.
    """
    slow = bytearray(data)
    delay = round(frame_seconds * 100).to_bytes(2, "little")
    bare: list[int] = []
    has_control = False
    for place in record_places(data)[:-1]:
        if data[place : place + 3] == b"\x21\xf9\x04" and place + 8 <= len(data):
            slow[place + 4 : place + 6] = delay
            has_control = True
        elif data[place] == 0x2C:
            if not has_control:
                bare.append(place)
            has_control = False
    for place in reversed(bare):
        slow[place:place] = b"\x21\xf9\x04\0" + delay + b"\0\0"
    return bytes(slow)


def decode_png(data: bytes, width: int, height: int) -> bytes:
    """The pixels of a PNG as browsers write screenshots: eight bits, RGB or RGBA, not interlaced; as RGBA."""
    place, header, body = 8, b"", b""
    while place < len(data):
        length, kind = struct.unpack(">I4s", data[place : place + 8])
        content = data[place + 8 : place + 8 + length]
        if kind == b"IHDR":
            header = content
        elif kind == b"IDAT":
            body += content
        place += length + 12
    columns, rows, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", header)
    if (columns, rows, depth, interlace) != (width, height, 8, 0) or colour not in (2, 6):
        raise ValueError(f"unexpected screenshot: {columns} x {rows}, depth {depth}, colour type {colour}")
    size = 4 if colour == 6 else 3
    raw = zlib.decompress(body)
    line = width * size
    previous = bytearray(line)
    result = bytearray()
    for row in range(height):
        start = row * (line + 1)
        current = bytearray(raw[start + 1 : start + 1 + line])
        _unfilter(raw[start], current, previous, size)
        for pixel in range(0, line, size):
            alpha = current[pixel + 3] if size == 4 else 255
            result += bytes([*current[pixel : pixel + 3], alpha]) if alpha else bytes(4)
        previous = current
    return bytes(result)


def _unfilter(kind: int, current: bytearray, previous: bytearray, size: int) -> None:
    for place in range(len(current)):
        left = current[place - size] if place >= size else 0
        above = previous[place]
        corner = previous[place - size] if place >= size else 0
        predicted = (0, left, above, (left + above) // 2, _paeth(left, above, corner))[kind]
        current[place] = (current[place] + predicted) & 0xFF


def _paeth(left: int, above: int, corner: int) -> int:
    estimate = left + above - corner
    return min((left, above, corner), key=lambda value: abs(estimate - value))
