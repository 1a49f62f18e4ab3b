"""Folders of GIFs on a local Ray: the same frames, corrupt files as rows, killed workers, deadly files.

Skipped without Ray. All tests share one cluster of two processors.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gallop
import pytest
from conftest import SAMPLES

ray = pytest.importorskip("ray")
pyarrow = pytest.importorskip("pyarrow")
pytest.importorskip("pyarrow.parquet")

import gallop.ray  # noqa: E402
from deadly_rows import DeadlyRows  # noqa: E402

FILES, CORRUPT = 1000, 20
SIZE, FRAMES = (24, 24), slice(0, 5)


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    paths = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    ray.init(
        num_cpus=2,
        include_dashboard=False,
        log_to_driver=False,
        object_store_memory=200 << 20,
        runtime_env={"env_vars": {"PYTHONPATH": paths}},
    )
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield
    ray.shutdown()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A thousand GIFs, the samples again and again; every fiftieth is corrupt."""
    path = tmp_path_factory.mktemp("gifs")
    samples = sorted(SAMPLES.glob("*.gif"))
    for number in range(FILES):
        file = path / f"{number:04}.gif"
        if number % (FILES // CORRUPT) == 7:
            file.write_bytes(b"GIF89a")
        else:
            file.symlink_to(samples[number % len(samples)])
    return path


@pytest.fixture(scope="module")
def expected(folder: Path) -> Counter[Any]:
    """What one process finds, as a multiset of rows."""
    found: Counter[Any] = Counter()
    by_sample: dict[Path, list[tuple[Any, ...]]] = {}
    for path in sorted(folder.iterdir()):
        if not path.is_symlink():
            found[path.name, "error", None, None, None] += 1
            continue
        sample = path.resolve()
        if sample not in by_sample:
            frames = gallop.open(sample).frames(FRAMES, size=SIZE, fit="contain")
            by_sample[sample] = [(str(one.status), one.index, one.delay_ms, hash(one.tobytes())) for one in frames]
        found.update((path.name, *facts) for facts in by_sample[sample])
    return found


def rows_of(dataset: Any) -> Counter[Any]:
    found: Counter[Any] = Counter()
    for row in dataset.iter_rows():
        pixels = row["pixels"]
        facts = (row["status"], row["frame"], row["delay_ms"], None if pixels is None else hash(bytes(pixels)))
        found[(Path(row["path"]).name, *facts)] += 1
    return found


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.usefixtures("cluster")
def test_a_thousand_files_with_a_worker_killed_on_the_way(
    folder: Path, expected: Counter[Any], workers: int, tmp_path: Path
) -> None:
    rows = DeadlyRows(SIZE, FRAMES, name="0500.gif", marker=str(tmp_path / "killed"))
    found = rows_of(gallop.ray.dataset(rows, folder, concurrency=workers))
    assert (tmp_path / "killed").exists()
    assert found == expected
    assert sum(count for facts, count in found.items() if facts[1] == "error") == CORRUPT


@pytest.mark.usefixtures("cluster")
def test_a_file_that_ends_its_worker_is_a_row(folder: Path, expected: Counter[Any]) -> None:
    paths = sorted(folder.iterdir())[:60]
    names = {path.name for path in paths}
    found = rows_of(gallop.ray.dataset(DeadlyRows(SIZE, FRAMES, name="0021.gif"), paths))
    wanted = Counter({facts: count for facts, count in expected.items() if facts[0] in names - {"0021.gif"}})
    wanted["0021.gif", "crashed", None, None, None] += 1
    assert found == wanted


@pytest.mark.usefixtures("cluster")
def test_a_row_for_each_gif_goes_to_parquet(folder: Path, tmp_path: Path) -> None:
    fields = pyarrow.schema([("frames", pyarrow.int32()), ("seconds", pyarrow.float64())])
    paths = sorted(folder.iterdir())[:40]
    dataset = gallop.ray.map_gifs(paths, lambda gif: {"frames": len(gif), "seconds": gif.duration}, fields)
    dataset.write_parquet(str(tmp_path / "out"))
    table = pyarrow.parquet.read_table(tmp_path / "out")
    assert table.num_rows == 40 and table.column("status").to_pylist().count("error") == 1
    frames = {Path(row["path"]).name: row["frames"] for row in table.to_pylist()}
    assert frames["0002.gif"] == len(gallop.open(folder / "0002.gif"))


@pytest.mark.usefixtures("cluster")
def test_an_empty_folder_has_the_same_columns(tmp_path: Path) -> None:
    dataset = gallop.ray.read_gifs(tmp_path)
    assert dataset.count() == 0
    assert dataset.schema().names == gallop.ray.FrameRows().schema.names


def test_paths_of_folders_and_lists(tmp_path: Path) -> None:
    for name in ("b.gif", "a.GIF", "note.txt", "deep/c.gif"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    found = gallop.ray.gif_paths(tmp_path)
    assert [str(Path(path).relative_to(tmp_path)) for path in found] == ["a.GIF", "b.gif", "deep/c.gif"]
    assert gallop.ray.gif_paths(["x.gif", tmp_path / "deep"]) == ["x.gif", str(tmp_path / "deep" / "c.gif")]
