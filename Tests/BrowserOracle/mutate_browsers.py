#!/usr/bin/env python3
"""Damages GIFs at random and compares what gallop makes of them with what Chromium makes of them.

Every mutant is read whole and in pieces of 1, 7 and 1000 bytes. A difference is made smaller, kept, and printed with
both pictures. Exit status: 0 no difference, 1 some, 2 cannot run, 130 interrupted.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from batch import Answer, Chrome, Gallop, compare, digest, print_pictures
from hunting import hunt_in_batches, parse_arguments
from image_witness import ImageWitness

from galloptools.gif import mutants
from galloptools.gif.mutants import Mutant
from galloptools.gif.shrinking import shrink

SHRINKING_TRIES = 300
LARGEST_SHOWN = 500
"""Sides of canvases that fit in a screenshot."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    options = parse_arguments(arguments, "mutate_browsers", __doc__ or "", "mutants", batch=200)
    return hunt_in_batches(
        options, "mutate_browsers", "mutants",
        lambda chrome, folder: Hunt(chrome, Gallop(options.gallop, folder), options.keep), mutants.make,
    )  # fmt: skip


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
