"""A folder of odd files through every reader: as many results as files, and the same verdict of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import gallop
import pytest
from odd_files import COUNT, odd_files

Verdicts = list[tuple[str, str]]
"""The path of each result, and the code of its error, or `fine`."""


def code_of(error: BaseException | None) -> str:
    """The engine's word for an error, whatever another library has made of it."""
    while error is not None and not isinstance(error, gallop.GIFError):
        error = error.__cause__ or error.__context__
        if error is None:
            return "an error that is no GIFError"
    return "fine" if error is None else error.code


def tried(paths: Iterable[Path], read: Callable[[Path], object]) -> Verdicts:
    def verdict(path: Path) -> str:
        try:
            read(path)
        except Exception as error:
            return code_of(error)
        return "fine"

    return [(str(path), verdict(path)) for path in paths]


def opened(paths: list[Path]) -> Verdicts:
    return tried(paths, lambda path: gallop.open(path)[0])


def decoded(paths: list[Path]) -> Verdicts:
    return [(str(item.source), code_of(item.error)) for item in gallop.decode_many(paths, frames=0)]


def clipped(paths: list[Path]) -> Verdicts:
    batches = gallop.clips(paths, frames=1, size=(8, 8))
    return [(str(path), code_of(error)) for batch in batches for path, error in zip(batch.sources, batch.errors)]


def rows(paths: list[Path]) -> Verdicts:
    pytest.importorskip("pyarrow")
    from gallop.rows import FrameRows

    tables = FrameRows(size=(8, 8), frames=0).tables(map(str, paths))
    return [(row["path"], row["error_code"] or "fine") for table in tables for row in table.to_pylist()]


def clip_rows(paths: list[Path]) -> Verdicts:
    pytest.importorskip("pyarrow")
    from gallop.clip import ClipOptions
    from gallop.rows import ClipRows

    tables = ClipRows(ClipOptions.of(1, size=(8, 8))).tables(map(str, paths))
    return [(row["path"], row["error_code"] or "fine") for table in tables for row in table.to_pylist()]


def pillow(paths: list[Path]) -> Verdicts:
    pytest.importorskip("PIL")
    import gallop.pillow

    return tried(paths, lambda path: gallop.pillow.open(path).load())


def imageio(paths: list[Path]) -> Verdicts:
    iio = pytest.importorskip("imageio.v3")
    from gallop.imageio import GIFPlugin

    return tried(paths, lambda path: iio.imread(path, plugin=GIFPlugin, index=0))


def torch(paths: list[Path]) -> Verdicts:
    pytest.importorskip("torch")
    from gallop.torch import Clips

    clips = Clips(paths, frames=1, size=(8, 8))
    places = iter(range(len(clips)))
    return tried(paths, lambda path: clips[next(places)])


def ray(paths: list[Path]) -> Verdicts:
    pytest.importorskip("ray")
    import gallop.ray
    import ray as engine

    engine.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=200 << 20)
    try:
        found = gallop.ray.read_gifs(paths, size=(8, 8), frames=0, paths_per_task=64).take_all()
        found += gallop.ray.read_clips(paths, frames=1, size=(8, 8), paths_per_task=64).take_all()
    finally:
        engine.shutdown()
    codes = {row["path"]: {other["error_code"] for other in found if other["path"] == row["path"]} for row in found}
    assert len(found) == 2 * len(codes) and all(len(each) == 1 for each in codes.values())
    return [(str(path), codes[str(path)].pop() or "fine") for path in paths]


@pytest.mark.parametrize("reader", [decoded, clipped, rows, clip_rows, pillow, imageio, torch, ray])
def test_every_reader_has_a_result_of_each_file_and_the_same_verdict(
    reader: Callable[[list[Path]], Verdicts], tmp_path: Path
) -> None:
    paths = odd_files(tmp_path)
    expected = opened(paths)
    assert len(paths) == COUNT and len({code for _, code in expected}) > 5
    if reader is imageio:
        # What does not begin as a GIF is not the plug-in's to read.
        paths = [path for path in paths if path.read_bytes()[:4] == b"GIF8"]
        expected = opened(paths)
    found = reader(paths)
    assert len(found) == len(paths)
    assert [pair for pair in zip(found, expected) if pair[0] != pair[1]] == []
