#!/usr/bin/env python3
"""Builds the documentation site with the toolchain's docc, and follows every link in it.

    build_site.py --modules .build/release/Modules OUTPUT

OUTPUT is a folder of files for any static server. The symbol graphs come from the modules of a build. A module that
re-exports others has their symbols on its own pages. Every warning of docc is an error. Exit status: 0 the site is whole,
1 it is not, 2 docc or the modules are missing.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from exported import exported_modules
from site_links import Site
from symbol_graphs import extract_graph

ROOT = Path(__file__).resolve().parents[2]
_PROBLEM = re.compile(r"(warning|error): ")


@dataclass(frozen=True)
class Module:
    """A module of the site; links go to those that stand before it."""

    name: str
    exported: tuple[str, ...] = ()


MODULES = (
    Module("Gallop", exported_modules()),
    Module("GIFStage"),
    Module("WindowDisplay"),
    Module("GallopFoundation"),
)


class Problem(Exception):
    """A reason why there is no site."""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--modules", type=Path, required=True, help="the folder of the compiled modules")
    parser.add_argument("output", type=Path)
    options = parser.parse_args()
    missing = [module.name for module in MODULES if not (options.modules / f"{module.name}.swiftmodule").exists()]
    if missing or docc() is None:
        lack = f"{options.modules} has no {', '.join(missing)}" if missing else "the toolchain has no docc"
        print(f"build_site: {lack}", file=sys.stderr)
        return 2
    try:
        build(options.modules, options.output)
    except Problem as problem:
        print(problem, file=sys.stderr)
        return 1
    site = Site(options.output)
    faults = site.faults()
    print("\n".join(faults), end="\n" if faults else "")
    print(f"documentation site: {site.page_count} pages, {site.link_count} links, {len(faults)} faults")
    return 1 if faults else 0


def docc() -> str | None:
    """The path of docc: on the PATH, or beside the compiler."""
    beside = Path(os.path.realpath(shutil.which("swift") or "swift")).parent
    return shutil.which("docc", path=f"{os.environ['PATH']}{os.pathsep}{beside}")


def build(modules: Path, output: Path) -> None:
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        archives: list[Path] = []
        for module in MODULES:
            archives.append(convert(module, modules, work, archives))
        shutil.rmtree(output, ignore_errors=True)
        output.parent.mkdir(parents=True, exist_ok=True)
        landing = ["--synthesized-landing-page-name", "Gallop", "--synthesized-landing-page-kind", "Package"]
        run([docc() or "docc", "merge", *map(str, archives), *landing, "--output-path", str(output)])


def convert(module: Module, modules: Path, work: Path, dependencies: Sequence[Path]) -> Path:
    """The archive of a module: its symbols and its articles."""
    graphs, archive = work / module.name, work / f"{module.name}.doccarchive"
    graphs.mkdir()
    extract_graph(ROOT, modules, module.name, graphs, exported=module.exported)
    [catalog] = ROOT.glob(f"Sources/*/{module.name}/{module.name}.docc")
    command = [docc() or "docc", "convert", str(catalog), "--additional-symbol-graph-dir", str(graphs)]
    command += ["--fallback-display-name", module.name, "--fallback-bundle-identifier", module.name]
    command += ["--fallback-default-module-kind", "Library"]
    command += ["--enable-experimental-external-link-support", "--warnings-as-errors", "--emit-fixits"]
    for dependency in dependencies:
        command += ["--dependency", str(dependency)]
    run([*command, "--output-path", str(archive)])
    return archive


def run(command: Sequence[str]) -> None:
    """Run a command; whatever it warns of is a problem."""
    outcome = subprocess.run(command, capture_output=True, text=True)
    printed = outcome.stdout + outcome.stderr
    if outcome.returncode != 0 or _PROBLEM.search(printed):
        raise Problem(printed.strip().replace(f"{ROOT}/", ""))


if __name__ == "__main__":
    sys.exit(main())
