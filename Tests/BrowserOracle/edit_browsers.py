#!/usr/bin/env python3
"""Edits GIFs at random and compares what Chromium shows of the results with what it shows of the chosen frames.

The files are real ones, odd ones and damaged ones. Both sides of the comparison are Chromium's. Exit status: 0 no
difference, 1 some, 2 cannot run, 130 interrupted.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from batch import MOST_FRAMES, MOST_PIXELS, Answer, Chrome
from hunting import OutputHunt, hunt_in_batches, parse_arguments, shown, whole_or_damaged

from galloptools.gif.mutants import Mutant

LONGEST_DELAY = 655_350
REFUSED = 1
"""The exit status of an edit that cannot be made."""


@dataclass
class Edit:
    """Options of `gallop edit`, and what they choose."""

    options: list[str] = field(default_factory=list)
    frames: list[int] = field(default_factory=list)
    delays: list[int | None] = field(default_factory=list)
    """None where Chromium does not say, as of a single frame."""
    plays: int | str | None = None


def total(delays: Sequence[int | None]) -> int | None:
    """The sum of delays, where all are known."""
    known = [delay for delay in delays if delay is not None]
    return sum(known) if len(known) == len(delays) else None


def choose(generator: random.Random, answer: Answer) -> Edit:
    """A random edit of a file, in the order in which the tool applies its options."""
    count = answer.frame_count
    edit = Edit(plays=answer.plays if count > 1 else None)
    frames = list(range(count))
    kind = generator.choice(["all", "cut", "cut", "list", "backwards"])
    if kind == "cut":
        first = generator.randrange(count)
        last = generator.randrange(first, count)
        frames = frames[first : last + 1]
        edit.options += ["--frames", f"{first}-{last}"]
    elif kind == "list":
        frames = [generator.randrange(count) for _ in range(generator.randint(1, 6))]
        edit.options += ["--frames", ",".join(map(str, frames))]
    elif kind == "backwards" and count > 1:
        first = generator.randrange(count - 1)
        last = generator.randrange(first + 1, count)
        frames = frames[first : last + 1][::-1]
        edit.options += ["--frames", f"{last}-{first}"]
    # Of a single frame ImageDecoder says neither how long it shows nor how often.
    timed = [(frame, shown(answer.delays[frame]) if count > 1 else None) for frame in frames]
    if generator.random() < 0.2:
        step = generator.randint(2, 4)
        edit.options += ["--every", str(step)]
        groups = [timed[start : start + step] for start in range(0, len(timed), step)]
        timed = [(group[0][0], total([delay for _, delay in group])) for group in groups]
    order = generator.random()
    if order < 0.2:
        edit.options.append("--reverse")
        timed.reverse()
    elif order < 0.3:
        edit.options.append("--bounce")
        timed += timed[1:-1][::-1]
    if generator.random() < 0.1:
        delay = 10 * generator.randint(2, 90)
        edit.options += ["--delay", str(delay)]
        timed = [(frame, delay) for frame, _ in timed]
    if generator.random() < 0.1:
        delay = 10 * generator.randint(2, 900)
        edit.options += ["--last-delay", str(delay)]
        timed[-1] = (timed[-1][0], delay)
    if generator.random() < 0.2:
        loop = generator.choice(["forever", "once", "3", "65536"])
        edit.options += ["--loop", loop]
        edit.plays = {"forever": "forever", "once": 1}.get(loop) or int(loop)
    edit.frames, edit.delays = [frame for frame, _ in timed], [delay for _, delay in timed]
    return edit


def differences(wanted: Answer, edit: Edit, got: Answer) -> list[str]:
    """What Chromium shows of the result that it does not show of the chosen frames, in words."""
    if got.frame_count != len(edit.frames):
        return [f"frames: {got.frame_count} instead of {len(edit.frames)}"]
    found = []
    if (wanted.width, wanted.height) != (got.width, got.height):
        found.append(f"size: {got.width} x {got.height} instead of {wanted.width} x {wanted.height}")
    if got.frame_count > 1 and edit.plays not in (None, got.plays):
        found.append(f"plays: {got.plays} instead of {edit.plays}")
    for place, (frame, delay) in enumerate(zip(edit.frames, edit.delays, strict=True)):
        # Of a damaged frame, which an edit of all frames keeps as it is, it does not say how long it shows.
        is_told = got.frame_count > 1 and None not in (delay, got.delays[place])
        if is_told and shown(got.delays[place]) != delay:
            found.append(f"frame {place} delay: {got.delays[place]} instead of {delay}")
        if got.pictures[place] != wanted.pictures[frame]:
            found.append(f"frame {place} picture: {got.pictures[place]} instead of {wanted.pictures[frame]}")
    return found


class Hunt(OutputHunt):
    """Edits batches of files and reports what differs."""

    def __init__(self, chrome: Chrome, gallop: Path, folder: Path, seed: str, keep: Path | None) -> None:
        super().__init__(chrome, gallop, folder, keep)
        self._seed = seed

    def run(self, batch: Sequence[Mutant]) -> None:
        """Edit a batch of files."""
        answers = self.chrome.ask([mutant.data for mutant in batch])
        edited: list[tuple[Mutant, Answer, Edit, bytes]] = []
        for mutant, answer in zip(batch, answers, strict=True):
            # Where Chromium's ImageDecoder gives up, or gives only some pictures, there is nothing to compare with.
            if answer.is_rejected or not answer.knows_count or answer.is_too_large:
                self.counts["not shown"] += 1
                continue
            if answer.width * answer.height > MOST_PIXELS or len(answer.pictures) < answer.frame_count:
                self.counts["too large"] += 1
                continue
            edit = choose(random.Random(f"{self._seed}/{mutant.number}/edit"), answer)
            if len(edit.frames) > MOST_FRAMES or max(delay or 0 for delay in edit.delays) > LONGEST_DELAY:
                self.counts["too long"] += 1
                continue
            output = self._edit(mutant, edit)
            if output is not None:
                edited.append((mutant, answer, edit, output))
        results = self.chrome.ask([output for *_, output in edited])
        for (mutant, answer, edit, output), result in zip(edited, results, strict=True):
            found = differences(answer, edit, result)
            self.counts["different" if found else "identical"] += 1
            if found:
                self._report(mutant, edit, found, output)

    def _edit(self, mutant: Mutant, edit: Edit) -> bytes | None:
        """The edited file; None where the edit is refused."""
        output = self.write(mutant, "edit", edit.options, "gif")
        if isinstance(output, bytes):
            return output
        status, message = output
        if status != REFUSED:
            self.counts["different"] += 1
            self._report(mutant, edit, [f"exit status {status}: {message}"], b"")
        elif "colours" in message:
            self.counts["refused for colours"] += 1
        elif "is damaged" in message:
            self.counts["refused for damage"] += 1
        else:
            self.counts["different"] += 1
            self._report(mutant, edit, [message], b"")
        return None

    def _report(self, mutant: Mutant, edit: Edit, found: Sequence[str], output: bytes) -> None:
        files = {f"edit-{mutant.number}-in.gif": mutant.data, f"edit-{mutant.number}-out.gif": output}
        self.report(f"edit {mutant.number} of {mutant.origin}: {' '.join(edit.options)}", found, files)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    options = parse_arguments(arguments, "edit_browsers", __doc__ or "", "edits", batch=100)
    return hunt_in_batches(
        options, "edit_browsers", "edits",
        lambda chrome, folder: Hunt(chrome, options.gallop.resolve(), folder, options.seed, options.keep),
        whole_or_damaged,
    )  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
