#!/usr/bin/env python3
"""What real browsers make of GIF files: sizes, frame counts, delays, plays and hashes of every composited frame.

Golden values for tests must come from the browsers that the engine wants to match, not from the engine itself.
See README.md in this folder.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import unittest
from collections.abc import Generator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from decoding import Asker
from pages import OraclePages
from rows import CheckReport, Decoding, Row, Source, build_row, check_rows, is_worth_comparing, read_rows, to_json_line

from galloptools.browsers.drivers import BROWSERS, BrowserError
from galloptools.gif.files import gifs
from galloptools.gif.records import read_loop_counts

EXIT_OK, EXIT_DIFFERENT, EXIT_USAGE, EXIT_INTERRUPTED = 0, 1, 2, 130
START_SECONDS = 90.0
"""For starting a browser: generous, since it may share the machine with a build."""


class UsageError(Exception):
    """The command line cannot be followed."""


def main(arguments: list[str]) -> int:
    """Run the command line; return the exit status."""
    options = _parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, _exit_on_signal)
    try:
        if options.self_test:
            return _self_test()
        if not options.paths:
            raise UsageError("name at least one GIF or folder")
        if options.check is None:
            return _write(options)
        return _check(options)
    except (UsageError, BrowserError, ValueError, OSError) as error:
        print(f"browser_oracle: {error}", file=sys.stderr)
        return EXIT_USAGE
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="browser_oracle.py", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("paths", nargs="*", type=Path, metavar="GIF-OR-DIR")
    parser.add_argument("--browser", choices=[*BROWSERS, "both"], default="both")
    parser.add_argument("--output", type=Path, metavar="FILE.jsonl", help="instead of standard output")
    parser.add_argument("--root", type=Path, help="names are written relative to this folder (default: the argument)")
    parser.add_argument("--check", type=Path, metavar="EXPECTED.jsonl", help="compare instead of write")
    parser.add_argument("--timeout", type=float, default=120.0, help="seconds for one file in one browser")
    parser.add_argument("--cross-check", action="store_true", help="read every frame by copyTo and by canvas")
    parser.add_argument("--self-test", action="store_true", help="run the unit tests of the pure parts")
    parser.add_argument("--quiet", action="store_true", help="no progress on standard error")
    return parser


def _exit_on_signal(number: int, frame: object) -> None:
    """Turn a signal into an exception, so that browsers are ended and profiles removed."""
    raise KeyboardInterrupt


def _self_test() -> int:
    suite = unittest.defaultTestLoader.loadTestsFromName("self_test")
    return EXIT_OK if unittest.TextTestRunner().run(suite).wasSuccessful() else EXIT_DIFFERENT


def _write(options: argparse.Namespace) -> int:
    files = find_files(options.paths, options.root)
    whole = True
    with ExitStack() as stack:
        output: TextIO = sys.stdout
        if options.output is not None:
            output = stack.enter_context(options.output.open("w", encoding="utf-8"))
        for look in stack.enter_context(closing(look_at(files, options))):
            whole = whole and look.whole
            print(to_json_line(look.row), file=output, flush=True)
    return EXIT_OK if whole else EXIT_DIFFERENT


def _check(options: argparse.Namespace) -> int:
    expected = read_rows(options.check)
    files = find_files(options.paths, options.root)
    with closing(look_at(files, options)) as looks:
        actual = {look.row["file"]: look.row for look in looks}
    if options.output is not None:
        lines = (to_json_line(row) + "\n" for row in actual.values())
        options.output.write_text("".join(lines), encoding="utf-8")
    report = check_rows(expected, actual)
    _print_report(report)
    return EXIT_OK if report.passed else EXIT_DIFFERENT


def _print_report(report: CheckReport) -> None:
    for line in report.lines:
        print(line)
    for kind in sorted(report.equal.keys() | report.different.keys() | report.skipped.keys()):
        skipped = f", {report.skipped[kind]} not compared" if kind in report.skipped else ""
        print(f"{kind}: {report.equal.get(kind, 0)} equal, {report.different.get(kind, 0)} different{skipped}")


def find_files(paths: Sequence[Path], root: Path | None) -> list[tuple[str, Path]]:
    """The GIFs below `paths` with their names in the output, sorted by name.

    In a folder everything ending in .gif counts (in any case); a file named on the command line always does.
    """
    found: dict[str, Path] = {}
    for path in paths:
        base = root or (path if path.is_dir() else path.parent)
        try:
            files = gifs(path)
        except FileNotFoundError as error:
            raise UsageError(f"there is no {path}") from error
        for file in files:
            name = _relative_name(file, base)
            if found.setdefault(name, file).resolve() != file.resolve():
                raise UsageError(f"two files would both be named {name}; use --root")
    return sorted(found.items())


def _relative_name(file: Path, base: Path) -> str:
    try:
        return Path(os.path.abspath(file)).relative_to(os.path.abspath(base)).as_posix()
    except ValueError as error:
        raise UsageError(f"{file} is not below {base}") from error


@dataclass(frozen=True)
class Look:
    """An output line, and whether every browser that was asked gave a result for it."""

    row: Row
    whole: bool


def look_at(files: Sequence[tuple[str, Path]], options: argparse.Namespace) -> Generator[Look, None, None]:
    """Ask the browsers about every file; they end when the iteration does."""
    names = list(BROWSERS) if options.browser == "both" else [options.browser]
    for name in names:
        BROWSERS[name].find_executable()
    with ExitStack() as stack:
        server = stack.enter_context(OraclePages())
        askers: dict[str, Asker] = {}
        for name in names:
            browser = BROWSERS[name](server.page_url, START_SECONDS)
            askers[name] = Asker(browser, server, options.timeout, options.cross_check)
            stack.callback(askers[name].close)
        for number, (name, path) in enumerate(files, 1):
            look = _look(Source(name, path.read_bytes()), askers)
            if not options.quiet:
                print(f"{number}/{len(files)} {_summary(look.row)}", file=sys.stderr)
            yield look


def _look(source: Source, askers: dict[str, Asker]) -> Look:
    decodings: dict[str, Decoding | None] = {}
    for name, asker in askers.items():
        leader = next(iter(decodings.values()), None)
        decodings[name] = asker.ask(source.data) if leader is None or is_worth_comparing(leader) else None
    row = build_row(source, decodings, read_loop_counts(source.data))
    return Look(row, whole=all(decoding is None or decoding.broken is None for decoding in decodings.values()))


def _summary(row: Row) -> str:
    verdict = row.get("agree") or row.get("browser")
    note = f" ({row['note']})" if "note" in row else ""
    return f"{row['file']}: {row['width']}x{row['height']}, {row['frameCount']} frames, {verdict}{note}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
