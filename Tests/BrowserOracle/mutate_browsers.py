#!/usr/bin/env python3
"""Damages GIFs at random and compares what gallop makes of them with what Chromium makes of them.

Every mutant is read whole and in pieces of 1, 7 and 1000 bytes. A difference is made smaller, kept, and printed with
both pictures. Exit status: 0 no difference, 1 some, 2 cannot run, 130 interrupted.
"""

from __future__ import annotations

import argparse
import os
import secrets
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from batch import Answer, Chrome, Gallop, compare, digest, print_pictures
from image_witness import ImageWitness

from galloptools.browsers.drivers import BrowserError
from galloptools.gif import mutants
from galloptools.gif.files import contents
from galloptools.gif.mutants import Mutant
from galloptools.gif.shrinking import shrink

EXIT_OK, EXIT_DIFFERENT, EXIT_USAGE, EXIT_INTERRUPTED = 0, 1, 2, 130
LARGEST_ORIGINAL = 24_000
SHRINKING_TRIES = 300
LARGEST_SHOWN = 500
"""Sides of canvases that fit in a screenshot."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    options = parse_arguments(arguments)
    originals = contents(options.originals, LARGEST_ORIGINAL)
    seed = options.seed or secrets.token_hex(4)
    print(f"mutate_browsers: seed {seed}, {options.count} mutants of {len(originals)} files and synthetic ones")
    try:
        with tempfile.TemporaryDirectory() as folder, Chrome() as chrome:
            hunt = Hunt(chrome, Gallop(options.gallop, Path(folder)), options.keep)
            for first in range(options.first, options.first + options.count, options.batch):
                last = min(first + options.batch, options.first + options.count)
                hunt.run([mutants.make(seed, number, originals) for number in range(first, last)])
                if not options.quiet:
                    print(f"{last - options.first} of {options.count}: {hunt.summary}", file=sys.stderr, flush=True)
    except (BrowserError, OSError) as error:
        print(f"mutate_browsers: {error}", file=sys.stderr)
        return EXIT_USAGE
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    print(f"mutate_browsers: seed {seed}: {hunt.summary}")
    return EXIT_DIFFERENT if hunt.counts["different"] else EXIT_OK


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="mutate_browsers.py", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("originals", nargs="*", type=Path, metavar="GIF-OR-DIR", help="files to damage")
    parser.add_argument("--gallop", type=Path, required=True, help="the program, a release build")
    parser.add_argument("--count", type=int, default=2000, help="how many mutants (default: 2000)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one")
    parser.add_argument("--seed", help="the same seed makes the same mutants (default: a fresh one)")
    parser.add_argument("--batch", type=int, default=200, help="files that are asked about at once (default: 200)")
    parser.add_argument("--keep", type=Path, help="folder for files that differ, made smaller")
    parser.add_argument("--quiet", action="store_true", help="no progress on standard error")
    options = parser.parse_args(arguments)
    if options.count < 1 or options.batch < 1:
        parser.error("--count and --batch take more than 0")
    if not os.access(options.gallop, os.X_OK):
        parser.error(f"{options.gallop} cannot be run")
    return options


class Hunt:
    """Compares batches of mutants and reports what differs."""

    def __init__(self, chrome: Chrome, gallop: Gallop, keep: Path | None) -> None:
        self.counts: Counter[str] = Counter()
        self._chrome = chrome
        self._gallop = gallop
        self._keep = keep
        self._begin = time.monotonic()

    @property
    def summary(self) -> str:
        """The counts so far in words."""
        counts = self.counts
        identical = counts["identical"] + counts["identical to img"]
        text = f"{identical} identical, {counts['different']} different"
        if counts["identical to img"]:
            text += f" ({counts['identical to img']} identical to <img> where ImageDecoder differs from it)"
        if counts["too large"]:
            text += f", {counts['too large']} too large for Chromium's ImageDecoder"
        frames = f"{counts['frames']} frames, {counts['blank']} of them blank, {counts['rejected']} files rejected"
        return f"{text}; {frames}; {time.monotonic() - self._begin:.0f} s"

    def run(self, batch: Sequence[Mutant]) -> None:
        """Compare a batch; both programs work at the same time."""
        files = [mutant.data for mutant in batch]
        with ThreadPoolExecutor(1) as pool:
            asked = pool.submit(self._chrome.ask, files)
            found = self._gallop.ask(files)
            expected = asked.result()
        for mutant, wanted, got in zip(batch, expected, found, strict=True):
            self._judge(mutant, wanted, got)

    def _judge(self, mutant: Mutant, wanted: Answer, got: Answer) -> None:
        self.counts["frames"] += len(wanted.pictures)
        self.counts["blank"] += sum(picture is None for picture in wanted.pictures)
        self.counts["rejected"] += wanted.is_rejected
        if wanted.is_too_large:
            self.counts["too large"] += 1
        differences = compare(wanted, got)
        if not differences:
            self.counts["identical"] += 1
            return
        if self._image_agrees(mutant.data, got):
            self.counts["identical to img"] += 1
            return
        self.counts["different"] += 1
        self._report(mutant, differences)

    def _image_agrees(self, data: bytes, got: Answer) -> bool:
        """Whether <img> shows what gallop does. ImageDecoder keeps other pictures once it has met a blank frame."""
        if got.crash or got.piece_differences or max(got.width, got.height) > LARGEST_SHOWN or not got.pictures:
            return False
        witness = ImageWitness(self._chrome.browser, self._chrome.server)
        nothing = digest(bytes(got.width * got.height * 4))
        shown = witness.hashes(data, got.width, got.height, len(got.pictures))
        return shown == [picture or nothing for picture in got.pictures[: len(shown)]]

    def _differs(self, data: bytes) -> bool:
        [wanted], [got] = self._chrome.ask([data]), self._gallop.ask([data])
        return bool(compare(wanted, got)) and not self._image_agrees(data, got)

    def _report(self, mutant: Mutant, differences: Sequence[str]) -> None:
        print(f"mutant {mutant.number} of {mutant.origin}, {len(mutant.data)} bytes:")
        small = shrink(mutant.data, self._differs, SHRINKING_TRIES)
        [wanted], [got] = self._chrome.ask([small]), self._gallop.ask([small])
        for line in compare(wanted, got) or differences:
            print(f"  {line}")
        print(f"  {len(small)} bytes: {small[:400].hex(' ')}")
        print_pictures(wanted, got, lambda frame: self._chrome.picture(small, frame), self._gallop.picture)
        sys.stdout.flush()
        if self._keep is not None:
            self._keep.mkdir(parents=True, exist_ok=True)
            (self._keep / f"mutant-{mutant.number}.gif").write_bytes(small)


if __name__ == "__main__":
    sys.exit(main())
