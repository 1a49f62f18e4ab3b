"""The scrubber, the wall and the React components in both browsers: with a stand-in GIF, and whole."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import browsers
from galloptools.gif.minimal import IMAGE, application_extension, gif
from web_server import POLICY, WebServer

_STANDIN = browsers.HERE / "browser" / "components" / "standin" / "index.js"
_DEBIAN = Path("/usr/share/nodejs")
_VUE = Path("/usr/share/javascript/vue/vue.js")
_SUITES = ("scrubber.test.js", "wall.test.js", "react.test.js", "whole.test.js")
_WITH_REACT = ("react.test.js", "whole.test.js")
_README = browsers.ROOT / "Sources" / "Bindings" / "Web" / "gallop-gif" / "README.md"

# Debian's React is a script that leaves a global behind. Each one warns of a fault only once.
_REACT = b"""
const load = (src) => new Promise((done, failed) => document.head.append(Object.assign(
  document.createElement("script"), { src, onload: done, onerror: failed })));
export async function freshReact() {
  await load("/debian/react/umd/react.development.js");
  await load("/debian/react-dom/umd/react-dom.development.js");
  const { React, ReactDOM } = globalThis;
  return { React, ReactDOM };
}
export const { React, ReactDOM } = await freshReact();
"""


_FRAME_OF_20_MS = b"\x21\xf9\x04\x04\x02\0\0\0" + IMAGE
_FIFTY_EIGHT = gif(application_extension(b"NETSCAPE2.0", b"\x01\0\0"), *[_FRAME_OF_20_MS] * 58)


def _readme_example() -> bytes:
    """The README's example of React as a module whose default makes its element."""
    text = _README.read_text(encoding="utf-8")
    found = re.search(r"^## React$.*?^```jsx\nimport \{ ([^}]*) \} from \"gallop-gif/react\";\n(.*?)^```$", text,
                      re.DOTALL | re.MULTILINE)
    if found is None:
        raise AssertionError("README.md has no example of React")
    names, jsx = found.groups()
    source = f"export default (React, {{ {names} }}, setTitle, setRange) => <>{jsx}</>;"
    return subprocess.run(["esbuild", "--loader=jsx", "--format=esm"], input=source.encode(), capture_output=True,
                          check=True).stdout


def _rendered(example: bytes) -> bytes:
    """What a server renders, as JSON by the pages' names."""
    with tempfile.TemporaryDirectory(prefix="gallop-react-") as folder:
        module = Path(folder) / "example.mjs"
        module.write_bytes(example)
        command = ["node", str(browsers.HERE / "node" / "render_pages.mjs"), str(module)]
        environment = {**os.environ, "GALLOP_PACKAGE": str(browsers.package())}
        return subprocess.run(command, env=environment, capture_output=True, check=True).stdout


def serve(more: dict[str, bytes] | None = None, policy: str = POLICY) -> WebServer:
    folders = {
        "/tests/": browsers.HERE,
        "/gallop/": browsers.package(),
        "/standin/index.js": _STANDIN,
        "/standin/": browsers.package(),
        "/debian/": _DEBIAN,
        "/gifs/": browsers.ROOT / "Samples" / "GIFs",
    }
    return WebServer(folders, {"/react.js": _REACT, "/fifty-eight.gif": _FIFTY_EIGHT, **(more or {})}, policy)


class ComponentTests(unittest.TestCase):
    def test_components(self) -> None:
        for name in browsers.installed():
            for suite in _SUITES:
                if suite in _WITH_REACT and not (_DEBIAN / "react-dom").is_dir():
                    self.skipTest("node-react and node-react-dom are not installed")
                with serve() as server:
                    self._check(name, suite, server)

    def test_hydration(self) -> None:
        if not (_DEBIAN / "react-dom").is_dir() or shutil.which("esbuild") is None or shutil.which("node") is None:
            self.skipTest("node-react-dom, esbuild or node is not installed")
        example = _readme_example()
        pages = {"/readme_example.js": example, "/rendered.json": _rendered(example)}
        for name in browsers.installed():
            # A server writes styles as attributes.
            with serve(pages, f"{POLICY}; style-src-attr 'unsafe-inline'") as server:
                self._check(name, "hydration.test.js", server)

    def test_vue(self) -> None:
        if not _VUE.is_file():
            self.skipTest("libjs-vue is not installed")
        template = re.search(r"^```vue$.*?^<template>\n(.*?)^</template>$", _README.read_text(encoding="utf-8"),
                             re.DOTALL | re.MULTILINE)
        assert template is not None, "README.md has no example of Vue"
        module = f"export const template = {json.dumps(template[1])};".encode()
        pages = {"/vue/vue.js": _VUE.read_bytes(), "/vue_template.js": module}
        for name in browsers.installed():
            # This build of Vue compiles templates in the page.
            with serve(pages, POLICY.replace("'wasm-unsafe-eval'", "'unsafe-eval'")) as server:
                self._check(name, "vue.test.js", server)

    def _check(self, name: str, suite: str, server: WebServer) -> None:
        browsers.check_suite(self, name, f"components/{suite}", server.url(browsers.PAGE))


if __name__ == "__main__":
    unittest.main()
