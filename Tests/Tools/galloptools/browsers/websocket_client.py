"""A small WebSocket client (RFC 6455), enough to talk to a browser on the loopback interface.

The standard library has no WebSocket client, and the oracle must run without third-party packages.
Only what DevTools and WebDriver BiDi use is here: text messages, fragments, ping, close; no extensions, no TLS.
"""

from __future__ import annotations

import base64
import hashlib
import os
import socket
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

_ACCEPT_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_MAX_MESSAGE_BYTES = 256 * 1024 * 1024
_MAX_HANDSHAKE_BYTES = 64 * 1024


class WebSocketError(Exception):
    """The peer broke the protocol or the connection ended."""


class WebSocketTimeout(WebSocketError):
    """Nothing complete arrived before the deadline."""


class Opcode(IntEnum):
    """Frame types of RFC 6455, section 5.2."""

    CONTINUATION = 0x0
    TEXT = 0x1
    BINARY = 0x2
    CLOSE = 0x8
    PING = 0x9
    PONG = 0xA


_CONTROL_OPCODES = frozenset({Opcode.CLOSE, Opcode.PING, Opcode.PONG})


@dataclass(frozen=True)
class Frame:
    """One frame as it came off the wire, already unmasked."""

    final: bool
    opcode: Opcode
    payload: bytes


def apply_mask(payload: bytes, mask: bytes) -> bytes:
    """XOR `payload` with the repeated four-byte `mask` (masking and unmasking are the same)."""
    if not payload:
        return b""
    repeated = (mask * (len(payload) // 4 + 1))[: len(payload)]
    mixed = int.from_bytes(payload, "big") ^ int.from_bytes(repeated, "big")
    return mixed.to_bytes(len(payload), "big")


def encode_frame(opcode: Opcode, payload: bytes, mask: bytes | None = None, final: bool = True) -> bytes:
    """Build a frame. Clients must mask; `mask=None` (what servers send) is for the tests."""
    head = bytearray([(0x80 if final else 0) | opcode])
    mask_bit = 0x80 if mask is not None else 0
    if len(payload) < 126:
        head.append(mask_bit | len(payload))
    elif len(payload) < 1 << 16:
        head.append(mask_bit | 126)
        head += struct.pack("!H", len(payload))
    else:
        head.append(mask_bit | 127)
        head += struct.pack("!Q", len(payload))
    if mask is None:
        return bytes(head) + payload
    return bytes(head) + mask + apply_mask(payload, mask)


def read_frame(read_exactly: Callable[[int], bytes]) -> Frame:
    """Read one frame through `read_exactly(n)`, which returns n bytes or raises."""
    first, second = read_exactly(2)
    if first & 0x70:
        raise WebSocketError("reserved bits are set, but no extension was agreed on")
    try:
        opcode = Opcode(first & 0x0F)
    except ValueError as error:
        raise WebSocketError(f"unknown opcode {first & 0x0F:#x}") from error
    final = bool(first & 0x80)
    length = second & 0x7F
    if opcode in _CONTROL_OPCODES and (length > 125 or not final):
        raise WebSocketError("a control frame is too long or fragmented")
    if length == 126:
        (length,) = struct.unpack("!H", read_exactly(2))
    elif length == 127:
        (length,) = struct.unpack("!Q", read_exactly(8))
    if length > _MAX_MESSAGE_BYTES:
        raise WebSocketError(f"a frame of {length} bytes is too long")
    mask = read_exactly(4) if second & 0x80 else None
    payload = read_exactly(length)
    return Frame(final, opcode, payload if mask is None else apply_mask(payload, mask))


def accept_key(key: str) -> str:
    """The Sec-WebSocket-Accept value a server must answer to `key`."""
    return base64.b64encode(hashlib.sha1((key + _ACCEPT_GUID).encode("ascii")).digest()).decode("ascii")


def check_handshake(response: bytes, key: str) -> None:
    """Raise unless `response` (headers up to the empty line) switches protocols for our `key`."""
    lines = response.decode("latin-1").split("\r\n")
    status = lines[0].split(" ", 2)
    if len(status) < 2 or status[1] != "101":
        raise WebSocketError(f"the handshake was refused: {lines[0]}")
    headers = {
        name.strip().lower(): value.strip()
        for name, colon, value in (line.partition(":") for line in lines[1:])
        if colon
    }
    if headers.get("sec-websocket-accept") != accept_key(key):
        raise WebSocketError("the handshake answer does not belong to our key")


class WebSocket:
    """A connected client. Every wait takes a deadline on the `time.monotonic()` clock."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._buffer = bytearray()

    @classmethod
    def connect(cls, host: str, port: int, path: str, deadline: float) -> WebSocket:
        """Open ws://host:port/path. No Origin header is sent: browsers refuse web origins here."""
        try:
            connection = socket.create_connection((host, port), timeout=max(0.1, deadline - time.monotonic()))
        except OSError as error:
            raise WebSocketError(f"cannot connect: {error}") from error
        client = cls(connection)
        try:
            client._handshake(host, port, path, deadline)
        except BaseException:
            connection.close()
            raise
        return client

    def send_text(self, text: str, deadline: float) -> None:
        """Send one unfragmented text message."""
        self._send(Opcode.TEXT, text.encode("utf-8"), deadline)

    def receive_text(self, deadline: float) -> str:
        """Return the next whole text message; answers pings on the way."""
        parts: list[bytes] = []
        size = 0
        while True:
            frame = read_frame(lambda count: self._read_exactly(count, deadline))
            if frame.opcode is Opcode.PING:
                self._send(Opcode.PONG, frame.payload, deadline)
                continue
            if frame.opcode is Opcode.PONG:
                continue
            if frame.opcode is Opcode.CLOSE:
                raise WebSocketError("the peer closed the connection")
            if (frame.opcode is Opcode.CONTINUATION) != bool(parts):
                raise WebSocketError("fragments out of order")
            parts.append(frame.payload)
            size += len(frame.payload)
            if size > _MAX_MESSAGE_BYTES:
                raise WebSocketError("a fragmented message is too long")
            if frame.final:
                return b"".join(parts).decode("utf-8")

    def close(self) -> None:
        """Drop the connection; the browser is ended by its process, not by a closing handshake."""
        self._socket.close()

    def _handshake(self, host: str, port: int, path: str, deadline: float) -> None:
        key = base64.b64encode(os.urandom(16)).decode("ascii")
        request = (
            f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        self._send_raw(request.encode("ascii"), deadline)
        while b"\r\n\r\n" not in self._buffer:
            if len(self._buffer) > _MAX_HANDSHAKE_BYTES:
                raise WebSocketError("the handshake answer does not end")
            self._fill(deadline)
        end = self._buffer.index(b"\r\n\r\n") + 4
        response = bytes(self._buffer[:end])
        del self._buffer[:end]
        check_handshake(response, key)

    def _send(self, opcode: Opcode, payload: bytes, deadline: float) -> None:
        self._send_raw(encode_frame(opcode, payload, os.urandom(4)), deadline)

    def _send_raw(self, data: bytes, deadline: float) -> None:
        self._arm(deadline)
        try:
            self._socket.sendall(data)
        except TimeoutError as error:
            raise WebSocketTimeout("sending timed out") from error
        except OSError as error:
            raise WebSocketError(f"the connection broke: {error}") from error

    def _read_exactly(self, count: int, deadline: float) -> bytes:
        while len(self._buffer) < count:
            self._fill(deadline)
        data = bytes(self._buffer[:count])
        del self._buffer[:count]
        return data

    def _fill(self, deadline: float) -> None:
        self._arm(deadline)
        try:
            data = self._socket.recv(1 << 16)
        except TimeoutError as error:
            raise WebSocketTimeout("no answer in time") from error
        except OSError as error:
            raise WebSocketError(f"the connection broke: {error}") from error
        if not data:
            raise WebSocketError("the connection ended")
        self._buffer += data

    def _arm(self, deadline: float) -> None:
        left = deadline - time.monotonic()
        if left <= 0:
            raise WebSocketTimeout("the deadline has passed")
        self._socket.settimeout(left)
