"""What the comparisons of many random files with Chromium share: options, batches, exit statuses."""

from __future__ import annotations

import argparse
import os
import secrets
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from batch import Chrome

from galloptools.browsers.drivers import BrowserError
from galloptools.gif.files import contents
from galloptools.gif.mutants import Mutant

EXIT_OK, EXIT_DIFFERENT, EXIT_USAGE, EXIT_INTERRUPTED = 0, 1, 2, 130
LARGEST_ORIGINAL = 24_000

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
) -> int:  # fmt: skip
    """Compare all files, batch by batch; return the exit status."""
    originals = contents(options.originals, LARGEST_ORIGINAL)
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
