"""GIFs as rows of Arrow tables, and the journal that keeps a deadly file from ending one process after another."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import gallop
import pytest
from conftest import tiny

pyarrow = pytest.importorskip("pyarrow")

from gallop.journal import Journal  # noqa: E402
from gallop.rows import TABLE_BYTES, FrameRows, GIFRows, array_of  # noqa: E402


def collect(rows: Any, paths: list[Path | str]) -> list[dict[str, Any]]:
    return [row for table in rows.tables([str(path) for path in paths]) for row in table.to_pylist()]


def test_a_row_for_each_frame(thrice: Path, cut: Path) -> None:
    found = collect(FrameRows(), [thrice, cut])
    assert [row["frame"] for row in found] == [*range(18), *range(11)]
    for row, frame in zip(found, gallop.open(thrice)):
        assert (row["path"], row["status"], row["error"]) == (str(thrice), "complete", None)
        assert (row["delay_ms"], row["time_ms"], row["frame_count"]) == (frame.delay_ms, frame.time_ms, 18)
        assert (array_of(row) == frame.array).all()
    assert [row["status"] for row in found[18:]] == ["complete"] * 10 + ["truncated"]
    # The faults of the file stand at its first row, those of a frame at its own.
    assert "truncatedFrame" in [fault["code"] for fault in found[18]["diagnostics"]]


def test_corrupt_files_are_rows(horse: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.gif"
    bad.write_bytes(b"GIF89a")
    found = collect(FrameRows(frames=0), [bad, tmp_path / "none.gif", horse])
    assert [(row["status"], row["error_code"], row["frame"]) for row in found] == [
        ("error", "truncatedHeader", None),
        ("error", "unreadable", None),
        ("complete", None, 0),
    ]
    assert str(tmp_path / "none.gif") in found[1]["error"]


def test_each_file_has_a_row(horse: Path, thrice: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.gif"
    empty.write_bytes(tiny(0))
    paths = [empty, thrice, horse]
    for frames, codes in (
        (None, ["noFrames", None, None]),
        (25, ["noFrames", "noSuchFrame", None]),
        ([25, -26], ["noFrames", "noSuchFrame", None]),
        (slice(20, None, 9), ["noFrames", "noSuchFrame", None]),
    ):
        found = collect(FrameRows(frames=frames), paths)
        assert list(dict.fromkeys(row["path"] for row in found)) == [str(path) for path in paths]
        assert [next(row["error_code"] for row in found if row["path"] == str(path)) for path in paths] == codes


def test_schemas_are_fixed(thrice: Path, tmp_path: Path) -> None:
    with_errors = next(FrameRows().tables([str(tmp_path / "none.gif")]))
    without = next(FrameRows().tables([str(thrice)]))
    assert with_errors.schema == without.schema == FrameRows().schema


def test_tables_are_small(horse: Path) -> None:
    one = 480 * 270 * 4
    tables = list(FrameRows().tables([str(horse)] * 3))
    assert len(tables) > 1
    assert max(table.nbytes for table in tables) < TABLE_BYTES + 2 * one
    assert sum(table.num_rows for table in tables) == 90


def test_thumbnails_and_chosen_frames(horse: Path, thrice: Path) -> None:
    found = collect(FrameRows(size=(48, 48), frames=[0, 25]), [horse, thrice])
    assert [(row["frame"], row["width"], row["height"]) for row in found] == [(0, 48, 27), (25, 48, 27), (0, 48, 48)]
    assert [row["frame"] for row in collect(FrameRows(frames=slice(0, None, 10)), [thrice])] == [0, 10]
    assert [row["frame"] for row in collect(FrameRows(frames=17), [thrice])] == [17]


def test_names_that_are_not_text(thrice: Path, tmp_path: Path) -> None:
    path = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.gif")
    Path(path).write_bytes(thrice.read_bytes())
    assert [row["path"] for row in collect(FrameRows(frames=0), [path])] == [f"{tmp_path}/\ufffd.gif"]


def test_a_row_for_each_gif(horse: Path, cut: Path, tmp_path: Path) -> None:
    fields = pyarrow.schema([("frames", pyarrow.int32())])
    found = collect(GIFRows(lambda gif: {"frames": 90 // (len(gif) - 11)}, fields), [horse, cut, tmp_path / "none"])
    assert [(row["status"], row["frames"]) for row in found] == [("complete", 4), ("error", None), ("error", None)]
    # What the function raises is the row's error.
    assert [row["error_code"] for row in found] == [None, "ZeroDivisionError", "unreadable"]


# ---- The journal


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


class Killed(BaseException):
    """Stands for the end of the process."""


class Deadly(FrameRows):
    """Rows of frames, where one path ends the process before its third frame."""

    def rows(self, gif: gallop.GIF) -> Any:
        for row in super().rows(gif):
            if os.path.basename(str(gif.path)) == "deadly.gif" and row["frame"] == 2:
                raise Killed
            yield row


def attempt(rows: Any, run: str, paths: list[str]) -> tuple[list[tuple[str, Any]], bool]:
    """What one attempt hands on, and whether it came to its end."""
    handed: list[tuple[str, Any]] = []
    try:
        for table in rows.tables(paths, Journal(run, paths)):
            handed += [(row["status"], row["frame"]) for row in table.to_pylist()]
    except Killed:
        return handed, False
    return handed, True


def test_a_deadly_file_is_passed_over_after_two_attempts(
    folder: Path, thrice: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A table a row, so that rows leave before the crash.
    monkeypatch.setattr("gallop.rows.TABLE_ROWS", 1)
    deadly = folder / "deadly.gif"
    deadly.write_bytes(thrice.read_bytes())
    last = folder / "last.gif"
    last.write_bytes(thrice.read_bytes())
    paths = [str(thrice), str(deadly), str(last)]
    first, second, third = (attempt(Deadly(frames=slice(0, 4)), "run", paths) for _ in range(3))
    four = [("complete", index) for index in range(4)]
    assert first == second == (four + four[:2], False)
    assert third == ([*four, *four[:2], ("crashed", None), *four], True)
    # The end of the task leaves nothing behind.
    assert list(folder.glob("*.journal")) == []


def test_another_run_knows_nothing_of_it(folder: Path, thrice: Path) -> None:
    deadly = folder / "deadly.gif"
    deadly.write_bytes(thrice.read_bytes())
    for run in ("one", "one", "two"):
        assert attempt(Deadly(), run, [str(deadly)]) == ([], False)
    assert attempt(Deadly(), "one", [str(deadly)]) == ([("crashed", None)], True)


def test_a_process_killed_between_files_blames_none(folder: Path, thrice: Path) -> None:
    paths = [str(thrice)]
    for _ in range(3):
        journal = Journal("run", paths)
        journal.begin(paths[0])
        journal.end(paths[0])
    assert Journal("run", paths).crashes(paths[0]) == 0
