"""On paper a GIF has no bar of controls, and a picture also where it was never seen."""

from __future__ import annotations

import base64
import re
import time
import unittest

import browsers
from galloptools.browsers.drivers import Browser, Chromium

_SECONDS = 60.0
_DISPLAY = """
(async () => {
  const { holds, mount, stage } = await import("/tests/browser/harness.js");
  await import("/gallop/index.js");
  const gif = stage.firstElementChild ?? mount({ src: "/gifs/gallop.gif", controls: "" });
  const controls = await holds(() => gif.shadowRoot.querySelector("[part=controls]"));
  return JSON.stringify(getComputedStyle(controls).display);
})()
"""

# An element far below the window, that loads and is never seen.
_UNSEEN = """
(async () => {
  const { holds, mount, stage } = await import("/tests/browser/harness.js");
  await import("/gallop/index.js");
  const gif = mount({ src: "/gifs/gallop.gif", alt: "A horse" });
  stage.style.paddingTop = "4000px";
  await holds(() => gif.complete);
  return JSON.stringify(gif.shadowRoot.querySelector("[part=picture]").width <= 1);
})()
"""
_LEFT = """JSON.stringify(document.querySelector("gallop-gif").shadowRoot.querySelectorAll("[part=plain]").length)"""


def printed(browser: Browser, deadline: float) -> bytes:
    """The page as a PDF."""
    if isinstance(browser, Chromium):
        return base64.b64decode(browser._call_page("Page.printToPDF", {}, deadline)["data"])
    context = {"context": getattr(browser, "_context")}
    return base64.b64decode(browser._call("browsingContext.print", context, deadline)["data"])


class PrintTests(unittest.TestCase):
    @unittest.skipUnless("chromium" in browsers.installed(), "Chromium is not tested here")
    def test_the_bar_of_controls_is_not_printed(self) -> None:
        displays = []
        with browsers.serve() as server:
            browser = browsers.open_page("chromium", server.url(browsers.PAGE))
            assert isinstance(browser, Chromium)
            try:
                deadline = time.monotonic() + _SECONDS
                for medium in ("screen", "print"):
                    browser._call_page("Emulation.setEmulatedMedia", {"media": medium}, deadline)
                    displays.append(browser.evaluate(_DISPLAY, deadline))
            finally:
                browser.stop()
        self.assertEqual(displays, ["block", "none"])

    def test_what_was_never_seen_is_printed(self) -> None:
        for name in browsers.installed():
            with self.subTest(browser=name), browsers.serve() as server:
                browser = browsers.open_page(name, server.url(browsers.PAGE))
                try:
                    deadline = time.monotonic() + _SECONDS
                    self.assertTrue(browser.evaluate(_UNSEEN, deadline))
                    pages = printed(browser, deadline)
                    left = browser.evaluate(_LEFT, deadline)
                finally:
                    browser.stop()
                self.assertIn((b"480", b"270"), re.findall(rb"/Width (\d+)\s+/Height (\d+)", pages))
                self.assertEqual(left, 0)


if __name__ == "__main__":
    unittest.main()
