#!/usr/bin/env python3
"""Makes thumbnails of many GIFs by one method, and prints a line of JSON: ray_run.py METHOD WORKERS SIDE LISTING.

LISTING has a path a line. Methods: `pool` (processes of the standard library) or `ray`, each with gallop or Pillow. The
time of starting the pool or Ray is told apart.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

Totals = tuple[int, int]
"""Frames and files that cannot be used."""
METHODS = ("pool-gallop", "pool-pillow", "ray-gallop", "ray-pillow")
CHUNK = 16
"""Paths that go to a process at a time, as with gallop.ray."""


def gallop_frames(path: str, side: int) -> int:
    import gallop

    with gallop.open(path) as gif:
        return sum(1 for frame in gif.frames(size=(side, side), fit="contain") if frame.tobytes())


def pillow_frames(path: str, side: int) -> int:
    from PIL import Image

    with Image.open(path) as image:
        count = getattr(image, "n_frames", 1)
        for index in range(count):
            image.seek(index)
            thumbnail = image.convert("RGBA")
            thumbnail.thumbnail((side, side), Image.Resampling.BOX)
            thumbnail.tobytes()
    return count


FUNCTIONS: dict[str, Callable[[str, int], int]] = {"gallop": gallop_frames, "pillow": pillow_frames}


class OneFile:
    """What a process of the pool does with a path."""

    def __init__(self, library: str, side: int) -> None:
        self.library, self.side = library, side

    def __call__(self, path: str) -> int:
        try:
            return FUNCTIONS[self.library](path, self.side)
        except Exception:  # each library's own
            return -1


def totals(counts: Iterable[int]) -> Totals:
    listed = list(counts)
    return sum(count for count in listed if count >= 0), sum(count < 0 for count in listed)


def with_pool(library: str, workers: int, side: int, paths: Sequence[str]) -> tuple[float, float, Totals]:
    begin = time.perf_counter()
    with ProcessPoolExecutor(workers) as pool:
        list(pool.map(OneFile(library, side), paths[:workers]))
        started = time.perf_counter()
        found = totals(pool.map(OneFile(library, side), paths, chunksize=CHUNK))
    return started - begin, time.perf_counter() - started, found


def with_ray(library: str, workers: int, side: int, paths: Sequence[str]) -> tuple[float, float, Totals]:
    import ray

    begin = time.perf_counter()
    here = str(Path(__file__).resolve().parent)
    environment = {"env_vars": {"PYTHONPATH": here}}
    ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False, runtime_env=environment)
    ray.data.DataContext.get_current().enable_progress_bars = False
    started = time.perf_counter()
    found = ray_gallop(side, paths) if library == "gallop" else ray_pillow(side, paths)
    return started - begin, time.perf_counter() - started, found


def ray_gallop(side: int, paths: Sequence[str]) -> Totals:
    """The thumbnails themselves travel back, as rows."""
    import gallop.ray

    frames = errors = 0
    for batch in gallop.ray.read_gifs(paths, size=(side, side)).iter_batches(batch_format="pyarrow", batch_size=None):
        states = batch.column("status").to_pylist()
        bad = sum(state in ("error", "crashed") for state in states)
        frames, errors = frames + len(states) - bad, errors + bad
    return frames, errors


def ray_pillow(side: int, paths: Sequence[str]) -> Totals:
    """The common way: Ray reads the bytes, a function makes the thumbnails."""
    import pyarrow
    import ray.data

    def thumbnails(batch: Any) -> Any:
        import io

        from PIL import Image

        for data in batch.column("bytes").to_pylist():
            pictures: list[bytes] = []
            try:
                with Image.open(io.BytesIO(data)) as image:
                    for index in range(getattr(image, "n_frames", 1)):
                        image.seek(index)
                        picture = image.convert("RGBA")
                        picture.thumbnail((side, side), Image.Resampling.BOX)
                        pictures.append(picture.tobytes())
            except Exception:  # Pillow's own
                pictures = []
            states = ["complete"] * len(pictures) or ["error"]
            columns = [pyarrow.array(states), pyarrow.array(pictures or [None], pyarrow.large_binary())]
            yield pyarrow.table(columns, names=["status", "pixels"])

    frames = errors = 0
    source = ray.data.read_binary_files(list(paths), override_num_blocks=-(-len(paths) // CHUNK))
    rows = source.map_batches(thumbnails, batch_size=None, batch_format="pyarrow")
    for batch in rows.iter_batches(batch_format="pyarrow", batch_size=None):
        states = batch.column("status").to_pylist()
        bad = states.count("error")
        frames, errors = frames + len(states) - bad, errors + bad
    return frames, errors


def main(arguments: Sequence[str]) -> int:
    method, workers, side, listing = arguments
    engine, library = method.split("-")
    paths = Path(listing).read_text(encoding="utf-8").splitlines()
    run = with_pool if engine == "pool" else with_ray
    start, seconds, (frames, errors) = run(library, int(workers), int(side), paths)
    print(json.dumps({"start": start, "seconds": seconds, "frames": frames, "errors": errors, "files": len(paths)}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
