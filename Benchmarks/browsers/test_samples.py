"""Tests of the arithmetic: samples, verdicts, ramps, and what Gallop prints."""

from __future__ import annotations

import json
import unittest

from gallop_player import parse_playback
from samples import (
    Climb,
    Playback,
    Ramp,
    Sample,
    Standing,
    StandStill,
    Step,
    check_moved,
    quotient,
    saturation,
)

from galloptools.measuring.commands import Failure


def browser(cpu: float = 5, drawn: float = 60, moved: tuple[int, int] = (64, 64), peak: int = 500) -> Sample:
    return Sample(10, cpu, [peak - 100, peak, peak - 200], 7, drawn, moved, ("renderer: Compositor", 0.25))


def own(cpu: float = 0.5, due: int = 10_000, dropped: int = 0, p99: float = 1.0, peak: int = 20) -> Sample:
    return Sample(10, cpu, [peak - 1, peak], 1, playback=Playback(due, dropped, p99, cpu))


class SampleTests(unittest.TestCase):
    def test_figures(self) -> None:
        self.assertEqual((browser().share, browser().peak, browser().median), (0.5, 500, 400))
        self.assertEqual((Sample(10, 1, [], 1).peak, Sample(10, 1, [], 1).median), (0, 0))

    def test_medians_over_rounds(self) -> None:
        standing = Standing([browser(cpu=9, peak=900), browser(cpu=4), browser(cpu=5, peak=600)])
        self.assertEqual((standing.share, standing.peak, standing.usual), (0.5, 600, 500))

    def test_quotient(self) -> None:
        self.assertEqual((quotient(6, 2), quotient(6, 0)), (3, None))

    def test_pictures_that_stand_still_fail(self) -> None:
        check_moved("chromium", browser(moved=(61, 64)), 50)
        check_moved("chromium", browser(drawn=2.7), 50)
        check_moved("gallop", own(), 50)
        # A wall of slow GIFs need not change while draws are counted.
        check_moved("chromium", browser(drawn=0, moved=(0, 0)), 0)
        for sample in (browser(moved=(60, 64)), browser(drawn=0), own(due=0)):
            with self.assertRaises(StandStill):
                check_moved("player", sample, 50)


class SaturationTests(unittest.TestCase):
    def verdict(self, sample: Sample) -> str | None:
        return saturation(sample, needed=45, shortest_delay=20, cores=2)

    def test_a_player_that_keeps_up(self) -> None:
        for sample in (browser(drawn=45), browser(cpu=19), own(dropped=10), own(p99=20)):
            self.assertIsNone(self.verdict(sample))

    def test_each_reason(self) -> None:
        self.assertEqual(self.verdict(browser(drawn=44.9)), "draws 44.9 pictures a second and needs 45.0")
        self.assertEqual(self.verdict(browser(cpu=19.1)), "takes 1.91 of 2 cores")
        self.assertEqual(self.verdict(own(cpu=19.1)), "takes 1.91 of 2 cores")
        self.assertEqual(self.verdict(own(dropped=110)), "1.1 % of the frames are dropped")
        self.assertEqual(self.verdict(own(p99=20.04)), "p99 lateness is 20.0 ms")


class RampTests(unittest.TestCase):
    def climb(self, capacity: int, most: int = 16384, refinements: int = 2) -> tuple[Ramp, list[int]]:
        ramp, tried = Ramp(most, refinements), []
        while (count := ramp.next) is not None:
            tried.append(count)
            ramp.record(count, count <= capacity)
        return ramp, tried

    def test_fourfold_and_then_between(self) -> None:
        ramp, tried = self.climb(100)
        self.assertEqual(tried, [1, 4, 16, 64, 256, 128, 91])
        self.assertEqual((ramp.sustained, ramp.failed), (91, 128))

    def test_without_refinement(self) -> None:
        ramp, tried = self.climb(100, refinements=0)
        self.assertEqual((tried, ramp.sustained, ramp.failed), ([1, 4, 16, 64, 256], 64, 256))

    def test_ends_at_the_largest_wall(self) -> None:
        ramp, tried = self.climb(10**9, most=100)
        self.assertEqual((tried, ramp.sustained, ramp.failed), ([1, 4, 16, 64, 100], 100, None))

    def test_nothing_at_all(self) -> None:
        ramp, tried = self.climb(0)
        self.assertEqual((tried, ramp.sustained, ramp.failed), ([1], 0, 1))

    def test_neighbours_leave_nothing_between(self) -> None:
        self.assertEqual(self.climb(1, refinements=9)[1], [1, 4, 2])

    def test_every_capacity_is_bracketed(self) -> None:
        for capacity in range(1, 300):
            ramp, _ = self.climb(capacity, most=256, refinements=20)
            self.assertLessEqual(ramp.sustained, capacity)
            if ramp.failed is not None:
                self.assertGreater(ramp.failed, capacity)


class ClimbTests(unittest.TestCase):
    def test_best_and_failure(self) -> None:
        climb = Climb(Ramp(1024, 0))
        for count, verdict in [(1, None), (4, None), (16, "too much")]:
            climb.record(Step(count, browser(cpu=2 * count), verdict))
        self.assertEqual(climb.best and climb.best.count, 4)
        self.assertEqual(climb.first_failure and climb.first_failure.count, 16)
        self.assertEqual((climb.per_core(2), climb.per_cpu_core), (2, 5))

    def test_nothing_kept_up_with(self) -> None:
        climb = Climb(Ramp(1024, 0))
        climb.record(Step(1, None, "cannot be played: crashed"))
        self.assertEqual((climb.best, climb.per_core(2), climb.per_cpu_core), (None, 0, None))

    def test_a_browser_is_measured_against_itself(self) -> None:
        climb = Climb(Ramp(1024, 0))
        self.assertEqual(climb.needed(50), 25)
        climb.record(Step(1, browser(drawn=40), None))
        self.assertEqual(climb.needed(50), 36)


class PlaybackTests(unittest.TestCase):
    ROW = {"players": 1, "seconds": 3.0, "framesDue": 90, "framesShown": 88, "framesDropped": 2, "cpuSeconds": 0.25}

    def test_report(self) -> None:
        row = {**self.ROW, "latenessMs": {"p50": 0.1, "p95": 1, "p99": 2.5, "max": 7}, "more": []}
        self.assertEqual(parse_playback(json.dumps(row).encode()), (3.0, Playback(90, 2, 2.5, 0.25)))

    def test_no_report(self) -> None:
        for text in (b"", b"[]", b"{}", json.dumps(self.ROW).encode(), b'{"seconds": "x"}'):
            with self.assertRaises(Failure):
                parse_playback(text)


if __name__ == "__main__":
    unittest.main()
