#!/usr/bin/env python3
"""Compares gallop with what browsers made of a set of GIFs.

    conformance.py --gallop PATH/TO/gallop DIR [--source NAME] [--class both|chromium|rejected]

DIR holds expected.jsonl (one GIF a line) and the files under gifs/. Every file is read with `gallop info --json`
and decoded with `gallop decode --format rgba --output -`; README.md beside this script says what is compared.
Exit status: 0 when everything agrees, 1 on any difference, 2 when nothing could be compared.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
import threading
import unittest
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

CLASSES = ("both", "chromium", "rejected")
CHUNK = 1 << 20

# Byte maps for the planes of a picture: which bytes are zero, and a full byte wherever one is not.
IS_ZERO = bytes([1]) + bytes(255)
MASK = bytes([0]) + bytes([255]) * 255


# --- What is expected -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ExpectedFrame:
    raw_ms: int | None
    ms: int | None
    sha: str | None


@dataclass(frozen=True)
class Expected:
    """One line of expected.jsonl."""

    file: str
    sha256: str
    width: int
    height: int
    frame_count: int
    plays: int | str | None
    frames: tuple[ExpectedFrame, ...]
    agree: str
    shown: str | None

    @property
    def source(self) -> str:
        return self.file.split("/", 1)[0]

    @property
    def picture_hashes(self) -> list[str | None]:
        """The hash that each frame's picture must have; null where it is not checked."""
        hashes = [frame.sha for frame in self.frames]
        if self.shown is not None and hashes and hashes[0] is None:
            hashes[0] = self.shown
        return hashes


def parse_expected(line: str) -> Expected:
    row = json.loads(line)
    return Expected(
        file=row["file"],
        sha256=row["sha256"],
        width=row["width"],
        height=row["height"],
        frame_count=row["frameCount"],
        plays=row["plays"],
        frames=tuple(ExpectedFrame(f["rawMs"], f["ms"], f["sha"]) for f in row["frames"]),
        agree=row["agree"],
        shown=row.get("shown"),
    )


def read_expected(path: Path) -> list[Expected]:
    with path.open(encoding="utf-8") as lines:
        return [parse_expected(line) for line in lines if line.strip()]


def select(rows: Iterable[Expected], sources: Sequence[str], classes: Sequence[str]) -> list[Expected]:
    return [
        row for row in rows if (not sources or row.source in sources) and (not classes or row.agree in classes)
    ]


# --- Pictures ---------------------------------------------------------------------------------------------------


def picture_hash(rgba: bytes) -> str:
    return hashlib.sha256(rgba).hexdigest()[:16]


def hides_colour(rgba: bytes) -> bool:
    """Whether any pixel has a colour although its alpha is 0."""
    clear = int.from_bytes(rgba[3::4].translate(IS_ZERO), "little") * 255
    return any(clear & int.from_bytes(rgba[channel::4], "little") for channel in range(3))


def without_hidden_colour(rgba: bytes) -> bytes:
    """The same picture with R, G and B set to 0 where alpha is 0."""
    size = len(rgba) // 4
    visible = int.from_bytes(rgba[3::4].translate(MASK), "little")
    result = bytearray(rgba)
    for channel in range(3):
        plane = int.from_bytes(rgba[channel::4], "little") & visible
        result[channel::4] = plane.to_bytes(size, "little")
    return bytes(result)


def picture_agrees(rgba: bytes, expected: str) -> bool:
    if picture_hash(rgba) == expected:
        return True
    return hides_colour(rgba) and picture_hash(without_hidden_colour(rgba)) == expected


# --- Comparing --------------------------------------------------------------------------------------------------


def compare_info(info: dict[str, Any], expected: Expected) -> list[str]:
    """The differences in what `info --json` says."""
    found: list[str] = []

    def check(what: str, got: object, wanted: object) -> None:
        if got != wanted:
            found.append(f"{what}: {got!r} instead of {wanted!r}")

    check("size", (info["width"], info["height"]), (expected.width, expected.height))
    check("frame count", info["frameCount"], expected.frame_count)
    check("listed frames", len(info["frames"]), expected.frame_count)
    if expected.plays is not None:
        check("plays", info["plays"], expected.plays)
    for index, (got, wanted) in enumerate(zip(info["frames"], expected.frames)):
        if wanted.raw_ms is not None:
            check(f"frame {index} stored delay", got["rawDelayMs"], wanted.raw_ms)
        if wanted.ms is not None:
            check(f"frame {index} delay", got["delayMs"], wanted.ms)
    return found


def read_exactly(stream: IO[bytes], size: int) -> bytes:
    """The next `size` bytes, or fewer where the stream ends."""
    parts: list[bytes] = []
    while size > 0 and (part := stream.read(min(size, CHUNK))):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def compare_pictures(stream: IO[bytes], expected: Expected) -> list[str]:
    """The differences in the canvases of a stream; holds one canvas at a time."""
    size = expected.width * expected.height * 4
    found: list[str] = []
    for index, wanted in enumerate(expected.picture_hashes):
        rgba = read_exactly(stream, size)
        if len(rgba) < size:
            return found + [f"frame {index} picture: the output ends after {len(rgba)} of {size} bytes"]
        if wanted is not None and not picture_agrees(rgba, wanted):
            found.append(f"frame {index} picture: {picture_hash(rgba)} instead of {wanted}")
    rest = (expected.frame_count - len(expected.frames)) * size
    got = sum(len(chunk) for chunk in iter(lambda: stream.read(CHUNK), b""))
    if got != rest:
        found.append(f"output: {got} bytes after the listed frames instead of {rest}")
    return found


# --- Running gallop ---------------------------------------------------------------------------------------------


@dataclass
class Outcome:
    """How a process ended."""

    status: int = 0
    is_late: bool = False
    message: str = ""

    @property
    def is_crash(self) -> bool:
        return self.status < 0 and not self.is_late

    def complaint(self, command: str, may_fail: bool = False) -> list[str]:
        """What is wrong with the ending itself."""
        if self.is_late:
            return [f"{command}: timed out"]
        if self.is_crash:
            return [f"{command}: crashed with signal {-self.status}: {self.message}"]
        if self.status != 0 and not may_fail:
            return [f"{command}: exit status {self.status}: {self.message}"]
        return []


class Gallop:
    def __init__(self, program: Path, timeout: float, piece_bytes: int | None = None) -> None:
        self.program = program
        self.timeout = timeout
        self.piece_bytes = piece_bytes

    def in_pieces(self, piece_bytes: int) -> Gallop:
        """The same program, fed its files in pieces."""
        return Gallop(self.program, self.timeout, piece_bytes)

    @contextmanager
    def running(self, *arguments: str) -> Iterator[tuple[IO[bytes], Outcome]]:
        """A run of gallop: its standard output, and how it ended once the block is left."""
        outcome = Outcome()
        if self.piece_bytes is not None:
            arguments = (*arguments, "--piece-bytes", str(self.piece_bytes))
        with tempfile.TemporaryFile() as errors:
            process = subprocess.Popen(
                [str(self.program), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors
            )
            assert process.stdout is not None
            expired = threading.Event()
            watchdog = threading.Timer(self.timeout, lambda: (expired.set(), process.kill()))
            watchdog.start()
            try:
                yield process.stdout, outcome
            finally:
                process.stdout.close()
                outcome.status = process.wait()
                watchdog.cancel()
                outcome.is_late = expired.is_set()
                errors.seek(0)
                outcome.message = last_line(errors.read())

    def info(self, path: Path) -> tuple[dict[str, Any] | None, Outcome]:
        with self.running("info", "--json", str(path)) as (output, outcome):
            text = output.read()
        line = json.loads(text) if text else None
        # A file that cannot be used has a line with its error, which standard error tells as well.
        return (None if line is None or "error" in line else line), outcome

    def discard(self, path: Path) -> Outcome:
        """Decodes without output."""
        with self.running("decode", "--format", "null", str(path)) as (output, outcome):
            output.read()
        return outcome


def last_line(text: bytes) -> str:
    lines = text.decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else "no message"


@dataclass
class Result:
    expected: Expected
    differences: list[str] = field(default_factory=list)


def file_hash(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def check_rejected(gallop: Gallop, path: Path) -> list[str]:
    """An error or no frames; the decoder may not crash on it either way."""
    info, outcome = gallop.info(path)
    found = outcome.complaint("info", may_fail=True)
    if outcome.status == 0 and (info is None or info["frameCount"] != 0):
        found.append("info: finds frames in a file that browsers reject")
    return found + gallop.discard(path).complaint("decode", may_fail=True)


def check_pictures(gallop: Gallop, path: Path, expected: Expected) -> list[str]:
    if not any(expected.picture_hashes):
        # Nothing to compare, as where the canvas passes every limit; it may be refused, but not crash.
        return gallop.discard(path).complaint("decode", may_fail=True)
    with gallop.running("decode", "--format", "rgba", "--output", "-", str(path)) as (output, outcome):
        found = compare_pictures(output, expected)
    return outcome.complaint("decode") + found


def check_accepted(gallop: Gallop, path: Path, expected: Expected) -> list[str]:
    info, outcome = gallop.info(path)
    found = outcome.complaint("info")
    if info is None:
        return found or ["info: prints nothing"]
    found += compare_info(info, expected)
    # Canvases of another size would only be cut up wrongly.
    if (info["width"], info["height"]) != (expected.width, expected.height):
        return found
    return found + check_pictures(gallop, path, expected)


def compare_feeding(whole: dict[str, Any] | None, fed: dict[str, Any] | None) -> list[str]:
    """The differences in `info --json` between a file read whole and one fed in pieces."""
    if whole is None or fed is None:
        return [] if whole == fed else ["in pieces: only one way of reading gives an image"]
    keys = sorted({*whole, *fed})
    return [
        f"in pieces, {key}: {fed.get(key)!r} instead of {whole.get(key)!r}" for key in keys if whole.get(key) != fed.get(key)
    ]


def check_one_way(gallop: Gallop, path: Path, expected: Expected) -> list[str]:
    if expected.agree == "rejected":
        return check_rejected(gallop, path)
    return check_accepted(gallop, path, expected)


def check(gallop: Gallop, folder: Path, expected: Expected, piece_bytes: int | None = None) -> Result:
    path = folder / "gifs" / expected.file
    try:
        if file_hash(path) != expected.sha256:
            return Result(expected, ["this is not the file that the expectations were made from"])
        found = check_one_way(gallop, path, expected)
        if piece_bytes is not None:
            feeding = gallop.in_pieces(piece_bytes)
            found += compare_feeding(gallop.info(path)[0], feeding.info(path)[0])
            found += [f"in pieces, {text}" for text in check_one_way(feeding, path, expected)]
        return Result(expected, found)
    except (OSError, ValueError, KeyError) as error:
        return Result(expected, [f"{type(error).__name__}: {error}"])


# --- Reporting --------------------------------------------------------------------------------------------------


def table(results: Iterable[Result]) -> str:
    """Passed of total, a line for each source folder and a column for each class."""
    counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for result in results:
        row = result.expected
        for source in (row.source, "all"):
            for agree in (row.agree, "all"):
                counts[source, agree][0] += not result.differences
                counts[source, agree][1] += 1
    sources = sorted({source for source, _ in counts} - {"all"}) + ["all"]
    columns = [*CLASSES, "all"]
    width = max(len(source) for source in ["source", *sources])
    lines = ["  ".join([f"{'source':<{width}}", *(f"{column:>9}" for column in columns)])]
    for source in sources:
        cells = (counts.get((source, column)) for column in columns)
        texts = (f"{cell[0]}/{cell[1]}" if cell else "-" for cell in cells)
        lines.append("  ".join([f"{source:<{width}}", *(f"{text:>9}" for text in texts)]))
    return "\n".join(lines)


def difference_lines(results: Iterable[Result], shows_all: bool) -> list[str]:
    lines: list[str] = []
    for result in results:
        shown = result.differences if shows_all else result.differences[:1]
        lines += [f"{result.expected.file} ({result.expected.agree}): {text}" for text in shown]
        if hidden := len(result.differences) - len(shown):
            lines.append(f"    and {hidden} more; --verbose shows them")
    return lines


# --- The command ------------------------------------------------------------------------------------------------


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compares gallop with what browsers made of a set of GIFs.")
    parser.add_argument("folder", type=Path, nargs="?", help="holds expected.jsonl and gifs/")
    parser.add_argument("--gallop", type=Path, help="the program to test")
    parser.add_argument("--source", action="append", default=[], help="only this folder of gifs/; may be repeated")
    parser.add_argument(
        "--class", dest="classes", action="append", choices=CLASSES, default=[], help="only this class; may be repeated"
    )
    parser.add_argument(
        "--piece-bytes", type=int, help="also feed every file in pieces of this many bytes: the outcome must be the same"
    )
    parser.add_argument("--jobs", type=int, default=2, help="files at once (default: 2)")
    parser.add_argument("--timeout", type=float, default=120, help="seconds for each run of gallop (default: 120)")
    parser.add_argument("--verbose", action="store_true", help="every difference, not the first of each file")
    parser.add_argument("--self-test", action="store_true", help="test this script instead")
    options = parser.parse_args(arguments)
    if not options.self_test and (options.gallop is None or options.folder is None):
        parser.error("--gallop and a folder are needed")
    if options.jobs < 1 or options.timeout <= 0:
        parser.error("--jobs and --timeout take more than 0")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(arguments)
    if options.self_test:
        suite = unittest.defaultTestLoader.loadTestsFromTestCase(SelfTest)
        return 0 if unittest.TextTestRunner().run(suite).wasSuccessful() else 1
    try:
        rows = select(read_expected(options.folder / "expected.jsonl"), options.source, options.classes)
    except OSError as error:
        print(f"conformance: {error}", file=sys.stderr)
        return 2
    if not rows:
        print("conformance: no file of that source and class", file=sys.stderr)
        return 2
    gallop = Gallop(options.gallop, options.timeout)
    with ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda row: check(gallop, options.folder, row, options.piece_bytes), rows))
    print(table(results))
    differences = difference_lines(results, options.verbose)
    if differences:
        print("\n" + "\n".join(differences))
    return 1 if differences else 0


# --- Tests of the pure parts ------------------------------------------------------------------------------------


class SelfTest(unittest.TestCase):
    LINE = (
        '{"file":"set/a.gif","bytes":9,"sha256":"00","width":2,"height":1,"frameCount":3,"plays":"forever",'
        '"frames":[{"rawMs":0,"ms":100,"sha":null,"why":"failed"},{"rawMs":null,"ms":null,"sha":"SHA"}],'
        '"agree":"chromium","shown":"SHOWN"}'
    )
    FIRST = bytes([1, 2, 3, 255, 0, 0, 0, 0])
    SECOND = bytes([9, 9, 9, 9, 8, 8, 8, 8])

    def expected(self, first: bytes = FIRST, second: bytes = SECOND) -> Expected:
        return parse_expected(self.LINE.replace("SHOWN", picture_hash(first)).replace("SHA", picture_hash(second)))

    def stream(self, data: bytes) -> IO[bytes]:
        stream = tempfile.TemporaryFile()
        self.addCleanup(stream.close)
        stream.write(data)
        stream.seek(0)
        return stream

    def info(self, **changes: object) -> dict[str, Any]:
        frames = [{"rawDelayMs": 0, "delayMs": 100}, {"rawDelayMs": 70, "delayMs": 70}, {}]
        return {"width": 2, "height": 1, "frameCount": 3, "plays": "forever", "frames": frames, **changes}

    def test_reads_a_line(self) -> None:
        row = self.expected()
        self.assertEqual((row.source, row.agree, row.frame_count), ("set", "chromium", 3))
        self.assertEqual(row.picture_hashes, [picture_hash(self.FIRST), picture_hash(self.SECOND)])

    def test_shown_does_not_replace_a_hash(self) -> None:
        row = parse_expected(self.LINE.replace("null,", '"given",', 1).replace('"sha":null', '"sha":"given"'))
        self.assertEqual(row.picture_hashes[0], "given")

    def test_selects(self) -> None:
        rows = [self.expected()]
        self.assertEqual(select(rows, [], []), rows)
        self.assertEqual(select(rows, ["set"], ["chromium"]), rows)
        self.assertEqual(select(rows, ["other"], []), [])
        self.assertEqual(select(rows, [], ["both"]), [])

    def test_compares_what_info_says(self) -> None:
        row = self.expected()
        self.assertEqual(compare_info(self.info(), row), [])
        self.assertEqual(compare_info(self.info(height=2), row), ["size: (2, 2) instead of (2, 1)"])
        self.assertEqual(compare_info(self.info(plays=1), row), ["plays: 1 instead of 'forever'"])
        slow = [{"rawDelayMs": 10, "delayMs": 10}, {"rawDelayMs": 0, "delayMs": 0}, {}]
        self.assertEqual(
            compare_info(self.info(frames=slow), row),
            ["frame 0 stored delay: 10 instead of 0", "frame 0 delay: 10 instead of 100"],
        )
        self.assertEqual(len(compare_info(self.info(frames=slow[:1], frameCount=1), row)), 4)

    def test_finds_hidden_colour(self) -> None:
        self.assertFalse(hides_colour(self.FIRST))
        self.assertFalse(hides_colour(self.SECOND))
        for channel in range(3):
            pixel = bytearray(8)
            pixel[4 + channel] = 4
            self.assertTrue(hides_colour(bytes(pixel)))

    def test_removes_hidden_colour(self) -> None:
        self.assertEqual(without_hidden_colour(bytes([7, 7, 7, 1, 5, 6, 7, 0])), bytes([7, 7, 7, 1, 0, 0, 0, 0]))
        self.assertEqual(without_hidden_colour(self.SECOND), self.SECOND)

    def test_compares_pictures(self) -> None:
        third = bytes(8)
        good = self.FIRST + self.SECOND + third
        self.assertEqual(compare_pictures(self.stream(good), self.expected()), [])
        hidden = self.FIRST[:4] + bytes([1, 1, 1, 0])
        self.assertEqual(compare_pictures(self.stream(hidden + good[8:]), self.expected()), [])
        swapped = compare_pictures(self.stream(self.SECOND + self.FIRST + third), self.expected())
        self.assertEqual([text.split(":")[0] for text in swapped], ["frame 0 picture", "frame 1 picture"])

    def test_compares_feeding(self) -> None:
        self.assertEqual(compare_feeding(self.info(), self.info()), [])
        self.assertEqual(compare_feeding(None, None), [])
        self.assertEqual(len(compare_feeding(self.info(), None)), 1)
        self.assertEqual(len(compare_feeding(self.info(), self.info(plays=2, more=1))), 2)

    def test_counts_the_output(self) -> None:
        short = compare_pictures(self.stream(self.FIRST + self.SECOND[:5]), self.expected())
        self.assertEqual(short, ["frame 1 picture: the output ends after 5 of 8 bytes"])
        long = compare_pictures(self.stream(self.FIRST + self.SECOND + bytes(9)), self.expected())
        self.assertEqual(long, ["output: 9 bytes after the listed frames instead of 8"])

    def test_judges_endings(self) -> None:
        self.assertEqual(Outcome(0).complaint("info"), [])
        self.assertEqual(Outcome(1, message="m").complaint("info"), ["info: exit status 1: m"])
        self.assertEqual(Outcome(1).complaint("info", may_fail=True), [])
        self.assertIn("signal 5", Outcome(-5).complaint("info", may_fail=True)[0])
        self.assertEqual(Outcome(-9, is_late=True).complaint("info", may_fail=True), ["info: timed out"])

    def test_takes_the_last_line(self) -> None:
        self.assertEqual(last_line(b"one\ntwo\n"), "two")
        self.assertEqual(last_line(b""), "no message")

    def test_prints_the_table(self) -> None:
        row = self.expected()
        lines = table([Result(row), Result(row, ["x"])]).splitlines()
        self.assertEqual(lines[1].split(), ["set", "-", "1/2", "-", "1/2"])
        self.assertEqual(lines[2].split(), ["all", "-", "1/2", "-", "1/2"])

    def test_lists_differences(self) -> None:
        results = [Result(self.expected(), ["one", "two"])]
        self.assertEqual(len(difference_lines(results, shows_all=True)), 2)
        short = difference_lines(results, shows_all=False)
        self.assertEqual(short, ["set/a.gif (chromium): one", "    and 1 more; --verbose shows them"])


if __name__ == "__main__":
    sys.exit(main())
