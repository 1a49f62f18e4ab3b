#!/usr/bin/env python3
"""Summaries of a folder of GIFs: a thumbnail, the dominant colours, the duration; as Parquet or as a WebDataset.

    folder_summaries.py FOLDER OUTPUT.parquet          one process, a pool of threads
    folder_summaries.py FOLDER OUTPUT.tar              the same as a WebDataset: a PNG and a JSON file for each GIF
    folder_summaries.py FOLDER OUTPUT --ray            on Ray: OUTPUT is a folder of Parquet files

Needs gallop-gif and NumPy, for Parquet pyarrow, for Ray ray[data]. Corrupt files are rows with an error.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import struct
import sys
import tarfile
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import gallop
import numpy

Row = dict[str, Any]

SIZE = (96, 96)
COLOURS = 5


def summary(gif: gallop.GIF) -> Row:
    """What is kept of a GIF."""
    thumbnail = gif.thumbnail(SIZE)
    return {
        "width": gif.width,
        "height": gif.height,
        "frames": len(gif),
        "duration_ms": gif.duration_ms,
        "plays": gif.plays,
        "colours": dominant_colours(gif.decode(size=(16, 0), frames=sample(len(gif)))),
        "thumbnail": png(thumbnail.array),
    }


def sample(count: int, most: int = 8) -> list[int]:
    """Frames spread over a play."""
    return sorted({round(place * (count - 1) / max(1, most - 1)) for place in range(most)}) if count else []


def dominant_colours(frames: numpy.ndarray, count: int = COLOURS) -> list[str]:
    """The most frequent colours of the opaque pixels, among 4,096, as means of their pixels."""
    pixels = frames.reshape(-1, 4)
    pixels = pixels[pixels[:, 3] == 255, :3].astype(numpy.int64)
    cells = (pixels >> 4) @ [256, 16, 1]
    numbers = numpy.bincount(cells, minlength=1)
    found = []
    for cell in numpy.argsort(-numbers, kind="stable")[:count]:
        if numbers[cell]:
            red, green, blue = pixels[cells == cell].mean(axis=0).round().astype(int)
            found.append(f"#{red:02x}{green:02x}{blue:02x}")
    return found


def png(pixels: numpy.ndarray) -> bytes:
    """RGBA pixels as a PNG file."""
    height, width, _ = pixels.shape
    rows = numpy.zeros((height, width * 4 + 1), numpy.uint8)
    rows[:, 1:] = pixels.reshape(height, -1)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows.tobytes())) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def schema() -> Any:
    """The columns beside path, status and error."""
    import pyarrow

    return pyarrow.schema(
        [
            ("width", pyarrow.int32()),
            ("height", pyarrow.int32()),
            ("frames", pyarrow.int32()),
            ("duration_ms", pyarrow.int64()),
            ("plays", pyarrow.int64()),
            ("colours", pyarrow.list_(pyarrow.string())),
            ("thumbnail", pyarrow.binary()),
        ]
    )


# ---- One process


def summaries(folder: Path) -> Iterator[Row]:
    """A row for each GIF, by path. Threads suffice: decoding leaves the interpreter's lock free."""
    paths = sorted(file for file in folder.rglob("*") if file.suffix.lower() == ".gif")
    with ThreadPoolExecutor() as pool:
        yield from pool.map(row_of, paths)


def row_of(path: Path) -> Row:
    # Bytes of a name that are not UTF-8 would be no text.
    name = os.fsencode(path).decode("utf-8", "replace")
    try:
        with gallop.open(path) as gif:
            return {"path": name, "status": "complete" if gif.is_complete else "truncated", **summary(gif)}
    except gallop.GIFError as error:
        text = str(error).encode("utf-8", "replace").decode()
        return {"path": name, "status": "error", "error": text, "error_code": error.code}


def write_parquet(rows: Iterator[Row], path: Path) -> int:
    import pyarrow
    import pyarrow.parquet

    names = ("path", "status", "error", "error_code")
    columns = pyarrow.schema([*((name, pyarrow.string()) for name in names), *schema()])
    count = 0
    with pyarrow.parquet.ParquetWriter(path, columns) as writer:
        for row in rows:
            count += 1
            writer.write_table(pyarrow.Table.from_pylist([row], schema=columns), row_group_size=1024)
    return count


def write_tar(rows: Iterator[Row], path: Path) -> int:
    """A WebDataset: files of one sample share a name and stand together."""
    count = 0
    with tarfile.open(path, "w") as archive:
        for count, row in enumerate(rows, 1):
            key = f"{count - 1:08}"
            thumbnail = row.pop("thumbnail", None)
            if thumbnail is not None:
                add(archive, f"{key}.png", thumbnail)
            add(archive, f"{key}.json", json.dumps(row).encode())
    return count


def add(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size = len(data)
    archive.addfile(entry, io.BytesIO(data))


# ---- Ray


def with_ray(folder: Path, output: Path) -> int:
    """The same rows from Ray's workers; killed workers and deadly files do not end it."""
    import gallop.ray

    dataset = gallop.ray.map_gifs(folder, summary, schema()).materialize()
    dataset.write_parquet(str(output))
    return int(dataset.count())


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Summaries of a folder of GIFs.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--ray", action="store_true", help="work on Ray")
    options = parser.parse_args(arguments)
    if options.ray:
        count = with_ray(options.folder, options.output)
    else:
        write = write_tar if options.output.suffix == ".tar" else write_parquet
        count = write(summaries(options.folder), options.output)
    print(f"{count} GIFs: {options.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
