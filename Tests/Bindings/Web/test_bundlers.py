"""A program that a bundler has put together plays in a worker: with esbuild, and with webpack where it is installed."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
import unittest
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import browsers
from web_server import WebServer

_PROGRAM = browsers.HERE / "bundled" / "app.js"
_PAGE = (
    b'<!doctype html><html lang="en"><meta charset="utf-8"><title>Bundled</title><link rel="icon" href="data:,">'
    b'<body><script type="module" src="/bundle/app.js"></script></body></html>'
)
_SECONDS = 60.0


@contextmanager
def _project(bundler: str) -> Iterator[tuple[Path, Path]]:
    """A program beside an installed package, as a package manager leaves them, and where its bundle goes."""
    if shutil.which(bundler) is None:
        raise unittest.SkipTest(f"{bundler} is not installed")
    with tempfile.TemporaryDirectory(prefix=f"gallop-{bundler}-") as name:
        folder = Path(name)
        shutil.copytree(browsers.package(), folder / "node_modules" / "gallop-gif")
        shutil.copy(_PROGRAM, folder)
        bundle = folder / "bundle"
        bundle.mkdir()
        yield folder, bundle


def _run(folder: Path, *command: str) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(command)}: {done.stdout}{done.stderr}")


class BundlerTests(unittest.TestCase):
    def test_esbuild(self) -> None:
        with _project("esbuild") as (folder, bundle):
            _run(folder, "esbuild", "app.js", "--bundle", "--minify", "--format=esm", "--outdir=bundle")
            # It leaves `new URL(..., import.meta.url)` as it is, so these lie beside the bundle: README says so.
            for file in ("worker.js", "gallop.wasm"):
                shutil.copy(browsers.package() / file, bundle)
            self._check(bundle)

    def test_webpack(self) -> None:
        with _project("webpack") as (folder, bundle):
            _run(folder, "webpack", "--mode=production", "--entry=./app.js", "--output-path=bundle",
                 "--output-filename=app.js", "--output-public-path=auto")
            self._check(bundle)

    def _check(self, bundle: Path) -> None:
        folders = {"/bundle/": bundle, "/gifs/": browsers.ROOT / "Samples" / "GIFs"}
        for name in browsers.installed():
            with self.subTest(browser=name), WebServer(folders, {"/page.html": _PAGE}) as server:
                browser = browsers.open_page(name, server.url("/page.html"))
                try:
                    found = cast("dict[str, Any]", browser.evaluate("harness.play()", time.monotonic() + _SECONDS))
                finally:
                    browser.stop()
                self.assertEqual(
                    found, {"frameCount": 18, "isWorker": True, "restarts": 0, "isOneEngine": True, "elements": 2})


if __name__ == "__main__":
    unittest.main()
