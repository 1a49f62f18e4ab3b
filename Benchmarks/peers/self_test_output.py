"""Tests of what is written: the tables, the raw figures and the chart."""

from __future__ import annotations

import json
import math
import unittest
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import chart
import report
from figures import BASE, INDICES, TWO_JOBS, Figure, ManyFiles
from self_test import measured
from self_test_tools import FakeTool
from tools import Absent

from galloptools.measuring import tables
from galloptools.measuring.machine import Machine
from galloptools.measuring.processors import Look

QUIET = Machine(cpu="Some CPU", cores=2, load=0.1, system="Some Linux, x86_64")


def sample_run() -> report.Run:
    """Two sets; one peer is there, one is absent, and one file has no figure for the peer."""
    files = [
        measured("first.gif", {BASE: [2.0, 3.0], TWO_JOBS: [1.0, 1.0], "peer": [8.0, 9.0]}, group="samples"),
        measured("second.gif", {BASE: [4.0, 4.0], TWO_JOBS: [2.5, 2.5], "peer": [2.0, 2.0]}, group="real files"),
        measured("third.gif", {BASE: [1.0], TWO_JOBS: [1.0]}, frames=1, group="real files"),
    ]
    files[2].figures["peer"] = Figure(absent="gives 0 of 1 frames")
    titles = {BASE: "Gallop", TWO_JOBS: "Gallop, 2 jobs", "peer": "Peer & Co"}
    return report.Run(
        date="2030-01-02 03:04 UTC",
        commit="abc123",
        machine=QUIET,
        rounds=2,
        is_quick=False,
        tools=[FakeTool(key, title, f"{key} 1.0", f"{key} is run.", []) for key, title in titles.items()],
        absent=[Absent("gone", "Gone", "not installed")],
        files=files,
    )


def cells(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table.splitlines()]


class TableTests(unittest.TestCase):
    def test_many_files_in_one_call(self) -> None:
        many = ManyFiles(300, [900.0, 880.0, 1000.0], [600.0, 440.0, 500.0], [1100.0, 1200.0, 1200.0])
        row, apart = cells(report.summary_table(replace(sample_run(), many=many)))[-2:]
        self.assertEqual(row[0], "Gallop, one job against two, 300 files in one call")
        self.assertEqual(row[2:], ["300", "2.00x", "2.00x", "2.00x (together)", "1.80x"])
        # Two processes decode twice as much.
        self.assertEqual(apart[2:], ["300", "1.60x", "1.60x", "1.60x (together)", "1.50x"])

    def test_indices_are_compared_with_indices(self) -> None:
        run = sample_run()
        tool = FakeTool("giflib", "giflib, indices only", "1", "is run.", [])
        files = [measured("first.gif", {BASE: [2.0], INDICES: [1.0], "giflib": [8.0]}, group="samples")]
        rows = cells(report.summary_table(replace(run, tools=[tool], absent=[], files=files)))[2:]
        self.assertEqual([row[0] for row in rows[:2]], [tool.title, f"{tool.title}, against Gallop's indices"])
        self.assertEqual([row[3] for row in rows[:2]], ["4.00x", "8.00x"])

    def test_summary(self) -> None:
        rows = cells(report.summary_table(sample_run()))[2:]
        self.assertEqual([row[1] for row in rows], ["samples"] * 3 + ["real files"] * 3)
        self.assertEqual(rows[0], ["Peer & Co", "samples", "1", "4.00x", "4.00x", "4.00x (first.gif)", "3.40x"])
        self.assertEqual(rows[1], ["Gone", "samples", "0", "absent", "–", "–", "–"])
        self.assertEqual(rows[2][2:4], ["1", "2.00x"])
        self.assertEqual(rows[3][2:6], ["1", "0.50x", "0.50x", "0.50x (second.gif)"])
        # Without many files in one call there is no row for them.
        self.assertEqual(len(rows), 6)
        # One job against two: the file with one frame does not count.
        self.assertEqual(rows[5][2:4], ["1", "1.60x"])

    def test_a_peer_without_any_figure(self) -> None:
        run = sample_run()
        rows = cells(report.summary_table(replace(run, files=run.files[2:])))[2:]
        self.assertEqual(rows[0], ["Peer & Co", "real files", "0", "no figure", "–", "–", "–"])

    def test_files(self) -> None:
        run = sample_run()
        rows = cells(report.file_table(run, run.files))
        self.assertEqual(rows[0], ["file", "frames", "Mpx", "Gallop", "Gallop, 2 jobs", "Peer & Co", "Gone"])
        self.assertEqual(rows[1], ["---", *["---:"] * 6])
        self.assertEqual(rows[2], ["first.gif", "30", "2.00", "2.00", "1.00 (0.50x)", "8.00 (4.00x)", "absent"])
        self.assertEqual(rows[4][5], "–")

    def test_every_row_has_as_many_cells_as_the_head(self) -> None:
        for line in report.markdown(sample_run()).split("\n\n"):
            if line.startswith("|"):
                self.assertEqual(len({len(row) for row in cells(line)}), 1)

    def test_names_cannot_break_the_table(self) -> None:
        self.assertEqual(tables.escaped("a|b\nc\x1b.gif"), "a\\|b?c?.gif")

    def test_numbers(self) -> None:
        shown = [report.milliseconds(value) for value in (None, 0.0123, 1.234, 12.34, 1234.5)]
        self.assertEqual(shown, ["–", "0.012", "1.23", "12.3", "1234"])
        self.assertEqual([tables.times(value) for value in (None, 0.987, 12.34)], ["–", "0.99x", "12.3x"])


class MarkdownTests(unittest.TestCase):
    def test_says_where_and_with_what(self) -> None:
        text = report.markdown(sample_run())
        for fact in ("2030-01-02", "abc123", "Some CPU, 2 cores", "load 0.10", "peer 1.0", "peer is run."):
            self.assertIn(fact, text)
        self.assertIn("- absent: Gone: not installed", text)
        self.assertIn("- no figure for Peer & Co: gives 0 of 1 frames: third.gif", text)
        self.assertNotIn("not quiet", text)

    def test_says_how_near_the_processors_were(self) -> None:
        text = report.markdown(replace(sample_run(), looks=[Look(27, 24, 26), Look(151, 23, 49)]))
        self.assertIn("- while it ran: between its processors a cache line took 27 to 151 ns", text)
        self.assertNotIn("while it ran", report.markdown(sample_run()))

    def test_warns(self) -> None:
        text = report.markdown(replace(sample_run(), is_quick=True, machine=replace(QUIET, load=2.5)))
        self.assertIn("**A quick run", text)
        self.assertIn("its load was 2.5", text)

    def test_raw_figures_are_complete(self) -> None:
        content = json.loads(report.raw(sample_run()))
        self.assertEqual((content["commit"], content["machine"]["cores"], content["rounds"]), ("abc123", 2, 2))
        first = content["files"][0]
        self.assertEqual((first["name"], first["set"], first["frames"]), ("first.gif", "samples", 30))
        self.assertEqual(first["figures"]["peer"], {"rounds": [8.0, 9.0], "best": 8.0, "median": 8.5})
        self.assertEqual(content["files"][2]["figures"]["peer"], {"absent": "gives 0 of 1 frames"})

    def test_raw_figures_keep_what_was_too_short(self) -> None:
        row = report.raw_figure(Figure([20.0], starts=[19.5]))
        self.assertEqual((row["rounds"], row["starts"], row["best"]), ([20.0], [19.5], None))
        self.assertIn("absent", row)


class ChartTests(unittest.TestCase):
    SVG = "{http://www.w3.org/2000/svg}"

    def drawn(self, run: report.Run) -> ElementTree.Element:
        return ElementTree.fromstring(chart.svg(run))

    def test_axis(self) -> None:
        axis = chart.Axis.holding([0.6, 7.0])
        self.assertEqual((axis.low, axis.high, axis.ticks), (0.5, 10, [0.5, 1, 2, 5, 10]))
        self.assertAlmostEqual(axis.x(0.5), chart.LEFT)
        self.assertAlmostEqual(axis.x(10), chart.WIDTH - chart.RIGHT)
        # Equal ratios are equal distances.
        self.assertAlmostEqual(axis.x(2) - axis.x(1), axis.x(10) - axis.x(5))

    def test_axis_always_shows_one(self) -> None:
        for values in ([], [3.0], [0.3], [5000.0], [0.01]):
            axis = chart.Axis.holding(values)
            self.assertTrue(axis.low < 1 < axis.high)
            self.assertIn(1, axis.ticks)
            for value in values:
                self.assertTrue(chart.LEFT <= axis.x(value) <= chart.WIDTH - chart.RIGHT)

    def test_is_drawn_from_the_last_set(self) -> None:
        root = self.drawn(sample_run())
        dots = root.findall(f"{self.SVG}circle")
        means = [mark for mark in root.findall(f"{self.SVG}rect") if mark.get("class") == "mean"]
        # Two jobs on two files, the peer on one; nothing for the absent one.
        self.assertEqual((len(dots), len(means)), (3, 2))
        texts = [element.text or "" for element in root.findall(f"{self.SVG}text")]
        for wanted in ("Peer & Co", "Gone", "absent", "0.50x", "1x"):
            self.assertIn(wanted, texts)
        self.assertTrue(any("logarithmic" in text for text in texts))
        self.assertTrue(any("Some CPU, 2 cores" in text and "2030-01-02" in text for text in texts))

    def test_marks_stand_at_the_geometric_mean(self) -> None:
        strip = chart.Strip("x", [1.0, 4.0])
        axis = chart.Axis.holding(strip.ratios)
        marks = [line for line in chart.strip_lines(strip, 100, axis) if 'class="mean"' in line]
        mark = ElementTree.fromstring(marks[0])
        self.assertAlmostEqual(float(mark.get("x", "nan")) + 2.5, axis.x(2.0), delta=0.1)

    def test_nothing_leaves_the_picture(self) -> None:
        root = self.drawn(sample_run())
        width, height = (float(root.get(side, "nan")) for side in ("width", "height"))
        for element in root.iter():
            for key, most in {"x": width, "cx": width, "x2": width, "y": height, "cy": height, "y2": height}.items():
                value = float(element.get(key, "0"))
                self.assertTrue(math.isfinite(value) and 0 <= value <= most, f"{element.tag} {key}={value}")

    def test_light_dark_and_in_words(self) -> None:
        root = self.drawn(sample_run())
        style = root.findtext(f"{self.SVG}style") or ""
        self.assertIn("prefers-color-scheme: dark", style)
        self.assertIn("Peer & Co: 0.50x", root.findtext(f"{self.SVG}desc") or "")
        self.assertEqual(root.get("role"), "img")

    def test_names_no_folder(self) -> None:
        run = sample_run()
        for text in (report.markdown(run), report.raw(run), chart.svg(run)):
            self.assertNotIn(str(Path(__file__).parent), text)


if __name__ == "__main__":
    unittest.main()
