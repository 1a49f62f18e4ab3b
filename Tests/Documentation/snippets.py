"""Compiles the Swift snippets of the documentation as the files of one module, against those of the release build."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from pages import Block
from symbol_graphs import import_paths

_FILE_SCOPE = re.compile(r"^(extension|protocol|@main)\b", re.MULTILINE)
_IMPORT = re.compile(r"^import \w+$")
_ERROR = re.compile(r"\S+:\d+:\d+: error: ")
_MANIFEST = "// swift-tools-version:"
_PRODUCT = re.compile(r'\.product\(name: "(\w+)", package: "gallop"\)')
_UNFORMATTED = "// swift-format-ignore-file"


def compile_snippets(root: Path, blocks: Sequence[Block]) -> list[str]:
    """The compiler's errors, with the file and line of the documentation.

    Optimised, as a client's code is: the library's is then compiled into it.
    """
    command = ["swiftc", "-O", "-wmo", "-swift-version", "6", "-parse-as-library", "-module-name", "Snippets"]
    command += import_paths(root, root / ".build" / "release" / "Modules")
    with tempfile.TemporaryDirectory() as name:
        files = [root / "Tests" / "Documentation" / "ReadersNames.swift"]
        for number, block in enumerate(blocks):
            files.append(Path(name) / f"Snippet{number}.swift")
            files[-1].write_text(source(block, number), encoding="utf-8")
        command += ["-c", "-o", str(Path(name) / "Snippets.o"), *map(str, files)]
        outcome = subprocess.run(command, cwd=root, capture_output=True, text=True)
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


def is_manifest(block: Block) -> bool:
    """Whether a block is the manifest of a package."""
    return block.language == "swift" and block.lines[0].startswith(_MANIFEST)


def manifest_fault(root: Path, block: Block) -> Iterator[str]:
    """What is wrong with a manifest: it must compile, and name products of this package."""
    ours = (root / "Package.swift").read_text(encoding="utf-8")
    for name in _PRODUCT.findall("\n".join(block.lines)):
        if f'.library(name: "{name}"' not in ours:
            yield f"{block.place}: error: this package has no product {name}"
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "Package.swift").write_text("\n".join(block.lines) + "\n", encoding="utf-8")
        outcome = subprocess.run(["swift", "package", "dump-package"], cwd=folder, capture_output=True, text=True)
    if outcome.returncode != 0:
        yield f"{block.place}: error: {outcome.stderr.strip()[-300:]}"
