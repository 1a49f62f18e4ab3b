"""The pages in which browsers answer."""

from __future__ import annotations

from pathlib import Path

from galloptools.browsers.page_server import PageServer

ORACLE_PAGE = "/oracle.html"
BATCH_PAGE = "/batch.html"
_FILES = {ORACLE_PAGE: "oracle_page.html", BATCH_PAGE: "batch_page.html", "/stage.js": "stage.js"}


class OraclePages(PageServer):
    """Serves the pages, and the GIFs that are published."""

    def __init__(self) -> None:
        super().__init__({path: Path(__file__).with_name(file) for path, file in _FILES.items()})

    @property
    def page_url(self) -> str:
        """The address of the oracle's page."""
        return self.url(ORACLE_PAGE)
