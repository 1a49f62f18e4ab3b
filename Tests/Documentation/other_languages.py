"""Has the C, C++, Python and JavaScript of the documentation checked by their compilers; what is not installed is left out."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from pages import Block


COMPILERS = {"c": ("cc", "c11", "c"), "cpp": ("c++", "c++17", "c++")}
"""The compiler of a language, its standard, and the language's name there."""


def language_faults(root: Path, blocks: Sequence[Block]) -> Iterator[str]:
    """What the compilers say, with the file and line of the documentation."""
    for block in blocks:
        text = "\n".join(block.lines) + "\n"
        if block.language == "python":
            if fault := python_fault(block, text):
                yield fault
        elif block.language in COMPILERS:
            compiler, standard, name = COMPILERS[block.language]
            if shutil.which(compiler):
                flags = [f"-std={standard}", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
                include = root / "Sources" / "Bindings" / "C" / "CGallop" / "include"
                yield from faults(block, [compiler, *flags, f"-I{include}", "-x", name, "-"], text)
        elif block.language == "js" and shutil.which("node"):
            with tempfile.NamedTemporaryFile("w", suffix=".mjs", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                yield from faults(block, ["node", "--check", file.name], "")


def python_fault(block: Block, text: str) -> str | None:
    try:
        compile(text, block.place.file, "exec")
    except SyntaxError as error:
        return f"{block.place.file}:{block.place.line + (error.lineno or 1) - 1}: error: {error.msg}"
    return None


def faults(block: Block, command: Sequence[str], text: str) -> Iterator[str]:
    outcome = subprocess.run(command, input=text, capture_output=True, text=True)
    if outcome.returncode != 0:
        yield f"{block.place}: error: {outcome.stderr.strip()[:400]}"
