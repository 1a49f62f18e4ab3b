"""Existing pages upgraded in both browsers: the suites in `upgrade/`, and whole pages with hostile styles."""

from __future__ import annotations

import base64
import json
import os
import tempfile
import time
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

import browsers
from flat_gifs import flat_gif
from galloptools.browsers.drivers import Browser, Chromium
from web_server import WebServer

_SECONDS = 60.0
_PLAYING = '["gif", "", "gif", "gif"]'
_PAUSED = '["png", "", "png", "png"]'
_PAGES = browsers.HERE / "upgrade" / "pages"
FLAT = flat_gif([20] * 10)
_GIFS = {
    "/flat.gif": FLAT,
    "/odd.gif": flat_gif([20] * 10, 125, 83),
    "/one.gif": flat_gif([20]),
    "/quick.gif": flat_gif([7] * 6),
    # Their first frames stay long enough for any test: playing and paused, they look the same.
    "/slow.gif": flat_gif([60000, 20, 20], 180, 120),
    "/odd-slow.gif": flat_gif([60000, 20], 125, 83),
    "/slow-twice.gif": flat_gif([60000, 20], loops=1),
    "/twice.gif": flat_gif([6] * 6, loops=1),
}


def serve() -> WebServer:
    server = browsers.serve(_GIFS)
    server.kinds["/unnamed"] = "image/gif"
    server.resources["/unnamed"] = FLAT
    return server


class SuiteTests(unittest.TestCase):
    """Each suite in each browser; a row is a subtest."""

    def test_suites(self) -> None:
        for file in sorted((browsers.HERE / "upgrade").glob("*.*.js")):
            for name in browsers.installed():
                self._check(name, file.name)

    def _check(self, name: str, suite: str) -> None:
        page = f"{browsers.PAGE}?open" if ".open." in suite else browsers.PAGE
        with serve() as server:
            browsers.check_suite(self, name, f"../upgrade/{suite}", server.url(page))


def screenshot(browser: Browser) -> str:
    """A PNG of the window, base64."""
    deadline = time.monotonic() + _SECONDS
    if isinstance(browser, Chromium):
        return str(browser._call_page("Page.captureScreenshot", {"format": "png"}, deadline)["data"])
    context = {"context": getattr(browser, "_context")}
    return str(browser._call("browsingContext.captureScreenshot", context, deadline)["data"])


def keep(name: str, picture: str) -> None:
    """Writes a screenshot to where web_test.py is asked to."""
    if folder := os.environ.get("GALLOP_SCREENSHOTS"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        (Path(folder) / f"{name}.png").write_bytes(base64.b64decode(picture))


def ask(browser: Browser, expression: str) -> Any:
    """The value of an expression that may be a promise."""
    text = f"Promise.resolve({expression}).then((value) => JSON.stringify(value ?? null))"
    return browser.evaluate(text, time.monotonic() + _SECONDS)


class PageTests(unittest.TestCase):
    """Pages as they are found, with styles that mean no good: nothing moves but the buttons."""

    def test_pages(self) -> None:
        for page in sorted(_PAGES.glob("*.html")):
            for name in browsers.installed():
                with self.subTest(page=page.stem, browser=name):
                    self._check(name, page.stem)

    def _check(self, name: str, page: str) -> None:
        with serve() as server:
            browser = browsers.open_page(name, server.url(f"/tests/upgrade/pages/{page}.html?open"))
            try:
                ask(browser, "harness.load()")
                before = {kind: ask(browser, f"harness.{kind}()") for kind in ("boxes", "html")}
                picture = screenshot(browser)
                for state, action in (("paused", 'upgrade({ motion: "click" })'), ("moving", "playAll()")):
                    ask(browser, f"harness.{action}")
                    ask(browser, f'harness.become("{state}")')
                    self.assertEqual(ask(browser, "harness.boxes()"), before["boxes"], state)
                    shot = screenshot(browser)
                    keep(f"upgrade-{page}-{state}-{name}", shot)
                    self.assertEqual(self._differences(browser, picture, shot), [True, 0, []], state)
                    self.assertGreater(ask(browser, "harness.controls().length"), 0)
                ask(browser, "harness.revert()")
                self.assertEqual(ask(browser, "harness.html()"), before["html"])
                self.assertEqual(ask(browser, "harness.boxes()"), before["boxes"])
                self.assertEqual(self._differences(browser, picture, screenshot(browser)), [True, 0, []])
            finally:
                browser.stop()

    def _differences(self, browser: Browser, one: str, other: str) -> Any:
        return ask(browser, f"harness.differences({json.dumps(one)}, {json.dumps(other)})")


class OutsideTests(unittest.TestCase):
    """What is seen from outside the page: the picture itself, keys, assistive technology, the user's settings."""

    def each(
        self, body: Callable[[Browser], None], *, only: str = "", policy: str = "", missing: str = "", **options: bool
    ) -> None:
        page = (browsers.HERE / "upgrade" / "outside.html").read_text(encoding="utf-8")
        page = page.replace("<head>", f'<head><meta http-equiv="Content-Security-Policy" content="{policy}">')
        for name in [name for name in browsers.installed() if only in name]:
            with self.subTest(browser=name), serve() as server:
                server.resources["/outside.html"] = page.encode()
                server.missing.add(missing)
                address = server.url("/outside.html")
                browser = browsers.open_page(name, address, **options)
                try:
                    ask(browser, "harness.load()")
                    body(browser)
                finally:
                    browser.stop()

    def test_a_pause_shows_the_frame_that_was_seen(self) -> None:
        def check(browser: Browser) -> None:
            ask(browser, 'harness.upgrade({ controls: "button" })')
            ask(browser, f"harness.show({_PLAYING})")
            # The engine is there after a first pause.
            ask(browser, "harness.controls()[0].click()")
            ask(browser, 'harness.show(["png", "", "gif", "gif"])')
            ask(browser, "harness.controls()[0].click()")
            ask(browser, f"harness.show({_PLAYING})")
            while (seen := self._frame(browser)) not in (4, 5, 6):
                pass
            ask(browser, "harness.controls()[0].click()")
            ask(browser, 'harness.show(["png", "", "gif", "gif"])')
            paused = self._frame(browser)
            self.assertEqual(self._frame(browser), paused)
            # The click comes some 0.1 s after the picture. Firefox begins an animation in step with others of the same
            # delay: its clock may be ahead by a part of a frame.
            self.assertIn(paused - seen, (0, 1, 2) if isinstance(browser, Chromium) else (-1, 0, 1, 2))

        self.each(check)

    def _frame(self, browser: Browser) -> int:
        """The frame that the first image shows on the screen."""
        return int(ask(browser, f"harness.frameIn({json.dumps(screenshot(browser))})"))

    def test_users_who_want_less_motion_get_stills_and_may_play(self) -> None:
        def check(browser: Browser) -> None:
            self.assertEqual(ask(browser, "harness.upgradeByImport()"), "function")
            ask(browser, f"harness.show({_PAUSED})")
            self.assertEqual(ask(browser, "harness.names()"), ["Play animation: One", "Play animation: <b>Two</b>",
              "Play animation: Tiny"])
            ask(browser, "harness.controls()[0].click()")
            ask(browser, 'harness.show(["gif", "", "png", "png"])')

        self.each(check, less_motion=True)

    def test_the_one_line_plays_for_all_others(self) -> None:
        def check(browser: Browser) -> None:
            ask(browser, "harness.upgradeByImport()")
            ask(browser, f"harness.show({_PLAYING})")
            self.assertEqual(ask(browser, "harness.names()[0]"), "Pause animation: One")

        self.each(check)

    def test_a_policy_without_blob_addresses_gets_stills_over_the_images(self) -> None:
        def check(browser: Browser) -> None:
            ask(browser, "(window.refused = [], document.onsecuritypolicyviolation = (event) => refused.push(event)) && 0")
            ask(browser, "harness.upgrade({})")
            ask(browser, "harness.count(3)")
            ask(browser, "harness.controls()[0].click()")
            ask(browser, 'harness.show(["", "", "", ""])')
            self.assertEqual(ask(browser, "harness.names()[0]"), "Play animation: One")
            self.assertEqual(ask(browser, "document.images[0].style.objectPosition !== ''"), True)
            self.assertEqual(self._frame(browser), 0)
            self.assertEqual(ask(browser, "refused.length"), 1)
            ask(browser, "harness.revert()")
            self.assertEqual(ask(browser, "document.images[0].getAttribute('style')"), None)

        self.each(check, policy="img-src 'self'")

    def test_a_policy_without_webassembly_and_workers_pauses_at_the_first_frame(self) -> None:
        def check(browser: Browser) -> None:
            ask(browser, "harness.upgrade({})")
            ask(browser, f"harness.show({_PLAYING})")
            ask(browser, "harness.controls()[0].click()")
            ask(browser, 'harness.show(["png", "", "gif", "gif"])')
            self.assertEqual(self._frame(browser), 0)
            ask(browser, "harness.controls()[0].click()")
            ask(browser, f"harness.show({_PLAYING})")

        self.each(check, policy="script-src 'self'; worker-src 'none'")

    def test_keys_reach_the_buttons_and_shift_means_all(self) -> None:
        def check(browser: Browser) -> None:
            ask(browser, "harness.upgrade({})")
            ask(browser, f"harness.show({_PLAYING})")
            ask(browser, "document.getElementById('first').focus()")
            browser.press("Tab", time.monotonic() + _SECONDS)
            self.assertEqual(ask(browser, "harness.focused()"), "Pause animation: One")
            browser.press("Tab", time.monotonic() + _SECONDS)
            self.assertEqual(ask(browser, "harness.focused()"), "Pause animation: <b>Two</b>")
            keep(f"upgrade-focus-{browser.name}", screenshot(browser))
            # A window of headless Firefox is not active, and presses no buttons.
            if not ask(browser, "document.hasFocus()"):
                return
            browser.press("Enter", time.monotonic() + _SECONDS)
            ask(browser, 'harness.show(["gif", "", "png", "gif"])')
            browser.press("Enter", time.monotonic() + _SECONDS, has_shift=True)
            ask(browser, f"harness.show({_PLAYING})")
            browser.press(" ", time.monotonic() + _SECONDS, has_shift=True)
            ask(browser, f"harness.show({_PAUSED})")

        self.each(check)

    def test_a_pointer_that_leaves_ends_the_playing(self) -> None:
        def check(browser: Browser) -> None:
            ask(browser, 'harness.upgrade({ motion: "hover" })')
            ask(browser, f"harness.show({_PAUSED})")
            x, y, height = ask(browser, "(({ x, y, height }) => [x, y, height])(document.images[0].getBoundingClientRect())")
            for _ in range(2):
                browser.point(int(x + 100), int(y + 100), time.monotonic() + _SECONDS)
                ask(browser, 'harness.show(["gif", "", "png", "png"])')
                # To the image's own button it goes on.
                browser.point(int(x + 20), int(y + height - 20), time.monotonic() + _SECONDS)
                ask(browser, 'harness.show(["gif", "", "png", "png"])')
                browser.point(int(x + 340), int(y + 100), time.monotonic() + _SECONDS)
                ask(browser, f"harness.show({_PAUSED})")

        self.each(check)

    def test_a_page_whose_policy_of_motion_cannot_be_loaded_is_told_and_has_its_buttons(self) -> None:
        def check(browser: Browser) -> None:
            ask(browser, "(window.told = [], onerror = () => told.push('error'), onunhandledrejection = () => told.push('rejection')) && 0")
            ask(browser, 'harness.upgrade({ motion: "hover" })')
            ask(browser, f"harness.show({_PAUSED})")
            ask(browser, "harness.controls()[0].click()")
            ask(browser, 'harness.show(["gif", "", "png", "png"])')
            self.assertEqual(ask(browser, "told"), ["error"])

        self.each(check, missing="/gallop/upgrade-motion.js")

    def test_assistive_technology_finds_images_and_buttons(self) -> None:
        def check(browser: Browser) -> None:
            assert isinstance(browser, Chromium)
            ask(browser, "harness.upgrade({})")
            ask(browser, f"harness.show({_PLAYING})")
            tree = browser._call_page("Accessibility.getFullAXTree", {}, time.monotonic() + _SECONDS)["nodes"]
            seen = [
                (node["role"]["value"], node.get("name", {}).get("value", ""))
                for node in tree if not node.get("ignored") and node["role"]["value"] in ("image", "button")
            ]  # fmt: skip
            images = ["One", "A pixel", "<b>Two</b>", "Tiny"]
            # An image of 16 pixels has no room for a button.
            buttons = [f"Pause animation: {name}" for name in ("One", "<b>Two</b>")]
            self.assertEqual(seen, [("image", name) for name in images] + [("button", name) for name in buttons])

        self.each(check, only="chromium")

    def test_buttons_have_colours_and_borders_of_the_system(self) -> None:
        def check(browser: Browser) -> None:
            assert isinstance(browser, Chromium)
            ask(browser, "harness.upgrade({})")
            ask(browser, f"harness.show({_PLAYING})")
            looks = []
            for value in ("none", "active"):
                feature = {"name": "forced-colors", "value": value}
                browser._call_page("Emulation.setEmulatedMedia", {"features": [feature]}, time.monotonic() + _SECONDS)
                looks.append(ask(browser, "harness.hasSystemColours()"))
                keep(f"upgrade-colours-{value}", screenshot(browser))
            self.assertEqual(looks, [[False, False], [True, True]])

        self.each(check, only="chromium")

    def test_buttons_are_large_enough_and_stay_in_their_images(self) -> None:
        def check(browser: Browser) -> None:
            ask(browser, "harness.upgrade({})")
            ask(browser, f"harness.show({_PLAYING})")
            self.assertEqual(ask(browser, "harness.sizes()"), [[44, True], [32, True], [0, False]])

        self.each(check)


class DiskTests(unittest.TestCase):
    """The classic script, opened from a disk."""

    def test_a_page_on_a_disk(self) -> None:
        url = "data:image/gif;base64," + base64.b64encode(FLAT).decode()
        with tempfile.TemporaryDirectory(prefix="gallop-disk-") as folder:
            script = browsers.package() / "gallop-gif.min.js"
            (Path(folder) / script.name).write_bytes(script.read_bytes())
            (Path(folder) / "flat.gif").write_bytes(FLAT)
            (Path(folder) / "pages.js").write_bytes((browsers.HERE / "upgrade" / "pages.js").read_bytes())
            page = Path(folder) / "page.html"
            page.write_text(_DISK_PAGE.replace("DATA", url), encoding="utf-8")
            for name in browsers.installed():
                with self.subTest(browser=name):
                    browser = browsers.open_page(name, page.as_uri())
                    try:
                        self._check(browser, url)
                    finally:
                        browser.stop()

    def _check(self, browser: Browser, url: str) -> None:
        # Chromium lets no page read the disk: such an image plays natively, and a still covers it when it is paused.
        disk = ("", "") if isinstance(browser, Chromium) else ("gif", "png")
        ask(browser, f'harness.show(["gif", "{disk[0]}"])')
        ask(browser, "harness.controls()[0].click()")
        ask(browser, f'harness.show(["png", "{disk[0]}"])')
        self.assertEqual(ask(browser, "harness.names().length"), 2)
        ask(browser, "harness.controls()[1].click()")
        ask(browser, f'harness.show(["png", "{disk[1]}"])')
        self.assertEqual(ask(browser, "harness.names()[1]"), "Play animation: Disk")
        has_cover = ask(browser, "document.images[1].style.objectPosition !== ''")
        self.assertEqual(has_cover, isinstance(browser, Chromium))
        played = """(async () => {
          const bytes = Uint8Array.from(atob(%s), (letter) => letter.charCodeAt(0));
          const gif = document.querySelector("gallop-gif");
          gif.srcObject = new Blob([bytes]);
          await gif.play();
          await gif.seekToFrame(7);
          const frame = gallopGIF.openGIF(bytes).then((opened) => [...opened.frame(3).data.slice(0, 3)]);
          return [gif.currentFrameIndex, gif.frameCount, gif.error, await frame];
        })()"""
        text = json.dumps(url.split(",")[1])
        self.assertEqual(ask(browser, played % text), [7, 10, None, [80, 64, 160]])


class ClassicScriptTests(unittest.TestCase):
    """The classic script, from a server: members of classes have short names in it, exports of WebAssembly their own."""

    def test_it_judges_flashes_as_the_modules_do(self) -> None:
        asked = """(async () => {
          const { openGIF } = await import("/gallop/open.js");
          const judge = async (open) => (await open("/quick.gif")).flashes({ width: 600 });
          return [await judge(gallopGIF.openGIF), await judge(openGIF)];
        })()"""
        for name in browsers.installed():
            with self.subTest(browser=name), serve() as server:
                server.resources["/classic.html"] = _CLASSIC_PAGE
                browser = browsers.open_page(name, server.url("/classic.html"))
                try:
                    classic, modules = ask(browser, asked)
                finally:
                    browser.stop()
                self.assertEqual(classic, modules)
                self.assertIn(classic["result"], ("passes", "fails"))


_CLASSIC_PAGE = b"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>The classic script</title><link rel="icon" href="data:,">
<script src="/tests/upgrade/pages.js"></script>
<script src="/gallop/gallop-gif.min.js"></script>
</html>
"""

_DISK_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>A page on a disk</title>
<script src="pages.js"></script>
<script src="gallop-gif.min.js" data-upgrade></script>
<p><img src="DATA" alt="Data" width="200" height="150"> <img src="flat.gif" alt="Disk" width="200" height="150"></p>
<gallop-gif alt="Object"></gallop-gif>
</html>
"""


if __name__ == "__main__":
    unittest.main()
