"""How long after a page begins its GIFs are seen for the first time: elements against `<img>`, each in a fresh browser."""

from __future__ import annotations

import json
import statistics
import threading
import time
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, cast

from galloptools.browsers.drivers import BROWSERS, Browser
from galloptools.browsers.loopback_server import LoopbackServer
from galloptools.measuring.turns import rotated

START_SECONDS = 60.0
KINDS = {".js": "text/javascript", ".wasm": "application/wasm", ".gif": "image/gif"}
WAYS = ("img", "element", "element, preloaded")
_PRELOAD = """<link rel="modulepreload" href="/gallop/index.js">
<link rel="preload" as="fetch" crossorigin href="/gallop/gallop.wasm">
<link rel="modulepreload" href="/gallop/worker.js">
<link rel="preload" as="fetch" crossorigin href="/gif/0">
"""
# Two refreshes after the last picture has come: then it is on the screen. An element's first one may be the browser's own.
_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>start</title><link rel="icon" href="data:,">
HEAD<body>TILES<script>
globalThis.start = { seen: new Promise((resolve) => {
  const tiles = [...document.querySelectorAll("img, gallop-gif")];
  const seen = tiles.map((tile) => new Promise((come) => {
    for (const type of ["framechange", "load"]) tile.addEventListener(type, come, { once: true });
    if (tile.localName === "img" && tile.complete) come();
    if (tile.localName !== "img") customElements.whenDefined(tile.localName).then(() => {
      const look = () => tile.shadowRoot.querySelector("[part=first]") && come();
      new MutationObserver(look).observe(tile.shadowRoot, { childList: true, subtree: true });
    });
  }));
  Promise.all(seen).then(() => requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now()))));
}) };
</script></body></html>
"""


def _page(way: str, count: int) -> bytes:
    tag = "img" if way == "img" else "gallop-gif autoplay"
    close = "" if way == "img" else "</gallop-gif>"
    tiles = "".join(f'<{tag} src="/gif/{index}" alt="" width="96" height="64">{close}' for index in range(count))
    head = "" if way == "img" else '<script type="module" src="/gallop/index.js"></script>\n'
    preload = _PRELOAD if way == WAYS[2] else ""
    return _PAGE.replace("HEAD", preload + head).replace("TILES", tiles).encode()


def _serve(package: Path, gif: bytes, latency: float) -> LoopbackServer:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            # As far away as a server is: every request takes so long.
            time.sleep(latency)
            path, _, query = self.path.partition("?")
            file = package / path.removeprefix("/gallop/")
            if path == "/page":
                way, count = query.split("&")
                self._send("text/html", _page(WAYS[int(way)], int(count)))
            elif path.startswith("/gif/"):
                self._send("image/gif", gif)
            elif path.startswith("/gallop/") and file.is_file():
                self._send(KINDS.get(file.suffix, "application/octet-stream"), file.read_bytes())
            else:
                self.send_error(404)

        def _send(self, kind: str, body: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "max-age=600")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Print nothing."""

    return LoopbackServer(("127.0.0.1", 0), Handler)


def _first_seen(name: str, url: str) -> float:
    """Milliseconds until all GIFs of a page are seen, in a browser that has seen none before."""
    kind = BROWSERS[name]
    browser = cast("type[Browser]", type(f"{name}Start", (kind,), {"page_object": "start"}))(url, START_SECONDS)
    try:
        browser.start()
        found: Any = browser.evaluate("start.seen.then((time) => JSON.stringify(time))", time.monotonic() + START_SECONDS)
        return float(json.loads(found) if isinstance(found, str) else found)
    finally:
        browser.stop()


def start_rows(name: str, package: Path, gif: Path, rounds: int) -> list[list[str]]:
    """A row for each number of GIFs and each distance of the server: medians, and how many times as long as `<img>`."""
    rows: list[list[str]] = []
    for count, latency in ((1, 0.0), (1, 0.1), (64, 0.0)):
        server = _serve(package, gif.read_bytes(), latency)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        times: dict[str, list[float]] = {way: [] for way in WAYS}
        try:
            for turn in range(rounds):
                for way in rotated(list(WAYS), turn):
                    url = f"http://127.0.0.1:{server.server_port}/page?{WAYS.index(way)}&{count}"
                    times[way].append(_first_seen(name, url))
        finally:
            server.shutdown()
        medians = [statistics.median(times[way]) for way in WAYS]
        ratios = _ratios(medians)
        cells = [f"{median:.0f} ms{ratio}" for median, ratio in zip(medians, ratios, strict=True)]
        rows.append([f"{name}, {count} GIF{'s' if count > 1 else ''}, {latency * 1000:.0f} ms a request", *cells])
    return rows


def _ratios(medians: Sequence[float]) -> list[str]:
    return ["", *(f" ({median / medians[0]:.2f}x)" for median in medians[1:])]
