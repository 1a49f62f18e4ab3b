"""Tests of how tools are found, run and read, and of the order of measuring. No decoder is run."""

from __future__ import annotations

import os
import sys
import tempfile
import unittest
from contextlib import redirect_stderr
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from unittest import mock

import bench_peers
from discovery import TINY_GIF, imagemagick_version, programs
from figures import BASE, Figure, MeasuredFile
from tools import Effort, Sample, Tool, WholeProcess, parse_progress, parse_sample

from galloptools.measuring.commands import Failure


class ToolTests(unittest.TestCase):
    def test_reads_a_sample(self) -> None:
        self.assertEqual(parse_sample('{"milliseconds": 1.5, "frames": 3}'), Sample(1.5, 3))
        self.assertEqual(parse_sample('{"milliseconds": 2, "frames": 3, "pixels": 9}'), Sample(2.0, 3, pixels=9))
        for text in ("", "[]", "{}", '{"milliseconds": null, "frames": 3}', "3"):
            self.assertRaises(Failure, parse_sample, text)

    def test_reads_the_frame_count(self) -> None:
        self.assertEqual(parse_progress("frame=1\nfps=0\nframe=12\nprogress=end\n"), 12)
        self.assertIsNone(parse_progress("drop_frames=4\n"))

    def test_a_whole_process_is_timed_with_its_start(self) -> None:
        command = [sys.executable, "-c", "print('frame=4')"]
        tool = WholeProcess("key", "title", "1", "how", command=lambda path: command, tiny=Path("tiny.gif"))
        sample = tool.sample(Path("a.gif"), Effort(2, 60))
        self.assertEqual(sample.frames, 4)
        self.assertGreater(sample.milliseconds, 0)
        self.assertGreater(sample.start or 0, 0)


class DiscoveryTests(unittest.TestCase):
    def test_tells_imagemagick_from_others(self) -> None:
        text = "Version: ImageMagick 6.9.11-60 Q16 x86_64 2021-01-25 https://example.org\n"
        self.assertEqual(imagemagick_version(text), "ImageMagick 6.9.11-60 Q16")
        self.assertEqual(imagemagick_version("Version: ImageMagick 7.1.1-2 Q16-HDRI x"), "ImageMagick 7.1.1-2 Q16-HDRI")
        self.assertIsNone(imagemagick_version("convert: ImageMagick is not installed"))

    def test_finds_every_program_of_a_name(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder) / name / "gallop-test-tool" for name in ("one", "two")]
            for path in paths:
                path.parent.mkdir()
                path.write_text("#!/bin/sh\n")
                path.chmod(0o755)
            before = os.environ["PATH"]
            self.addCleanup(os.environ.__setitem__, "PATH", before)
            os.environ["PATH"] = os.pathsep.join(str(path.parent) for path in paths)
            self.assertEqual(list(programs(["gallop-test-tool", "no-such"])), [str(path) for path in paths])

    def test_the_tiny_gif_is_whole(self) -> None:
        self.assertEqual((TINY_GIF[:6], TINY_GIF[-1:], len(TINY_GIF)), (b"GIF89a", b";", 35))


@dataclass(frozen=True)
class FakeTool(Tool):
    samples: list[Sample | Failure]

    def sample(self, path: Path, effort: Effort) -> Sample:
        answer = self.samples.pop(0)
        if isinstance(answer, Failure):
            raise answer
        return answer


class MeasuringTests(unittest.TestCase):
    PACE = bench_peers.Pace(rounds=2, repeats=1, target=1, seconds=1)

    def measure(self, **samples: list[Sample | Failure]) -> MeasuredFile | None:
        tools = [FakeTool(key, key, "1", "how", answers) for key, answers in samples.items()]
        with tempfile.NamedTemporaryFile(suffix=".gif") as file, redirect_stderr(StringIO()):
            task = bench_peers.prepare(Path(file.name), "set", tools, self.PACE)
        if task is None:
            return None
        for turn in range(self.PACE.rounds):
            task.measure(turn, tools)
        return task.file

    def test_every_tool_in_every_round(self) -> None:
        gallop: list[Sample | Failure] = [Sample(9.0, 3, pixels=12), Sample(2.0, 3), Sample(1.0, 3)]
        file = self.measure(gallop=gallop, peer=[Sample(8.0, 3, start=1.0), Sample(7.0, None, start=2.0)])
        assert file is not None
        self.assertEqual((file.frames, file.pixels, file.figure(BASE).rounds), (3, 12, [2.0, 1.0]))
        self.assertEqual((file.figure("peer").rounds, file.figure("peer").starts), ([8.0, 7.0], [1.0, 2.0]))

    def test_other_frames_or_a_failure_are_no_figure(self) -> None:
        gallop: list[Sample | Failure] = [Sample(1.0, 3) for _ in range(3)]
        file = self.measure(gallop=gallop, short=[Sample(1.0, 2)], broken=[Failure("bad")])
        assert file is not None
        self.assertEqual(file.figure("short").reason, "gives 2 of 3 frames")
        self.assertEqual(file.figure("broken").reason, "bad")

    def test_reasons_are_the_same_for_every_file(self) -> None:
        file = MeasuredFile("a.gif", "set", 1, 1, 1, {"peer": Figure()})
        tool = FakeTool("peer", "peer", "1", "how", [Failure("cannot do `a.gif'")])
        bench_peers.take_sample(tool, Path("folder/a.gif"), Effort(1, 1), file)
        self.assertEqual(file.figure("peer").reason, "cannot do `the file'")

    def test_a_file_that_gallop_refuses_is_passed_over(self) -> None:
        self.assertIsNone(self.measure(gallop=[Failure("no GIF")]))

    def test_all_files_are_measured_each_way_as_often(self) -> None:
        batch = bench_peers.Batch(Path("gallop"), [Path("a.gif"), Path("b.gif"), Path("c.gif")])
        with (
            mock.patch("bench_peers.timed", return_value=(8.0, "")) as timed,
            mock.patch("bench_peers.timed_together", return_value=9.0),
        ):
            batch.measure()
            batch.measure()
        figures = batch.figures
        self.assertEqual((figures.count, figures.one_job, figures.two_jobs), (258, [8.0] * 2, [8.0] * 2))
        self.assertEqual(figures.apart, [9.0] * 2)
        self.assertEqual([call.args[0][-1] for call in timed.call_args_list], ["1", "2", "2", "1"])

    def test_chooses_files(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for name in ("b.gif", "A.GIF", "note.txt"):
                (Path(folder) / name).write_bytes(b"")
            self.assertEqual([path.name for path in bench_peers.gifs_or_none(Path(folder))], ["A.GIF", "b.gif"])
            given = [path for group, path in bench_peers.chosen_files([Path(folder)]) if group == "given"]
            self.assertEqual(len(given), 2)
        with redirect_stderr(StringIO()) as errors:
            self.assertEqual(bench_peers.gifs_or_none(Path(folder)), [])
        self.assertIn("skipped", errors.getvalue())


if __name__ == "__main__":
    unittest.main()
