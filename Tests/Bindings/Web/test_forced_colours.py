"""What forced colours leave to see of the element's controls, the scrubber and the wall: in Chromium."""

from __future__ import annotations

import time
import unittest

import browsers
from galloptools.browsers.drivers import Chromium

_SECONDS = 60.0
_LOOKS = """
(async () => {
  await Promise.all(["index", "scrubber", "wall"].map((name) => import(`/gallop/${name}.js`)));
  const [gif, scrubber, wall, probe] = ["gallop-gif", "gallop-scrubber", "gallop-wall", "i"]
    .map((name) => document.createElement(name));
  const source = "/gifs/gallop.gif";
  Object.assign(gif, { controls: true, src: source });
  Object.assign(scrubber, { max: 9, start: 2, end: 7 });
  Object.assign(wall.style, { width: "400px", height: "300px" });
  wall.items = [{ src: source, caption: "Horse" }];
  probe.style.forcedColorAdjust = "none";
  document.getElementById("stage").replaceChildren(gif, scrubber, wall, probe);
  const within = (host, selector) => host.shadowRoot.querySelector(selector);
  while (!within(gif, "[part=controls]") || !within(wall, ".frame"))
    await new Promise((resolve) => requestAnimationFrame(resolve));
  const background = (element) => getComputedStyle(element).backgroundColor;
  const has = (element, colour) => {
    probe.style.backgroundColor = colour;
    return background(element) === background(probe);
  };
  return JSON.stringify([
    matchMedia("(forced-colors: active)").matches,
    has(within(scrubber, ".knob"), "Highlight"),
    has(within(scrubber, ".rail"), "ButtonBorder"),
    has(within(gif, "[part=bar]"), "Canvas"),
    getComputedStyle(within(wall, ".frame")).borderTopWidth !== "0px",
  ]);
})()
"""


@unittest.skipUnless("chromium" in browsers.installed(), "Chromium is not tested here")
class ForcedColoursTests(unittest.TestCase):
    def test_knobs_controls_and_cells_have_colours_and_borders_of_the_system(self) -> None:
        looks = {}
        with browsers.serve() as server:
            browser = browsers.open_page("chromium", server.url(browsers.PAGE))
            assert isinstance(browser, Chromium)
            try:
                deadline = time.monotonic() + _SECONDS
                for value in ("none", "active"):
                    feature = {"name": "forced-colors", "value": value}
                    browser._call_page("Emulation.setEmulatedMedia", {"features": [feature]}, deadline)
                    looks[value] = browser.evaluate(_LOOKS, deadline)
            finally:
                browser.stop()
        self.assertEqual(looks, {"none": [False] * 5, "active": [True] * 5})


if __name__ == "__main__":
    unittest.main()
