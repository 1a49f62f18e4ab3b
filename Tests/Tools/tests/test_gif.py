"""Tests of how GIFs are found, read record by record, damaged and made smaller."""

from __future__ import annotations

import random
import tempfile
import unittest
from pathlib import Path

from galloptools.gif.codes import CodeStream, encode
from galloptools.gif.files import contents, gifs
from galloptools.gif.minimal import IMAGE, IMAGE_WITH_TABLE, application_extension, gif
from galloptools.gif.mutants import make
from galloptools.gif.pieces import control, descriptor, interlace_order, padded, screen, stored, table_flags
from galloptools.gif.records import LoopCounts, read_loop_counts, record_places
from galloptools.gif.shrinking import shrink
from galloptools.gif.synthetic import lzw

_NO_LOOPS = LoopCounts(None, None)


class LoopTests(unittest.TestCase):
    def test_before_and_after(self) -> None:
        five = application_extension(b"NETSCAPE2.0", b"\1\5\0")
        forever = application_extension(b"ANIMEXTS1.0", b"\1\0\0")
        self.assertEqual(read_loop_counts(gif(IMAGE)), _NO_LOOPS)
        self.assertEqual(read_loop_counts(gif(five, IMAGE)), LoopCounts(5, None))
        self.assertEqual(read_loop_counts(gif(IMAGE_WITH_TABLE, forever, five)), LoopCounts(None, 5))
        comment = b"\x21\xfe\x02\x2c\x3b\0"
        self.assertEqual(read_loop_counts(gif(comment, five, IMAGE, forever, IMAGE)), LoopCounts(5, 0))

    def test_other_extensions_do_not_count(self) -> None:
        for extension in (
            application_extension(b"NETSCAPE1.0", b"\1\5\0"),
            application_extension(b"NETSCAPE2.0", b"\2\5\0"),
            application_extension(b"NETSCAPE2.0", b"\1\5\0\0"),
            application_extension(b"NETSCAPE2.0"),
        ):
            self.assertEqual(read_loop_counts(gif(extension)), _NO_LOOPS)

    def test_every_prefix_is_harmless(self) -> None:
        whole = gif(application_extension(b"NETSCAPE2.0", b"\1\5\0"), IMAGE_WITH_TABLE, IMAGE)
        for end in range(len(whole)):
            read_loop_counts(whole[:end])


class RecordTests(unittest.TestCase):
    def test_places_of_records_and_the_end(self) -> None:
        start = 13 + 6
        self.assertEqual(record_places(gif(IMAGE, IMAGE)), [start, start + 15, start + 30])
        self.assertEqual(record_places(gif()), [start])
        self.assertEqual(record_places(b"GIF"), [3])

    def test_a_cut_record_ends_with_the_file(self) -> None:
        whole = gif(IMAGE)[:-1]
        for end in range(20, len(whole)):
            self.assertEqual(record_places(whole[:end]), [19, end])


class FileTests(unittest.TestCase):
    def test_finds_gifs_and_reads_the_small_ones(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for name, size in (("b.gif", 3), ("A.GIF", 4), ("note.txt", 5), ("empty.gif", 0)):
                (Path(folder) / name).write_bytes(bytes(size))
            self.assertEqual([path.name for path in gifs(Path(folder))], ["A.GIF", "b.gif", "empty.gif"])
            self.assertEqual(gifs(Path(folder, "note.txt")), [Path(folder, "note.txt")])
            self.assertEqual(contents([Path(folder)], largest=3), [("b.gif", bytes(3))])
            with self.assertRaisesRegex(FileNotFoundError, "there is no c.gif"):
                gifs(Path(folder, "c.gif"))


class PieceTests(unittest.TestCase):
    def test_code_streams_of_two_writers_are_equal(self) -> None:
        rng = random.Random(2)
        rng.choice = lambda _: 4000  # type: ignore[method-assign,assignment,return-value]
        for count in (1, 5, 300, 5000):
            indices = [place * place // 7 % 4 for place in range(count)]
            self.assertEqual(encode(indices, clears_when_full=True).bytes()[:40], lzw(indices, None, rng)[:40])
        self.assertEqual(encode([0] * 6).bytes().hex(" "), "84 5f")

    def test_codes_grow_up_to_12_bits(self) -> None:
        stream = CodeStream(8, [256, *[0] * 5000])
        self.assertEqual(stream.next_code, 4096)
        # 9 bits for 256, then 255, 512, 1024 and 2048 codes of 9 to 12 bits, and the rest of 12.
        self.assertEqual(stream.bit_count, 9 + 255 * 9 + 512 * 10 + 1024 * 11 + (5000 - 255 - 512 - 1024) * 12)

    def test_headers(self) -> None:
        self.assertEqual(
            screen(8, 6, [1, 2, 3])[6:].hex(" "), "08 00 06 00 f1 00 00 00 00 01 00 00 02 00 00 03 00 00 00"
        )
        self.assertEqual(control(2, 300, 7).hex(" "), "21 f9 04 09 2c 01 07 00")
        self.assertEqual(descriptor(1, 2, 3, 4, interlaced=True).hex(" "), "2c 01 00 02 00 03 00 04 00 40")
        self.assertEqual([table_flags([0] * count) for count in (1, 2, 3, 5, 256)], [0x80, 0x80, 0x81, 0x82, 0x87])
        self.assertEqual(len(padded([0] * 9)), 16)

    def test_interlaced_rows(self) -> None:
        self.assertEqual(interlace_order(10), [0, 8, 4, 2, 6, 1, 3, 5, 7, 9])
        self.assertEqual(stored([0, 0, 1, 1, 2, 2], 2, 3), [0, 0, 2, 2, 1, 1])


class MutantTests(unittest.TestCase):
    def test_the_same_number_makes_the_same_file(self) -> None:
        originals = [("a.gif", gif(IMAGE, IMAGE))]
        made = [make("seed", number, originals) for number in range(200)]
        self.assertEqual(made, [make("seed", number, originals) for number in range(200)])
        self.assertGreater(len({mutant.data for mutant in made}), 150)
        self.assertEqual({mutant.origin for mutant in made}, {"synthetic", "a.gif"})

    def test_code_streams_grow_their_width(self) -> None:
        rng = random.Random(1)
        rng.choice = lambda _: 4000  # type: ignore[method-assign,assignment,return-value]
        # Clear 4, literal 0, the strings 6 and 7 in three bits each, and the end, 5, in four.
        self.assertEqual(lzw([0] * 6, None, rng).hex(" "), "84 5f")

    def test_shrinking_keeps_what_fails(self) -> None:
        self.assertEqual(shrink(b"aaaaXbbbbYcc", lambda part: b"X" in part and b"Y" in part, 100), b"XY")


if __name__ == "__main__":
    unittest.main()
