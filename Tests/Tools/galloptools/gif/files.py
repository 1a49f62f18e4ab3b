"""Finds GIF files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def gifs(path: Path) -> list[Path]:
    """A file itself, whatever its name; below a folder every file whose name ends in .gif, in any case."""
    if not path.is_dir():
        if not path.is_file():
            raise FileNotFoundError(f"there is no {path.name}")
        return [path]
    return sorted(file for file in path.rglob("*") if file.suffix.lower() == ".gif" and file.is_file())


def contents(paths: Iterable[Path], largest: int) -> list[tuple[str, bytes]]:
    """Names and bytes of the GIFs below `paths` that have at least one byte and at most `largest`."""
    files = [file for path in paths for file in gifs(path)]
    return [(file.name, file.read_bytes()) for file in files if 0 < file.stat().st_size <= largest]
