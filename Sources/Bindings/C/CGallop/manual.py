#!/usr/bin/env python3
"""Writes a manual page for each function of gallop.h:  manual.py HEADER FOLDER

A page has the function's declaration, the comment before it, the comment that its neighbours share, and the structs that it
takes. The section's other functions are what to see also.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

_SECTION = re.compile(r"/\* -+ (.+?) -+ \*/")
_COMMENT = re.compile(r"/\*(.*?)\*/", re.DOTALL)
_FUNCTION = re.compile(r"GALLOP_API (.*?\b(gallop_\w+)\(.*?\));", re.DOTALL)
_STRUCT = re.compile(r"typedef struct (gallop_\w+) \{.*?^\} \1;", re.DOTALL | re.MULTILINE)
_OTHER = re.compile(r"(?:typedef|enum)\b.*?;|#.*?(?<!\\)$|[^\n]", re.DOTALL | re.MULTILINE)
_SENTENCE = re.compile(r"((?:[^(]|\([^)]*\))*?(?<!\.)[.:;])(?:\s|$)", re.DOTALL)
_WIDTH = 96


@dataclass
class Function:
    """A function of the header."""

    name: str
    declaration: str
    comment: str


@dataclass
class Section:
    """A part of the header: its functions, and what stands there for several of them."""

    title: str
    functions: list[Function] = field(default_factory=list)


def sections(header: str) -> list[Section]:
    """The header's parts in order."""
    found = [Section("General")]
    comment = ""
    place = 0
    while place < len(header):
        if match := _SECTION.match(header, place):
            found.append(Section(match[1]))
            comment = ""
        elif match := _COMMENT.match(header, place):
            comment = plain(match[1])
        elif match := _FUNCTION.match(header, place):
            declaration = " ".join(match[1].split())
            others = found[-1].functions
            if not comment and others and is_variant(match[2], others[-1].name):
                comment = others[-1].comment
            others.append(Function(match[2], declaration + ";", comment))
            comment = ""
        elif match := _STRUCT.match(header, place) or _OTHER.match(header, place):
            comment = ""
        else:
            place += 1
            continue
        place = match.end()
    return [section for section in found if section.functions]


def is_variant(name: str, other: str) -> bool:
    """Whether two functions differ in their last word alone, as `gallop_batch_add_path` and `gallop_batch_add_bytes`."""
    stem, _, _ = name.rpartition("_")
    return stem == other.rpartition("_")[0] and stem.count("_") > 1


def plain(comment: str) -> str:
    """The words of a comment, without its stars."""
    return " ".join(line.strip().removeprefix("*").strip() for line in comment.splitlines()).strip()


def structs_of(declaration: str, header: str) -> Iterator[str]:
    """The structs that a function takes or fills in, as the header has them."""
    names = set(re.findall(r"\bgallop_\w+", declaration))
    for match in _STRUCT.finditer(header):
        if match[1] in names:
            yield match[0]


def escaped(text: str) -> str:
    """Text in which nothing is a command of the page."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    return "\n".join("\\&" + line if line.startswith(".") else line for line in text.split("\n"))


def summary(function: Function) -> str:
    """What a function does, in a few words: the comment's first ones, or those of its name."""
    first = _SENTENCE.match(function.comment)
    text = first[1].rstrip(".:;") if first else ""
    if len(text) > 90:
        text = text.split(", ")[0]
    kind, *words = function.name.removeprefix("gallop_").split("_")
    if not text or text.startswith("GALLOP_") or len(text) > 90:
        noun = f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"
        return f"{words[0]} {noun}" if len(words) == 1 else f"{' '.join(words)} of {noun}"
    return text[0].lower() + text[1:]


def wrapped(declaration: str) -> str:
    """A declaration in lines of the page's width."""
    if len(declaration) <= _WIDTH:
        return declaration
    head, arguments = declaration.split("(", 1)
    return f"{head}(\n    " + ",\n    ".join(arguments.split(", "))


def page(function: Function, section: Section, header: str, version: str) -> str:
    """The source of a page."""
    lines = [
        f'.TH {function.name} 3 "" "libgallop {version}" "Gallop"',
        ".SH NAME",
        f"{function.name} \\- {escaped(summary(function))}",
        ".SH SYNOPSIS", ".nf", "#include <gallop.h>", ".PP", escaped(wrapped(function.declaration)), ".fi", ".PP",
        "cc program.c $(pkg\\-config \\-\\-cflags \\-\\-libs gallop)",
    ]  # fmt: skip
    if function.comment:
        lines += [".SH DESCRIPTION", escaped(function.comment)]
    structs = list(structs_of(function.declaration, header))
    if structs:
        lines += [".SH STRUCTS", ".nf", "\n.PP\n".join(map(escaped, structs)), ".fi"]
    if function.declaration.startswith("gallop_status "):
        lines += [
            ".SH RETURN VALUE",
            "GALLOP_OK, or a positive status where the description names one; a negative one is an error, of which",
            ".BR gallop_last_error (3)", "and", ".BR gallop_last_message (3)", "tell more.",
        ]  # fmt: skip
    others = [other.name for other in section.functions if other is not function]
    lines += [".SH SEE ALSO", ",\n".join(f".BR {name} (3)" for name in ["libgallop", *others])]
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str]) -> int:
    header = Path(arguments[0]).read_text(encoding="utf-8")
    folder = Path(arguments[1])
    folder.mkdir(parents=True, exist_ok=True)
    numbers = re.findall(r"^#define GALLOP_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header, re.MULTILINE)
    for section in sections(header):
        for function in section.functions:
            text = page(function, section, header, ".".join(numbers))
            (folder / f"{function.name}.3").write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
