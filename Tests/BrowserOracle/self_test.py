"""Unit tests of everything that needs no browser. Run through `browser_oracle.py --self-test`."""

from __future__ import annotations

import hashlib
import json
import tempfile
import unittest
import urllib.error
import urllib.request
import zlib
from pathlib import Path
from typing import Any, ClassVar

import browser_oracle
import rows
from batch import Answer, compare
from decoding import Asker
from image_witness import decode_png, slow_motion
from pages import OraclePages
from rows import DecodedFrame, Decoding, Row, Source

from galloptools.browsers.drivers import BrowserError, BrowserHung, Chromium, PageError
from galloptools.gif.minimal import IMAGE, gif
from galloptools.gif.records import LoopCounts

_NO_LOOPS = LoopCounts(None, None)


class NormalisationTests(unittest.TestCase):
    def test_hash_ignores_the_colour_of_transparent_pixels(self) -> None:
        clear, tinted, red = b"\0\0\0\0", b"\x09\x08\x07\0", b"\xff\0\0\xff"
        self.assertEqual(rows.pixel_hash(red + tinted), rows.pixel_hash(red + clear))
        self.assertEqual(rows.pixel_hash(red + clear), hashlib.sha256(red + clear).hexdigest()[:16])
        self.assertNotEqual(rows.pixel_hash(red), rows.pixel_hash(b"\xfe\0\0\xff"))

    def test_shown_ms(self) -> None:
        self.assertEqual([rows.shown_ms(raw) for raw in (0, 10, 20, 100, 655350)], [100, 100, 20, 100, 655350])

    def test_total_plays(self) -> None:
        for repetition, count, plays in (
            ("forever", 2, "forever"),
            ("forever", 1, None),
            (0, 2, 1),
            (0, 1, None),
            (1, 1, 2),
            (65535, 2, 65536),
            (3, 0, None),
            (None, 2, None),
        ):
            self.assertEqual(rows.total_plays(repetition, count), plays, (repetition, count))

    def test_delay_of_a_failed_frame_is_the_gap(self) -> None:
        failed = DecodedFrame(why="failed")
        first, third = DecodedFrame(0, 500_000, "a"), DecodedFrame(800_000, 20_000, "c")
        self.assertEqual(rows.raw_delays([first, failed, third]), [500, 300, 20])
        self.assertEqual(rows.raw_delays([failed, DecodedFrame(40_000, 10_000, "b")]), [40, 10])
        self.assertEqual(rows.raw_delays([first, failed, failed, third]), [500, None, None, 20])
        self.assertEqual(rows.raw_delays([first, failed]), [500, None])
        self.assertEqual(rows.raw_delays([failed]), [None])


def _animation(*shas: str, repetition: rows.Plays = "forever", duration: int | None = 50_000) -> Decoding:
    frames = tuple(DecodedFrame(index * 50_000, duration, sha) for index, sha in enumerate(shas))
    return Decoding(4, 3, len(frames), repetition, frames)


class RowTests(unittest.TestCase):
    source = Source("a/b.gif", b"GIF")

    def test_agreement(self) -> None:
        ours = _animation("a", "b")
        self.assertEqual(rows.compare(ours, _animation("a", "b"), _NO_LOOPS), ("both", None))
        for other in (
            _animation("a", "c"),
            _animation("a"),
            _animation("a", "b", duration=70_000),
            _animation("a", "b", repetition=3),
            Decoding(),
            Decoding(broken="hung"),
        ):
            self.assertEqual(rows.compare(ours, other, _NO_LOOPS)[0], "chromium", other)
        self.assertEqual(
            rows.compare(_animation("a"), _animation("a", repetition=0, duration=None), _NO_LOOPS)[0], "both"
        )

    def test_short_delays_are_compared_as_played(self) -> None:
        ours, theirs = _animation("a", "b", duration=10_000), _animation("a", "b", duration=100_000)
        self.assertEqual(rows.compare(ours, theirs, _NO_LOOPS), ("both", None))

    def test_late_loop_extension(self) -> None:
        ours = _animation("a", "b", repetition=40)
        self.assertEqual(rows.compare(ours, _animation("a", "b", repetition=0), LoopCounts(None, 40))[0], "both")
        forever = _animation("a", "b")
        self.assertEqual(rows.compare(ours, forever, LoopCounts(0, 40))[0], "both")
        self.assertEqual(rows.compare(ours, forever, LoopCounts(7, 40))[0], "chromium")
        self.assertEqual(rows.compare(ours, forever, LoopCounts(0, None))[0], "chromium")

    def test_fields_and_their_order(self) -> None:
        row = rows.build_row(
            self.source, {"chromium": _animation("a", "b"), "firefox": _animation("a", "b")}, _NO_LOOPS
        )
        names = ["file", "bytes", "sha256", "width", "height", "frameCount", "plays", "frames", "agree"]
        self.assertEqual(list(row), names)
        self.assertEqual(row["frames"][1], {"rawMs": 50, "ms": 50, "sha": "b"})
        self.assertEqual(row["sha256"], hashlib.sha256(b"GIF").hexdigest())
        self.assertEqual(json.loads(rows.to_json_line(row)), row)

    def test_failed_rejected_and_broken(self) -> None:
        failed = Decoding(4, 3, 1, "forever", (DecodedFrame(why="failed"),), shown="feed")
        row = rows.build_row(self.source, {"chromium": failed, "firefox": None}, _NO_LOOPS)
        self.assertEqual((row["agree"], row["shown"], row["plays"]), ("chromium", "feed", None))
        self.assertEqual(row["frames"], [{"rawMs": None, "ms": None, "sha": None, "why": "failed"}])
        rejected = rows.build_row(self.source, {"chromium": Decoding(16, 16)}, _NO_LOOPS)
        self.assertEqual((rejected["agree"], rejected["frames"], rejected["width"]), ("rejected", [], 16))
        self.assertNotIn("browser", rejected)
        broken = rows.build_row(self.source, {"chromium": Decoding(broken="hung"), "firefox": None}, _NO_LOOPS)
        self.assertEqual((broken.get("agree"), broken["note"]), (None, "chromium: hung"))

    def test_one_browser_names_itself(self) -> None:
        row = rows.build_row(self.source, {"firefox": _animation("a", duration=None)}, _NO_LOOPS)
        self.assertEqual((row["browser"], "agree" in row), ("firefox", False))
        self.assertEqual(row["frames"], [{"rawMs": None, "ms": None, "sha": "a"}])

    def test_worth_comparing(self) -> None:
        self.assertTrue(rows.is_worth_comparing(_animation("a")))
        unpictured = Decoding(1, 1, 1, None, (DecodedFrame(why="unhashed"),))
        for settled in (Decoding(), Decoding(broken="x"), unpictured):
            self.assertFalse(rows.is_worth_comparing(settled))


class CheckTests(unittest.TestCase):
    def setUp(self) -> None:
        source, decoding = Source("x.gif", b"x"), _animation("a", "b")
        self.expected = rows.build_row(source, {"chromium": decoding, "firefox": decoding}, _NO_LOOPS)

    def _changed(self, **fields: Any) -> Row:
        return {**self.expected, **fields}

    def test_equal(self) -> None:
        self.assertEqual(rows.differences(self.expected, self._changed(note="prose", shown="new")), [])
        self.assertTrue(rows.check_rows({"x": self.expected}, {"x": self.expected}).passed)

    def test_differences_are_named(self) -> None:
        self.assertEqual(rows.differences(self.expected, self._changed(plays=1)), ["plays: expected 'forever', got 1"])
        self.assertEqual(len(rows.differences(self.expected, self._changed(agree="chromium"))), 1)
        self.assertEqual(len(rows.differences(self._changed(shown="s"), self.expected)), 1)
        frames = [{"rawMs": 50, "ms": 50, "sha": None, "why": "failed"}]
        found = rows.differences(self.expected, self._changed(frames=frames))
        self.assertEqual(len(found), 3, found)

    def test_one_sided_files(self) -> None:
        report = rows.check_rows({"gone": self.expected}, {"new": self.expected})
        self.assertEqual((report.different, report.passed), ({"both": 1, "unlisted": 1}, False))

    def test_firefox_alone_says_nothing_about_chromium_rows(self) -> None:
        lone: Row = {"browser": "firefox", "frames": []}
        report = rows.check_rows({"x": self._changed(agree="chromium")}, {"x": lone})
        self.assertEqual((report.skipped, report.passed), ({"chromium": 1}, True))
        self.assertFalse(rows.check_rows({"x": self.expected}, {"x": lone}).passed)

    def test_reading_a_file(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "e.jsonl")
            path.write_text(rows.to_json_line(self.expected) + "\n\n", encoding="utf-8")
            self.assertEqual(rows.read_rows(path), {"x.gif": self.expected})
            path.write_text("{}\n", encoding="utf-8")
            with self.assertRaisesRegex(ValueError, "line 1"):
                rows.read_rows(path)


class FileTests(unittest.TestCase):
    def test_names(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for name in ("one/b.gif", "one/deep/A.GIF", "two/b.gif", "two/note.txt"):
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_bytes(b"")
            names = [name for name, _ in browser_oracle.find_files([root / "one"], None)]
            self.assertEqual(names, ["b.gif", "deep/A.GIF"])
            both = [name for name, _ in browser_oracle.find_files([root / "one", root / "two"], root)]
            self.assertEqual(both, ["one/b.gif", "one/deep/A.GIF", "two/b.gif"])
            self.assertEqual(len(browser_oracle.find_files([root / "one", root / "one/b.gif"], None)), 2)
            for paths, base in (([root / "one", root / "two"], None), ([root / "no"], None), ([root], root / "one")):
                with self.assertRaises(browser_oracle.UsageError):
                    browser_oracle.find_files(paths, base)


class FakeBrowser(Chromium):
    """Answers from a script instead of a process; an exception in the script is raised."""

    def __init__(self, answers: list[Any]) -> None:
        super().__init__("", 0)
        self.answers = answers
        self.asked: list[str] = []
        self.starts = 0
        self._alive = False

    @property
    def running(self) -> bool:
        return self._alive

    def start(self) -> None:
        self.starts += 1
        self._alive = True

    def stop(self) -> None:
        self._alive = False

    def screenshot(self, clip: dict[str, float], deadline: float) -> bytes:
        size = int(clip["width"]), int(clip["height"])
        return png(*size, [(0, bytes([9, 9, 9, 255]) * size[0])] * size[1])

    def evaluate(self, expression: str, deadline: float) -> Any:
        if expression.startswith("stage."):
            return None
        self.asked.append(expression)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def png(width: int, height: int, lines: list[tuple[int, bytes]]) -> bytes:
    """A PNG of RGBA rows, each with its filter."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return len(content).to_bytes(4, "big") + kind + content + zlib.crc32(kind + content).to_bytes(4, "big")

    header = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([8, 6, 0, 0, 0])
    body = zlib.compress(b"".join(bytes([kind]) + line for kind, line in lines))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


class ImageWitnessTests(unittest.TestCase):
    def test_every_filter_of_a_png(self) -> None:
        first, second = bytes([10, 20, 30, 255]), bytes([13, 25, 37, 255])
        rows_of = {
            1: bytes([10, 20, 30, 255, 3, 5, 7, 0]),
            2: bytes([0, 0, 0, 0, 3, 5, 7, 0]),
            3: bytes([5, 10, 15, 128, 3, 5, 7, 0]),
            4: bytes([0, 0, 0, 0, 3, 5, 7, 0]),
        }
        for kind, line in rows_of.items():
            above = first + first
            data = png(2, 2, [(0, above), (kind, line)])
            self.assertEqual(decode_png(data, 2, 2), above + first + second, kind)

    def test_colours_of_transparent_pixels_are_dropped(self) -> None:
        self.assertEqual(decode_png(png(1, 1, [(0, bytes([1, 2, 3, 0]))]), 1, 1), bytes(4))

    def test_other_sizes_are_refused(self) -> None:
        with self.assertRaises(ValueError):
            decode_png(png(1, 1, [(0, bytes(4))]), 2, 1)

    def test_slow_motion_lengthens_all_delays(self) -> None:
        control = b"\x21\xf9\x04\5\1\0\3\0"
        slow = slow_motion(gif(control, IMAGE, IMAGE), 0.4)
        self.assertEqual(slow, gif(b"\x21\xf9\x04\5\x28\0\3\0", IMAGE, b"\x21\xf9\x04\0\x28\0\0\0", IMAGE))


class AnswerTests(unittest.TestCase):
    def test_answers_are_compared(self) -> None:
        wanted = Answer(2, 1, 2, "forever", ["aa", None], [100, None])
        self.assertEqual(compare(wanted, Answer(2, 1, 2, "forever", ["aa", None], [100, 7])), [])
        self.assertEqual(compare(wanted, Answer(2, 1, 2, 3, ["aa", None], [100, 7])), ["plays: 3 instead of forever"])
        blank = compare(wanted, Answer(2, 1, 2, "forever", [None, "bb"], [100, 7]))
        self.assertEqual(blank, ["frame 0 picture: blank instead of aa", "frame 1 picture: bb instead of blank"])
        self.assertEqual(compare(Answer(), Answer(1, 1, 1)), ["Chromium finds no frame, gallop 1"])
        self.assertEqual(compare(wanted, Answer(crash="signal")), ["signal"])


class PageTests(unittest.TestCase):
    def test_the_pages_are_served(self) -> None:
        with OraclePages() as server, urllib.request.urlopen(server.page_url, timeout=5) as answer:
            self.assertIn(b"ImageDecoder", answer.read())


class AskerTests(unittest.TestCase):
    track: ClassVar[Row] = {"width": 2, "height": 2, "frameCount": 1, "repetition": "forever"}
    frame: ClassVar[Row] = {
        "width": 3,
        "height": 2,
        "timestamp": 0,
        "duration": 70_000,
        "copied": "aa",
        "painted": "aa",
    }

    def _ask(self, answers: list[Any]) -> tuple[Decoding, FakeBrowser]:
        browser = FakeBrowser(answers)
        with OraclePages() as server:
            return Asker(browser, server, 5, False).ask(b"GIF"), browser

    def test_plain(self) -> None:
        decoding, browser = self._ask([self.track, [self.frame], None])
        self.assertEqual(decoding, Decoding(3, 2, 1, "forever", (DecodedFrame(0, 70_000, "aa"),)))
        self.assertEqual(browser.asked[1:], ["oracle.frames(0, 1, 1)", "oracle.close()"])

    def test_failed_first_frame_asks_what_is_shown(self) -> None:
        decoding, _ = self._ask([self.track, [{"error": "EncodingError"}], "feed", None])
        self.assertEqual((decoding.width, decoding.shown, decoding.frames[0].why), (2, "feed", "failed"))
        self.assertEqual(decoding.painted, (rows.pixel_hash(bytes([9, 9, 9, 255]) * 4),))

    def test_disagreeing_readings_are_noted(self) -> None:
        decoding, _ = self._ask([self.track, [{**self.frame, "painted": "bb"}], None])
        self.assertEqual(decoding.notes, ("copyTo and canvas differ in frames [0]",))

    def test_huge_sides_are_not_decoded(self) -> None:
        decoding, browser = self._ask([{**self.track, "height": 40000}, None])
        self.assertEqual(decoding.frames[0].why, "unhashed")
        self.assertEqual(len(browser.asked), 2)

    def test_only_the_first_frames_in_small_steps(self) -> None:
        steps = [[self.frame] * 50] * 8
        decoding, browser = self._ask([{**self.track, "frameCount": 1000}, *steps, None])
        self.assertEqual((decoding.frame_count, len(decoding.frames), len(browser.asked)), (1000, 400, 10))

    def test_a_crash_gets_a_second_chance(self) -> None:
        decoding, browser = self._ask([BrowserError("crash"), self.track, [self.frame], None])
        self.assertEqual((decoding.broken, browser.starts), (None, 2))
        decoding, browser = self._ask([BrowserError("crash"), BrowserError("again")])
        self.assertEqual((decoding.broken, browser.running), ("again", False))

    def test_a_hang_is_final_but_restarts(self) -> None:
        decoding, browser = self._ask([BrowserHung("hung")])
        self.assertEqual((decoding.broken, browser.starts, browser.running), ("hung", 1, False))

    def test_a_script_error_counts_as_a_crash(self) -> None:
        decoding, browser = self._ask([PageError("oops"), self.track, [self.frame], None])
        self.assertEqual((decoding.broken, browser.starts), (None, 2))


if __name__ == "__main__":
    unittest.main()
