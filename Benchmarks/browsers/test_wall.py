"""Tests of the wall, its files and the reading of /proc."""

from __future__ import annotations

import json
import math
import os
import unittest
from pathlib import Path

import processes
from browser_player import LIVELY_SECONDS, SHOT_GAPS, WallServer, short_version
from collection import played_delays
from wall import Wall, WallFile, least_frames, longest_rest, with_comment

from galloptools.measuring.commands import Failure

# One pixel, with a global table of two colours and without.
PIXEL = bytes.fromhex("2c00000000010001000002024401003b")
TABLED = bytes.fromhex("47494638396101000100800000000000ffffff") + PIXEL
BARE = bytes.fromhex("47494638396101000100070000") + PIXEL


def file(name: str, delays: list[int], rest: float = 0.1, data: bytes = TABLED) -> WallFile:
    return WallFile(name, Path(name), data, delays, rest)


def wall(count: int, is_distinct: bool = False) -> Wall:
    files = [file("a.gif", [20, 20]), file("b.gif", [100, 900], rest=5), file("c.gif", [30], data=BARE)]
    return Wall(files, count, (96, 64), is_distinct)


class CopyTests(unittest.TestCase):
    def test_the_comment_stands_before_the_first_block(self) -> None:
        self.assertEqual(with_comment(TABLED, "no"), TABLED[:19] + b"\x21\xfe\x02no\x00" + PIXEL)
        # The size of a table that is not there means nothing.
        self.assertEqual(with_comment(BARE, "no"), BARE[:13] + b"\x21\xfe\x02no\x00" + PIXEL)

    def test_only_gifs(self) -> None:
        for data in (b"", b"GIF89a", b"\x89PNG" + bytes(20)):
            with self.assertRaises(ValueError):
                with_comment(data, "copy")


class TimeTests(unittest.TestCase):
    def test_least_frames(self) -> None:
        self.assertEqual(least_frames([20] * 7, 2), 100)
        self.assertEqual(least_frames([500, 500], 1.2), 2)
        # The worst second begins just after the last of the short frames did.
        self.assertEqual(least_frames([1000, 20, 20], 0.9), 0)
        self.assertEqual(least_frames([1000, 20, 20], 1.0), 1)
        self.assertEqual(least_frames([1000], 0.5), 0)

    def test_least_frames_agree_with_counting(self) -> None:
        for delays in ([30, 70, 20], [20, 20, 500, 40], [100]):
            total = sum(delays)
            starts = [sum(delays[:index]) + loop * total for loop in range(40) for index in range(len(delays))]
            for span in (50, 130, 260, 1000):
                counted = min(sum(1 for start in starts if t < start <= t + span) for t in range(total))
                self.assertEqual(least_frames(delays, span / 1000), counted, (delays, span))

    def test_longest_rest(self) -> None:
        self.assertEqual(longest_rest([b"a", b"b", b"b"], [100, 200, 300]), 0.5)
        # The last picture goes on over the beginning.
        self.assertEqual(longest_rest([b"a", b"b", b"a"], [100, 200, 400]), 0.5)
        self.assertEqual(longest_rest([b"a", b"a"], [100, 100]), math.inf)


class WallTests(unittest.TestCase):
    def test_shape(self) -> None:
        shapes = {count: (wall(count).columns, wall(count).size) for count in (1, 2, 5, 64)}
        self.assertEqual(shapes[1], (1, (96, 64)))
        self.assertEqual(shapes[2], (2, (192, 64)))
        self.assertEqual(shapes[5], (3, (288, 128)))
        self.assertEqual(shapes[64], (8, (768, 512)))

    def test_contents(self) -> None:
        self.assertEqual([wall(count).contents for count in (1, 3, 10)], [1, 3, 3])
        self.assertEqual(wall(10).content(2), BARE)
        copies = wall(10, is_distinct=True)
        self.assertEqual(copies.contents, 10)
        self.assertEqual(len({copies.content(number) for number in range(10)}), 10)

    def test_the_page_names_each_tile(self) -> None:
        page = wall(4).page().decode()
        self.assertIn('["/tile/0", "/tile/1", "/tile/2", "/tile/0"]', page)
        self.assertIn("repeat(2, 96px)", page)
        self.assertNotRegex(page, "COLUMNS|WIDTH|HEIGHT|ADDRESSES")
        self.assertIn('"/tile/3"]', wall(4, is_distinct=True).page().decode())

    def test_rate_and_delay_are_those_of_the_shown_files(self) -> None:
        self.assertEqual((wall(1).rate(2), wall(1).shortest_delay), (50, 20))
        self.assertEqual(Wall(wall(3).files[1:], 1, (96, 64), False).shortest_delay, 100)

    def test_lively(self) -> None:
        self.assertEqual(wall(4).lively(2), [True, False, True, True])
        self.assertLess(LIVELY_SECONDS, sum(SHOT_GAPS))


class ServerTests(unittest.TestCase):
    def test_resources(self) -> None:
        with WallServer(wall(10)) as server:
            self.assertTrue(server.page_url.endswith("/wall"))
            self.assertEqual(server.resource("/tile/2"), ("image/gif", BARE))
            self.assertEqual(server.resource(server.publish(b"shot")), ("image/gif", b"shot"))
            for path in ("/tile/3", "/tile/-1", "/tile/", "/2", "/other"):
                self.assertIsNone(server.resource(path), path)


class CollectionTests(unittest.TestCase):
    def test_delays(self) -> None:
        row = {"plays": "forever", "frames": [{"delayMs": 30}, {"delayMs": 100}]}
        self.assertEqual(played_delays(json.dumps(row).encode()), [30, 100])

    def test_what_does_not_play_on_is_passed_over(self) -> None:
        two = [{"delayMs": 30}, {"delayMs": 30}]
        rows = [{"plays": 3, "frames": two}, {"plays": "forever", "frames": two[:1]}, {"frames": two}, [], None]
        reasons = ["ends after 3 plays", "is a still", *["prints nothing"] * 3]
        for row, reason in zip(rows, reasons, strict=True):
            with self.assertRaisesRegex(Failure, reason):
                played_delays(json.dumps(row).encode())

    def test_versions(self) -> None:
        self.assertEqual(short_version("Chromium 156.0.80 built on Debian\n"), "Chromium 156.0.80")
        self.assertEqual(short_version("Mozilla Firefox 153.7.0esr\n"), "Mozilla Firefox 153.7.0esr")
        self.assertEqual(short_version(""), "of unknown version")


def stat(pid: int, parent: int, session: int, own: int = 0, children: int = 0) -> processes.Stat:
    return processes.Stat(pid, "name", parent, session, own, children)


class ProcessTests(unittest.TestCase):
    def test_stat(self) -> None:
        line = "42 (a (b) c) S 7 42 9 0 -1 4194304 11 12 13 14 100 20 3 4 20 0 1 0 99 1000 5"
        self.assertEqual(processes.parse_stat(line), processes.Stat(42, "a (b) c", 7, 9, 120, 7))

    def test_members_are_the_session_and_all_below(self) -> None:
        own = [stat(10, 1, 10), stat(11, 10, 10), stat(12, 1, 10), stat(13, 11, 13), stat(14, 13, 14)]
        others = [stat(1, 0, 1), stat(20, 1, 20), stat(21, 20, 20)]
        found = processes.members([own[4], *others, *own[:4]], 10)
        self.assertEqual(sorted(member.pid for member in found), [10, 11, 12, 13, 14])
        self.assertEqual(processes.members(others, 10), [])

    def test_cpu_counts_children_that_ended(self) -> None:
        tree = [stat(10, 1, 10, own=processes.TICKS, children=processes.TICKS // 2), stat(11, 10, 10, processes.TICKS)]
        self.assertEqual(processes.cpu_seconds(tree), 2.5)

    def test_pss(self) -> None:
        self.assertEqual(processes.parse_pss("Rss:  900 kB\nPss:   12 kB\nPss_Anon: 3 kB\n"), 12 * 1024)
        self.assertEqual(processes.parse_pss(""), 0)

    def test_the_busiest_thread(self) -> None:
        ticks = processes.TICKS
        before = {(1, "main"): 5 * ticks, (2, "worker"): ticks}
        after = {(1, "main"): 6 * ticks, (2, "worker"): 3 * ticks, (3, "new"): ticks}
        self.assertEqual(processes.busiest(before, after), ("worker", 2.0))
        self.assertEqual(processes.busiest({}, {}), ("none", 0))

    def test_kinds(self) -> None:
        self.assertEqual(processes.kind_of("/usr/bin/x\0--type=renderer\0--lang=en"), "renderer")
        self.assertEqual(processes.kind_of("/usr/bin/x --type=gpu-process --other"), "gpu-process")
        self.assertIsNone(processes.kind_of("/usr/bin/x\0a.gif"))

    def test_a_living_process(self) -> None:
        tree = processes.tree_of(os.getpid())
        self.assertIn(os.getpid(), [member.pid for member in tree])
        self.assertGreater(processes.pss([member for member in tree if member.pid == os.getpid()]), 1 << 20)


if __name__ == "__main__":
    unittest.main()
