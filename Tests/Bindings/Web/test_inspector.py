"""The assembled inspector, opened from a disk in both browsers, and the script that assembles it."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
import unittest
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar, cast
from urllib.parse import quote

import browsers
from galloptools.browsers.drivers import BROWSERS, Browser
from web_server import WebServer

_SUITE_SECONDS = 300.0
_FOLDER = browsers.ROOT / "Sources" / "Bindings" / "Web" / "gallop-gif" / "inspector"
_SAMPLES = ["lissajous.gif", "disposals.gif", "delays.gif"]
_RUN = "const rows = []; for (const one of tests) rows.push(await runOne(one)); return JSON.stringify(rows);"


def _checks() -> str:
    """The checks and their runner as one script: modules cannot be imported from a disk."""
    names = ("browser/harness.js", "browser/components/tools.js", "shared/flashing_gif.js",
        "browser/components/inspector_checks.js")
    text = "\n".join((browsers.HERE / name).read_text(encoding="utf-8") for name in names)
    text = text.replace('document.getElementById("stage")', 'document.createElement("div")')
    text = re.sub(r"^(?:import|export) .*from .*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"^export ", "", text, flags=re.MULTILINE)
    return f"(async () => {{{text}\n{_RUN}}})()"


_PROBLEM = """
(async () => {
  const problem = document.getElementById("problem");
  while (!problem.textContent.includes("cannot be opened")) await new Promise(requestAnimationFrame);
  return JSON.stringify(problem.textContent);
})()
"""
_OPENED = """
(async () => {
  const gif = document.getElementById("gif");
  while (!(gif.currentFrameIndex >= 0)) await new Promise(requestAnimationFrame);
  const name = document.querySelector("#facts b").textContent;
  document.getElementById("link").click();
  const link = location.href;
  await inspector.open(inspector.analysis.bytes, "mine.gif");
  document.getElementById("link").click();
  return JSON.stringify([name, inspector.analysis.frames.length, link, location.search]);
})()
"""
_SAVED = """
(async () => {
  const gif = document.getElementById("gif");
  while (!(gif.currentFrameIndex >= 0)) await new Promise(requestAnimationFrame);
  HTMLAnchorElement.prototype.click = () => {};
  const loads = () => performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("/edit.wasm")).length;
  const before = loads();
  const toast = document.getElementById("toast");
  const saved = async () => {
    toast.textContent = "";
    document.getElementById("save-range").click();
    while (!toast.textContent) await new Promise(requestAnimationFrame);
    return toast.textContent;
  };
  await saved();
  const text = await saved();
  return JSON.stringify([before, loads(), text]);
})()
"""


def _evaluate(name: str, url: str, expression: str) -> Any:
    """What an inspector at an address answers."""
    page = cast("type[Browser]", type(f"{name}Inspector", (BROWSERS[name],), {"page_object": "inspector"}))
    browser = page(url, browsers.START_SECONDS)
    browser.start()
    try:
        return browser.evaluate(expression, time.monotonic() + _SUITE_SECONDS)
    finally:
        browser.stop()


def _problem(name: str, url: str) -> str:
    return cast(str, _evaluate(name, url, _PROBLEM))


class AddressTests(unittest.TestCase):
    """A served inspector opens the GIF that its own address names."""

    def _each(self, src: Callable[[WebServer], str]) -> Iterator[tuple[str, str, WebServer]]:
        for name in browsers.installed():
            with self.subTest(browser=name), browsers.serve() as server:
                yield name, server.url(f"/gallop/inspector/index.html?src={src(server)}"), server

    def test_a_relative_address_is_opened_and_is_in_the_link(self) -> None:
        for name, url, server in self._each(lambda _: "../../gifs/disposals.gif"):
            got = _evaluate(name, url, _OPENED)
            link = server.url("/gallop/inspector/index.html?src=") + quote(server.url("/gifs/disposals.gif"), safe="")
            self.assertEqual(got[:2], ["disposals.gif", 14])
            self.assertTrue(got[2].startswith(f"{link}#frame="), got[2])
            self.assertEqual(got[3], "")

    def test_the_editor_is_loaded_with_the_first_range_that_is_saved(self) -> None:
        for name, url, _ in self._each(lambda server: quote(server.url("/gifs/spinner.gif"))):
            before, after, text = _evaluate(name, url, _SAVED)
            self.assertEqual((before, after), (0, 1))
            self.assertRegex(text, r"^Saved spinner-0000-0039\.gif, \d+")

    def test_another_server_must_let_pages_read_its_files(self) -> None:
        for name, url, _ in self._each(lambda server: quote(server.url("/gifs/disposals.gif?cors", foreign=True))):
            self.assertEqual(_evaluate(name, url, _OPENED)[:2], ["disposals.gif", 14])
        for name, url, _ in self._each(lambda server: quote(server.url("/gifs/disposals.gif", foreign=True))):
            self.assertIn("lets no page of another site read it (CORS)", _problem(name, url))

    def test_what_cannot_be_opened_is_named_as_text(self) -> None:
        evil = "/<img src=x onerror=alert(1)>.gif"
        for name, url, _ in self._each(lambda _: quote(evil)):
            self.assertEqual(_problem(name, url), f"{evil} cannot be opened: The server answers with status 404.")


class InspectorTests(unittest.TestCase):
    folder: ClassVar[tempfile.TemporaryDirectory[str]]
    page: ClassVar[Path]

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory(prefix="gallop-inspector-")
        cls.page = Path(cls.folder.name) / "inspector.html"
        command = [sys.executable, str(_FOLDER / "assemble.py"), str(_FOLDER / "index.html"),
          str(browsers.package() / "gallop.wasm"), str(cls.page), "--edit", str(browsers.package() / "inspector/edit.wasm"),
          "--flashes", str(browsers.package() / "flashes.wasm")]
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

    def test_a_page_from_a_disk_says_that_it_opens_no_address(self) -> None:
        for name in browsers.installed():
            with self.subTest(browser=name):
                problem = _problem(name, f"{self.page.as_uri()}?src=https://example.org/a.gif")
                self.assertEqual(
                    problem,
                    "https://example.org/a.gif cannot be opened: This page sends no requests. "
                    "Open inspector/index.html of the package, or drop the file here.",
                )

    def test_inspector(self) -> None:
        for name in browsers.installed():
            self._check(name)


if __name__ == "__main__":
    unittest.main()
