#!/usr/bin/env python3
"""Compares decoders with what Chromium shows of the suite's files.

    run.py --decoder 'CMD {file}'          your decoder, which prints its answer as README.md says
    run.py --peer gallop --peer pillow     decoders that the suite knows; --peers names all of them
    run.py --all --results RESULTS.md      all that can be had here, and the table

Exit status: 0 when all is identical (with --all: when the table is there), 1 on any difference, 2 when nothing ran.
"""

from __future__ import annotations

import argparse
import json
import resource
import shlex
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from answers import Answer, FormatError, Row, differences, firefox_row, parse, read_index, read_pictures, summary
from peers import FILES, PEERS, MissingError, Peer, Place, gallop
from results import Result, results_text

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[2]
_PIECES = (1, 7, 1000)
_MEMORY = 6 << 30
_MOST_AT_ONCE = 12
BROWSERS = ("chromium", "firefox")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    options = parse_arguments(arguments)
    rows, pictures = read_index(FOLDER / "expected.jsonl"), read_pictures(FOLDER / "pictures.jsonl")
    rows = [row for row in rows if options.only in row["file"]]
    place = Place(options.gallop, options.build)
    results: list[Result] = []
    missing: dict[str, str] = {}
    for key, find in wanted_peers(options, place):
        try:
            peer = find()
        except MissingError as reason:
            missing[key] = str(reason)
            print(f"{key}: {reason}", flush=True)
            continue
        begin = time.monotonic()
        answers = ask(peer, rows, options.timeout, options.jobs)
        result = judge(peer, rows, answers, pictures)
        results.append(result)
        print_result(result, rows, options.verbose)
        print(f"  {time.monotonic() - begin:.0f} s", file=sys.stderr)
        if options.answers:
            save(options.answers, result, answers)
    if options.kept:
        asked = {result.key for result in results}
        results = [*(result for result in kept(options.answers) if result.key not in asked), *results]
    if options.results and results:
        recorded = json.loads((FOLDER / "recorded.json").read_text(encoding="utf-8"))
        options.results.write_text(results_text(results, missing, rows, recorded), encoding="utf-8")
    if not results:
        return 2
    return 0 if options.all or not any(any(result.found.values()) for result in results) else 1


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="run.py", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--decoder", metavar="COMMAND", help="a command with {file} or {files} in it")
    parser.add_argument("--peer", action="append", default=[], choices=PEERS, help="a decoder that the suite knows")
    parser.add_argument("--all", action="store_true", help="all decoders that can be had here")
    parser.add_argument("--pieces", action="store_true", help="gallop, fed in pieces of 1, 7 and 1000 bytes")
    parser.add_argument("--only", default="", metavar="TEXT", help="only files with this in their names")
    parser.add_argument("--results", type=Path, metavar="FILE.md", help="write the table")
    parser.add_argument("--answers", type=Path, metavar="FOLDER", help="keep the answers, for the report")
    parser.add_argument("--kept", action="store_true", help="put kept answers of other decoders into the table, too")
    parser.add_argument("--gallop", type=Path, default=ROOT / ".build/release/gallop", help="the program gallop")
    parser.add_argument("--build", type=Path, default=ROOT / ".build/suite", help="for what is built")
    parser.add_argument("--timeout", type=float, default=30, help="seconds for a call (default: 30)")
    parser.add_argument("--jobs", type=int, default=2, help="processes at once (default: 2)")
    parser.add_argument("--verbose", action="store_true", help="every difference")
    options = parser.parse_args(arguments)
    if not (options.decoder or options.peer or options.all or options.pieces):
        parser.error("name a decoder: --decoder, --peer, --pieces or --all")
    if options.kept and not options.answers:
        parser.error("--kept takes what stands in the folder of --answers")
    if options.decoder and not ("{file}" in options.decoder or FILES in options.decoder):
        parser.error("--decoder needs {file} or {files} where the names go")
    return options


def wanted_peers(options: argparse.Namespace, place: Place) -> list[tuple[str, object]]:
    """The decoders of a command line, each with a function that finds it."""
    found: list[tuple[str, object]] = []
    if options.decoder:
        peer = Peer("decoder", options.decoder, "", shlex.split(options.decoder))
        found.append(("decoder", lambda: peer))
    for key in PEERS if options.all else options.peer:
        found.append((key, lambda key=key: PEERS[key](place)))
    if options.pieces:
        found += [(f"gallop-{size}", lambda size=size: gallop(place, size)) for size in _PIECES]
    return found


# --- Asking -----------------------------------------------------------------------------------------------------


def ask(peer: Peer, rows: Sequence[Row], seconds: float, jobs: int) -> dict[str, Answer]:
    """What a decoder makes of each file. A command that takes many files is called once for each job."""
    paths = {str(FOLDER / "gifs" / row["file"]): row["file"] for row in rows}
    # A browser is one process with one page, and takes its time for all files.
    size = 1 if FILES not in peer.command else len(paths) if peer.key in BROWSERS else _MOST_AT_ONCE
    seconds *= len(paths) if peer.key in BROWSERS else 1
    names = list(paths)
    with ThreadPoolExecutor(jobs) as pool:
        batches = [names[first : first + size] for first in range(0, len(names), size)]
        found = pool.map(lambda batch: ask_batch(peer, batch, seconds), batches)
        return {paths[path]: answer for answers in found for path, answer in answers.items()}


def ask_batch(peer: Peer, paths: Sequence[str], seconds: float) -> dict[str, Answer]:
    """The answers for some files; where the decoder crashes on many, each is asked about alone."""
    command = [word.replace("{file}", paths[0]) for word in peer.command]
    if FILES in command:
        place = command.index(FILES)
        command[place : place + 1] = paths
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            check=False,
            preexec_fn=None if peer.key in BROWSERS else limit_memory,
        )
        answers = parse(done.stdout.decode("utf-8", "replace"))
        crash = f"ended by signal {-done.returncode}" if done.returncode < 0 else None
    except subprocess.TimeoutExpired:
        answers, crash = {}, f"no end after {seconds:.0f} s"
    except FormatError as error:
        answers, crash = {}, f"output: {error}"
    except OSError as error:
        raise SystemExit(f"run.py: {command[0]}: {error.strerror}") from error
    if "" in answers and len(paths) == 1:
        answers = {paths[0]: answers[""]}
    whole = crash is None and all(path in answers for path in paths)
    if whole:
        return answers
    if len(paths) == 1:
        return {paths[0]: Answer(crash=crash) if crash else Answer(error="no answer")}
    middle = len(paths) // 2
    return ask_batch(peer, paths[:middle], seconds) | ask_batch(peer, paths[middle:], seconds)


def limit_memory() -> None:
    """A file may ask for much memory, which must not be the machine's end."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


# --- Judging ----------------------------------------------------------------------------------------------------


def judge(peer: Peer, rows: Sequence[Row], answers: Mapping[str, Answer], pictures: Mapping[str, bytes]) -> Result:
    """What differs, file by file; for Firefox also from its own recording."""
    found = {row["file"]: differences(row, answers[row["file"]], pictures) for row in rows}
    own = None
    if peer.key == "firefox":
        asked = [(row, firefox_row(row)) for row in rows]
        own = [
            (row["file"], differences(line, answers[row["file"]], pictures)) for row, line in asked if line is not None
        ]
    return Result(peer.key, peer.title, peer.version, found, None if own is None else dict(own))


def print_result(result: Result, rows: Sequence[Row], shows_all: bool) -> None:
    identical, count = summary(rows, result.found)
    print(f"{result.title} {result.version}: identical to Chromium: {identical} of {count}")
    if result.own is not None:
        equal = sum(not found for found in result.own.values())
        print(f"  as recorded for itself: {equal} of {len(result.own)}")
    kinds = Counter(kind for found in result.found.values() for kind in {kind for kind, _ in found})
    if kinds:
        print("  files that differ in: " + ", ".join(f"{kind} {number}" for kind, number in kinds.most_common()))
    for file, found in result.found.items():
        for kind, text in found if shows_all else []:
            print(f"  {file}: {kind}: {text}")
    for file, found in (result.own or {}).items():
        for kind, text in found if shows_all else []:
            print(f"  {file}, own recording: {kind}: {text}")
    sys.stdout.flush()


def save(folder: Path, result: Result, answers: Mapping[str, Answer]) -> None:
    """Keep a decoder's answers, pictures included."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {
        file: {
            "width": answer.width,
            "height": answer.height,
            "plays": answer.plays,
            "error": answer.crash or answer.error,
            "frames": [{"ms": frame.ms, "rgba": (frame.rgba or b"").hex()} for frame in answer.frames],
            "differences": [f"{kind}: {text}" for kind, text in result.found[file]],
        }
        for file, answer in answers.items()
    }
    content = {"title": result.title, "version": result.version, "files": files, "own": result.own}
    (folder / f"{result.key}.json").write_text(json.dumps(content), encoding="utf-8")


def kept(folder: Path) -> list[Result]:
    """The results of earlier runs, from their answers."""
    results = []
    for path in sorted(folder.glob("*.json")):
        content = json.loads(path.read_text(encoding="utf-8"))
        found = {
            file: [tuple(text.split(": ", 1)) for text in facts["differences"]]
            for file, facts in content["files"].items()
        }
        results.append(Result(path.stem, content["title"], content["version"], found, content.get("own")))
    return results


if __name__ == "__main__":
    sys.exit(main())
