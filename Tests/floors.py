#!/usr/bin/env python3
"""Checks that imports go downwards, and that the engine meets the system only in folders named Linux.

A floor is a folder of Sources. A module uses those of its own floor, which Swift's package manager keeps free of circles,
and of the floors that FLOORS names for its own. No module of the Python package imports itself through others, also
not within a function or for types alone.
"""

import ast
import graphlib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FLOORS = {
    "System": [],
    "Engine": ["System"],
    "Views": ["System", "Engine"],
    "Tool": ["System", "Engine", "Views"],
    "Bindings": ["System", "Engine"],
}
# Of the system itself. What SystemMemory.swift needs stands behind CMemory, which the web has, too.
SYSTEM = {"Glibc", "CLinux"}
FOREIGN = {"Foundation", "FoundationEssentials", "Dispatch"}
IMPORT = re.compile(r"^\s*(?:@\w+(?:\([^)]*\))?\s+|\w+\s+)*import\s+(?:(?:struct|class|enum|func|protocol)\s+)?(\w+)", re.M)


def main() -> int:
    floor_of = {
        module.name: folder.name
        for folder in (ROOT / "Sources").iterdir()
        if folder.name in FLOORS
        for module in (*folder.iterdir(), *folder.glob("*/*"))
        if module.is_dir()
    }
    faults, count = [], 0
    for path in sorted((ROOT / "Sources").rglob("*.swift")):
        parts = path.relative_to(ROOT / "Sources").parts
        count += 1
        for module in IMPORT.findall(path.read_text(encoding="utf-8")):
            floor = floor_of.get(module)
            if floor and floor != parts[0] and floor not in FLOORS[parts[0]]:
                faults.append(f"{path.relative_to(ROOT)}: {parts[0]} may not import {module}, which is in {floor}")
            if parts[0] == "Engine" and module in SYSTEM and "Linux" not in parts:
                faults.append(f"{path.relative_to(ROOT)}: imports {module}: belongs in a folder named Linux")
            if parts[0] == "Engine" and module in FOREIGN and "GallopFoundation" not in parts:
                faults.append(f"{path.relative_to(ROOT)}: the engine does not import {module}")
    package = imports_of_package(ROOT / "Sources/Bindings/Python/src/gallop")
    count += len(package)
    try:
        graphlib.TopologicalSorter(package).prepare()
    except graphlib.CycleError as error:
        faults.append(f"modules of the Python package import each other: {' <- '.join(error.args[1])}")
    print("\n".join([*faults, f"{count} files import downwards" if not faults else f"{len(faults)} faults"]))
    return 1 if faults else 0


def imports_of_package(folder: pathlib.Path) -> dict[str, set[str]]:
    """What each module of a package imports of it, but for the package itself and the program beside it."""
    modules = {path.stem: path for path in folder.glob("*.py") if path.stem not in ("__init__", "__main__")}
    found: dict[str, set[str]] = {name: set() for name in modules}
    for name, path in modules.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level == 1:
                names = {node.module} if node.module else {alias.name for alias in node.names}
                found[name] |= names & modules.keys()
    return found


if __name__ == "__main__":
    sys.exit(main())
