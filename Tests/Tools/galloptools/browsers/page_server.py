"""A loopback HTTP server with a script's pages and the GIFs that browsers look at.

WebCodecs exists in secure contexts only; http://127.0.0.1 counts as one, file:// does not.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from types import TracebackType
from typing import Self

from galloptools.browsers.loopback_server import LoopbackServer

_POLL_SECONDS = 0.05
_KINDS = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8"}


class PageServer:
    """Serves on an ephemeral port of 127.0.0.1 between `__enter__` and `__exit__`."""

    def __init__(self, pages: Mapping[str, Path]) -> None:
        self._resources: dict[str, tuple[str, bytes]] = {
            path: (_KINDS[file.suffix], file.read_bytes()) for path, file in pages.items()
        }
        self._lock = threading.Lock()
        self._published = 0
        self._server = LoopbackServer(("127.0.0.1", 0), _handler_for(self))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(_POLL_SECONDS,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def url(self, page: str) -> str:
        """The address of a page or a resource."""
        return f"http://127.0.0.1:{self._server.server_port}{page}"

    def publish(self, data: bytes) -> str:
        """Make `data` available; return its path. Paths are never reused, so no cache can serve an older GIF."""
        with self._lock:
            self._published += 1
            path = f"/gif/{self._published}"
            self._resources[path] = ("image/gif", data)
        return path

    def withdraw(self, path: str) -> None:
        """Forget what `publish` made available."""
        with self._lock:
            self._resources.pop(path, None)

    def resource(self, path: str) -> tuple[str, bytes] | None:
        """Content type and bytes of `path`."""
        with self._lock:
            return self._resources.get(path)


def _handler_for(server: PageServer) -> type[BaseHTTPRequestHandler]:
    """A request handler class bound to `server`; the library wants a class, not an object."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            resource = server.resource(self.path)
            if resource is None:
                self.send_error(404)
                return
            content_type, data = resource
            self.send_response(200)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            """Print nothing: standard error is for the script's own progress."""

    return Handler
