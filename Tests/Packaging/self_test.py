"""Unit tests of the scripts that make packages; part of `make self-tests`."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path
from unittest import mock

SCRIPTS = Path(__file__).resolve().parents[2] / "Sources" / "Packaging"
sys.path.insert(0, str(SCRIPTS))

import man_page  # noqa: E402 - found through the line above
import versions  # noqa: E402

SHOW = {
    "commandName": "show",
    "abstract": "Shows a file.",
    "discussion": "First.\n\n.Second.",
    "arguments": [
        {"kind": "positional", "valueName": "files", "abstract": "Files."},
        {
            "kind": "option",
            "valueName": "mode",
            "names": [{"kind": "long", "name": "mode"}, {"kind": "short", "name": "m"}],
            "abstract": "The mode.",
            "allValues": ["a", "b"],
            "defaultValue": "a",
        },
        {"kind": "flag", "names": [{"kind": "long", "name": "secret"}], "shouldDisplay": False},
    ],
}


class ManPageTests(unittest.TestCase):
    def test_a_command_below_another(self) -> None:
        command = {"commandName": "tool", "subcommands": [SHOW, {"commandName": "help"}]}
        with mock.patch.dict("os.environ", SOURCE_DATE_EPOCH="86400"):
            page = man_page.page(command, "1.2")
        self.assertTrue(page.startswith('.TH GALLOP 1 "1970-01-02" "gallop 1.2"'))
        self.assertIn(".B tool show\n[options] \\fIFILES\\fR...\n", page)
        self.assertIn(".TP\n\\fB\\-\\-mode\\fR, \\fB\\-m\\fR \\fImode\\fR\nThe mode. (values: a, b; default: a)\n", page)
        self.assertIn(".PP\nFirst.\n.PP\n\\&.Second.\n", page)
        self.assertNotIn("secret", page)
        self.assertNotIn("help", page)

    def test_troff_has_no_meaning_in_text(self) -> None:
        self.assertEqual(man_page.escaped("a\\b -c 'd'"), r"a\eb \-c \(aqd\(aq")


class VersionTests(unittest.TestCase):
    def test_all_parts_agree(self) -> None:
        self.assertEqual(list(versions.differences()), [])

    def test_a_part_that_differs_is_named(self) -> None:
        with mock.patch.object(versions, "stated", return_value="9.9.9"):
            faults = list(versions.differences())
        self.assertEqual(len(faults), len(versions.PARTS))
        self.assertTrue(faults[0].endswith("and gallop.h has 9.9.9"))


if __name__ == "__main__":
    unittest.main()
