"""Reads gallop.h: its functions, structs and numbers, for a comparison with the Python declarations."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_FUNCTION = re.compile(r"GALLOP_API\s+([\w\s]+?[\s*]+)(gallop_\w+)\s*\(([^)]*)\)\s*;")
_STRUCT = re.compile(r"typedef struct (gallop_\w+)\s*\{([^}]*)\}")
_ENUM = re.compile(r"enum\s*\{([^}]*)\}")
_SAME = {"gallop_status": "int32_t", "int": "int32_t", "size_t": "uint64_t"}
"""Types that ctypes does not tell apart on Linux."""
_NUMBER = re.compile(r"(GALLOP_\w+)\s*=\s*(-?\d+)")


@dataclass(frozen=True)
class Header:
    functions: dict[str, tuple[str, tuple[str, ...]]]
    """The result and the arguments, each as a kind."""
    structs: dict[str, tuple[tuple[str, str], ...]]
    """Names and kinds of the fields."""
    numbers: dict[str, int]


def read_header(path: Path) -> Header:
    text = _COMMENT.sub(" ", path.read_text(encoding="utf-8"))
    functions = {
        name: (kind(result), tuple(kind(part) for part in arguments.split(",") if part.strip() != "void"))
        for result, name, arguments in _FUNCTION.findall(text)
    }
    structs = {name: tuple(fields(body)) for name, body in _STRUCT.findall(text)}
    numbers = {name: int(value) for body in _ENUM.findall(text) for name, value in _NUMBER.findall(body)}
    return Header(functions, structs, numbers)


def fields(body: str) -> list[tuple[str, str]]:
    found = []
    for line in body.split(";"):
        match = re.fullmatch(r"(.*?)(\w+)(\[\d+\])?", line.strip(), re.DOTALL)
        if match and match[1].strip():
            found.append((match[2], kind(f"{match[1]}{match[2]}{match[3] or ''}")))
    return found


def kind(declaration: str) -> str:
    """What a declaration passes: `pointer`, `text[4]`, or a type's name without what does not change its size."""
    text = " ".join(declaration.replace("const ", " ").split())
    array = re.search(r"\[(\d+)\]$", text)
    if array:
        return f"text[{array[1]}]"
    if "*" in text:
        return "pointer"
    base = _SAME.get(text.split()[0], text.split()[0])
    if base.endswith(("_callback", "_destroy")):
        return "pointer"
    return base
