"""Tests of the pure parts; no library is run. Start with PYTHONPATH=Tests/Tools."""

from __future__ import annotations

import unittest
from unittest import mock

import bench_python
import bench_ray
import library_run
import ray_run
from galloptools.measuring.repeats import best_of


class TableTests(unittest.TestCase):
    def test_ratios_need_both_times(self) -> None:
        best = {"gallop": {"a": 2.0, "b": 4.0}, "pillow": {"a": 8.0, "c": 1.0}}
        self.assertEqual(bench_python.ratios(best, "pillow"), [4.0])

    def test_speed_table_has_means_and_extremes(self) -> None:
        best = {"gallop": {"a": 1.0, "b": 1.0}, "pillow": {"a": 2.0, "b": 8.0}}
        lines = bench_python.speed_table({"kept": best}, ["gallop", "pillow"]).splitlines()
        self.assertEqual(lines[3], "| Pillow | 4.00x | 2.00x | 8.00x |")
        self.assertIn(
            "| Pillow | – | – | – |", bench_python.speed_table({"kept": {"gallop": {}, "pillow": {}}}, ["pillow"])
        )

    def test_identical_table_begins_with_the_most(self) -> None:
        lines = bench_python.identical_table({"pillow": 1, "gallop": 3}, 3).splitlines()
        self.assertEqual([line.split()[1] for line in lines[2:]], ["Gallop", "Pillow"])


class JobsTests(unittest.TestCase):
    def test_the_line_divides_one_job_by_two(self) -> None:
        environment = mock.Mock()
        row = {"1": 3.0, "2": 2.0, "apart": 4.0, "looks": [{"line": 30.0, "one": 24.0, "two": 27.0}]}
        environment.rows.side_effect = [([row], None), ([], "ended with status 1")]
        with mock.patch("sys.stderr"):
            line = bench_python.jobs_line(environment, [], True)
        self.assertIn("1.50x (whole frames; two processes: 1.50x), – (thumbnails; two processes: –)", line)
        self.assertIn("While it ran, between its processors a cache line took 30 to 30 ns", line)


class RayTests(unittest.TestCase):
    def test_ratios_are_to_the_pool_with_as_many_workers(self) -> None:
        def outcome(seconds: float) -> dict[str, float]:
            return {"start": 0.0, "seconds": seconds, "frames": 5, "errors": 1, "files": 100}

        outcomes = {("pool-gallop", 1): outcome(2), ("ray-gallop", 1): outcome(4), ("ray-gallop", 2): outcome(1)}
        lines = bench_ray.report(outcomes).splitlines()
        self.assertEqual([line.split(" | ")[5] for line in lines[2:]], ["1.00x", "2.00x", "–"])
        self.assertIn("| 50 |", lines[2])

    def test_a_file_that_cannot_be_used_is_no_frame(self) -> None:
        self.assertEqual(ray_run.totals([3, -1, 4]), (7, 1))


class CountTests(unittest.TestCase):
    def test_a_crash_costs_one_file(self) -> None:
        environment = mock.Mock()
        environment.rows.side_effect = [
            ([{"identical": True}], "ended with status -11"),
            ([{"identical": True}], None),
        ]
        lines = [f'{{"file":"{name}"}}' for name in "abc"]
        self.assertEqual(bench_python.count_identical(environment, "pillow", bench_python.HERE, lines), 2)
        self.assertEqual(environment.rows.call_count, 2)


class RunTests(unittest.TestCase):
    def test_compares_count_and_hashes(self) -> None:
        expected = {"frames": [{"sha": None}], "frameCount": 2}
        self.assertEqual(library_run.compare(lambda _: iter([0]), b"", expected), "1 frames instead of 2")
        self.assertIsNone(library_run.compare(lambda _: iter([0, 0]), b"", expected))

    def test_best_of_stops_in_time_but_not_before_memory_is_warm(self) -> None:
        runs: list[int] = []
        best, frames = best_of(lambda: runs.append(1) or 3, 5, -1)  # type: ignore[func-returns-value]
        self.assertEqual((len(runs), frames), (2, 3))
        self.assertLess(best, float("inf"))


if __name__ == "__main__":
    unittest.main()
