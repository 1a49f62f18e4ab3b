#!/usr/bin/env python3
"""Checks the lines of `gallop play --headless --events` against the delays of the file.

    check_events.py INFO EVENTS SECONDS

INFO is the line of `gallop info --json`, EVENTS the lines of one target. Every frame due within SECONDS of media time
must be printed, with `scheduledMs` equal to the delays summed up to it, or be counted by a later `skippedFrames`.
Prints what was found; exit status 1 where anything is wrong.
"""

from __future__ import annotations

import json
import sys
import unittest
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

# Frames that a stalled machine drops just before the end have no later line to be counted in.
SETTLING_MS = 1000


@dataclass(frozen=True)
class Schedule:
    """When each frame of an animation is due."""

    delays: tuple[int, ...]
    plays: int | None
    """Total plays; none for ever."""

    @staticmethod
    def of(info: dict[str, Any]) -> Schedule:
        plays = None if info["plays"] == "forever" else int(info["plays"])
        return Schedule(tuple(frame["delayMs"] for frame in info["frames"]), plays)

    @property
    def is_still(self) -> bool:
        return len(self.delays) < 2

    def starts(self, limit: int) -> list[int]:
        """When each step begins, as far as that is before `limit`."""
        if self.is_still:
            return [0]
        within = [0, *accumulate(self.delays)]
        loop = within.pop()
        loops = -(-limit // loop) if self.plays is None else min(self.plays, -(-limit // loop))
        return [n * loop + start for n in range(loops) for start in within if n * loop + start < limit]

    def ends(self, limit: int) -> bool:
        return self.is_still or (self.plays is not None and self.plays * sum(self.delays) < limit)


@dataclass
class Report:
    due: int
    printed: int = 0
    skipped: int = 0
    unsettled: int = 0
    """Frames due at the very end that no line reports."""

    def __str__(self) -> str:
        rest = f", {self.unsettled} not reported at the end" if self.unsettled else ""
        return f"{self.due} due, {self.printed} printed, {self.skipped} skipped{rest}"


class Wrong(Exception):
    pass


def require(got: object, wanted: object, what: str) -> None:
    if got != wanted:
        raise Wrong(f"{what}: {got!r} instead of {wanted!r}")


def check_frames(lines: Sequence[dict[str, Any]], schedule: Schedule, limit: int) -> Report:
    starts = schedule.starts(limit)
    report = Report(due=len(starts))
    step = 0
    for line in lines:
        step += line["skippedFrames"]
        if step >= len(starts):
            raise Wrong(f"a frame after the end of {limit} ms: {line}")
        loop, index = divmod(step, len(schedule.delays))
        require(line["scheduledMs"], starts[step], f"step {step} scheduledMs")
        require(line["currentFrameIndex"], index, f"step {step} currentFrameIndex")
        require(line["loop"], loop, f"step {step} loop")
        report.printed += 1
        report.skipped += line["skippedFrames"]
        step += 1
    report.unsettled = len(starts) - step
    settled = len(starts) if schedule.ends(limit) else sum(start < limit - SETTLING_MS for start in starts)
    if step < settled:
        raise Wrong(f"{settled - step} frames are neither printed nor counted as skipped: {report}")
    return report


def check_endings(lines: Sequence[dict[str, Any]], schedule: Schedule, limit: int) -> None:
    """The ends of loops, and the end of all, where there is one."""
    counts = [line["count"] for line in lines if line["event"] == "loopCompleted"]
    require(counts, sorted(set(counts)), "order of the loops")
    finished = [place for place, line in enumerate(lines) if line["event"] == "finished"]
    if schedule.ends(limit):
        require(finished, [len(lines) - 1], "place of the line finished")
        require(counts[-1:], [] if schedule.is_still else [schedule.plays], "last loop completed")
    else:
        require(finished, [], "lines finished")


def check(info: dict[str, Any], lines: Sequence[dict[str, Any]], limit: int) -> Report:
    schedule = Schedule.of(info)
    report = check_frames([line for line in lines if line["event"] == "frameChange"], schedule, limit)
    check_endings(lines, schedule, limit)
    return report


def main(arguments: Sequence[str]) -> int:
    if list(arguments) == ["--self-test"]:
        suite = unittest.defaultTestLoader.loadTestsFromTestCase(SelfTest)
        return 0 if unittest.TextTestRunner().run(suite).wasSuccessful() else 1
    if len(arguments) != 3:
        print("usage: check_events.py INFO EVENTS SECONDS | --self-test", file=sys.stderr)
        return 64
    try:
        info = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
        lines = [json.loads(line) for line in Path(arguments[1]).read_text(encoding="utf-8").splitlines()]
        print(check(info, lines, round(float(arguments[2]) * 1000)))
    except (Wrong, OSError, ValueError, KeyError) as error:
        print(f"{type(error).__name__}: {error}")
        return 1
    return 0


class SelfTest(unittest.TestCase):
    INFO = {"plays": 2, "frames": [{"delayMs": 30}, {"delayMs": 70}]}
    ENDLESS = {**INFO, "plays": "forever"}

    def frame(self, step: int, start: int, skipped: int = 0) -> dict[str, Any]:
        loop, index = divmod(step, 2)
        return {
            "event": "frameChange", "currentFrameIndex": index, "loop": loop, "scheduledMs": float(start),
            "skippedFrames": skipped,
        }

    def whole(self) -> list[dict[str, Any]]:
        def loop(count: int) -> dict[str, Any]:
            return {"event": "loopCompleted", "count": count}

        frames = [self.frame(step, start) for step, start in enumerate([0, 30, 100, 130])]
        return [*frames[:2], loop(1), *frames[2:], loop(2), {"event": "finished"}]

    def wrong(self, info: dict[str, Any], lines: Sequence[dict[str, Any]], limit: int, what: str) -> None:
        with self.assertRaisesRegex(Wrong, what):
            check(info, lines, limit)

    def test_starts(self) -> None:
        self.assertEqual(Schedule((30, 70), 2).starts(1000), [0, 30, 100, 130])
        self.assertEqual(Schedule((30, 70), None).starts(230), [0, 30, 100, 130, 200])
        self.assertEqual(Schedule((30,), None).starts(230), [0])

    def test_whole_animation(self) -> None:
        self.assertEqual(str(check(self.INFO, self.whole(), 1000)), "4 due, 4 printed, 0 skipped")

    def test_counts_skipped_frames(self) -> None:
        lines = self.whole()
        del lines[1]
        lines[2]["skippedFrames"] = 1
        self.assertEqual(str(check(self.INFO, lines, 1000)), "4 due, 3 printed, 1 skipped")

    def test_silent_drops(self) -> None:
        lines = self.whole()
        self.wrong(self.INFO, lines[:1] + lines[2:], 1000, "step 1 scheduledMs")
        self.wrong(self.INFO, lines[:4] + lines[5:], 1000, "neither printed nor counted")
        frames = [self.frame(0, 0)]
        self.wrong(self.ENDLESS, frames, 2000, "neither printed nor counted")

    def test_a_millisecond_beside(self) -> None:
        lines = self.whole()
        lines[3]["scheduledMs"] = 100.001
        self.wrong(self.INFO, lines, 1000, "step 2 scheduledMs")

    def test_frames_after_the_end(self) -> None:
        lines = [self.frame(0, 0), self.frame(1, 30), self.frame(2, 100)]
        self.wrong(self.ENDLESS, lines, 100, "after the end")
        self.assertEqual(check(self.ENDLESS, lines[:2], 100).printed, 2)
        self.assertEqual(check(self.ENDLESS, lines[:1], 100).unsettled, 1)

    def test_endings(self) -> None:
        lines = self.whole()
        self.wrong(self.INFO, lines[:-1], 1000, "finished")
        self.wrong(self.INFO, lines[:-2] + lines[-1:], 1000, "last loop")
        self.wrong(self.ENDLESS, [self.frame(0, 0), {"event": "finished"}], 20, "finished")

    def test_still(self) -> None:
        still = {"plays": 1, "frames": [{"delayMs": 100}]}
        self.assertEqual(check(still, [self.frame(0, 0), {"event": "finished"}], 5000).printed, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
