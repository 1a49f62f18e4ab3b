"""Symbol graphs of compiled modules, which the toolchain extracts: what a program sees of them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path


def extract_graph(root: Path, modules: Path, module: str, output: Path, exported: Sequence[str] = ()) -> None:
    """Write the graph of a module's public symbols, and of those that it re-exports from modules named in `exported`."""
    command = ["swift", "symbolgraph-extract", "-module-name", module, *import_paths(root, modules)]
    command += ["-target", target_triple(), "-minimum-access-level", "public"]
    command.append("-skip-synthesized-members")
    if exported:
        command.append(f"-experimental-allowed-reexported-modules={','.join(exported)}")
    subprocess.run([*command, "-output-dir", str(output)], check=True, cwd=root, capture_output=True, text=True)


def import_paths(root: Path, modules: Path) -> list[str]:
    """Where a compiler finds the modules of a build, and the system libraries that these import."""
    maps = sorted(root.glob("Sources/System/**/module.modulemap"))
    return [option for folder in (modules, *(file.parent for file in maps)) for option in ("-I", str(folder))]


@cache
def target_triple() -> str:
    outcome = subprocess.run(["swift", "-print-target-info"], check=True, capture_output=True, text=True)
    return str(json.loads(outcome.stdout)["target"]["unversionedTriple"])
