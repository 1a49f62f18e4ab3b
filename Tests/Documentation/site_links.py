"""Follows every link of a documentation site that docc has built: pages, headings, pictures, and files.

docc writes each page twice: as an HTML file that a browser asks for, and as JSON with the page's text and the
references that it uses.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

FRONT_PAGE = "/documentation"
_TOPIC, _LINK, _PICTURE = "topic", "link", "image"


class Site:
    """The pages of a folder, by their address such as `/documentation/gallop/gifimage`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._pages = dict(self._read())
        self.link_count = 0

    @property
    def page_count(self) -> int:
        return len(self._pages)

    def faults(self) -> list[str]:
        """What is wrong, one line each: dead links, pages without a file, pages that no link leads to."""
        self.link_count = 0
        faults = [fault for address, page in sorted(self._pages.items()) for fault in self._page_faults(address, page)]
        reached = self._reached()
        faults += [f"{address}: no link from {FRONT_PAGE} leads here" for address in sorted(set(self._pages) - reached)]
        return faults

    def _read(self) -> Iterator[tuple[str, dict[str, Any]]]:
        data = self._folder / "data"
        for path in data.rglob("*.json"):
            yield "/" + path.relative_to(data).with_suffix("").as_posix().lower(), json.loads(path.read_text("utf-8"))

    def _page_faults(self, address: str, page: dict[str, Any]) -> Iterator[str]:
        if not (self._folder / address.lstrip("/") / "index.html").is_file():
            yield f"{address}: there is no HTML file"
        references = page.get("references", {})
        for name in sorted(set(used_identifiers(page)) - set(references)):
            yield f"{address}: no page is known as {name}"
        for reference in references.values():
            kind = reference.get("type")
            if kind == _PICTURE:
                targets = [variant.get("url", "") for variant in reference.get("variants", [])] or [""]
            elif kind in (_TOPIC, _LINK):
                targets = [reference.get("url", "")]
            elif kind == "unresolvable":
                targets = [""]
            else:
                continue
            for target in targets:
                self.link_count += 1
                if fault := self._link_fault(address, target, is_file=kind == _PICTURE):
                    yield f"{address}: {fault} ({reference.get('title') or reference.get('identifier')})"

    def _link_fault(self, address: str, target: str, is_file: bool) -> str | None:
        parts = urlsplit(target)
        if parts.scheme in ("http", "https"):
            return None
        path = unquote(parts.path)
        if is_file:
            return None if (self._folder / path.lstrip("/")).is_file() else f"no file {target!r}"
        path = path.lower() if path else address
        if path not in self._pages:
            return f"no page {target!r}"
        if parts.fragment and unquote(parts.fragment).lower() not in self._headings[path]:
            return f"no heading {target!r}"
        return None

    @cached_property
    def _headings(self) -> dict[str, set[str]]:
        return {
            address: {str(part["anchor"]).lower() for part in objects(page) if "anchor" in part}
            for address, page in self._pages.items()
        }

    def _reached(self) -> set[str]:
        reached, waiting = {FRONT_PAGE} & set(self._pages), [FRONT_PAGE]
        while waiting:
            references = self._pages.get(waiting.pop(), {}).get("references", {})
            for reference in references.values():
                address = unquote(urlsplit(reference.get("url", "")).path).lower()
                if reference.get("type") == _TOPIC and address in self._pages and address not in reached:
                    reached.add(address)
                    waiting.append(address)
        return reached


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """Every object in a JSON value, from the outside in."""
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from objects(part)


def used_identifiers(page: dict[str, Any]) -> Iterator[str]:
    """The references that a page's text and its lists of pages name."""
    for part in objects({key: value for key, value in page.items() if key != "references"}):
        if part.get("type") in ("reference", _PICTURE) and "identifier" in part:
            yield part["identifier"]
        if isinstance(part.get("identifiers"), list):
            yield from part["identifiers"]
