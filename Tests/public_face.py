#!/usr/bin/env python3
"""Counts the public declarations of a product, and names those without a documentation comment.

    public_face.py --limit 450 BUILD_DIRECTORY MODULE...

Reads the symbol graphs that the toolchain extracts from the built modules. Synthesised members, and the members
that a protocol of the standard library requires (`==`, `hash(into:)`, `encode(to:)`), are not counted: no person
wrote or has to learn them. The cases of an enum count with their enum, but each needs a comment. Exits with 1 if there are more declarations than the limit, or one has no comment.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "Documentation"))

from symbol_graphs import extract_graph  # noqa: E402 - found through the line above

# Requirements of standard protocols, which their protocols document.
REQUIREMENTS = {
    "description",
    "rawValue",
    "init(rawValue:)",
    "hash(into:)",
    "encode(to:)",
    "init(from:)",
    "makeAsyncIterator()",
    "next()",
    "next(isolation:)",
    "Element",
    "Failure",
    "AsyncIterator",
    "allCases",
    "AllCases",
    "==(_:_:)",
    "<(_:_:)",
}


def declarations(folder: Path):
    for path in sorted(folder.glob("*.symbols.json")):
        graph = json.loads(path.read_text())
        module = path.name.split(".")[0]
        for symbol in graph["symbols"]:
            components = symbol["pathComponents"]
            if components[-1] in REQUIREMENTS:
                continue
            is_case = symbol["kind"]["identifier"] == "swift.enum.case"
            yield module, ".".join(components), is_case, "docComment" in symbol, symbol.get("location", {})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("modules", nargs="+")
    parser.add_argument("--limit", type=int, default=450)
    parser.add_argument("--list", action="store_true", help="print every declaration")
    arguments = parser.parse_args()

    root = Path(__file__).resolve().parent.parent
    with tempfile.TemporaryDirectory() as folder:
        for module in arguments.modules:
            extract_graph(root, arguments.build / "Modules", module, Path(folder))
        found = list(declarations(Path(folder)))

    counts: dict[str, int] = {}
    cases = 0
    undocumented = []
    for module, name, is_case, is_documented, location in found:
        if is_case:
            cases += 1
        else:
            counts[module] = counts.get(module, 0) + 1
        if arguments.list:
            print(f"{module}: {name}")
        if not is_documented:
            file = location.get("uri", "").removeprefix("file://")
            line = location.get("position", {}).get("line", -1) + 1
            undocumented.append(f"{Path(file).name}:{line}: {module}.{name} has no documentation comment")
    for line in undocumented:
        print(line, file=sys.stderr)
    total = sum(counts.values())
    modules = ", ".join(f"{name} {count}" for name, count in counts.items())
    print(f"{total} public declarations and {cases} enum cases: {modules}")
    if total > arguments.limit:
        print(f"at most {arguments.limit}", file=sys.stderr)
    return 1 if undocumented or total > arguments.limit else 0


if __name__ == "__main__":
    sys.exit(main())
