"""Unit tests of the scripts that make packages; part of `make self-tests`."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path
from unittest import mock

SCRIPTS = Path(__file__).resolve().parents[2] / "Sources" / "Packaging"
sys.path.insert(0, str(SCRIPTS))

import versions  # noqa: E402 - found through the line above


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
