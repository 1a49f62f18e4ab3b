"""What assistive technology knows of the scrubber and the wall: Chromium's accessibility tree."""

from __future__ import annotations

import time
import unittest
from typing import Any

import browsers
from galloptools.browsers.drivers import Chromium
from test_components import serve

_SECONDS = 60.0
_MOUNT = """
(async () => {
  await Promise.all([import("/standin/scrubber.js"), import("/standin/wall.js")]);
  const scrubber = document.createElement("gallop-scrubber");
  Object.assign(scrubber, { max: 57, step: 1, value: 12, start: 5, end: 40 });
  const wall = document.createElement("gallop-wall");
  Object.assign(wall.style, { width: "400px", height: "300px" });
  wall.setAttribute("aria-label", "Horses");
  wall.columns = 3;
  const item = (_, index) => ({ src: `${index}.gif`, caption: `Horse ${index}` });
  wall.items = Array.from({ length: 300 }, item);
  document.getElementById("stage").append(scrubber, wall);
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  return "true";
})()
"""


def _facts(nodes: list[dict[str, Any]], role: str) -> list[dict[str, Any]]:
    """The name and the properties of all nodes of a role."""
    rows = []
    for node in nodes:
        if not node.get("ignored") and node.get("role", {}).get("value") == role:
            facts = {one["name"]: one["value"].get("value") for one in node.get("properties", [])}
            rows.append({**facts, **{name: node.get(name, {}).get("value") for name in ("name", "value")}})
    return rows


@unittest.skipUnless("chromium" in browsers.installed(), "Chromium is not tested here")
class AccessibilityTests(unittest.TestCase):
    nodes: list[dict[str, Any]]

    @classmethod
    def setUpClass(cls) -> None:
        with serve() as server:
            browser = browsers.open_page("chromium", server.url(browsers.PAGE))
            assert isinstance(browser, Chromium)
            try:
                deadline = time.monotonic() + _SECONDS
                browser.evaluate(_MOUNT, deadline)
                cls.nodes = browser._call_page("Accessibility.getFullAXTree", {}, deadline)["nodes"]
            finally:
                browser.stop()

    def test_a_scrubber_has_three_sliders_that_limit_each_other(self) -> None:
        sliders = {slider["name"]: slider for slider in _facts(self.nodes, "slider")}
        self.assertEqual(set(sliders), {"Playhead", "Start of the range", "End of the range"})
        playhead = sliders["Playhead"]
        self.assertEqual((playhead["value"], playhead["valuemin"], playhead["valuemax"]), (12, 5, 40))
        self.assertTrue(playhead["focusable"])
        self.assertEqual(sliders["Start of the range"]["valuemax"], 40)
        self.assertEqual(sliders["End of the range"]["valuemin"], 5)

    def test_a_wall_is_a_grid_whose_cells_have_the_captions_as_names(self) -> None:
        (grid,) = _facts(self.nodes, "grid")
        self.assertEqual(grid["name"], "Horses")
        self.assertTrue(grid["focusable"])
        cells = _facts(self.nodes, "gridcell")
        self.assertEqual([cell["name"] for cell in cells[:3]], ["Horse 0", "Horse 1", "Horse 2"])
        self.assertLess(len(cells), 30)


if __name__ == "__main__":
    unittest.main()
