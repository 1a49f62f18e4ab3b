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

_HERE = Path(__file__).resolve().parent
_ROOT = _HERE.parent.parent
sys.path.insert(0, str(_ROOT / "Tests" / "Tools"))

from galloptools.browsers.drivers import BROWSERS, Browser  # noqa: E402

_START_SECONDS = 60.0
_SUITE_SECONDS = 300.0
_ASSEMBLE = _ROOT / "Sources" / "gallop-gif" / "inspector" / "assemble.py"
_WASM = _ROOT / ".build" / "web" / "gallop-gif" / "gallop.wasm"
_SAMPLES = ["lissajous.gif", "disposals.gif", "delays.gif"]


def _checks() -> str:
    """The checks and their runner as one script: modules cannot be imported from a disk."""
    parts = [(_HERE / "components" / name).read_text(encoding="utf-8") for name in ("harness.js", "inspector_checks.js")]
    text = "\n".join(re.sub(r"^import .*$", "", part, flags=re.MULTILINE) for part in parts)
    return re.sub(r"^export ", "", text, flags=re.MULTILINE)


class InspectorTests(unittest.TestCase):
    folder: ClassVar[tempfile.TemporaryDirectory[str]]
    page: ClassVar[Path]

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory(prefix="gallop-inspector-")
        cls.page = Path(cls.folder.name) / "inspector.html"
        command = [sys.executable, str(_ASSEMBLE), str(_WASM), str(cls.page)]
        for sample in _SAMPLES:
            command += ["--sample", str(_ROOT / "Samples" / "GIFs" / sample)]
        subprocess.run(command, check=True)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.folder.cleanup()

    def test_the_page_is_one_file_that_asks_for_no_other(self) -> None:
        text = self.page.read_text(encoding="utf-8")
        markup = re.sub(r"<(script|style)>.*?</\1>", "", text, flags=re.DOTALL)
        self.assertNotRegex(markup, r'(?:src|href)="(?!#)[^"]')
        self.assertIn("default-src 'none'", markup)
        self.assertIn("connect-src 'none'", markup)
        self.assertNotIn("unsafe-inline", markup)

    def _check(self, name: str) -> None:
        kind = BROWSERS[name]

        class Page(kind):  # type: ignore[misc, valid-type]
            page_object = "inspector"

        browser: Browser = Page(self.page.as_uri(), _START_SECONDS)
        browser.start()
        try:
            deadline = time.monotonic() + _SUITE_SECONDS
            rows: list[dict[str, Any]] = browser.evaluate(f"(() => {{{_checks()}\nreturn suite.run(); }})()", deadline)
        finally:
            browser.stop()
        self.assertGreater(len(rows), 0)
        for row in rows:
            with self.subTest(browser=name, title=row["title"]):
                self.assertIsNone(row["error"])
        print(f"{name}: the inspector: {len(rows)} tests", file=sys.stderr)

    def test_inspector_in_chromium(self) -> None:
        self._check("chromium")

    def test_inspector_in_firefox(self) -> None:
        self._check("firefox")


if __name__ == "__main__":
    unittest.main(verbosity=1)
