"""The GIF element, the engine and their host in both browsers: the suites `browser/*.test.js`, and what a page cannot see."""

from __future__ import annotations

import json
import os
import sys
import time
import unittest
from pathlib import Path
from typing import Any, cast

from browsers import HERE, PAGE, conformance, installed, open_page, rows, serve
from galloptools.browsers.drivers import Chromium

SECONDS = 60.0
# A page that the browser evaluates in: `body` may await, and returns what is JSON.
SCRIPT = """(async () => {{
  const {{ holds, mount, stage, until }} = await import("/tests/browser/harness.js");
  await import("/gallop/index.js");
  {body}
}})().then((value) => JSON.stringify(value ?? null))"""


def _mutants() -> bytes:
    pack = os.environ.get("GALLOP_MUTANTS")
    return Path(pack).read_bytes() if pack else b""


class SuiteTests(unittest.TestCase):
    """Each suite in each browser; a row is a subtest."""

    def check(self, browser_name: str, suite: str) -> None:
        with serve({"/mutants": _mutants()}) as server:
            browser = open_page(browser_name, server.url(PAGE))
            try:
                found = rows(browser, suite)
            finally:
                browser.stop()
        for row in found:
            with self.subTest(row["title"]):
                self.assertIsNone(row["error"])
            if row.get("note"):
                print(f"{browser_name}: {row['title']}: {row['note']}", file=sys.stderr)


def _add_suites() -> None:
    for suite in sorted(path.name for path in (HERE / "browser").glob("*.test.js")):
        if suite.startswith("conformance") and conformance() is None:
            continue
        if suite.startswith("mutants") and not _mutants():
            continue
        for name in installed():
            title = f"test_{suite.removesuffix('.test.js')}_in_{name}"
            setattr(SuiteTests, title, lambda self, name=name, suite=suite: self.check(name, suite))


_add_suites()


class OutsideTests(unittest.TestCase):
    """What is seen from outside the page: assistive technology, the user's settings, the picture itself."""

    def evaluate(self, browser_name: str, body: str, *, less_motion: bool = False) -> Any:
        with serve() as server:
            browser = open_page(browser_name, server.url(PAGE), less_motion=less_motion)
            try:
                return browser.evaluate(SCRIPT.format(body=body), time.monotonic() + SECONDS)
            finally:
                browser.stop()

    def test_a_user_who_wants_less_motion_sees_the_first_frame(self) -> None:
        body = """
          const element = mount({ src: "/gifs/gallop.gif", autoplay: "" });
          const full = mount({ src: "/gifs/gallop.gif", autoplay: "", motion: "full" });
          await until(full, "loop");
          await holds(() => element.currentFrameIndex >= 0);
          const before = [element.paused, element.currentFrameIndex];
          await element.play();
          return [matchMedia("(prefers-reduced-motion: reduce)").matches, before, full.paused, element.paused];"""
        for name in installed():
            with self.subTest(name):
                got = self.evaluate(name, body, less_motion=True)
                self.assertEqual(got, [True, [True, 0], False, False])

    def test_what_the_users_wish_has_stopped_plays_on_when_it_may(self) -> None:
        body = """
          const element = mount({ src: "/gifs/gallop.gif", autoplay: "", motion: "full" });
          const held = mount({ src: "/gifs/spinner.gif", autoplay: "" });
          const own = mount({ src: "/gifs/gallop.gif", autoplay: "", motion: "full" });
          await Promise.all([until(element, "framechange"), held.decode(), until(own, "framechange")]);
          own.pause();
          for (const each of [element, own]) each.motion = "reduced";
          const stopped = [element.paused, held.paused];
          for (const each of [element, held, own]) each.motion = "full";
          await until(held, "playing");
          return [stopped, element.paused, held.paused, own.paused];"""
        for name in installed():
            with self.subTest(name):
                got = self.evaluate(name, body, less_motion=True)
                self.assertEqual(got, [[True, True], False, False, True])

    def test_a_pointer_that_leaves_ends_the_playing(self) -> None:
        mounting = """
          const element = mount({ src: "/gifs/gallop.gif", motion: "hover", class: "small" });
          await until(element, "canplaythrough");
          const { x, y, width, height } = element.getBoundingClientRect();
          return [Math.round(x + width / 2), Math.round(y + height / 2), Math.round(y + height + 40)];"""
        asking = """
          const element = document.querySelector("gallop-gif");
          await holds(() => element.paused === %s);"""
        for name in installed():
            with self.subTest(name), serve() as server:
                browser = open_page(name, server.url(PAGE))
                deadline = time.monotonic() + SECONDS
                try:
                    x, inside, below = browser.evaluate(SCRIPT.format(body=mounting), deadline)
                    for _ in range(2):
                        browser.point(x, inside, deadline)
                        browser.evaluate(SCRIPT.format(body=asking % "false"), deadline)
                        browser.point(x, below, deadline)
                        browser.evaluate(SCRIPT.format(body=asking % "true"), deadline)
                finally:
                    browser.stop()

    def test_what_nothing_can_judge_is_held_with_its_notice_until_the_user_plays_it(self) -> None:
        body = """
          const element = mount({ src: "/gifs/gallop.gif", flashes: "hold", autoplay: "", motion: "full", class: "medium" });
          await holds(() => element.flashState.state === "held" && element.currentFrameIndex === 0);
          const notice = await holds(() => element.shadowRoot.querySelector("[part=notice]"));
          const held = [element.error, element.paused, notice.checkVisibility(), notice.querySelector("p").textContent];
          element.currentTime = 0.5;
          await until(element, "seeked");
          const time = element.currentTime;
          await new Promise((resolve) => setTimeout(resolve, 300));
          const stands = element.currentTime === time;
          notice.querySelector("button").click();
          await until(element, "loop");
          return [...held, stands, element.flashState.state];"""
        wanted = [None, False, True, "Cannot be checked for flashes", True, "unjudged"]
        self._check_without("/gallop/flashes.js", body, wanted)

    def test_a_gif_whose_bar_cannot_be_loaded_plays_and_the_page_is_told(self) -> None:
        body = """
          const told = [];
          addEventListener("error", (event) => {
            event.preventDefault();
            told.push(event.type);
          });
          addEventListener("unhandledrejection", ({ type }) => told.push(type));
          const element = mount({ src: "/gifs/gallop.gif", controls: "", autoplay: "", motion: "full", class: "medium" });
          await until(element, "loop");
          await holds(() => told.length > 0);
          const bar = element.shadowRoot.querySelector("[part=bar]");
          return [told.every((type) => type === "error"), bar, element.error, element.paused];"""
        self._check_without("/gallop/controls.js", body, [True, None, None, False])

    def _check_without(self, missing: str, body: str, wanted: list[Any]) -> None:
        """What a script returns in each browser where the server does not have a file."""
        for name in installed():
            with self.subTest(name), serve() as server:
                server.missing.add(missing)
                browser = open_page(name, server.url(PAGE))
                try:
                    got = browser.evaluate(SCRIPT.format(body=body), time.monotonic() + SECONDS)
                finally:
                    browser.stop()
                self.assertEqual(got, wanted)

    def test_an_arrow_on_the_bars_slider_leads_to_the_next_frame(self) -> None:
        mounting = """
          const element = mount({ src: "/gifs/gallop.gif", controls: "", class: "medium" });
          await until(element, "canplaythrough");
          await holds(() => element.shadowRoot.querySelector("input"));
          element.shadowRoot.querySelector("input").focus();"""
        asking = """
          const element = document.querySelector("gallop-gif");
          await holds(() => element.currentFrameIndex === %d && !element.seeking);"""
        for name in installed():
            with self.subTest(name), serve() as server:
                browser = open_page(name, server.url(PAGE))
                deadline = time.monotonic() + SECONDS
                try:
                    browser.evaluate(SCRIPT.format(body=mounting), deadline)
                    for key, frame in [("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1)]:
                        browser.press(key, deadline)
                        browser.evaluate(SCRIPT.format(body=asking % frame), deadline)
                finally:
                    browser.stop()

    @unittest.skipUnless("chromium" in installed(), "chromium is not installed")
    def test_assistive_technology_knows_what_it_is(self) -> None:
        body = """
          mount({ src: "/gifs/gallop.gif", alt: "A horse at a gallop" });
          mount({ src: "/gifs/spinner.gif", alt: "" });
          const element = mount({ src: "/gifs/spheres.gif", alt: "Spheres", controls: "" });
          await until(element, "canplaythrough");
          await holds(() => element.shadowRoot.querySelector("[part=controls]"));"""
        with serve() as server:
            browser = cast(Chromium, open_page("chromium", server.url(PAGE)))
            try:
                browser.evaluate(SCRIPT.format(body=body), time.monotonic() + SECONDS)
                tree = browser._call_page("Accessibility.getFullAXTree", {}, time.monotonic() + SECONDS)["nodes"]
            finally:
                browser.stop()
        seen = [
            (node["role"]["value"], node.get("name", {}).get("value", "")) for node in tree if not node.get("ignored")
        ]
        for wanted in [
            ("image", "A horse at a gallop"),
            ("group", ""),
            ("image", "Spheres"),
            ("button", "Play: Spheres"),
            ("slider", "Time: Spheres"),
        ]:
            self.assertIn(wanted, seen)
        self.assertEqual(len([role for role, _ in seen if role == "image"]), 2, json.dumps(seen))

    @unittest.skipUnless("chromium" in installed(), "chromium is not installed")
    def test_the_focus_of_a_wall_is_seen_over_its_pictures(self) -> None:
        mounting = """
          await import("/gallop/wall.js");
          const wall = document.createElement("gallop-wall");
          Object.assign(wall.style, { width: "400px", height: "300px" });
          wall.setAttribute("motion", "hover");
          wall.items = [{ src: "/gifs/gallop.gif" }];
          document.getElementById("stage").replaceChildren(wall);
          await holds(() => wall.shadowRoot.querySelector(".loaded .frame"));
          // It fades in.
          const gif = wall.shadowRoot.querySelector(".frame gallop-gif");
          await holds(() => gif.currentFrameIndex >= 0 && gif.getAnimations().length === 0);
          const { x, y, height } = wall.shadowRoot.querySelector(".frame").getBoundingClientRect();
          return { x, y: y + height / 2 - 4, width: 3, height: 8, scale: 1 };"""
        focusing = """
          document.querySelector("gallop-wall").shadowRoot.querySelector(".view").focus();
          await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
          return null;"""
        with serve() as server:
            browser = cast(Chromium, open_page("chromium", server.url(PAGE)))
            try:
                clip = browser.evaluate(SCRIPT.format(body=mounting), time.monotonic() + SECONDS)
                before = browser.screenshot(clip, time.monotonic() + SECONDS)
                browser.evaluate(SCRIPT.format(body=focusing), time.monotonic() + SECONDS)
                after = browser.screenshot(clip, time.monotonic() + SECONDS)
            finally:
                browser.stop()
        self.assertNotEqual(before, after)

    @unittest.skipUnless("chromium" in installed(), "chromium is not installed")
    def test_the_page_looks_right(self) -> None:
        body = """
          const attributes = [{ class: "medium" }, { class: "medium", controls: "" }, { "resize-mode": "contain", class: "small" },
            { "resize-mode": "cover", class: "small" }, { class: "small" }];
          for (const some of attributes) {
            const element = mount({ src: "/gifs/gallop.gif", ...some });
            await until(element, "canplaythrough");
            await holds(() => element.currentFrameIndex === 0);
            await element.seekToFrame(12);
          }
          await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
          return null;"""
        with serve() as server:
            browser = cast(Chromium, open_page("chromium", server.url(PAGE)))
            try:
                browser.evaluate(SCRIPT.format(body=body), time.monotonic() + SECONDS)
                clip = {"x": 0, "y": 0, "width": 780, "height": 600, "scale": 1}
                picture = browser.screenshot(clip, time.monotonic() + SECONDS)
            finally:
                browser.stop()
        self.assertGreater(len(picture), 20_000)
        if folder := os.environ.get("GALLOP_SCREENSHOTS"):
            Path(folder).mkdir(parents=True, exist_ok=True)
            (Path(folder) / "element.png").write_bytes(picture)


if __name__ == "__main__":
    unittest.main()
