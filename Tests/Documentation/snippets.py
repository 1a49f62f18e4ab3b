"""Writes the Swift snippets of the documentation as files of the client package, and has them compiled."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from pages import Block, Mention

_FILE_SCOPE = re.compile(r"^(extension|protocol|@main)\b", re.MULTILINE)
_IMPORT = re.compile(r"^import \w+$")
_ERROR = re.compile(r"\S+:\d+:\d+: error: ")
_UNFORMATTED = "// swift-format-ignore-file"
_TARGET = "Snippets"


def compile_snippets(package: Path, blocks: Sequence[Block], symbols: Sequence[Mention]) -> list[str]:
    """The compiler's errors, with the file and line of the documentation."""
    folder = package / "Sources" / _TARGET / "Generated"
    folder.mkdir(parents=True, exist_ok=True)
    texts = {f"Snippet{number}.swift": source(block, number) for number, block in enumerate(blocks)}
    texts["Symbols.swift"] = symbol_source(symbols)
    for stale in folder.glob("*.swift"):
        if stale.name not in texts:
            stale.unlink()
    for name, text in texts.items():
        file = folder / name
        # An unchanged file is not compiled again.
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
    command = ["swift", "build", "-c", "release", "--target", _TARGET]
    outcome = subprocess.run(command, cwd=package, capture_output=True, text=True)
    if outcome.returncode == 0:
        return []
    lines = (outcome.stdout + outcome.stderr).splitlines()
    return sorted({line for line in lines if _ERROR.match(line)}) or lines[-20:]


def source(block: Block, number: int) -> str:
    """A file with the snippet: its imports, and the rest as the body of a function where that is possible."""
    imports = [line for line in block.lines if _IMPORT.match(line)] or ["import Gallop"]
    # An import keeps its line, so that the others have the lines that they have in the documentation.
    body = "\n".join("" if _IMPORT.match(line) else line for line in block.lines)
    located = f'#sourceLocation(file: "{block.place.file}", line: {block.place.line})\n{body}\n#sourceLocation()'
    if not _FILE_SCOPE.search(body):
        located = f"func snippet{number}() async throws {{\n{located}\n}}"
    return "\n".join([_UNFORMATTED, *imports, located]) + "\n"


def symbol_source(symbols: Sequence[Mention]) -> str:
    """A file that names each type and each static member that the documentation links to."""
    lines = [_UNFORMATTED, "import GIFStage", "import Gallop"]
    for number, symbol in enumerate(symbols):
        type_name, _, member = symbol.text.partition("/")
        lines.append(f'#sourceLocation(file: "{symbol.place.file}", line: {symbol.place.line})')
        use = f"let symbol{number} = {type_name}.{member}" if member else f"typealias Symbol{number} = {type_name}"
        lines.append(use)
    return "\n".join([*lines, "#sourceLocation()"]) + "\n"
