#!/usr/bin/env python3
"""Compiles every Swift snippet of the documentation, runs every command, and follows every link to a file.

docc follows the links to symbols: `make docs`.

In README, CONTRIBUTING, the DocC articles and the README of samples and sources:
- ```swift is compiled against the release build's modules; so is the code in doc comments of the library. A manifest of a
  package is evaluated, and its products must be ours.
- ```c, ```python and ```js are checked by their compilers where these are installed.
- ```console is run: each line after `$ ` must succeed and print the lines that follow it, if any do. Above a block,
  `<!-- docs-test: figures vary -->` leaves numbers out of the comparison.
- ```text below `<!-- docs-test: screen of gallop play ... -->` must have the words of that command's screen.
- ```sh is not run, as it sets up a machine; its targets of make and its products must exist.
Inline `make TARGET` and `gallop COMMAND --option` must exist, too, and so must each name in the sources' README.
Exit status: 0 all is as stated, 1 something is not, with file and line, 2 the test cannot run.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from console import FIGURES_VARY, Console, commands
from exported import exported_modules
from pages import Mention, Page, Place, doc_comment_blocks, read_page
from screens import SCREEN_OF, screen_fault
from other_languages import language_faults
from snippets import compile_snippets, is_manifest, manifest_fault

ROOT = Path(__file__).resolve().parents[2]
MAIN_PAGES = ("README.md", "CONTRIBUTING.md", "Samples/README.md", "Sources/README.md")
# Names in code on this page must occur in the sources.
NAMING_PAGE = "Sources/README.md"
LIBRARY = (*exported_modules(), "GIFStage")
LANGUAGES = ("swift", "console", "sh", "html", "js", "c", "cpp", "python", "text")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--gallop", type=Path, help="the program, a release build")
    parser.add_argument("--no-swift", action="store_true", help="compile nothing")
    parser.add_argument("--self-test", action="store_true", help="test this script instead")
    options = parser.parse_args()
    if options.self_test:
        suite = unittest.defaultTestLoader.loadTestsFromName("self_test")
        return 0 if unittest.TextTestRunner().run(suite).wasSuccessful() else 1
    if options.gallop is None or not os.access(options.gallop, os.X_OK):
        print("documentation_test: no program: --gallop takes one", file=sys.stderr)
        return 2
    pages = {name: read_page(ROOT / name, name) for name in page_names()}
    faults = [fault for page in pages.values() for fault in page.faults]
    faults += [fault for page in pages.values() for fault in block_faults(page)]
    for page in pages.values():
        faults += mention_faults(page, options.gallop)
    faults += name_faults(pages[NAMING_PAGE], source_words())
    faults += link_faults()
    blocks = [block for page in pages.values() for block in page.blocks]
    faults += language_faults(ROOT, blocks)
    swift = [block for block in blocks if block.language == "swift" and not is_manifest(block)]
    if not options.no_swift:
        faults += [fault for block in blocks if is_manifest(block) for fault in manifest_fault(ROOT, block)]
    swift += [block for file in library_files() for block in doc_comment_blocks(file, relative(file))]
    if not options.no_swift:
        faults += compile_snippets(ROOT, swift)
    count, found = run_consoles(pages, options.gallop)
    faults += found
    print("\n".join(faults), end="\n" if faults else "")
    print(f"documentation test: {len(swift)} snippets, {count} commands, {len(faults)} faults")
    return 1 if faults else 0


def page_names() -> list[str]:
    articles = sorted((ROOT / "Sources").glob("*/*/*.docc/*.md"))
    return [*MAIN_PAGES, *(relative(path) for path in articles)]


def library_files() -> list[Path]:
    return sorted(file for module in LIBRARY for file in ROOT.glob(f"Sources/*/{module}/**/*.swift"))


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


# --- Commands -----------------------------------------------------------------------------------------------------


def run_consoles(pages: dict[str, Page], program: Path) -> tuple[int, list[str]]:
    """Run the commands of each page, one after another in a folder of its own."""
    count, faults = 0, []
    for page in pages.values():
        blocks = [block for block in page.blocks if block.language == "console"]
        screens = [block for block in page.blocks if (block.note or "").startswith(SCREEN_OF)]
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "Samples").symlink_to(ROOT / "Samples")
            shutil.copy(ROOT / "Samples" / "GIFs" / "gallop.gif", folder / "film.gif")
            console = Console(folder, program)
            for block in blocks:
                for command in commands(block):
                    count += 1
                    if fault := console.fault(command, figures_vary=block.note == FIGURES_VARY):
                        faults.append(fault)
            for block in screens:
                count += 1
                if fault := screen_fault(block, program.resolve(), folder):
                    faults.append(fault)
            print("\n".join(console.notes), end="\n" if console.notes else "")
    return count, faults


# --- What blocks and sentences name -------------------------------------------------------------------------------


def block_faults(page: Page) -> Iterable[str]:
    for block in page.blocks:
        if block.language and block.language not in LANGUAGES:
            yield f"{block.place}: error: {block.language} is none of {', '.join(LANGUAGES)}"
        if block.note not in (None, FIGURES_VARY) and not block.note.startswith(SCREEN_OF):
            yield f"{block.place}: error: no such note to the test: {block.note}"
        if block.language != "sh":
            continue
        for offset, line in enumerate(block.lines):
            place = Place(block.place.file, block.place.line + offset)
            yield from make_faults(place, line)
            for product in re.findall(r"\bswift run (?:-c \w+ )?([\w-]+)", line):
                if f'name: "{product}"' not in (ROOT / "Samples" / "Package.swift").read_text(encoding="utf-8"):
                    yield f"{place}: error: the samples have no {product}"


def mention_faults(page: Page, program: Path) -> Iterable[str]:
    for mention in page.code:
        yield from make_faults(mention.place, mention.text)
        yield from option_faults(mention, program)


def make_faults(place: Place, text: str) -> Iterable[str]:
    for target in re.findall(r"(?:^|&& )make ([a-z][\w-]*)", text):
        if not re.search(rf"^(?:[\w -]* )?{target}(?: [\w -]*)?:", makefile(), re.MULTILINE):
            yield f"{place}: error: there is no make {target}"


@cache
def makefile() -> str:
    return (ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", " ")


def option_faults(mention: Mention, program: Path) -> Iterable[str]:
    """The options of a command that stands in a sentence."""
    words = mention.text.split()
    if len(words) < 2 or words[0] != "gallop" or not words[1].isalpha():
        return
    names = words[1:3] if words[1] == "bench" and words[2:] and words[2].isalpha() else words[1:2]
    status, text = help_text(program, tuple(names))
    if status != 0:
        yield f"{mention.place}: error: there is no gallop {' '.join(names)}"
    for option in re.findall(r"(?<!\S)--[a-z][a-z0-9-]*", mention.text):
        if not re.search(rf"{option}\b", text):
            yield f"{mention.place}: error: gallop {' '.join(names)} has no {option}"


@cache
def help_text(program: Path, names: tuple[str, ...]) -> tuple[int, str]:
    outcome = subprocess.run([str(program), *names, "--help"], capture_output=True, text=True, timeout=60)
    return outcome.returncode, outcome.stdout


def name_faults(page: Page, words: frozenset[str]) -> Iterable[str]:
    """Names of types, functions and files that do not exist."""
    for mention in page.code:
        for word in re.findall(r"\w{2,}", mention.text):
            if word not in words:
                yield f"{mention.place}: error: nothing is called {word}, as in {mention.text}"


def source_words() -> frozenset[str]:
    """The words of all sources, and of their names."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    words = set(re.findall(r"\w+", listed))
    for name in listed.splitlines():
        if (ROOT / name).suffix in (".swift", ".c", ".h", ".hpp", ".js", ".mjs", ".ts", ".py", ".modulemap"):
            words.update(re.findall(r"\w+", (ROOT / name).read_text(encoding="utf-8")))
    return frozenset(words)


def link_faults() -> Iterable[str]:
    """Links between files, on every page of the repository."""
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in listed.stdout.splitlines():
        for link in read_page(ROOT / name, name).links:
            if "://" in link.text or link.text.startswith(("doc:", "mailto:")):
                continue
            if not (ROOT / name).parent.joinpath(link.text).exists():
                yield f"{link.place}: error: there is no {link.text}"


if __name__ == "__main__":
    sys.exit(main())
