"""Runs the suites of `browser/` in a browser."""

from __future__ import annotations

import json
import os
import sys
import time
import unittest
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from galloptools.browsers.drivers import BROWSERS, Browser, BrowserError, Chromium, Firefox
from web_server import WebServer

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
START_SECONDS = 90.0
SUITE_SECONDS = 600.0
PAGE = "/tests/browser/page.html"


def package() -> Path:
    """The built package; web_test.py says where it is."""
    return Path(os.environ.get("GALLOP_PACKAGE", ROOT / ".build" / "web" / "gallop-gif"))


def conformance() -> Path | None:
    """The conformance set, where there is one."""
    folder = Path(os.environ.get("GALLOP_CONFORMANCE", "/nowhere"))
    return folder if (folder / "expected.jsonl").is_file() else None


def serve(resources: Mapping[str, bytes] | None = None) -> WebServer:
    folders = {
        "/gallop/": package(), "/tests/": HERE, "/gifs/": ROOT / "Samples" / "GIFs",
        "/suite/": ROOT / "Tests" / "Conformance" / "suite",
    }
    if (found := conformance()) is not None:
        folders["/conformance/"] = found
    return WebServer(folders, resources)


def installed() -> list[str]:
    """The browsers to test in: all that are installed, or the one that web_test.py names."""
    names = [os.environ["GALLOP_BROWSER"]] if os.environ.get("GALLOP_BROWSER") else list(BROWSERS)
    found = []
    for name in names:
        try:
            BROWSERS[name].find_executable()
        except BrowserError:
            continue
        found.append(name)
    return found


def open_page(name: str, url: str, *, less_motion: bool = False) -> Browser:
    """A browser with a page of the tests, started."""
    kind = BROWSERS[name]
    members: dict[str, Any] = {"page_object": "harness"}
    if less_motion and issubclass(kind, Firefox):
        members["_PREFERENCES"] = {**kind._PREFERENCES, "ui.prefersReducedMotion": 1}
    if less_motion and issubclass(kind, Chromium):
        members["_arguments"] = lambda self, profile: [
            "--force-prefers-reduced-motion", *kind._arguments(self, profile)
        ]
    browser = cast("type[Browser]", type(f"{name}Page", (kind,), members))(url, START_SECONDS)
    browser.start()
    return browser


def rows(browser: Browser, suite: str, only: str = "") -> list[dict[str, Any]]:
    """The outcome of each test of a suite."""
    expression = f"harness.run({json.dumps(f'/tests/browser/{suite}')}, {json.dumps(only)})"
    return cast("list[dict[str, Any]]", browser.evaluate(expression, time.monotonic() + SUITE_SECONDS))


def check_suite(case: unittest.TestCase, name: str, suite: str, url: str) -> None:
    """Runs a suite in a browser; each of its tests is a subtest of `case`."""
    browser = open_page(name, url)
    try:
        found = rows(browser, suite)
    finally:
        browser.stop()
    file = Path(suite).name
    case.assertGreater(len(found), 1)
    for row in found:
        with case.subTest(browser=name, suite=file, title=row["title"]):
            case.assertIsNone(row["error"])
    print(f"{name}: {file}: {len(found)} tests", file=sys.stderr)
