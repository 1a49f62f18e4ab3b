"""The assembled inspector, opened from a disk in both browsers, and the script that assembles it."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any, ClassVar

import browsers
from galloptools.browsers.drivers import BROWSERS, Browser

_SUITE_SECONDS = 300.0
_FOLDER = browsers.ROOT / "Sources" / "gallop-gif" / "inspector"
_SAMPLES = ["lissajous.gif", "disposals.gif", "delays.gif"]
_RUN = "const rows = []; for (const one of tests) rows.push(await runOne(one)); return JSON.stringify(rows);"


def _checks() -> str:
    """The checks and their runner as one script: modules cannot be imported from a disk."""
    names = ("harness.js", "components/tools.js", "components/inspector_checks.js")
    text = "\n".join((browsers.HERE / "browser" / name).read_text(encoding="utf-8") for name in names)
    text = text.replace('document.getElementById("stage")', 'document.createElement("div")')
    text = re.sub(r"^(?:import|export) .*from .*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"^export ", "", text, flags=re.MULTILINE)
    return f"(async () => {{{text}\n{_RUN}}})()"


class InspectorTests(unittest.TestCase):
    folder: ClassVar[tempfile.TemporaryDirectory[str]]
    page: ClassVar[Path]

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory(prefix="gallop-inspector-")
        cls.page = Path(cls.folder.name) / "inspector.html"
        command = [sys.executable, str(_FOLDER / "assemble.py"), str(_FOLDER / "index.html"),
          str(browsers.package() / "gallop.wasm"), str(cls.page)]
        for sample in _SAMPLES:
            command += ["--sample", str(browsers.ROOT / "Samples" / "GIFs" / sample)]
        subprocess.run(command, check=True)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.folder.cleanup()

    def test_the_page_is_one_file_that_asks_for_no_other(self) -> None:
        text = self.page.read_text(encoding="utf-8")
        markup = re.sub(r"<(script|style)>.*?</\1>", "", text, flags=re.DOTALL)
        self.assertNotRegex(markup, r'(?:src|href)="(?!#)[^"]')
        self.assertIn("default-src 'none'", markup)
        self.assertIn("connect-src blob:;", markup)
        self.assertNotIn("unsafe-inline", markup)

    def _check(self, name: str) -> None:
        kind = BROWSERS[name]

        class Page(kind):  # type: ignore[misc, valid-type]
            page_object = "inspector"

        browser: Browser = Page(self.page.as_uri(), browsers.START_SECONDS)
        browser.start()
        try:
            deadline = time.monotonic() + _SUITE_SECONDS
            rows: list[dict[str, Any]] = browser.evaluate(_checks(), deadline)
        finally:
            browser.stop()
        self.assertGreater(len(rows), 0)
        for row in rows:
            with self.subTest(browser=name, title=row["title"]):
                self.assertIsNone(row["error"])
        print(f"{name}: the inspector: {len(rows)} tests", file=sys.stderr)

    def test_inspector(self) -> None:
        for name in browsers.installed():
            self._check(name)


if __name__ == "__main__":
    unittest.main()
