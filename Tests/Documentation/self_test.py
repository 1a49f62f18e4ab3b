"""Unit tests of the documentation test. Run through `documentation_test.py --self-test`."""

from __future__ import annotations

import json
import shutil
import tempfile
import unittest
from pathlib import Path

from console import Command, Console, commands, first_difference, is_endless
from documentation_test import ROOT, make_faults, name_faults, source_words
from pages import Block, Mention, Place, doc_comment_blocks, parse_page
from screens import legible, shows
from other_languages import language_faults
from site_links import Site
from snippets import is_manifest, manifest_fault, source

PAGE = """# Title

See `make test`, ``GIFImage`` and [a file](other.md#part).

<!-- docs-test: figures vary -->
```console
$ echo 1
2
```

```
no language
```

    $ indented
"""


class PageTests(unittest.TestCase):
    def test_blocks_know_their_lines_and_notes(self) -> None:
        page = parse_page(PAGE, "a.md")
        self.assertEqual(page.blocks[0], Block(Place("a.md", 7), "console", ("$ echo 1", "2"), "figures vary"))
        self.assertIsNone(page.blocks[1].note)
        self.assertEqual([mention.text for mention in page.code], ["make test"])
        self.assertEqual(page.links, (Mention(Place("a.md", 3), "other.md"),))

    def test_untested_commands_are_faults(self) -> None:
        faults = parse_page(PAGE, "a.md").faults
        self.assertEqual([fault.split(": error")[0] for fault in faults], ["a.md:11", "a.md:15"])
        self.assertIn("no end", parse_page("```swift\n", "a.md").faults[0])

    def test_doc_comments(self) -> None:
        with tempfile.NamedTemporaryFile("w", suffix=".swift") as file:
            file.write("/// Text\n///\n///     let a = 1\n///     use(a)\n///\n/// - Parameter x: one\n///     more\n")
            file.flush()
            blocks = list(doc_comment_blocks(Path(file.name), "A.swift"))
        self.assertEqual(blocks, [Block(Place("A.swift", 3), "swift", ("let a = 1", "use(a)"), None)])


class SnippetTests(unittest.TestCase):
    def test_errors_name_the_documentation(self) -> None:
        text = source(Block(Place("a.md", 5), "swift", ("import GIFStage", "", "let a = 1"), None), 3)
        self.assertTrue("\nimport GIFStage\nfunc snippet3() async throws {\n#sourceLocation(file: " in text)
        self.assertIn('"a.md", line: 5)\n\n\nlet a = 1\n#sourceLocation()\n}', text)

    def test_extensions_stand_in_the_file(self) -> None:
        self.assertNotIn("func snippet", source(Block(Place("a.md", 5), "swift", ("extension A {}",), None), 0))


    @unittest.skipUnless(shutil.which("swift"), "Swift is not installed")
    def test_manifests(self) -> None:
        lines = ("// swift-tools-version: 6.2", "import PackageDescription", 'let package = Package(name: "a")')
        block = Block(Place("a.md", 5), "swift", lines, None)
        self.assertTrue(is_manifest(block))
        self.assertEqual(list(manifest_fault(ROOT, block)), [])
        wrong = Block(Place("a.md", 5), "swift", (*lines, '.product(name: "None", package: "gallop")'), None)
        faults = list(manifest_fault(ROOT, wrong))
        self.assertEqual(faults[0], "a.md:5: error: this package has no product None")
        self.assertEqual(len(faults), 2)


class OtherLanguageTests(unittest.TestCase):
    def faults(self, language: str, *lines: str) -> list[str]:
        return list(language_faults(ROOT, [Block(Place("a.md", 5), language, lines, None)]))

    def test_python(self) -> None:
        self.assertEqual(self.faults("python", "a = 1"), [])
        self.assertTrue(self.faults("python", "a = 1", "b = = 2")[0].startswith("a.md:6: error: "))

    @unittest.skipUnless(shutil.which("cc"), "there is no C compiler")
    def test_c(self) -> None:
        self.assertEqual(self.faults("c", "#include <gallop.h>", "gallop_image *image;"), [])
        self.assertTrue(self.faults("c", "gallop_image *image;")[0].startswith("a.md:5: error: "))

    @unittest.skipUnless(shutil.which("c++"), "there is no C++ compiler")
    def test_cplusplus(self) -> None:
        self.assertEqual(self.faults("cpp", "#include <gallop.hpp>", "gallop::frame frame;"), [])
        self.assertTrue(self.faults("cpp", "gallop::frame frame;")[0].startswith("a.md:5: error: "))


class SiteTests(unittest.TestCase):
    """A site of a front page and one more."""

    TOPIC = {"type": "topic", "url": "/documentation/a#Part", "title": "A"}

    def faults(self, front: dict[str, object], other: dict[str, object]) -> list[str]:
        with tempfile.TemporaryDirectory() as name:
            for address, page in (("documentation", front), ("documentation/a", other)):
                data, html = Path(name, "data", f"{address}.json"), Path(name, address, "index.html")
                for path in (data, html):
                    path.parent.mkdir(parents=True, exist_ok=True)
                data.write_text(json.dumps(page))
                html.touch()
            return Site(Path(name)).faults()

    def test_a_whole_site(self) -> None:
        front = {"references": {"doc://a": self.TOPIC}, "topicSections": [{"identifiers": ["doc://a"]}]}
        self.assertEqual(self.faults(front, {"sections": [{"anchor": "Part"}]}), [])

    def test_dead_links(self) -> None:
        picture = {"type": "image", "identifier": "b.png", "variants": [{"url": "/images/b.png"}]}
        front = {
            "references": {"doc://a": self.TOPIC, "b.png": picture},
            "topicSections": [{"identifiers": ["doc://c"]}],
        }
        self.assertEqual(
            self.faults(front, {}),
            [
                "/documentation: no page is known as doc://c",
                "/documentation: no heading '/documentation/a#Part' (A)",
                "/documentation: no file '/images/b.png' (b.png)",
            ],
        )

    def test_pages_without_a_link(self) -> None:
        self.assertEqual(self.faults({}, {}), ["/documentation/a: no link from /documentation leads here"])


class ConsoleTests(unittest.TestCase):
    def fault(self, command: Command, figures_vary: bool = False) -> str | None:
        with tempfile.TemporaryDirectory() as folder:
            return Console(Path(folder), Path("/bin/true")).fault(command, figures_vary)

    def test_commands_and_their_output(self) -> None:
        block = Block(Place("a.md", 5), "console", ("$ one", "1", "", "$ two"), None)
        self.assertEqual(
            list(commands(block)), [Command(Place("a.md", 5), "one", ("1",)), Command(Place("a.md", 8), "two", ())]
        )

    def test_status_and_output_are_compared(self) -> None:
        place = Place("a.md", 5)
        self.assertIsNone(self.fault(Command(place, "echo a | cat", ("a",))))
        self.assertIn("a.md:5: error: exit status 3", self.fault(Command(place, "exit 3", ())) or "")
        self.assertIn("a.md:6: error: stated: b", self.fault(Command(place, "echo a", ("b",))) or "")
        self.assertIsNone(self.fault(Command(place, "echo 12.5 ms", ("3 ms",)), figures_vary=True))

    def test_what_is_not_installed_is_replaced(self) -> None:
        self.assertIsNone(self.fault(Command(Place("a.md", 5), "echo a | no-such-program --option", ())))

    def test_differences(self) -> None:
        self.assertIsNone(first_difference(["a … c", "…"], ["a b c", "more"], False))
        self.assertIn("lacks", first_difference(["a"], ["a", "b"], False) or "")
        self.assertIn("not printed", first_difference(["a", "b"], ["a"], False) or "")

    def test_what_is_interrupted(self) -> None:
        self.assertTrue(is_endless("gallop play film.gif"))
        self.assertFalse(is_endless("gallop play --seconds 1 film.gif"))


class ScreenTests(unittest.TestCase):
    def test_words_are_compared_and_figures_are_not(self) -> None:
        self.assertEqual(legible(["▗▀▖ ▝", "memory  ▇█  19.6 MB, 3 KB", "▶ 4/15  a.gif"]), ["memory 0, 0", "0/0 a.gif"])
        self.assertTrue(shows("frames ▁▂ 3\n\n▀▀", ["frames 0"]))
        self.assertFalse(shows("pictures ▁▂ 3", ["frames 0"]))


class MakeTests(unittest.TestCase):
    def test_targets(self) -> None:
        place = Place("a.md", 1)
        self.assertEqual(list(make_faults(place, "make sanitize-threads")), [])
        self.assertEqual(list(make_faults(place, "make nothing COUNT=1")), ["a.md:1: error: there is no make nothing"])


class NameTests(unittest.TestCase):
    def test_names_that_occur_nowhere(self) -> None:
        page = parse_page("`FrameRank`, `GIFPlayer.frame` and `Tests/words.py`\n`GIFPlayer.frme`\n", "a.md")
        faults = list(name_faults(page, source_words() - {"frme"}))
        self.assertEqual(faults, ["a.md:2: error: nothing is called frme, as in GIFPlayer.frme"])


if __name__ == "__main__":
    unittest.main()
