"""Tests of the WebSocket client and the page server; no browser is started."""

from __future__ import annotations

import re
import socket
import threading
import time
import unittest
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

from galloptools.browsers.page_server import PageServer
from galloptools.browsers.websocket_client import (
    Frame,
    Opcode,
    WebSocket,
    WebSocketError,
    WebSocketTimeout,
    accept_key,
    apply_mask,
    check_handshake,
    encode_frame,
    read_frame,
)


def _reader(data: bytes) -> Callable[[int], bytes]:
    """A `read_exactly` over bytes."""
    position = 0

    def read(count: int) -> bytes:
        nonlocal position
        part = data[position : position + count]
        if len(part) < count:
            raise WebSocketError("end")
        position += count
        return part

    return read


class FramingTests(unittest.TestCase):
    def test_examples_of_the_rfc(self) -> None:
        self.assertEqual(encode_frame(Opcode.TEXT, b"Hello"), bytes.fromhex("810548656c6c6f"))
        masked = encode_frame(Opcode.TEXT, b"Hello", bytes.fromhex("37fa213d"))
        self.assertEqual(masked, bytes.fromhex("818537fa213d7f9f4d5158"))
        self.assertEqual(accept_key("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")

    def test_every_length_form_survives_a_round_trip(self) -> None:
        for length in (0, 1, 3, 4, 125, 126, 127, 65535, 65536, 70001):
            for mask in (None, b"\x00\x00\x00\x00", b"\xde\xad\xbe\xef"):
                payload = bytes(index * 7 & 255 for index in range(length))
                frame = read_frame(_reader(encode_frame(Opcode.BINARY, payload, mask, final=False)))
                self.assertEqual(frame, Frame(False, Opcode.BINARY, payload))

    def test_mask_is_its_own_inverse(self) -> None:
        self.assertEqual(apply_mask(apply_mask(b"\0\0abc", b"\0\1\2\3"), b"\0\1\2\3"), b"\0\0abc")

    def test_protocol_errors(self) -> None:
        long_ping = encode_frame(Opcode.PING, bytes(126))
        cut_ping = encode_frame(Opcode.PING, b"", final=False)
        huge = b"\x82\x7f" + (1 << 40).to_bytes(8, "big")
        for data in (b"\xc1\x00", b"\x83\x00", long_ping, cut_ping, huge, b"\x81\x05abc"):
            with self.subTest(data=data[:10]), self.assertRaises(WebSocketError):
                read_frame(_reader(data))

    def test_handshake(self) -> None:
        good = b"HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nSEC-WebSocket-Accept: %s\r\n\r\n"
        check_handshake(good % accept_key("k").encode(), "k")
        for bad in (good % b"wrong", b"HTTP/1.1 403 Forbidden\r\n\r\n", b"nonsense\r\n\r\n"):
            with self.subTest(bad=bad), self.assertRaises(WebSocketError):
                check_handshake(bad, "k")


class ConversationTests(unittest.TestCase):
    """The client against a scripted peer on a socket pair or a loopback port."""

    def setUp(self) -> None:
        near, self.peer = socket.socketpair()
        self.client = WebSocket(near)
        self.addCleanup(self.peer.close)
        self.addCleanup(self.client.close)

    def test_fragments_with_a_ping_between(self) -> None:
        self.peer.sendall(
            encode_frame(Opcode.TEXT, b"", final=False)
            + encode_frame(Opcode.PING, b"you there?")
            + encode_frame(Opcode.CONTINUATION, "gal\u00f6".encode()[:4], final=False)
            + encode_frame(Opcode.CONTINUATION, "gal\u00f6".encode()[4:])
        )
        self.assertEqual(self.client.receive_text(time.monotonic() + 5), "gal\u00f6")
        pong = read_frame(lambda count: self.peer.recv(count, socket.MSG_WAITALL))
        self.assertEqual(pong, Frame(True, Opcode.PONG, b"you there?"))

    def test_sent_text_is_masked(self) -> None:
        self.client.send_text("x", time.monotonic() + 5)
        raw = self.peer.recv(100)
        self.assertTrue(raw[1] & 0x80)
        self.assertEqual(read_frame(_reader(raw)).payload, b"x")

    def test_time_out_and_end(self) -> None:
        with self.assertRaises(WebSocketTimeout):
            self.client.receive_text(time.monotonic() + 0.05)
        with self.assertRaises(WebSocketTimeout):
            self.client.receive_text(time.monotonic() - 1)
        self.peer.close()
        with self.assertRaises(WebSocketError):
            self.client.receive_text(time.monotonic() + 5)

    def test_close_and_misplaced_continuation(self) -> None:
        self.peer.sendall(encode_frame(Opcode.CONTINUATION, b"x") + encode_frame(Opcode.CLOSE, b""))
        for _ in range(2):
            with self.assertRaises(WebSocketError):
                self.client.receive_text(time.monotonic() + 5)

    def test_connect(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            thread = threading.Thread(target=self._serve_one, args=(listener,), daemon=True)
            thread.start()
            port = listener.getsockname()[1]
            client = WebSocket.connect("127.0.0.1", port, "/path", time.monotonic() + 5)
            self.assertEqual(client.receive_text(time.monotonic() + 5), "welcome to /path")
            client.close()
            thread.join(5)

    @staticmethod
    def _serve_one(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection:
            request = b""
            while b"\r\n\r\n" not in request:
                request += connection.recv(4096)
            key = re.search(rb"Sec-WebSocket-Key: (\S+)", request)
            path = request.split(b" ")[1]
            answer = accept_key(key.group(1).decode() if key else "").encode()
            head = b"HTTP/1.1 101 OK\r\nSec-WebSocket-Accept: " + answer + b"\r\n\r\n"
            connection.sendall(head + encode_frame(Opcode.TEXT, b"welcome to " + path))


class PageServerTests(unittest.TestCase):
    def test_publish_and_withdraw(self) -> None:
        with PageServer({"/page.html": Path(__file__).with_name("page.html")}) as server:
            with urllib.request.urlopen(server.url("/page.html"), timeout=5) as answer:
                self.assertEqual(answer.headers["Content-Type"], "text/html; charset=utf-8")
            path = server.publish(b"GIF89a")
            url = server.url(path)
            with urllib.request.urlopen(url, timeout=5) as answer:
                self.assertEqual((answer.read(), answer.headers["Content-Type"]), (b"GIF89a", "image/gif"))
            server.withdraw(path)
            with self.assertRaises(urllib.error.HTTPError) as caught:
                urllib.request.urlopen(url, timeout=5)
            caught.exception.close()


if __name__ == "__main__":
    unittest.main()
