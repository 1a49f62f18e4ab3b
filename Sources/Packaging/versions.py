#!/usr/bin/env python3
"""Checks that every part has the version that gallop.h states, or sets it:  versions.py [--set MAJOR.MINOR.PATCH]

The C library, its packages and pages take the version from gallop.h. The tool, the Python package and the web package
have it in files that their own tools read, and the first program in its manifest, with the package's URL.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEADER = ROOT / "Sources/Bindings/C/CGallop/include/gallop.h"
PARTS = {
    "Sources/Tool/GallopCLI/GallopCommand.swift": r'^  static let version = "([^"]+)"$',
    "Sources/Bindings/Python/pyproject.toml": r'^version = "([^"]+)"$',
    "Sources/Bindings/Web/gallop-gif/package.json": r'^  "version": "([^"]+)",$',
    "Sources/Engine/Gallop/Gallop.docc/FirstProgram.md": (
        r'^  dependencies: \[\.package\(url: "https://github\.com/gallop-gif/gallop", from: "([^"]+)"\)\],$'
    ),
}
_NUMBER = r"^(#define GALLOP_VERSION_{} )(\d+)$"
_NAMES = ("MAJOR", "MINOR", "PATCH")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--set", dest="version", help="write this version everywhere")
    version = parser.parse_args().version
    if version is not None:
        if not re.fullmatch(r"\d+\.\d+\.\d+", version):
            print(f"versions: {version} is not three numbers with dots", file=sys.stderr)
            return 64
        write(version)
    faults = list(differences())
    print("\n".join(faults) or f"version {stated()} in {len(PARTS) + 1} files")
    return 1 if faults else 0


def stated() -> str:
    """The version of gallop.h."""
    text = HEADER.read_text("utf-8")
    return ".".join(re.search(_NUMBER.format(name), text, re.MULTILINE)[2] for name in _NAMES)


def differences() -> Iterator[str]:
    for name, pattern in PARTS.items():
        found = re.findall(pattern, (ROOT / name).read_text("utf-8"), re.MULTILINE)
        if found != [stated()]:
            yield f"{name}: version {', '.join(found) or 'missing'}, and {HEADER.name} has {stated()}"


def write(version: str) -> None:
    text = HEADER.read_text("utf-8")
    for name, number in zip(_NAMES, version.split("."), strict=True):
        text = re.sub(_NUMBER.format(name), rf"\g<1>{number}", text, flags=re.MULTILINE)
    HEADER.write_text(text, "utf-8")
    for name, pattern in PARTS.items():
        path = ROOT / name

        def replaced(match: re.Match[str]) -> str:
            return match[0].replace(match[1], version)

        path.write_text(re.sub(pattern, replaced, path.read_text("utf-8"), flags=re.MULTILINE), "utf-8")


if __name__ == "__main__":
    sys.exit(main())
