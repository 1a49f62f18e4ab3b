"""Tests of how programs are run, of facts about the machine, and of turns."""

from __future__ import annotations

import os
import shutil
import sys
import unittest
from unittest import mock

from galloptools.measuring import machine
from galloptools.measuring.commands import Failure, complaint, run, without_folders
from galloptools.measuring.processors import Look, Processors, sentence
from galloptools.measuring.turns import rotated


class CommandTests(unittest.TestCase):
    def test_complaints_name_no_folder(self) -> None:
        command = ["/opt/tool/bin/decode", "/home/some one/a.gif"]
        self.assertEqual(complaint("x\n/home/some one/a.gif: bad\n\n", 1, command), "a.gif: bad")
        self.assertEqual(complaint("", 3, command), "exit status 3")
        self.assertEqual(complaint("cannot open '/usr/lib/x/y.so'", 1, command), "cannot open 'y.so'")
        self.assertEqual(without_folders("1/2 of https://host/a/b"), "1/2 of https://host/a/b")

    def test_runs_and_fails(self) -> None:
        self.assertEqual(run([sys.executable, "-c", "print(3)"]), "3\n")
        with self.assertRaisesRegex(Failure, "^bad$"):
            run([sys.executable, "-c", "import sys; sys.exit('bad')"])
        self.assertRaises(Failure, run, ["/nowhere/to/be/found"])


class MachineTests(unittest.TestCase):
    def test_idle_and_waiting_are_not_busy_and_steal_is(self) -> None:
        stat = "cpu  10 1 5 9000 800 2 3 4 7 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n"
        self.assertEqual(machine.busy_ticks(stat), 10 + 1 + 5 + 2 + 3 + 4)
        self.assertEqual(machine.busy_ticks(""), 0)

    def test_reads_names(self) -> None:
        self.assertEqual(machine.cpu_model("processor : 0\nmodel name\t: Some  CPU @ 2 GHz\n"), "Some CPU @ 2 GHz")
        self.assertIsNone(machine.cpu_model("Hardware : board\n"))
        self.assertEqual(machine.system_name('NAME="x"\nPRETTY_NAME="Some Linux 1"\n'), "Some Linux 1")
        self.assertIsNone(machine.system_name(""))


class ProcessorsTests(unittest.TestCase):
    def test_says_the_least_the_median_and_the_most(self) -> None:
        looks = [Look(150, 22, 48), Look(27, 24, 26), Look(30, 26, 27)]
        self.assertEqual(
            sentence(looks),
            "between its processors a cache line took 27 to 150 ns (median 30), and two threads stored 26 to 48 GB/s "
            "(median 27, one thread 24), in 3 looks",
        )
        self.assertEqual(sentence([]), "")

    @unittest.skipIf(shutil.which("cc") is None or len(os.sched_getaffinity(0)) < 2, "a compiler, two processors")
    def test_looks(self) -> None:
        processors = Processors()
        processors.look()
        look = processors.looks[0]
        self.assertTrue(look.line > 0 and look.one > 0 and look.two > 0, look)

    def test_finds_nothing_without_a_compiler(self) -> None:
        with mock.patch("galloptools.measuring.processors.run", side_effect=Failure("cc does not run")):
            processors = Processors()
            processors.look()
        self.assertEqual(processors.looks, [])


class TurnTests(unittest.TestCase):
    def test_every_tool_goes_first_in_turn(self) -> None:
        self.assertEqual([rotated(["a", "b", "c"], turn)[0] for turn in range(4)], ["a", "b", "c", "a"])
        self.assertEqual(rotated(["a", "b", "c"], 1), ["b", "c", "a"])
        self.assertEqual(rotated([], 3), [])


if __name__ == "__main__":
    unittest.main()
