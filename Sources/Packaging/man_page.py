#!/usr/bin/env python3
"""Writes gallop(1) from what the tool itself says of its commands:  man_page.py GALLOP > gallop.1

The tool's argument parser dumps its help as JSON. What no help says stands below: the exit status, files and examples.
The page's date is that of SOURCE_DATE_EPOCH.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_ENDING = r"""
.SH FILES AND RANGES
.I FILE
is a file, a folder (its GIFs, sorted by name), a URL (http, https, file, data) or
.B \-
for standard input.
Frames count from 0.
A range is
.IR A ..< B ,
.IR A ... B ,
.IR A \- B
(both ends),
.IR A ..
or
.IR A .
Sizes take K, M and G, powers of 1024.
.SH EXIT STATUS
.TP
.B 0
All files were used; damage is reported on standard error.
.TP
.B 1
A file cannot be used. The other files are still processed.
.TP
.B 64
The usage is wrong.
.SH EXAMPLES
.TP
.B gallop info film.gif
Describes a file.
.TP
.B gallop decode film.gif \-\-output frames/
Writes every frame as PNG.
.TP
.B gallop decode film.gif \-\-output film.y4m
Writes a video in which every delay is exact.
.TP
.B gallop play \-\-window *.gif
Plays a wall of GIFs in a window; this needs SDL 2.
.SH SEE ALSO
.BR ffmpeg (1),
.BR chafa (1),
.BR libgallop (3)
"""


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: man_page.py GALLOP", file=sys.stderr)
        return 64
    tool = Path(sys.argv[1]).resolve()
    help_text = json.loads(output(tool, "--experimental-dump-help"))
    print(page(help_text["command"], output(tool, "--version").strip()), end="")
    return 0


def output(tool: Path, option: str) -> str:
    return subprocess.run([tool, option], check=True, capture_output=True, text=True).stdout


def page(command: dict[str, Any], version: str) -> str:
    date = time.strftime("%Y-%m-%d", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))))
    lines = [
        f'.TH GALLOP 1 "{date}" "gallop {escaped(version)}" "User Commands"',
        ".SH NAME",
        r"gallop \- inspects, decodes, plays and measures animated GIFs",
        ".SH SYNOPSIS",
    ]
    leaves = list(leaf_commands(command))
    for names, leaf in leaves:
        lines += [f".B {escaped(' '.join(names))}", f"[options] {operands(leaf)}", ".br"]
    lines += [".SH DESCRIPTION", *paragraphs(command.get("abstract", ""))]
    for names, leaf in leaves:
        lines += [f".SH {escaped(' '.join(names[1:])).upper()}", *paragraphs(leaf.get("abstract", ""))]
        lines += paragraphs(leaf.get("discussion", ""), begins=True)
        for argument in leaf.get("arguments", []):
            if argument.get("shouldDisplay", True):
                lines += [".TP", term(argument), *paragraphs(meaning(argument))]
    return "\n".join(lines) + _ENDING


def leaf_commands(command: dict[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """The commands that have no commands below them, each with its whole name."""
    names = (*path, command["commandName"])
    below = [part for part in command.get("subcommands", []) if part["commandName"] != "help"]
    if not below:
        yield names, command
    for part in below:
        yield from leaf_commands(part, names)


def operands(command: dict[str, Any]) -> str:
    names = [part["valueName"].upper() for part in command.get("arguments", []) if part["kind"] == "positional"]
    return " ".join(rf"\fI{escaped(name)}\fR..." for name in names)


def term(argument: dict[str, Any]) -> str:
    """The names of an option and of its value."""
    value = rf"\fI{escaped(argument.get('valueName', ''))}\fR"
    if argument["kind"] == "positional":
        return value
    names = []
    for name in argument.get("names", []):
        names.append(rf"\fB{escaped(('--' if name['kind'] == 'long' else '-') + name['name'])}\fR")
    return ", ".join(names) + (f" {value}" if argument["kind"] == "option" else "")


def meaning(argument: dict[str, Any]) -> str:
    notes = []
    if values := argument.get("allValues"):
        notes.append(f"values: {', '.join(values)}")
    if default := argument.get("defaultValue"):
        notes.append(f"default: {default}")
    return " ".join(filter(None, [argument.get("abstract", ""), f"({'; '.join(notes)})" if notes else ""]))


def paragraphs(text: str, begins: bool = False) -> list[str]:
    lines: list[str] = []
    for part in filter(None, text.split("\n\n")):
        lines += [".PP"] if lines or begins else []
        lines.append(escaped(" ".join(part.split())))
    return lines


def escaped(text: str) -> str:
    """Text for troff: no backslash, hyphen, dot or quote has a meaning of its own."""
    text = text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq").replace("`", r"\(ga").replace("~", r"\(ti")
    return rf"\&{text}" if text.startswith(".") else text


if __name__ == "__main__":
    sys.exit(main())
