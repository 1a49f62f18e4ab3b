"""Tests of the arithmetic on figures and of the Python decoders' pure parts."""

from __future__ import annotations

import unittest

from decoders import NO_FRAME, prior_frames
from figures import (
    BASE,
    TWO_JOBS,
    Figure,
    MeasuredFile,
    geometric_mean,
    grouped,
    quotient,
    repeats_for,
    speed_up,
    summarise,
)
from galloptools.measuring.repeats import best_of


def measured(name: str, times: dict[str, list[float]], frames: int = 30, group: str = "set") -> MeasuredFile:
    figures = {key: Figure(rounds) for key, rounds in times.items()}
    return MeasuredFile(name, group, 1000, frames, 2_000_000, figures)


class FigureTests(unittest.TestCase):
    def test_best_and_median(self) -> None:
        figure = Figure([5.0, 3.0, 10.0])
        self.assertEqual((figure.best, figure.median, figure.reason), (3.0, 5.0, None))

    def test_the_start_is_subtracted_best_from_best_and_median_from_median(self) -> None:
        figure = Figure([50.0, 60.0, 90.0], starts=[22.0, 20.0, 30.0])
        self.assertEqual((figure.best, figure.median), (30.0, 38.0))

    def test_what_drowns_in_the_start_is_no_figure(self) -> None:
        figure = Figure([21.9], starts=[20.0])
        self.assertIsNone(figure.best)
        self.assertIn("own start", figure.reason or "")
        self.assertEqual(Figure([22.5], starts=[20.0]).best, 2.5)
        self.assertIsNone(Figure([19.0], starts=[20.0]).best)

    def test_a_median_of_nothing_is_none(self) -> None:
        figure = Figure([30.0, 31.0, 32.0], starts=[20.0, 40.0, 41.0])
        self.assertEqual((figure.best, figure.median), (10.0, None))

    def test_absent_and_never_measured(self) -> None:
        self.assertEqual((Figure([1.0], absent="fails").best, Figure([1.0], absent="fails").median), (None, None))
        self.assertEqual(Figure().reason, "not measured")


class RatioTests(unittest.TestCase):
    def test_quotient(self) -> None:
        self.assertEqual(quotient(6.0, 2.0), 3.0)
        for value, base in [(None, 2.0), (6.0, None), (6.0, 0.0), (0.0, 2.0), (6.0, -1.0)]:
            self.assertIsNone(quotient(value, base))

    def test_ratio_takes_best_against_best(self) -> None:
        file = measured("a.gif", {BASE: [2.0, 4.0, 8.0], "peer": [10.0, 3.0, 12.0]})
        self.assertEqual((file.ratio("peer"), file.median_ratio("peer")), (1.5, 2.5))
        self.assertEqual((file.ratio("other"), file.median_ratio("other")), (None, None))

    def test_geometric_mean(self) -> None:
        self.assertAlmostEqual(geometric_mean([2.0, 8.0]), 4.0)
        self.assertAlmostEqual(geometric_mean([0.5, 2.0, 1.0]), 1.0)

    def test_summary(self) -> None:
        files = [measured(f"{peer}.gif", {BASE: [2.0], "peer": [peer]}) for peer in (1.0, 4.0, 16.0)]
        summary = summarise([*files, measured("none.gif", {BASE: [1.0]})], "peer", "set")
        assert summary is not None
        self.assertEqual((summary.count, summary.median, summary.worst, summary.worst_file), (3, 2.0, 0.5, "1.0.gif"))
        self.assertAlmostEqual(summary.geometric_mean, 2.0)
        self.assertAlmostEqual(summary.mean_of_medians or 0, 2.0)
        self.assertIsNone(summarise(files, "other", "set"))
        self.assertIsNone(summarise([], "peer", "set"))

    def test_speed_up_counts_files_with_many_frames(self) -> None:
        files = [
            measured("many.gif", {BASE: [3.0], TWO_JOBS: [2.0]}, frames=20),
            measured("few.gif", {BASE: [3.0], TWO_JOBS: [9.0]}, frames=19),
        ]
        summary = speed_up(files, "set")
        assert summary is not None
        self.assertEqual((summary.count, summary.worst, summary.worst_file), (1, 1.5, "many.gif"))

    def test_groups_keep_their_order(self) -> None:
        files = [measured(name, {}, group=group) for name, group in [("a", "z"), ("b", "y"), ("c", "z")]]
        groups = {group: [file.name for file in found] for group, found in grouped(files).items()}
        self.assertEqual(list(groups.items()), [("z", ["a", "c"]), ("y", ["b"])])


class PaceTests(unittest.TestCase):
    def test_short_files_are_run_often(self) -> None:
        self.assertEqual([repeats_for(ms, 5, 60) for ms in (0.0, 0.01, 1.0, 12.0, 500.0)], [200, 200, 60, 5, 5])
        self.assertEqual(repeats_for(float("nan"), 5, 60), 200)

    def test_best_of_stops_in_time_but_runs_twice(self) -> None:
        runs: list[int] = []

        def decode() -> int:
            runs.append(1)
            return 7

        self.assertEqual((best_of(decode, repeats=5, seconds=0.0)[1], len(runs)), (7, 2))
        best_of(decode, repeats=5, seconds=60.0)
        self.assertEqual(len(runs), 7)


class SkiaTests(unittest.TestCase):
    def test_the_prior_frame_is_the_last_that_stays(self) -> None:
        self.assertEqual(prior_frames([False, False, False]), [NO_FRAME, 0, 1])
        self.assertEqual(prior_frames([False, True, True, False, False]), [NO_FRAME, 0, 0, 0, 3])
        self.assertEqual(prior_frames([True, False]), [NO_FRAME, NO_FRAME])
        self.assertEqual(prior_frames([]), [])


if __name__ == "__main__":
    unittest.main()
