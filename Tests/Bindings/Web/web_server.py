"""Serves the package, the tests' pages and GIFs to browsers, on two origins.

Every page has a strict content security policy, except with `?open` behind its address. A path below `/held/NAME/` sends a
part of a file and waits until the page asks for `/release/NAME`; one below `/cut/NAME/` ends the connection then; `/log`
answers with the paths that were asked for.
"""

from __future__ import annotations

import json
import threading
from collections import defaultdict
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import parse_qs, urlsplit

from galloptools.browsers.loopback_server import LoopbackServer

_POLL_SECONDS = 0.05
_HELD_SECONDS = 30.0
KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".wasm": "application/wasm",
    ".gif": "image/gif",
    ".png": "image/png",
    ".json": "application/json",
    ".jsonl": "application/json",
    ".css": "text/css; charset=utf-8",
}
_UNKNOWN = "application/octet-stream"
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; worker-src 'self'; "
    "img-src 'self' blob: data: http:; connect-src 'self' blob: http:"
)


class WebServer:
    """Serves folders on an ephemeral port of 127.0.0.1, and the same on another port as a foreign origin."""

    def __init__(
        self, folders: Mapping[str, Path], resources: Mapping[str, bytes] | None = None, policy: str = POLICY
    ) -> None:
        self.policy = policy
        self.folders = dict(folders)
        self.resources = dict(resources or {})
        self.kinds: dict[str, str] = {}
        """Content types of paths whose names do not tell."""
        self.missing: set[str] = set()
        """Paths without a file, although the folders have one."""
        self.log: list[str] = []
        self._gates: dict[str, threading.Event] = defaultdict(threading.Event)
        self._lock = threading.Lock()
        self._servers = [self._start() for _ in range(2)]

    def __enter__(self) -> Self:
        for server in self._servers:
            threading.Thread(target=server.serve_forever, args=(_POLL_SECONDS,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for server in self._servers:
            server.shutdown()
            server.server_close()

    def url(self, path: str, *, foreign: bool = False) -> str:
        """The address of a path on one of the two origins."""
        return f"http://127.0.0.1:{self._servers[foreign].server_port}{path}"

    def gate(self, name: str) -> threading.Event:
        """What holds the rest of a file back."""
        with self._lock:
            return self._gates[name]

    def content(self, path: str) -> bytes | None:
        """The bytes of a path, if it is in one of the folders."""
        if path in self.missing:
            return None
        if path in self.resources:
            return self.resources[path]
        for prefix, folder in self.folders.items():
            file = (folder / path.removeprefix(prefix)).resolve()
            if path.startswith(prefix) and file.is_relative_to(folder.resolve()) and file.is_file():
                return file.read_bytes()
        return None

    def _start(self) -> LoopbackServer:
        return LoopbackServer(("127.0.0.1", 0), _handler_for(self))


def _handler_for(server: WebServer) -> type[BaseHTTPRequestHandler]:
    """A request handler class bound to `server`; the library wants a class, not an object."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            address = urlsplit(self.path)
            path = address.path
            server.log.append(path)
            if path == "/log":
                self._send(json.dumps(server.log).encode(), ".json")
            elif path == "/foreign":
                self._send(json.dumps(server.url("", foreign=True)).encode(), ".json")
            elif path.startswith("/release/"):
                server.gate(path.removeprefix("/release/")).set()
                self._send(b"{}", ".json")
            elif path.startswith(("/held/", "/cut/")):
                self._hold(path, int(parse_qs(address.query)["first"][0]))
            elif (body := server.content(path)) is None:
                self.send_error(404)
            else:
                asked = parse_qs(address.query, keep_blank_values=True)
                self._send(body, Path(path).suffix, "cors" in asked, has_policy="open" not in asked)

        def _hold(self, path: str, first: int) -> None:
            kind, name, rest = path.removeprefix("/").split("/", 2)
            body = server.content(f"/{rest}") or b""
            self._head(len(body), Path(path).suffix, has_cors=False)
            self.wfile.write(body[:first])
            self.wfile.flush()
            server.gate(name).wait(_HELD_SECONDS)
            if kind == "held":
                self.wfile.write(body[first:])
            else:
                self.close_connection = True

        def _send(self, body: bytes, suffix: str, has_cors: bool = False, has_policy: bool = True) -> None:
            self._head(len(body), suffix, has_cors, has_policy)
            self.wfile.write(body)

        def _head(self, length: int, suffix: str, has_cors: bool, has_policy: bool = True) -> None:
            self.send_response(200)
            self.send_header("Content-Type", KINDS.get(suffix, server.kinds.get(urlsplit(self.path).path, _UNKNOWN)))
            self.send_header("Content-Length", str(length))
            self.send_header("Cache-Control", "max-age=600" if suffix == ".gif" else "no-store")
            if suffix == ".html" and has_policy:
                self.send_header("Content-Security-Policy", server.policy)
            if has_cors:
                self.send_header("Access-Control-Allow-Origin", "*")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Print nothing: standard error is for the tests' own progress."""

    return Handler
