"""On paper a GIF has no bar of controls: Chromium's emulation of print."""

from __future__ import annotations

import time
import unittest

import browsers
from galloptools.browsers.drivers import Chromium

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


@unittest.skipUnless("chromium" in browsers.installed(), "Chromium is not tested here")
class PrintTests(unittest.TestCase):
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


if __name__ == "__main__":
    unittest.main()
