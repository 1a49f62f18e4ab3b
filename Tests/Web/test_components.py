"""The scrubber, the wall and the React components in both browsers: with a stand-in GIF, and whole."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

import browsers
from galloptools.gif.minimal import IMAGE, application_extension, gif
from web_server import WebServer

_STANDIN = browsers.HERE / "browser" / "components" / "standin" / "index.js"
_DEBIAN = Path("/usr/share/nodejs")
_SUITES = ("scrubber.test.js", "wall.test.js", "react.test.js", "whole.test.js")
_WITH_REACT = ("react.test.js", "whole.test.js")

# Debian's React is a script that leaves a global behind.
_REACT = b"""
const load = (src) => new Promise((done, failed) => document.head.append(Object.assign(
  document.createElement("script"), { src, onload: done, onerror: failed })));
await load("/debian/react/umd/react.development.js");
await load("/debian/react-dom/umd/react-dom.development.js");
export const { React, ReactDOM } = globalThis;
"""


_FRAME_OF_20_MS = b"\x21\xf9\x04\x04\x02\0\0\0" + IMAGE
_FIFTY_EIGHT = gif(application_extension(b"NETSCAPE2.0", b"\x01\0\0"), *[_FRAME_OF_20_MS] * 58)


def serve() -> WebServer:
    folders = {
        "/tests/": browsers.HERE,
        "/gallop/": browsers.package(),
        "/standin/index.js": _STANDIN,
        "/standin/": browsers.package(),
        "/debian/": _DEBIAN,
        "/gifs/": browsers.ROOT / "Samples" / "GIFs",
    }
    return WebServer(folders, {"/react.js": _REACT, "/fifty-eight.gif": _FIFTY_EIGHT})


class ComponentTests(unittest.TestCase):
    def test_components(self) -> None:
        for name in browsers.installed():
            for suite in _SUITES:
                if suite in _WITH_REACT and not (_DEBIAN / "react-dom").is_dir():
                    self.skipTest("node-react and node-react-dom are not installed")
                with serve() as server:
                    self._check(name, suite, server)

    def _check(self, name: str, suite: str, server: WebServer) -> None:
        browser = browsers.open_page(name, server.url(browsers.PAGE))
        try:
            rows = browsers.rows(browser, f"components/{suite}")
        finally:
            browser.stop()
        self.assertGreater(len(rows), 1)
        for row in rows:
            with self.subTest(browser=name, suite=suite, title=row["title"]):
                self.assertIsNone(row["error"])
        print(f"{name}: {suite}: {len(rows)} tests", file=sys.stderr)


if __name__ == "__main__":
    unittest.main()
