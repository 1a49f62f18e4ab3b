"""Tests of the suite's own scripts: the catalogue, the format, the comparison, the runner and the report."""

from __future__ import annotations

import contextlib
import io
import re
import sys
import tempfile
import unittest
from pathlib import Path

SUITE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(SUITE))

import cuts  # noqa: E402
import make_suite  # noqa: E402
import run  # noqa: E402
from answers import Answer, FormatError, ShownFrame, differences, firefox_row, parse  # noqa: E402
from answers import picture_hash, played, read_index, read_pictures  # noqa: E402
from catalogue import TOPICS, all_entries  # noqa: E402
from catalogue.entry import Entry, checked, faulty, gif  # noqa: E402
from peers import Peer  # noqa: E402
from report.blocks import blocks  # noqa: E402
from report.file import file_page  # noqa: E402
from report.front import front  # noqa: E402
from results import Result, results_text  # noqa: E402

RED, CLEAR = b"\xff\0\0\xff", bytes(4)
PICTURE = RED + CLEAR
ROW = {
    "file": "topic/a.gif",
    "width": 2,
    "height": 1,
    "frameCount": 2,
    "plays": 3,
    "agree": "both",
    "kind": "sound",
    "rows": [1],
    "title": "a title",
    "frames": [
        {"rawMs": 0, "ms": 100, "sha": picture_hash(PICTURE)},
        {"rawMs": None, "ms": None, "sha": picture_hash(bytes(8))},
    ],
}
PICTURES = {picture_hash(PICTURE): PICTURE, picture_hash(bytes(8)): bytes(8)}


class CatalogueTests(unittest.TestCase):
    def test_files_are_many_small_and_always_the_same(self) -> None:
        entries = all_entries()
        self.assertGreaterEqual(len(entries), 200)
        self.assertLess(sum(len(entry.data) for entry in entries), make_suite.MOST_BYTES)
        self.assertEqual([entry.data for entry in entries], [entry.data for entry in all_entries()])
        self.assertEqual({entry.name.split("/")[0] for entry in entries}, set(TOPICS))

    def test_every_row_that_a_file_can_show_has_one(self) -> None:
        page = (SUITE.parents[2] / "Sources/Engine/Gallop/Gallop.docc/BrokenGIFs.md").read_text(encoding="utf-8")
        rows = {int(number) for number in re.findall(r"^\| (\d+) \|", page, re.MULTILINE)}
        shown = {row for entry in all_entries() for row in entry.rows}
        self.assertEqual(rows - shown, {49, 50, 51, 54})
        self.assertEqual(shown - rows, set())

    def test_names_and_contents_are_unique(self) -> None:
        one, other = Entry("t/a", (1,), "", b"1"), Entry("t/b", (1,), "", b"1")
        with self.assertRaisesRegex(ValueError, "the same file"):
            checked([one, other])
        with self.assertRaisesRegex(ValueError, "two entries"):
            checked([one, Entry("t/a", (1,), "", b"2")])

    def test_differences_from_what_is_committed_are_found(self) -> None:
        entry = Entry("t/a", (1,), "title", b"GIF")
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            self.assertEqual(make_suite.file_differences([entry], place), ["t/a.gif: missing"])
            make_suite.write([entry], place)
            self.assertEqual(make_suite.file_differences([entry], place), [])
            (place / "t/a.gif").write_bytes(b"GIG")
            (place / "t/b.gif").write_bytes(b"")
            self.assertEqual(len(make_suite.file_differences([entry], place)), 2)
            make_suite.write([entry], place)
            self.assertEqual([path.name for path in place.rglob("*.gif")], ["a.gif"])
            index = place / "index"
            index.write_text('{"file":"t/a.gif","sha256":"0"}\n{"file":"t/c.gif","sha256":"0"}\n', encoding="utf-8")
            self.assertEqual(len(make_suite.index_differences([entry], index)), 2)

    def test_a_fault_comes_behind_exactly_its_pixels(self) -> None:
        data = gif(faulty("invalid", 4))
        codes = int.from_bytes(data[45 : 45 + data[44]], "little")
        self.assertEqual([codes >> 3 * place & 7 for place in range(10)], [4, 2, 4, 3, 4, 0, 4, 1, 4, 7])


class FormatTests(unittest.TestCase):
    def test_reads_an_answer(self) -> None:
        found = parse(
            "size 2 1\nplays forever\nframe 70 rgba ff0000ff00000000\nframe - none\n"
            "frame 0 rgb ff0000000000\nerror it ends\n"
        )
        answer = found[""]
        self.assertEqual((answer.width, answer.height, answer.plays, answer.error), (2, 1, "forever", "it ends"))
        self.assertEqual([frame.sha for frame in answer.frames], [picture_hash(PICTURE), None, None])
        self.assertEqual([frame.ms for frame in answer.frames], [70, None, 0])

    def test_reads_several_files(self) -> None:
        found = parse("file a b.gif\nsize 1 1\nplays -\nfile c.gif\nerror no\n")
        self.assertEqual((found["a b.gif"].width, found["c.gif"].error), (1, "no"))

    def test_refuses_what_is_no_answer(self) -> None:
        for text in (
            "hello\n",
            "size 1\n",
            "size 1 1\nframe 1 rgba 0\n",
            "frame 1 sha 12\n",
            "frame x none\n",
            "size 1 1\nframe 1 bgra 00000000\n",
        ):
            with self.assertRaises(FormatError, msg=text):
                parse(text)

    def test_a_picture_of_another_size_is_another_picture(self) -> None:
        frame = parse("size 2 1\nframe 1 rgba ff0000ff\n")[""].frames[0]
        self.assertNotIn(frame.sha, (None, picture_hash(RED)))

    def test_hidden_colour_does_not_count(self) -> None:
        self.assertEqual(picture_hash(b"\1\2\3\0" + RED), picture_hash(CLEAR + RED))
        self.assertNotEqual(picture_hash(b"\1\2\3\1" + RED), picture_hash(bytes(3) + b"\1" + RED))


class ComparisonTests(unittest.TestCase):
    def answer(self, **changes: object) -> Answer:
        frames = [ShownFrame(0, picture_hash(PICTURE)), ShownFrame(None, picture_hash(bytes(8)))]
        return Answer(**{"width": 2, "height": 1, "plays": 3, "frames": frames, **changes})  # type: ignore[arg-type]

    def kinds(self, answer: Answer, row: dict[str, object] = ROW) -> list[str]:
        return [kind for kind, _ in differences(row, answer, PICTURES)]

    def test_identical(self) -> None:
        self.assertEqual(self.kinds(self.answer()), [])
        self.assertEqual(self.kinds(self.answer(plays=None)), [])
        frames = [ShownFrame(100, rgb=b"\xff\0\0\7\7\7"), ShownFrame(5)]
        self.assertEqual(self.kinds(self.answer(frames=frames)), [], "without alpha, and without a picture")

    def test_each_difference_is_found(self) -> None:
        good = self.answer().frames
        self.assertEqual(self.kinds(self.answer(width=3)), ["size"])
        self.assertEqual(self.kinds(self.answer(plays=2)), ["plays"])
        self.assertEqual(self.kinds(self.answer(frames=good[:1])), ["frames"])
        self.assertEqual(self.kinds(self.answer(frames=[ShownFrame(20, good[0].sha), good[1]])), ["delays"])
        self.assertEqual(self.kinds(self.answer(frames=[good[1], good[1]])), ["pictures"])
        self.assertEqual(self.kinds(self.answer(frames=[ShownFrame(0), good[1]])), ["pictures"])
        self.assertEqual(self.kinds(self.answer(frames=[ShownFrame(0, rgb=b"\xfe\0\0\7\7\7"), good[1]])), ["pictures"])
        self.assertEqual(self.kinds(self.answer(frames=[])), ["rejected"])
        self.assertEqual(self.kinds(self.answer(crash="signal 11")), ["crash"])

    def test_a_rejected_file_has_no_frames(self) -> None:
        row = {**ROW, "agree": "rejected", "frames": []}
        self.assertEqual(self.kinds(self.answer(frames=[], error="no"), row), [])
        self.assertEqual(self.kinds(self.answer(), row), ["frames"])

    def test_delays(self) -> None:
        self.assertEqual([played(delay) for delay in (0, 10, 11, 20, 100)], [100, 100, 11, 20, 100])

    def test_firefox_has_a_line_of_its_own(self) -> None:
        own = {"width": 5, "height": 5, "frameCount": 0, "plays": None, "frames": [], "shown": None}
        line = firefox_row({**ROW, "firefox": own})
        self.assertEqual((line["agree"], line["width"]) if line else None, ("rejected", 5))
        self.assertIsNone(firefox_row(ROW))


class RunnerTests(unittest.TestCase):
    """With shells as decoders."""

    def ask(self, text: str, rows: list[dict[str, object]] | None = None) -> dict[str, Answer]:
        peer = Peer("decoder", "shell", "", ["sh", "-c", text, "sh", "{files}" if "$@" in text else "{file}"])
        return run.ask(peer, rows or [ROW], 20, 1)

    def test_asks_for_one_file(self) -> None:
        self.assertEqual(self.ask('echo "size 2 1"')["topic/a.gif"].width, 2)
        self.assertEqual(self.ask("kill -SEGV $$")["topic/a.gif"].crash, "ended by signal 11")
        self.assertIn("output: line 1", self.ask("echo hello")["topic/a.gif"].crash or "")
        self.assertEqual(self.ask("true")["topic/a.gif"].error, "no answer")

    def test_finds_the_file_that_crashes(self) -> None:
        rows = [{**ROW, "file": f"topic/{name}.gif"} for name in "abc"]
        text = (
            'for file in "$@"; do case $file in *b.gif) kill -SEGV $$;; esac; echo "file $file"; echo "size 2 1"; done'
        )
        found = self.ask(text, rows)
        self.assertEqual([found[f"topic/{name}.gif"].crash for name in "abc"], [None, "ended by signal 11", None])
        self.assertEqual(found["topic/c.gif"].width, 2)

    def test_a_late_decoder_is_ended(self) -> None:
        peer = Peer("decoder", "shell", "", ["sh", "-c", "exec sleep 60", "sh", "{file}"])
        self.assertEqual(run.ask(peer, [ROW], 0.2, 1)["topic/a.gif"].crash, "no end after 0 s")

    def test_the_exit_status_tells(self) -> None:
        with contextlib.redirect_stdout(io.StringIO()) as output, contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(run.main(["--decoder", "true {file}", "--only", "timing/delay-0."]), 1)
        self.assertIn("identical to Chromium: 0 of 1", output.getvalue())

    def test_writes_the_table(self) -> None:
        row = {**ROW, "kind": "damaged"}
        results = [Result("a", "A", "1", {"topic/a.gif": []}), Result("b", "B", "2", {"topic/a.gif": [("size", "x")]})]
        recorded = {"date": "today", "chromium": "C built here", "firefox": "F"}
        text = results_text(results, {"c": "not here"}, [row], recorded)
        self.assertIn("| A | 1 | 1 | 0 of 0 | 1 of 1 |", text)
        self.assertIn("| B | 2 | 0 | 0 of 0 | 0 of 1 |", text)
        self.assertIn("- c: not here", text)

    def test_kept_answers_give_the_same_result(self) -> None:
        own = {"topic/a.gif": [("size", "2 x 1: no")]}
        result = Result("b", "B", "2", {"topic/a.gif": [("size", "1 x 1: no")]}, own)
        with tempfile.TemporaryDirectory() as folder:
            run.save(Path(folder), result, {"topic/a.gif": Answer(1, 1)})
            [kept] = run.kept(Path(folder))
        self.assertEqual((kept.key, kept.title, kept.found), (result.key, result.title, result.found))
        self.assertEqual(len(kept.own or {}), 1)


class CutTests(unittest.TestCase):
    def test_runs_are_compared(self) -> None:
        self.assertEqual(cuts.compare({"a": "1"}, {"a": "1"}), [])
        self.assertEqual(len(cuts.compare({"a": "1", "b": "2"}, {"a": "1", "b": "3"})), 1)
        self.assertEqual(cuts.compare({}, {}), ["no file was cut"])
        self.assertEqual(cuts.compare({"a": "1"}, {"b": "1"}), ["the runs cut different files"])

    def test_a_run_that_differs_is_found(self) -> None:
        script = 'echo "a.gif $GLIBC_TUNABLES" >"$GALLOP_CUT_DIGESTS"'
        same = 'echo "a.gif $GALLOP_CUT_STEP" >"$GALLOP_CUT_DIGESTS"'
        with contextlib.redirect_stdout(io.StringIO()) as output:
            self.assertEqual(cuts.main(["--", "sh", "-c", script]), 1)
            self.assertEqual(cuts.main(["--", "sh", "-c", same]), 0)
            self.assertEqual(cuts.main(["--", "false"]), 1)
        self.assertIn("another picture", output.getvalue())


class ReportTests(unittest.TestCase):
    def test_every_byte_stands_in_one_block(self) -> None:
        for entry in all_entries():
            for data in (entry.data, entry.data[:-1], entry.data[: len(entry.data) // 2]):
                place = 0
                for block in blocks(data):
                    self.assertEqual(block.start, place, entry.name)
                    self.assertGreater(block.end, block.start, entry.name)
                    place = block.end
                self.assertEqual(place, len(data), entry.name)

    def test_what_is_damaged_stands_out(self) -> None:
        odd = [block.text for block in blocks(gif(b"\0")) if block.kind == "odd"]
        self.assertEqual(odd, ["begins no block: ends the animation", "behind the end: ignored"])
        self.assertFalse(any(block.kind == "odd" for block in blocks(gif())))

    def test_pages_escape_what_they_show(self) -> None:
        rows = read_index(SUITE / "expected.jsonl")
        row = {**rows[0], "title": "<script>"}
        pictures = read_pictures(SUITE / "pictures.jsonl")
        file = {"width": 0, "height": 0, "plays": None, "error": "<b>", "frames": [], "differences": ["<i>"]}
        peers = {"p": {"title": "<u>", "version": "1", "files": {row["file"]: file}}}
        text = file_page(row, b"GIF89a<s>", pictures, peers, None, None)
        text += front([row], pictures, peers, {"date": "today", "chromium": "C", "firefox": "F"})
        for tag in ("<script>", "<b>", "<i>", "<u>", "<s>"):
            self.assertNotIn(tag, text)


if __name__ == "__main__":
    unittest.main()
