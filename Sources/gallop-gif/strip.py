#!/usr/bin/env python3
"""Takes comments and indentation out of JavaScript modules, so that a page loads less.

    strip.py FROM TO    copies every .js file of FROM, with the folders, into TO

It also shortens private names, which no other file can see. Strings, templates and regular expressions stay.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

_TOKEN = re.compile(
    r"""
    (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)
  | (?P<regex>(?<=[=(,:;!&|?{}\[])[ ]*/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/[a-z]*)
  | (?P<space>[ \t]*\n\s*)
  | (?P<mark>[ ]*[{}()\[\],;:=<>?&|!*][ ]*)
  | (?P<private>\#[A-Za-z]\w*)
  | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)


def strip(source: str) -> str:
    """The same program without comments, indentation and empty lines. Templates stay as they are."""
    parts: list[str] = []
    names: dict[str, str] = {}

    def short(name: str) -> str:
        return names.setdefault(name, f"#{_letters(len(names))}")

    for token in _TOKEN.finditer(source):
        if token.lastgroup == "comment":
            continue
        if token.lastgroup == "space":
            parts.append("\n")
        elif token.lastgroup == "mark":
            parts.append(token.group().strip())
        elif token.lastgroup == "private":
            parts.append(short(token.group()))
        elif token.lastgroup == "text" and token.group().startswith("`"):
            parts.append(re.sub(r"(?<=this\.)#\w+", lambda found: short(found.group()), token.group()))
        else:
            parts.append(token.group())
    return re.sub(r"\n[ \t]*(?=\n)|^\s+", "", "".join(parts)).rstrip() + "\n"


def _letters(number: int) -> str:
    """a, b, ... z, aa, ab, ..."""
    head, tail = divmod(number, 26)
    return (_letters(head - 1) if head else "") + chr(97 + tail)


def main() -> None:
    origin, target = (Path(argument) for argument in sys.argv[1:3])
    for file in sorted(origin.rglob("*.js")):
        copy = target / file.relative_to(origin)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(strip(file.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
