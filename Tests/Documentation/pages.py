"""Reads Markdown pages and doc comments: fenced blocks, inline code, and links to files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(r"^```(\S*)\s*$")
_NOTE = re.compile(r"^<!-- docs-test: (.+?) -->$")
_CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
_LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
_DOC_COMMENT = re.compile(r"^\s*/// ?(.*)$")


@dataclass(frozen=True)
class Place:
    """A line of a file; prints as compilers do."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True)
class Block:
    """A fenced block; `place` is that of its first line of text."""

    place: Place
    language: str
    lines: tuple[str, ...]
    note: str | None
    """The note to this test that stands above the block."""


@dataclass(frozen=True)
class Mention:
    """Inline code, or the target of a link."""

    place: Place
    text: str


@dataclass(frozen=True)
class Page:
    blocks: tuple[Block, ...]
    code: tuple[Mention, ...]
    links: tuple[Mention, ...]
    faults: tuple[str, ...]


def read_page(path: Path, name: str) -> Page:
    return parse_page(path.read_text(encoding="utf-8"), name)


def parse_page(text: str, name: str) -> Page:
    """Split a page. A command in an indented block is a fault, as nothing says whether it is to be run."""
    blocks: list[Block] = []
    code: list[Mention] = []
    links: list[Mention] = []
    faults: list[str] = []
    note: str | None = None
    opened: tuple[int, str] | None = None
    held: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        fence = _FENCE.match(line)
        if opened is not None:
            if fence and not fence[1]:
                blocks.append(Block(Place(name, opened[0] + 1), opened[1], tuple(held), note))
                opened, held, note = None, [], None
            else:
                held.append(line)
            continue
        place = Place(name, number)
        if fence:
            opened = (number, fence[1])
            if not fence[1]:
                faults.append(f"{place}: error: the block names no language")
        elif found := _NOTE.match(line.strip()):
            note = found[1]
        elif line.startswith("    $ "):
            faults.append(f"{place}: error: put the command into a block that begins with ```console")
        elif line.strip():
            note = None
            code += [Mention(place, found[1]) for found in _CODE.finditer(line)]
            links += [Mention(place, found[1]) for found in _LINK.finditer(line)]
    if opened is not None:
        faults.append(f"{name}:{opened[0]}: error: the block has no end")
    return Page(tuple(blocks), tuple(code), tuple(links), tuple(faults))


def doc_comment_blocks(path: Path, name: str) -> Iterator[Block]:
    """Swift code in the doc comments of a source file: lines indented by four spaces after an empty one."""
    held: list[str] = []
    start = 0
    may_begin = False
    for number, line in enumerate([*path.read_text(encoding="utf-8").splitlines(), ""], 1):
        found = _DOC_COMMENT.match(line)
        content = found[1] if found else None
        if content is not None and content.startswith("    ") and (may_begin or held):
            start = start if held else number
            held.append(content[4:])
            continue
        if held:
            yield Block(Place(name, start), "swift", tuple(held), None)
            held = []
        may_begin = content is not None and not content.strip()
