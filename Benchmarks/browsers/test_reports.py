"""Tests of what is written: tables, raw figures, charts and the command line."""

from __future__ import annotations

import contextlib
import io
import json
import unittest
from collections.abc import Mapping
from dataclasses import replace
from xml.etree import ElementTree

import bench_browsers
import capacity_report
import wall_chart
import wall_report
from players import Pace, Player
from samples import BASE, Climb, Ramp, Sample, Standing, StandStill, Step
from test_samples import browser, own
from test_wall import wall
from wall import Wall

from galloptools.measuring.machine import Machine

MB = 1_000_000


class FakePlayer(Player):
    """Plays every wall up to its capacity; its samples are given."""

    def __init__(self, key: str, sample: Sample, capacity: int = 100, hiccups: int = 0) -> None:
        self.key, self.title, self.version, self.how = key, key.capitalize(), f"{key} 1.0", f"{key} plays."
        self._sample, self._capacity, self._hiccups = sample, capacity, hiccups
        self.played: list[int] = []

    def play(self, wall: Wall, pace: Pace) -> Sample:
        self.played.append(wall.count)
        if self._hiccups > 0:
            self._hiccups -= 1
            return replace(self._sample, cpu=1000)
        if wall.count > 10 * self._capacity:
            raise StandStill("nothing moves")
        return replace(self._sample, cpu=1000) if wall.count > self._capacity else self._sample


PLAYERS = [
    FakePlayer(BASE, own(cpu=0.4, peak=20 * MB), capacity=400),
    FakePlayer("chromium", browser(cpu=8, peak=700 * MB)),
    FakePlayer("firefox", browser(cpu=6, peak=1000 * MB)),
]


def facts(**changes: object) -> wall_report.Facts:
    found = wall_report.Facts(
        date="2030-01-02 03:04 UTC",
        commit="abc123",
        machine=Machine(cpu="Some CPU", cores=2, load=0.1, system="Some Linux, x86_64"),
        is_quick=False,
        is_distinct=False,
        tile=(96, 64),
        pace=Pace(5, 10, 3, 0.5),
        files=wall(3).files,
        passed=["d|e.gif: is a still"],
        players=PLAYERS,
        absent=["opera: is not installed"],
    )
    return replace(found, **changes)  # type: ignore[arg-type]


def quietly(action: object, *arguments: object) -> object:
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
        return action(*arguments)  # type: ignore[operator]


def standings() -> Mapping[str, Standing]:
    return quietly(bench_browsers.take_turns, PLAYERS, wall(64), facts().pace, 3)  # type: ignore[return-value]


def climbs() -> Mapping[str, Climb]:
    return quietly(bench_browsers.climb, facts(), 1024, 2)  # type: ignore[return-value]


def cells(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table.splitlines()]


class CostTests(unittest.TestCase):
    def test_table(self) -> None:
        rows = cells(wall_report.summary_table(facts(), standings()))[2:]
        lost = "0 of 10000 frames dropped, p99 1.00 ms late"
        moving = "60 pictures a second, 64 of 64 tiles move"
        self.assertEqual(rows[0], ["Gallop", "4.0 %", "–", "20.0", "20.0", "–", lost])
        self.assertEqual(rows[1], ["Chromium", "80.0 %", "20.0x", "700", "700", "35.0x", moving])
        self.assertEqual(rows[2][2:6], ["15.0x", "1000", "1000", "50.0x"])

    def test_markdown_says_where_and_with_what(self) -> None:
        text = wall_report.texts(facts(), wall(64), standings())[1]
        for fact in ("# 64 GIFs", "2030-01-02", "abc123", "Some CPU, 2 cores", "chromium plays.", "3 rounds", "a.gif"):
            self.assertIn(fact, text)
        self.assertIn("- passed over: d\\|e.gif: is a still", text)
        self.assertIn("- absent: opera: is not installed", text)
        self.assertIn("the same URL", text)
        self.assertNotIn("not quiet", text)

    def test_warns(self) -> None:
        noisy = facts(is_quick=True, is_distinct=True, machine=replace(facts().machine, load=2.5))
        text = wall_report.texts(noisy, wall(64), standings())[1]
        for fact in ("**A quick run", "its load was 2.5", "content of its own"):
            self.assertIn(fact, text)

    def test_raw_figures(self) -> None:
        content = json.loads(wall_report.texts(facts(), wall(64), standings())[2])
        self.assertEqual((content["count"], content["tile"], content["distinct"]), (64, [96, 64], False))
        first = content["rounds"]["chromium"][0]
        self.assertEqual((first["cpu"], first["cpuShare"], first["drawn"], first["moved"]), (8, 0.8, 60, [64, 64]))
        self.assertEqual(content["rounds"]["gallop"][0]["playback"]["due"], 10_000)
        self.assertEqual(content["files"][0]["leastFramesPerSecond"], 50)

    def test_megabytes(self) -> None:
        shown = [wall_report.megabytes(size) for size in (1_234_567, 99.94 * MB, 512.4 * MB)]
        self.assertEqual(shown, ["1.2", "99.9", "512"])


class CapacityTests(unittest.TestCase):
    def test_ramps_end_where_each_does(self) -> None:
        found = climbs()
        self.assertEqual([step.count for step in found["chromium"].steps], [1, 4, 16, 64, 256, 128, 91])
        self.assertEqual([climb.ramp.sustained for climb in found.values()], [362, 91, 91])

    def test_a_hiccup_does_not_end_a_ramp(self) -> None:
        player = FakePlayer(BASE, own(), hiccups=1)
        found = quietly(bench_browsers.climb, facts(players=[player]), 4, 0)
        self.assertEqual(found[BASE].ramp.sustained, 4)  # type: ignore[index]
        self.assertEqual(player.played, [1, 1, 4])

    def test_pictures_that_stand_still_are_no_capacity(self) -> None:
        player = FakePlayer("chromium", browser(cpu=1, moved=(0, 4)))
        found = quietly(bench_browsers.climb, facts(players=[player]), 4, 0)
        step = found["chromium"].steps[0]  # type: ignore[index]
        self.assertEqual((step.sample, step.verdict), (None, "cannot be played: chromium: only 0 of 4 tiles move"))

    def test_table(self) -> None:
        rows = cells(capacity_report.summary_table(facts(), climbs()))[2:]
        self.assertEqual(rows[0], ["Gallop", "362", "512: takes 100.00 of 2 cores", "181", "–", "9050"])
        self.assertEqual(rows[1], ["Chromium", "91", "128: takes 100.00 of 2 cores", "45.5", "3.98x", "114"])

    def test_an_end_that_was_not_found(self) -> None:
        climb = Climb(Ramp(4, 0))
        for count in (1, 4):
            climb.record(Step(count, own(), None))
        rows = cells(capacity_report.summary_table(facts(players=PLAYERS[:1]), {BASE: climb}))[2:]
        self.assertEqual(rows[0][1:3], ["4 or more", "–"])

    def test_every_row_has_as_many_cells_as_the_head(self) -> None:
        for line in capacity_report.texts(facts(), climbs())[1].split("\n\n"):
            if line.startswith("|"):
                self.assertEqual(len({len(row) for row in cells(line)}), 1)

    def test_raw_figures(self) -> None:
        content = json.loads(capacity_report.texts(facts(), climbs())[2])
        self.assertEqual((content["ramps"]["chromium"]["sustained"], content["ramps"]["chromium"]["failed"]), (91, 128))
        self.assertEqual(len(content["ramps"]["chromium"]["steps"]), 7)


class ChartTests(unittest.TestCase):
    SVG = "{http://www.w3.org/2000/svg}"

    def bars(self, svg: str) -> list[float]:
        found = ElementTree.fromstring(svg).iter(f"{self.SVG}rect")
        return [float(bar.get("width", "0")) for bar in found if bar.get("class") in ("bar", "own")]

    def test_bars_are_in_proportion(self) -> None:
        bars = self.bars(wall_chart.cost(facts(), wall(64), standings()))
        self.assertEqual(len(bars), 6)
        self.assertAlmostEqual(bars[1] / bars[0], 20, delta=0.1)
        self.assertAlmostEqual(bars[5] / bars[3], 50, delta=0.5)

    def test_capacity(self) -> None:
        svg = wall_chart.capacity(facts(), climbs())
        self.assertAlmostEqual(self.bars(svg)[0] / self.bars(svg)[1], 362 / 91, delta=0.1)
        self.assertIn("Gallop 181, Chromium 45.5", svg)

    def test_nothing_has_no_length(self) -> None:
        empty = {player.key: Climb(Ramp(4, 0)) for player in PLAYERS}
        self.assertEqual(set(self.bars(wall_chart.capacity(facts(), empty))), {1.5})


class CommandLineTests(unittest.TestCase):
    def test_modes(self) -> None:
        options = bench_browsers.parse_arguments(["--gallop", "g", "--count", "9", "--tile", "32x16", "a.gif"])
        self.assertEqual((options.count, options.tile, options.ramp, options.distinct), (9, (32, 16), False, None))
        self.assertEqual(bench_browsers.pace_of(options).window, 10)
        quick = bench_browsers.parse_arguments(["--gallop", "g", "--quick", "--seconds", "2"])
        self.assertEqual(bench_browsers.pace_of(quick).window, 2)

    def test_wrong_usage(self) -> None:
        for wrong in (["--count", "0"], ["--tile", "9"], ["--tile", "0x5"], ["--seconds", "nan"], ["--rounds", "x"]):
            with self.assertRaises(SystemExit), contextlib.redirect_stderr(io.StringIO()):
                bench_browsers.parse_arguments(["--gallop", "g", *wrong])
        with self.assertRaises(SystemExit), contextlib.redirect_stderr(io.StringIO()):
            bench_browsers.parse_arguments([])


if __name__ == "__main__":
    unittest.main()
