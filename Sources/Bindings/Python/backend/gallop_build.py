"""Builds the wheel of `gallop-gif`: a build backend (PEP 517) without dependencies.

`pip install Sources/Bindings/Python` calls it, and so does `make wheel`. The wheel holds the Python files and the shared
library. The library comes from the environment variable GALLOP_LIBRARY, or is built with Swift from the repository
that this folder lies in.
"""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Optional

FOLDER = Path(__file__).resolve().parent.parent
REPOSITORY = FOLDER.parents[2]
LIBRARY = "libgallop.so.0"
# The date that every file in the wheel bears, so that the same sources give the same bytes.
DATE = (1980, 1, 1, 0, 0, 0)

Settings = Optional[Mapping[str, Any]]


class BuildError(Exception):
    """What is missing for a build, in one sentence for the user."""


class UnsupportedOperation(Exception):
    """PEP 517's word for a hook that a backend does not offer."""


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    """Nothing: the backend writes the wheel itself."""
    return []


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    """No source archive: the library's sources are the whole repository."""
    raise UnsupportedOperation("gallop-gif has no source archive: install from a clone of the repository")


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    """Write the wheel into a folder; the file's name.

    The setting `licences` names further files for the wheel's folder of licences, separated by colons.
    """
    project = read_project()
    settings = config_settings or {}
    licences = [REPOSITORY / "LICENSE", *map(Path, str(settings.get("licences", "")).split(":"))]
    name, version = project["name"].replace("-", "_"), project["version"]
    tag = f"py3-none-{platform_tag()}"
    info = f"{name}-{version}.dist-info"
    library = library_path()
    wheel = Path(wheel_directory) / f"{name}-{version}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        record = Record(archive)
        for path in sorted(package_files()):
            record.add(str(path.relative_to(FOLDER / "src")), path.read_bytes())
        record.add(f"gallop/_native/{LIBRARY}", library.read_bytes(), mode=0o755)
        record.add(f"{info}/METADATA", metadata(project).encode())
        for path in licences:
            if path.is_file():
                record.add(f"{info}/licenses/{licence_name(path)}", path.read_bytes())
        head = f"Wheel-Version: 1.0\nGenerator: gallop_build\nRoot-Is-Purelib: false\nTag: {tag}\n"
        record.add(f"{info}/WHEEL", head.encode())
        record.finish(f"{info}/RECORD")
    return wheel.name


def read_project() -> dict[str, Any]:
    """The `[project]` table of pyproject.toml."""
    try:
        import tomllib
    except ModuleNotFoundError:
        import tomli as tomllib  # type: ignore[no-redef]  # before Python 3.11
    table: dict[str, Any] = tomllib.loads((FOLDER / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return table


def metadata(project: Mapping[str, Any]) -> str:
    """The wheel's METADATA file."""
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        f"Keywords: {','.join(project['keywords'])}",
        f"License: {project['license']}",
        f"Requires-Python: {project['requires-python']}",
        *(f"Classifier: {text}" for text in project["classifiers"]),
        *(f"Requires-Dist: {text}" for text in project["dependencies"]),
    ]
    for extra, needs in project["optional-dependencies"].items():
        lines += [f"Provides-Extra: {extra}", *(f'Requires-Dist: {need}; extra == "{extra}"' for need in needs)]
    readme = (FOLDER / project["readme"]).read_text(encoding="utf-8")
    return "\n".join([*lines, "Description-Content-Type: text/markdown", "", readme])


def package_files() -> Iterator[Path]:
    """The Python files, and the marker that they have types."""
    root = FOLDER / "src" / "gallop"
    yield root / "py.typed"
    yield from root.rglob("*.py")


def platform_tag() -> str:
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")


def licence_name(path: Path) -> str:
    """The file's name, and for a copyright file of Debian's that of its package."""
    return f"{path.parent.name}-{path.name}" if path.name == "copyright" else path.name


def library_path() -> Path:
    """The shared library: the one that GALLOP_LIBRARY names, or a new build."""
    given = os.environ.get("GALLOP_LIBRARY")
    if given:
        if not Path(given).is_file():
            raise BuildError(f"GALLOP_LIBRARY names no file: {given}")
        return Path(given)
    if not (REPOSITORY / "Package.swift").is_file():
        raise BuildError("the repository around this folder is missing: install from a clone, or set GALLOP_LIBRARY")
    if shutil.which(os.environ.get("SWIFT", "swift")) is None:
        raise BuildError("Swift is missing: install Swift 6.3 or later, or let GALLOP_LIBRARY name a libgallop.so.0")
    subprocess.run(["make", "--no-print-directory", "-C", str(REPOSITORY), "library"], check=True, stdout=sys.stderr)
    return REPOSITORY / ".build" / "library" / LIBRARY


def pack(folder: Path, wheel: Path) -> None:
    """Packs the files of an unpacked wheel, with a new list of their checksums."""
    (info,) = folder.glob("*.dist-info")
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        record = Record(archive)
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path != info / "RECORD":
                mode = 0o755 if ".so" in path.name else 0o644
                record.add(str(path.relative_to(folder)), path.read_bytes(), mode)
        record.finish(f"{info.name}/RECORD")


class Record:
    """The files of a wheel, each with its checksum for the wheel's list."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self.archive = archive
        self.lines: list[str] = []

    def add(self, name: str, data: bytes, mode: int = 0o644) -> None:
        self._write(name, data, mode)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.lines.append(f"{name},sha256={digest},{len(data)}")

    def finish(self, name: str) -> None:
        self._write(name, "\n".join([*self.lines, f"{name},,", ""]).encode(), 0o644)

    def _write(self, name: str, data: bytes, mode: int) -> None:
        entry = zipfile.ZipInfo(name, DATE)
        entry.external_attr = (0o100000 | mode) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        self.archive.writestr(entry, data)
