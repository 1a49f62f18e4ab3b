#!/usr/bin/env python3
"""Edits GIFs at random and compares what Chromium shows of the results with what it shows of the chosen frames.

The files are real ones, odd ones and damaged ones. Both sides of the comparison are Chromium's: what becomes of the canvas is
done with its pictures in the page. Only damage is told by the tool. Exit status: 0 no difference, 1 some, 2 cannot run,
130 interrupted.
"""

from __future__ import annotations

import math
import random
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from batch import MOST_FRAMES, MOST_PIXELS, Answer, Chrome
from hunting import OutputHunt, hunt_in_batches, parse_arguments, shown, whole_or_damaged
from rows import LARGEST_SIDE

from galloptools.gif.mutants import Mutant

LARGEST_ORIGINAL = 1_500_000
"""Larger files are not edited."""
LONGEST_DELAY = 655_350
REFUSED = 1
"""The exit status of an edit that cannot be made."""
SOUND = ("complete", "truncated")
"""The statuses of frames that show their pictures."""

Shown = tuple[int, "int | None"]
"""A frame, counted through all files, and its delay; None where Chromium does not say, as of a single frame."""


@dataclass
class Edit:
    """Options of `gallop edit`, and what they choose."""

    mutants: list[Mutant]
    answers: list[Answer]
    options: list[str] = field(default_factory=list)
    frames: list[int] = field(default_factory=list)
    delays: list[int | None] = field(default_factory=list)
    plays: int | str | None = None
    change: dict[str, Any] | None = None
    """What becomes of the canvas, for the page."""
    merges: bool = False
    later: list[Callable[[list[Shown]], list[Shown]]] = field(default_factory=list)
    """What becomes of frames and delays once stills are merged, which depends on the pictures."""
    chosen: list[int] = field(default_factory=list)
    """All frames of which a picture is looked at, also of those that are merged."""

    @property
    def counts(self) -> list[int]:
        return [answer.frame_count for answer in self.answers]

    def pictures(self) -> list[str | None]:
        """The pictures of all files, counted through."""
        return [picture for answer in self.answers for picture in answer.pictures]

    def finish(self) -> None:
        """Decide what depends on the pictures."""
        timed = list(zip(self.frames, self.delays, strict=True))
        self.chosen = list(self.frames)
        if self.merges:
            timed = merged(timed, self.pictures())
        for step in self.later:
            timed = step(timed)
        self.frames, self.delays = [frame for frame, _ in timed], [delay for _, delay in timed]


def total(delays: Sequence[int | None]) -> int | None:
    """The sum of delays; None where one is unknown, unless the others alone leave no room for it."""
    known = [delay for delay in delays if delay is not None]
    least = sum(known) + 10 * (len(delays) - len(known))
    return least if len(known) == len(delays) or least > LONGEST_DELAY else None


def merged(timed: Sequence[Shown], pictures: Sequence[str | None]) -> list[Shown]:
    """Neighbours that show the same as one frame."""
    found: list[Shown] = []
    for frame, delay in timed:
        if found and pictures[found[-1][0]] == pictures[frame]:
            found[-1] = (found[-1][0], total([found[-1][1], delay]))
        else:
            found.append((frame, delay))
    return found


def faster(timed: Sequence[Shown], rate: float) -> list[Shown]:
    """Delays divided, in hundredths of a second of which none is lost, and not below two."""
    found: list[Shown] = []
    rest = 0.0
    for frame, delay in timed:
        if delay is None:
            return [(frame, None) for frame, _ in timed]
        wanted = delay // 10 / rate + rest
        given = max(2, math.floor(wanted + 0.5))
        rest = 0.0 if abs(wanted - given) > 0.5 else wanted - given
        found.append((frame, given * 10))
    return found


def choose_canvas(edit: Edit, generator: random.Random) -> None:
    """What becomes of the canvas."""
    sizes = [(answer.width, answer.height) for answer in edit.answers]
    canvas = sizes[0]
    if len(set(sizes)) > 1 or generator.random() < 0.1:
        if generator.random() < 0.5:
            canvas = (max(width for width, _ in sizes), max(height for _, height in sizes))
            edit.options += ["--canvas", "largest"]
        else:
            canvas = (generator.randint(1, 2 * canvas[0]), generator.randint(1, 2 * canvas[1]))
            edit.options += ["--canvas", f"{canvas[0]}x{canvas[1]}"]
    crop = (0, 0, *canvas)
    if generator.random() < 0.2:
        left, top = generator.randrange(canvas[0]), generator.randrange(canvas[1])
        crop = (left, top, generator.randint(1, canvas[0] - left), generator.randint(1, canvas[1] - top))
        edit.options += ["--crop", f"{crop[2]}x{crop[3]}+{crop[0]}+{crop[1]}"]
    flip = generator.choice(["x", "y", "xy"]) if generator.random() < 0.15 else ""
    for axis in flip:
        edit.options += ["--flip", axis]
    rotate = generator.choice([90, 180, 270]) if generator.random() < 0.15 else 0
    if rotate:
        edit.options += ["--rotate", str(rotate)]
    if edit.options:
        edit.change = {"canvas": canvas, "crop": crop, "flip": flip, "rotate": rotate}


def choose(
    generator: random.Random, mutants: Sequence[Mutant], answers: Sequence[Answer],
    is_sound: Callable[[int], bool],
) -> Edit:  # fmt: skip
    """A random edit of a file or of two, in the order in which the tool applies its options."""
    edit = Edit(list(mutants), list(answers))
    edit.plays = answers[0].plays if answers[0].frame_count > 1 else None
    choose_canvas(edit, generator)
    count = sum(edit.counts)
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
    delays = [
        shown(delay) if answer.frame_count > 1 else None
        for answer in answers for delay in (answer.delays or [None] * answer.frame_count)
    ]  # fmt: skip
    timed: list[Shown] = [(frame, delays[frame]) for frame in frames]
    if generator.random() < 0.2:
        edit.options.append("--skip-failed")
        timed = [(frame, delay) for frame, delay in timed if is_sound(frame)]
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
    edit.frames, edit.delays = [frame for frame, _ in timed], [delay for _, delay in timed]
    choose_times(edit, generator)
    return edit


def choose_times(edit: Edit, generator: random.Random) -> None:
    """Stills, delays, plays, and how the output is written."""
    if generator.random() < 0.15:
        edit.options.append("--merge-still")
        edit.merges = True
    if generator.random() < 0.15:
        rate = generator.choice([0.5, 0.75, 1.5, 2, 3, 10])
        edit.options += ["--rate", str(rate)]
        edit.later.append(lambda timed: faster(timed, rate))
    if generator.random() < 0.1:
        delay = 10 * generator.randint(2, 90)
        edit.options += ["--delay", str(delay)]
        edit.later.append(lambda timed: [(frame, delay) for frame, _ in timed])
    if generator.random() < 0.1:
        last = 10 * generator.randint(2, 900)
        edit.options += ["--last-delay", str(last)]
        edit.later.append(lambda timed: [*timed[:-1], *((frame, last) for frame, _ in timed[-1:])])
    if generator.random() < 0.2:
        loop = generator.choice(["forever", "once", "3", "65536"])
        edit.options += ["--loop", loop]
        edit.plays = {"forever": "forever", "once": 1}.get(loop) or int(loop)
    if generator.random() < 0.1:
        edit.options.append("--strip")
    if generator.random() < 0.1:
        edit.options += ["--comment", "x" * generator.choice([1, 255, 256, 600])]
    if generator.random() < 0.15:
        edit.options.append("--smaller")


def differences(edit: Edit, got: Answer) -> list[str]:
    """What Chromium shows of the result that it does not show of the chosen frames, in words."""
    if got.frame_count != len(edit.frames):
        return [f"frames: {got.frame_count} instead of {len(edit.frames)}"]
    found = []
    wanted, pictures = edit.answers[0], edit.pictures()
    if (wanted.width, wanted.height) != (got.width, got.height):
        found.append(f"size: {got.width} x {got.height} instead of {wanted.width} x {wanted.height}")
    if got.frame_count > 1 and edit.plays not in (None, got.plays):
        found.append(f"plays: {got.plays} instead of {edit.plays}")
    for place, (frame, delay) in enumerate(zip(edit.frames, edit.delays, strict=True)):
        # Of a damaged frame, which an edit of all frames keeps as it is, it does not say how long it shows.
        is_told = got.frame_count > 1 and None not in (delay, got.delays[place])
        if is_told and shown(got.delays[place]) != delay:
            found.append(f"frame {place} delay: {got.delays[place]} instead of {delay}")
        if got.pictures[place] != pictures[frame]:
            found.append(f"frame {place} picture: {got.pictures[place]} instead of {pictures[frame]}")
    return found


class Hunt(OutputHunt):
    """Edits batches of files and reports what differs."""

    def __init__(self, chrome: Chrome, gallop: Path, folder: Path, seed: str, keep: Path | None) -> None:
        super().__init__(chrome, gallop, folder, keep)
        self._seed = seed

    def run(self, batch: Sequence[Mutant]) -> None:
        """Edit a batch of files."""
        usable: list[tuple[Mutant, Answer]] = []
        for mutant, answer in zip(batch, self.chrome.ask([mutant.data for mutant in batch]), strict=True):
            # Where Chromium's ImageDecoder gives up, or gives only some pictures, there is nothing to compare with.
            if answer.is_rejected or not answer.knows_count or answer.is_too_large:
                self.counts["not shown"] += 1
            elif answer.width * answer.height > MOST_PIXELS or len(answer.pictures) < answer.frame_count:
                self.counts["too large"] += 1
            else:
                usable.append((mutant, answer))
        edits = self._look([self._choose(place, usable) for place in range(len(usable))])
        edited: list[tuple[Edit, bytes]] = []
        for edit in edits:
            edit.finish()
            if not edit.frames:
                self._expect_refusal(edit, "no frame is left to write")
            elif len(edit.frames) > MOST_FRAMES or max(delay or 0 for delay in edit.delays) > LONGEST_DELAY:
                self.counts["too long"] += 1
            elif (output := self._edit(edit)) is not None:
                edited.append((edit, output))
        results = self.chrome.ask([output for _, output in edited])
        for (edit, output), result in zip(edited, results, strict=True):
            found = differences(edit, result)
            self.counts["different" if found else "identical"] += 1
            if found:
                self._report(edit, found, output)

    def _choose(self, place: int, usable: Sequence[tuple[Mutant, Answer]]) -> Edit:
        """An edit of a file; now and then with another one of the batch behind it."""
        generator = random.Random(f"{self._seed}/{usable[place][0].number}/edit")
        files = [usable[place]]
        if generator.random() < 0.2:
            sizes = [(other.width, other.height) for _, other in usable]
            alike = [other for other, size in zip(usable, sizes, strict=True) if size == sizes[place]]
            files.append(generator.choice(alike if generator.random() < 0.5 else usable))
        mutants, answers = [mutant for mutant, _ in files], [answer for _, answer in files]
        sound: list[bool] = []

        def is_sound(frame: int) -> bool:
            if not sound:
                sound.extend(self._soundness(mutants))
            return sound[frame]

        return choose(generator, mutants, answers, is_sound)

    def _soundness(self, mutants: Sequence[Mutant]) -> list[bool]:
        """Whether each frame of the files shows its picture, as the tool says of the file itself."""
        return [status in SOUND for mutant in mutants for status in self.statuses(mutant.data)]

    def _look(self, edits: list[Edit]) -> list[Edit]:
        """Have Chromium's pictures of the files changed as the edits want."""
        kept: list[Edit] = []
        files: list[bytes] = []
        changes: list[object] = []
        for edit in edits:
            if edit.change is None:
                kept.append(edit)
            elif math.prod(edit.change["canvas"]) > MOST_PIXELS or max(edit.change["canvas"]) > LARGEST_SIDE:
                self.counts["too large"] += 1
            else:
                kept.append(edit)
                files += [mutant.data for mutant in edit.mutants]
                changes += [edit.change] * len(edit.mutants)
        answers = iter(self.chrome.ask(files, changes))
        for edit in kept:
            if edit.change is not None:
                # Without a picture there is none to change, and no size of it.
                edit.answers = [next(answers) for _ in edit.mutants]
        return kept

    def _edit(self, edit: Edit) -> bytes | None:
        """The edited file; None where the edit is refused."""
        output = self.write([mutant.data for mutant in edit.mutants], "edit", edit.options, "gif")
        if isinstance(output, bytes):
            return output
        status, message = output
        named = re.search(r"frame (\d+) is damaged", message)
        if status == REFUSED and "colours; a palette has 256" in message:
            self.counts["refused for colours"] += 1
        elif status == REFUSED and named and self._is_damage_of(edit, int(named[1])):
            self.counts["refused for damage"] += 1
        else:
            self.counts["different"] += 1
            self._report(edit, [f"exit status {status}: {message}"], b"")
        return None

    def _is_damage_of(self, edit: Edit, frame: int) -> bool:
        """Whether a frame is chosen, and damaged by what the tool says of the file itself."""
        return frame in edit.chosen and not self._soundness(edit.mutants)[frame]

    def _expect_refusal(self, edit: Edit, reason: str) -> None:
        output = self.write([mutant.data for mutant in edit.mutants], "edit", edit.options, "gif")
        is_right = not isinstance(output, bytes) and output[0] == REFUSED and reason in output[1]
        self.counts["refused for want of frames" if is_right else "different"] += 1
        if not is_right:
            self._report(edit, ["an output without frames, or another refusal"], b"")

    def _report(self, edit: Edit, found: Sequence[str], output: bytes) -> None:
        number = edit.mutants[0].number
        files = {f"edit-{number}-in{place}.gif": mutant.data for place, mutant in enumerate(edit.mutants)}
        files[f"edit-{number}-out.gif"] = output
        origins = " and ".join(mutant.origin for mutant in edit.mutants)
        self.report(f"edit {number} of {origins}: {' '.join(edit.options)}", found, files)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    options = parse_arguments(arguments, "edit_browsers", __doc__ or "", "edits", batch=100)
    return hunt_in_batches(
        options, "edit_browsers", "edits",
        lambda chrome, folder: Hunt(chrome, options.gallop.resolve(), folder, options.seed, options.keep),
        whole_or_damaged, LARGEST_ORIGINAL,
    )  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
