"""Tests of how programs are run, of facts about the machine, and of turns."""

from __future__ import annotations

import sys
import unittest

from galloptools.measuring import machine
from galloptools.measuring.commands import Failure, complaint, run, without_folders
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


class TurnTests(unittest.TestCase):
    def test_every_tool_goes_first_in_turn(self) -> None:
        self.assertEqual([rotated(["a", "b", "c"], turn)[0] for turn in range(4)], ["a", "b", "c", "a"])
        self.assertEqual(rotated(["a", "b", "c"], 1), ["b", "c", "a"])
        self.assertEqual(rotated([], 3), [])


if __name__ == "__main__":
    unittest.main()
