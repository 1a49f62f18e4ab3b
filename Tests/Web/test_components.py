"""The scrubber, the wall and the React components in both browsers.

Each file `components/*_tests.js` is a suite of its own; its rows become subtests here.
"""

from __future__ import annotations

import json
import sys
import time
import unittest
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar

_HERE = Path(__file__).resolve().parent
_ROOT = _HERE.parent.parent
sys.path.insert(0, str(_ROOT / "Tests" / "Tools"))

from galloptools.browsers.drivers import BROWSERS, Browser  # noqa: E402

_START_SECONDS = 60.0
_SUITE_SECONDS = 300.0
_POLL_SECONDS = 0.05
_PACKAGE = _ROOT / ".build" / "web" / "gallop-gif"
_SOURCES = _ROOT / "Sources" / "gallop-gif"
_DEBIAN = Path("/usr/share/nodejs")
_KINDS = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".wasm": "application/wasm",
          ".gif": "image/gif", ".css": "text/css; charset=utf-8", ".png": "image/png"}

FOLDERS = {
    "/components/": [_HERE / "components"],
    "/gallop-gif/": [_SOURCES, _PACKAGE],
    "/standin/": [_HERE / "components" / "standin", _SOURCES],  # the components without an engine
    "/gifs/": [_ROOT / "Samples" / "GIFs"],
    "/debian/": [_DEBIAN],
}


def _shim(scripts: list[str], name: str) -> bytes:
    """A module for a script that leaves a global behind, as Debian's React does."""
    loads = "".join(f'await load("/debian/{script}");\n' for script in scripts)
    loader = (
        "const load = (src) => new Promise((done, failed) => document.head.append(Object.assign("
        'document.createElement("script"), { src, onload: done, onerror: failed })));\n'
    )
    return f"{loader}if (!globalThis.{name}) {{\n{loads}}}\nexport default globalThis.{name};\n".encode()


SHIMS = {
    "/react/index.js": _shim(["react/umd/react.development.js"], "React"),
    "/react/dom.js": b'import "react";\n' + _shim(["react-dom/umd/react-dom.development.js"], "ReactDOM"),
}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = self.path.split("?")[0]
        body = SHIMS.get(path) or self._file(path)
        if body is None:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", _KINDS.get(Path(path).suffix, "application/octet-stream"))
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    def _file(self, path: str) -> bytes | None:
        for prefix, folders in FOLDERS.items():
            if not path.startswith(prefix):
                continue
            for folder in folders:
                file = (folder / path.removeprefix(prefix)).resolve()
                if file.is_relative_to(folder.resolve()) and file.is_file():
                    return file.read_bytes()
        return None

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing: standard error is for the tests' own progress."""


class ComponentTests(unittest.TestCase):
    server: ClassVar[ThreadingHTTPServer]

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        cls.server.daemon_threads = True
        Thread(target=cls.server.serve_forever, args=(_POLL_SECONDS,), daemon=True).start()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.shutdown()
        cls.server.server_close()

    def _rows(self, browser: Browser, suite: str) -> list[dict[str, Any]]:
        deadline = time.monotonic() + _SUITE_SECONDS
        expression = f"import('/components/{suite}').then(() => suite.run())"
        rows: list[dict[str, Any]] = browser.evaluate(expression, deadline)
        return rows

    def _check(self, name: str, suite: str) -> None:
        kind = BROWSERS[name]

        class Page(kind):  # type: ignore[misc, valid-type]
            page_object = "document"

        browser = Page(f"http://127.0.0.1:{self.server.server_port}/components/page.html", _START_SECONDS)
        browser.start()
        try:
            rows = self._rows(browser, suite)
        finally:
            browser.stop()
        self.assertGreater(len(rows), 0)
        for row in rows:
            with self.subTest(browser=name, title=row["title"]):
                self.assertIsNone(row["error"])
        print(f"{name}: {suite}: {len(rows)} tests", file=sys.stderr)


def _add_tests() -> None:
    for suite in sorted(path.name for path in (_HERE / "components").glob("*_tests.js")):
        for name in BROWSERS:
            title = f"test_{suite.removesuffix('_tests.js')}_in_{name}"
            setattr(ComponentTests, title, lambda self, name=name, suite=suite: self._check(name, suite))


_add_tests()

if __name__ == "__main__":
    unittest.main(verbosity=1)
