"""What the comparisons of many random files with Chromium share: options, batches, exit statuses."""

from __future__ import annotations

import argparse
import json
import os
import random
import secrets
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from batch import Chrome

from galloptools.browsers.drivers import BrowserError
from galloptools.gif.files import contents
from galloptools.gif import mutants
from galloptools.gif.mutants import Mutant

EXIT_OK, EXIT_DIFFERENT, EXIT_USAGE, EXIT_INTERRUPTED = 0, 1, 2, 130
LARGEST_ORIGINAL = 24_000
"""Of larger files there are no mutants: many would take too long."""

Original = tuple[str, bytes]
"""The name and the content of a file."""


class Hunt(Protocol):
    """Compares batches of files and reports what differs."""

    counts: Counter[str]

    @property
    def summary(self) -> str:
        """The counts so far in words."""

    def run(self, batch: Sequence[Mutant]) -> None:
        """Compare a batch."""


class OutputHunt:
    """Has the tool write a file for each of a batch; what differs is printed, and kept in a folder."""

    def __init__(self, chrome: Chrome, gallop: Path, folder: Path, keep: Path | None) -> None:
        self.counts: Counter[str] = Counter()
        self.chrome = chrome
        self._gallop, self._folder, self._keep = gallop, folder, keep
        self._begin = time.monotonic()

    @property
    def summary(self) -> str:
        """The counts so far in words."""
        return ", ".join(f"{count} {name}" for name, count in self.counts.items()) + (
            f"; {time.monotonic() - self._begin:.0f} s"
        )

    def write(
        self, files: Sequence[bytes], command: str, options: Sequence[str], ending: str
    ) -> bytes | tuple[int, str]:
        """What a command of the tool makes of files; its exit status and message where it fails."""
        sources, target = self._sources(files), self._folder / f"out.{ending}"
        arguments = [str(self._gallop), command, *sources, *options, "-o", str(target), "--force", "--quiet"]
        done = subprocess.run(arguments, capture_output=True, text=True, timeout=60, check=False)
        return target.read_bytes() if done.returncode == 0 else (done.returncode, done.stderr.strip())

    def statuses(self, data: bytes) -> list[str]:
        """What the tool says of each frame of a file."""
        arguments = [str(self._gallop), "info", "--json", *self._sources([data])]
        done = subprocess.run(arguments, capture_output=True, text=True, timeout=60, check=False)
        return [frame["status"] for frame in json.loads(done.stdout)["frames"]]

    def _sources(self, files: Sequence[bytes]) -> list[str]:
        paths = [self._folder / f"in{place}.gif" for place in range(len(files))]
        for path, data in zip(paths, files, strict=True):
            path.write_bytes(data)
        return list(map(str, paths))

    def report(self, title: str, found: Sequence[str], files: Mapping[str, bytes]) -> None:
        """Print what differs, and keep the files by their names."""
        print(title)
        for line in found[:5]:
            print(f"  {line}")
        sys.stdout.flush()
        if self._keep is not None:
            self._keep.mkdir(parents=True, exist_ok=True)
            for name, data in files.items():
                (self._keep / name).write_bytes(data)


def whole_or_damaged(seed: str, number: int, originals: Sequence[Original]) -> Mutant:
    """A file for the tool: every second one as it is, the others damaged."""
    if originals and number % 2:
        name, data = random.Random(f"{seed} {number} whole").choice(originals)
        return Mutant(number=number, origin=name, data=data)
    return mutants.make(seed, number, [one for one in originals if len(one[1]) <= LARGEST_ORIGINAL])


def shown(milliseconds: int | None) -> int | None:
    """A stored delay as browsers play it."""
    return 100 if milliseconds is not None and milliseconds <= 10 else milliseconds


def parse_arguments(
    arguments: Sequence[str] | None, program: str, description: str, things: str, batch: int
) -> argparse.Namespace:
    """The options of a comparison; `things` are what it counts."""
    parser = argparse.ArgumentParser(prog=f"{program}.py", description=description.splitlines()[0])
    parser.add_argument("originals", nargs="*", type=Path, metavar="GIF-OR-DIR", help="files to damage")
    parser.add_argument("--gallop", type=Path, required=True, help="the program, a release build")
    parser.add_argument("--count", type=int, default=2000, help=f"how many {things} (default: 2000)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one")
    parser.add_argument("--seed", help=f"the same seed makes the same {things} (default: a fresh one)")
    parser.add_argument(
        "--batch", type=int, default=batch, help=f"files that are asked about at once (default: {batch})"
    )
    parser.add_argument("--keep", type=Path, help="folder for files that differ")
    parser.add_argument("--quiet", action="store_true", help="no progress on standard error")
    options = parser.parse_args(arguments)
    if options.count < 1 or options.batch < 1:
        parser.error("--count and --batch take more than 0")
    if not os.access(options.gallop, os.X_OK):
        parser.error(f"{options.gallop} cannot be run")
    options.seed = options.seed or secrets.token_hex(4)
    return options


def hunt_in_batches(
    options: argparse.Namespace, program: str, things: str,
    make_hunt: Callable[[Chrome, Path], Hunt], make_file: Callable[[str, int, Sequence[Original]], Mutant],
    largest: int = LARGEST_ORIGINAL,
) -> int:  # fmt: skip
    """Compare all files, batch by batch; return the exit status. Originals have at most `largest` bytes."""
    originals = contents(options.originals, largest)
    print(
        f"{program}: seed {options.seed}, {options.count} {things} of {len(originals)} files and synthetic ones",
        flush=True,
    )
    end = options.first + options.count
    try:
        with tempfile.TemporaryDirectory() as folder, Chrome() as chrome:
            hunt = make_hunt(chrome, Path(folder))
            for first in range(options.first, end, options.batch):
                numbers = range(first, min(first + options.batch, end))
                hunt.run([make_file(options.seed, number, originals) for number in numbers])
                if not options.quiet:
                    done = numbers.stop - options.first
                    print(f"{done} of {options.count}: {hunt.summary}", file=sys.stderr, flush=True)
    except (BrowserError, OSError) as error:
        print(f"{program}: {error}", file=sys.stderr)
        return EXIT_USAGE
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    print(f"{program}: seed {options.seed}: {hunt.summary}")
    return EXIT_DIFFERENT if hunt.counts["different"] else EXIT_OK
