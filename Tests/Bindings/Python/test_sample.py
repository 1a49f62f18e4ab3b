"""The sample that makes summaries of a folder."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path

import gallop
import numpy
import pytest
from conftest import ROOT, SAMPLES, tiny

SCRIPT = ROOT / "Samples" / "Python" / "folder_summaries.py"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "gifs"
    path.mkdir()
    for sample in SAMPLES.glob("*.gif"):
        (path / sample.name).symlink_to(sample)
    (path / "bad.gif").write_bytes(b"GIF89a")
    (path / "empty.gif").write_bytes(tiny(0))
    (path / os.fsdecode(b"\xff.gif")).write_bytes(tiny(2))
    return path


def summarise(*arguments: object) -> None:
    outcome = subprocess.run(
        [sys.executable, str(SCRIPT), *map(str, arguments)], capture_output=True, text=True, timeout=240
    )
    assert outcome.returncode == 0, outcome.stderr
    assert outcome.stdout.startswith("13 GIFs")


def test_a_web_dataset(folder: Path, tmp_path: Path) -> None:
    summarise(folder, tmp_path / "out.tar")
    with tarfile.open(tmp_path / "out.tar") as archive:
        files = {name: archive.extractfile(name).read() for name in archive.getnames()}
    rows = {Path(row["path"]).name: (key, row) for key, row in samples(files)}
    assert len(rows) == 13 and len(files) == 24
    assert rows["bad.gif"][1]["error_code"] == "truncatedHeader"
    assert rows["empty.gif"][1]["error_code"] == "noFrames"
    assert rows["\ufffd.gif"][1]["frames"] == 2
    key, horse = rows["gallop.gif"]
    assert (horse["width"], horse["frames"], horse["duration_ms"], horse["plays"]) == (480, 30, 900, None)
    assert len(horse["colours"]) == 5 and all(len(colour) == 7 for colour in horse["colours"])
    pytest.importorskip("PIL")
    from PIL import Image

    picture = numpy.asarray(Image.open(io.BytesIO(files[f"{key}.png"])))
    assert (picture == gallop.open(SAMPLES / "gallop.gif").thumbnail((96, 96)).array).all()


def samples(files: dict[str, bytes]) -> list[tuple[str, dict[str, object]]]:
    return [(Path(name).stem, json.loads(data)) for name, data in files.items() if name.endswith(".json")]


def test_parquet(folder: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    summarise(folder, tmp_path / "out.parquet")
    rows = parquet.read_table(tmp_path / "out.parquet").to_pylist()
    assert [row["status"] for row in rows].count("error") == 2
    assert {Path(row["path"]).name: row["plays"] for row in rows}["thrice.gif"] == 3


def test_parquet_from_ray_has_the_same_rows(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("ray")
    parquet = pytest.importorskip("pyarrow.parquet")
    os.environ["RAY_DATA_DISABLE_PROGRESS_BARS"] = "1"
    summarise(folder, tmp_path / "one.parquet")
    summarise(folder, tmp_path / "many", "--ray")
    by_path = [
        sorted(parquet.read_table(path).to_pylist(), key=lambda row: row["path"])
        for path in (tmp_path / "one.parquet", tmp_path / "many")
    ]
    assert by_path[0] == by_path[1]
