#!/usr/bin/env python3
"""Tests the built web package in Node, Chromium and Firefox.

    web_test.py --package DIR [--conformance DIR] [--mutants 10000] [--browser NAME] [--only TEXT] [--screenshots DIR]

DIR is what `make web` makes. Runs every `*.test.mjs` below this folder in Node, then every `test_*.py`. What is not
installed is named in one line, and its tests are passed over. GALLOP_TOOL names the command line tool whose frames those
in Node are compared with (.build/release/gallop); GALLOP_SEED chooses other files for it. Exit status: 0 all passed,
1 some failed, 2 cannot run.
"""

from __future__ import annotations

import argparse
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(HERE), str(ROOT / "Tests" / "Tools")]

from browsers import installed  # noqa: E402
from galloptools.browsers.drivers import BROWSERS  # noqa: E402
from galloptools.gif.mutants import make  # noqa: E402

NODE_MAJOR = 20
# What takes long, by the names of modules: a landing is checked without them.
SLOW = {"test_upgrade", "test_forced_colours", "test_print"}


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Tests the built web package in Node, Chromium and Firefox.")
    parser.add_argument("--package", type=Path, required=True, help="the folder that `make web` makes")
    parser.add_argument("--conformance", type=Path, help="a folder with expected.jsonl and gifs/")
    parser.add_argument("--mutants", type=int, default=10000, help="damaged files to try (default: 10000)")
    parser.add_argument("--seed", default="web", help="makes other damaged files")
    parser.add_argument("--browser", choices=list(BROWSERS), help="only this browser")
    parser.add_argument("--only", default="", help="only Python tests whose name has this; none in Node")
    parser.add_argument("--quick", action="store_true", help="one browser, and without the modules in SLOW")
    parser.add_argument("--screenshots", type=Path, help="keep screenshots here")
    options = parser.parse_args(arguments)
    if not (options.package / "gallop.wasm").is_file():
        parser.error(f"{options.package} has no gallop.wasm: `make web` makes it")
    return options


def pack_mutants(count: int, seed: str) -> bytes:
    """Damaged copies of the samples and synthetic files, a length before each."""
    files = sorted((ROOT / "Samples" / "GIFs").glob("*.gif"))
    originals = [(file.name, file.read_bytes()) for file in files if file.stat().st_size < 200_000]
    parts: list[bytes] = []
    for number in range(count):
        data = make(seed, number, originals).data
        parts += [struct.pack("<I", len(data)), data]
    return b"".join(parts)


def absent() -> list[str]:
    """What is not installed."""
    found = installed()
    names = [BROWSERS[name].executables[0] for name in BROWSERS if name not in found and not os.environ["GALLOP_BROWSER"]]
    return names + ([] if has_node() else [f"node {NODE_MAJOR}"])


def has_node() -> bool:
    if shutil.which("node") is None:
        return False
    version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
    return int(version.removeprefix("v").split(".")[0]) >= NODE_MAJOR


def run_node() -> bool:
    """Runs the tests in Node; returns whether all passed."""
    files = sorted(str(file) for file in HERE.rglob("*.test.mjs"))
    return subprocess.run(["node", "--test", "--test-reporter=spec", *files], check=False).returncode == 0


def run_python(only: str, quick: bool) -> bool:
    """Runs `test_*.py`; returns whether all passed."""
    loader = unittest.TestLoader()
    if only:
        loader.testNamePatterns = [f"*{only}*"]
    names = sorted(path.stem for path in HERE.glob("test_*.py") if not (quick and path.stem in SLOW))
    suite = loader.loadTestsFromNames(names)
    return unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful()


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(arguments)
    os.environ["GALLOP_PACKAGE"] = str(options.package.resolve())
    os.environ["GALLOP_BROWSER"] = options.browser or ("chromium" if options.quick else "")
    if options.conformance is not None and (options.conformance / "expected.jsonl").is_file():
        os.environ["GALLOP_CONFORMANCE"] = str(options.conformance.resolve())
    if options.screenshots is not None:
        os.environ["GALLOP_SCREENSHOTS"] = str(options.screenshots.resolve())
    if missing := absent():
        print(f"not installed, so not tested: {', '.join(missing)}", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        pack = Path(folder) / "mutants"
        pack.write_bytes(pack_mutants(options.mutants, options.seed))
        os.environ["GALLOP_MUTANTS"] = str(pack)
        passed = bool(options.only) or not has_node() or run_node()
        return 0 if run_python(options.only, options.quick) and passed else 1


if __name__ == "__main__":
    sys.exit(main())
