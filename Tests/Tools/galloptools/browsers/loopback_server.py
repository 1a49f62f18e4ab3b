"""An HTTP server for browsers, with a thread for each connection."""

from __future__ import annotations

import sys
from http.server import ThreadingHTTPServer
from typing import Any


class LoopbackServer(ThreadingHTTPServer):
    """Takes as many connections at once as a wall of GIFs opens."""

    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Says nothing of connections that end: pages leave, and browsers are closed."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)
