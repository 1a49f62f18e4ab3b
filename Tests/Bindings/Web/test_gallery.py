"""The assembled gallery plays its GIFs from a disk, and says its figures."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any

import browsers
from galloptools.browsers.drivers import BROWSERS, Browser

_SECONDS = 60.0
_SOURCES = browsers.ROOT / "Sources" / "Bindings" / "Web" / "gallop-gif"
_SAMPLES = ("lissajous.gif", "disposals.gif", "delays.gif", "horseshoe.gif")
_WATCH = """
(async () => {
  const picture = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const figure = (id) => Number.parseFloat(document.getElementById(id).textContent);
  while (!(figure("rate") > 0 && figure("decodes") > 0)) await picture();
  const { players, images } = await gallery.statistics();
  const kinds = { gallop: gallery.children.map(({ localName }) => localName) };
  document.getElementById("toggle").click();
  const still = gallery.children.filter(({ paused }) => paused).length;
  document.querySelector("[data-kind=img]").click();
  kinds.img = gallery.children.map(({ localName }) => localName);
  while ((await gallery.statistics()).players > 0) await picture();
  return JSON.stringify({ players, images, still, kinds });
})()
"""
_MESSAGE = """
(async () => {
  const display = (id) => getComputedStyle(document.getElementById(id)).display;
  document.getElementById("empty").hidden = true;
  const before = display("empty");
  document.querySelector("[data-kind=img]").click();
  document.querySelector("[data-kind=gallop]").click();
  while (display("empty") === "none") await new Promise(requestAnimationFrame);
  const text = document.getElementById("empty").textContent;
  return JSON.stringify({ before, text, wall: display("wall") });
})()
"""
_WITH_ONE = """
(async () => {
  const sources = (isFailed) => new Set(gallery.children.filter(isFailed).map(({ src }) => src)).size;
  const display = (id) => getComputedStyle(document.getElementById(id)).display;
  while (sources(({ error }) => error) < 9 || sources(({ readyState }) => readyState > 0) < 1) {
    await new Promise(requestAnimationFrame);
  }
  return JSON.stringify({ failed: sources(({ error }) => error), message: display("empty"), wall: display("wall") });
})()
"""


class GalleryTests(unittest.TestCase):
    def test_sixty_four_gifs_play_from_a_disk_and_share_their_images(self) -> None:
        with tempfile.TemporaryDirectory(prefix="gallop-gallery-") as folder:
            page = Path(folder) / "gallery.html"
            assemble = [str(_SOURCES / "inspector" / "assemble.py"), str(_SOURCES / "gallery" / "index.html")]
            samples = [f"--sample={browsers.ROOT / 'Samples' / 'GIFs' / name}" for name in _SAMPLES]
            wasm = browsers.package() / "gallop.wasm"
            subprocess.run([sys.executable, *assemble, str(wasm), str(page), *samples], check=True)
            for name in browsers.installed():
                with self.subTest(browser=name):
                    self._check(self._watch(name, page.as_uri()))

    def test_without_gifs_the_page_says_where_it_looks_for_them(self) -> None:
        for name in browsers.installed():
            with self.subTest(browser=name), browsers.serve() as server:
                seen = self._evaluate(name, server.url("/gallop/gallery/index.html"), _MESSAGE)
                self.assertEqual(seen["before"], "none")
                self.assertIn("gallery/gifs", seen["text"])
                self.assertIn("horseshoe.gif", seen["text"])
                self.assertEqual(seen["wall"], "none")

    def test_with_a_gif_the_page_has_no_message(self) -> None:
        gif = (browsers.ROOT / "Samples" / "GIFs" / "delays.gif").read_bytes()
        for name in browsers.installed():
            with self.subTest(browser=name), browsers.serve({"/gallop/gallery/gifs/delays.gif": gif}) as server:
                seen = self._evaluate(name, server.url("/gallop/gallery/index.html"), _WITH_ONE)
                self.assertEqual(seen, {"failed": 9, "message": "none", "wall": "grid"})

    def _watch(self, name: str, url: str) -> dict[str, Any]:
        return self._evaluate(name, url, _WATCH)

    def _evaluate(self, name: str, url: str, expression: str) -> dict[str, Any]:
        kind = BROWSERS[name]

        class Page(kind):  # type: ignore[misc, valid-type]
            page_object = "gallery"

        browser: Browser = Page(url, browsers.START_SECONDS)
        browser.start()
        try:
            seen: dict[str, Any] = browser.evaluate(expression, time.monotonic() + _SECONDS)
        finally:
            browser.stop()
        return seen

    def _check(self, seen: dict[str, Any]) -> None:
        self.assertEqual((seen["players"], seen["images"], seen["still"]), (64, len(_SAMPLES), 64))
        self.assertEqual(seen["kinds"]["gallop"], ["gallop-gif"] * 64)
        self.assertEqual(seen["kinds"]["img"], ["img"] * 64)


if __name__ == "__main__":
    unittest.main()
