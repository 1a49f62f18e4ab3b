#!/usr/bin/env python3
"""Writes GIFs as lossless WebPs and compares what Chromium shows of both: every pixel, every delay, the plays.

The files are real ones, odd ones and damaged ones. Frames that show the same one after another may be one in the WebP, for
the time of all. Exit status: 0 no difference, 1 some, 2 cannot run, 130 interrupted.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from batch import MOST_PIXELS, Answer
from hunting import OutputHunt, hunt_in_batches, parse_arguments, shown, whole_or_damaged

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


class Hunt(OutputHunt):
    """Writes batches of files and reports what differs."""

    def run(self, batch: Sequence[Mutant]) -> None:
        """Compare a batch of files."""
        answers = self.chrome.ask([mutant.data for mutant in batch])
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
        results = self.chrome.ask([output for *_, output in written])
        for (mutant, answer, output), result in zip(written, results, strict=True):
            found = differences(answer, result)
            self.counts["different" if found else "identical"] += 1
            if found:
                self._report(mutant, found, output)

    def _write(self, mutant: Mutant) -> bytes | None:
        """The WebP; None where the tool fails."""
        output = self.write([mutant.data], "decode", [], "webp")
        if isinstance(output, bytes):
            return output
        status, message = output
        if status == REFUSED and "a WebP has at most" in message:
            self.counts["too large"] += 1
            return None
        self.counts["different"] += 1
        self._report(mutant, [f"exit status {status}: {message}"], b"")
        return None

    def _report(self, mutant: Mutant, found: Sequence[str], output: bytes) -> None:
        files = {f"{mutant.number}.gif": mutant.data, f"{mutant.number}.webp": output}
        self.report(f"file {mutant.number}, of {mutant.origin}", found, files)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    options = parse_arguments(arguments, "webp_browsers", __doc__ or "", "files", batch=100)
    return hunt_in_batches(
        options, "webp_browsers", "files",
        lambda chrome, folder: Hunt(chrome, options.gallop.resolve(), folder, options.keep), whole_or_damaged,
    )  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
