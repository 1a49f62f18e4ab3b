#!/usr/bin/env python3
"""Writes GIFs as lossless WebPs and compares what Chromium shows of both: every pixel, every delay, the plays.

The files are real ones, odd ones and damaged ones. Frames that show the same one after another may be one in the WebP, for
the time of all. Exit status: 0 no difference, 1 some, 2 cannot run, 130 interrupted.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from batch import MOST_PIXELS, Answer, Chrome
from edit_browsers import file, shown
from hunting import hunt_in_batches, parse_arguments

from galloptools.gif.mutants import Mutant

MOST_PLAYS = 65_535
"""The most that a WebP can say."""
REFUSED = 1


def runs(answer: Answer) -> list[tuple[str | None, int | None]]:
    """The pictures with their times; what shows the same one after another is one."""
    found: list[tuple[str | None, int | None]] = []
    for picture, delay in zip(answer.pictures, answer.delays, strict=True):
        delay = shown(delay)
        if found and found[-1][0] == picture:
            before = found[-1][1]
            delay = None if delay is None or before is None else before + delay
            found[-1] = (picture, delay)
        else:
            found.append((picture, delay))
    return found


def differences(wanted: Answer, got: Answer) -> list[str]:
    """What Chromium shows of the WebP that it does not show of the GIF, in words."""
    found = []
    if (wanted.width, wanted.height) != (got.width, got.height):
        found.append(f"size: {got.width} x {got.height} instead of {wanted.width} x {wanted.height}")
    ours, theirs = runs(got), runs(wanted)
    if len(ours) != len(theirs):
        return [*found, f"pictures: {len(ours)} instead of {len(theirs)}"]
    if len(theirs) > 1:
        plays = min(wanted.plays, MOST_PLAYS) if isinstance(wanted.plays, int) else wanted.plays
        if plays not in (None, got.plays):
            found.append(f"plays: {got.plays} instead of {plays}")
    for place, ((picture, delay), (other, time_shown)) in enumerate(zip(ours, theirs, strict=True)):
        if picture != other:
            found.append(f"picture {place}: {picture} instead of {other}")
        # Of a single frame, and of a damaged one, ImageDecoder does not say how long it shows.
        if len(theirs) > 1 and None not in (delay, time_shown) and delay != time_shown:
            found.append(f"picture {place} shows for {delay} instead of {time_shown} ms")
    return found


class Hunt:
    """Writes batches of files and reports what differs."""

    def __init__(self, chrome: Chrome, gallop: Path, folder: Path, keep: Path | None) -> None:
        self.counts: Counter[str] = Counter()
        self._chrome, self._gallop, self._folder, self._keep = chrome, gallop, folder, keep
        self._begin = time.monotonic()

    @property
    def summary(self) -> str:
        """The counts so far in words."""
        return ", ".join(f"{count} {name}" for name, count in self.counts.items()) + (
            f"; {time.monotonic() - self._begin:.0f} s"
        )

    def run(self, batch: Sequence[Mutant]) -> None:
        """Compare a batch of files."""
        answers = self._chrome.ask([mutant.data for mutant in batch])
        written: list[tuple[Mutant, Answer, bytes]] = []
        for mutant, answer in zip(batch, answers, strict=True):
            # A blank frame keeps what was before it on the page, and is transparent in a WebP.
            is_blank = None in answer.pictures
            if answer.is_rejected or not answer.knows_count or answer.is_too_large or is_blank:
                self.counts["not shown whole"] += 1
            elif answer.width * answer.height > MOST_PIXELS or len(answer.pictures) < answer.frame_count:
                self.counts["too large"] += 1
            elif (output := self._write(mutant)) is not None:
                written.append((mutant, answer, output))
        results = self._chrome.ask([output for *_, output in written])
        for (mutant, answer, output), result in zip(written, results, strict=True):
            found = differences(answer, result)
            self.counts["different" if found else "identical"] += 1
            if found:
                self._report(mutant, found, output)

    def _write(self, mutant: Mutant) -> bytes | None:
        """The WebP; None where the tool fails."""
        source, target = self._folder / "in.gif", self._folder / "out.webp"
        source.write_bytes(mutant.data)
        command = [str(self._gallop), "decode", str(source), "--quiet", "--force", "-o", str(target)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        if done.returncode == 0:
            return target.read_bytes()
        if done.returncode == REFUSED and "a WebP has at most" in done.stderr:
            self.counts["too large"] += 1
            return None
        self.counts["different"] += 1
        self._report(mutant, [f"exit status {done.returncode}: {done.stderr.strip()}"], b"")
        return None

    def _report(self, mutant: Mutant, found: Sequence[str], output: bytes) -> None:
        print(f"file {mutant.number}, of {mutant.origin}")
        for line in found[:5]:
            print(f"  {line}")
        sys.stdout.flush()
        if self._keep is not None:
            self._keep.mkdir(parents=True, exist_ok=True)
            (self._keep / f"{mutant.number}.gif").write_bytes(mutant.data)
            (self._keep / f"{mutant.number}.webp").write_bytes(output)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    options = parse_arguments(arguments, "webp_browsers", __doc__ or "", "files", batch=100)
    return hunt_in_batches(
        options, "webp_browsers", "files",
        lambda chrome, folder: Hunt(chrome, options.gallop.resolve(), folder, options.keep), file,
    )  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
