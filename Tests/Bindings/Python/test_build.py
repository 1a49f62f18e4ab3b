"""The wheel: what it holds, and what the backend says when it cannot build one."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import re
import sys
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest
from conftest import ROOT

PACKAGE = ROOT / "Sources" / "Bindings" / "Python"
VERSION = re.search(r'^version = "(.+)"$', (PACKAGE / "pyproject.toml").read_text("utf-8"), re.MULTILINE)[1]
INFO = f"gallop_gif-{VERSION}.dist-info"
sys.path.insert(0, str(PACKAGE / "backend"))

import gallop_build  # noqa: E402


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    library = tmp_path / "libgallop.so.0"
    library.write_bytes(b"a library")
    monkeypatch.setenv("GALLOP_LIBRARY", str(library))
    return tmp_path / gallop_build.build_wheel(str(tmp_path))


def test_it_holds_the_package_the_library_and_the_licence(wheel: Path) -> None:
    assert wheel.name.startswith(f"gallop_gif-{VERSION}-py3-none-linux_")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        assert archive.read("gallop/_native/libgallop.so.0") == b"a library"
        head = archive.read(f"{INFO}/WHEEL").decode()
    sources = {f"gallop/{path.name}" for path in (PACKAGE / "src" / "gallop").glob("*.py")}
    assert sources | {"gallop/py.typed", f"{INFO}/licenses/LICENSE"} <= set(names)
    assert f"Tag: py3-none-{gallop_build.platform_tag()}" in head and "Root-Is-Purelib: false" in head


def test_its_record_is_right(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        record = list(csv.reader(io.StringIO(archive.read(f"{INFO}/RECORD").decode())))
        assert sorted(row[0] for row in record) == sorted(archive.namelist())
        for name, digest, size in record[:-1]:
            data = archive.read(name)
            wanted = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            assert (digest, int(size)) == (f"sha256={wanted}", len(data))


def test_its_metadata_are_those_of_the_project(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        text = archive.read(f"{INFO}/METADATA").decode()
    metadata = Parser().parsestr(text)
    assert (metadata["Name"], metadata["Requires-Python"]) == ("gallop-gif", ">=3.9")
    assert metadata.get_all("Provides-Extra") == ["imageio", "pillow", "ray", "torch"]
    assert "numpy>=1.22" in metadata.get_all("Requires-Dist")


def test_the_same_sources_give_the_same_bytes(wheel: Path) -> None:
    first = wheel.read_bytes()
    gallop_build.build_wheel(str(wheel.parent))
    assert wheel.read_bytes() == first


def test_what_is_missing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GALLOP_LIBRARY", str(tmp_path / "none"))
    with pytest.raises(gallop_build.BuildError, match="GALLOP_LIBRARY names no file"):
        gallop_build.build_wheel(str(tmp_path))
    monkeypatch.delenv("GALLOP_LIBRARY")
    monkeypatch.setenv("SWIFT", "no-such-swift")
    with pytest.raises(gallop_build.BuildError, match="Swift is missing"):
        gallop_build.build_wheel(str(tmp_path))
    monkeypatch.setattr(gallop_build, "REPOSITORY", tmp_path)
    with pytest.raises(gallop_build.BuildError, match="repository"):
        gallop_build.build_wheel(str(tmp_path))
    with pytest.raises(gallop_build.UnsupportedOperation):
        gallop_build.build_sdist(str(tmp_path))
