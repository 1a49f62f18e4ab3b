#!/usr/bin/env python3
"""Installs, runs and removes the Debian packages in a bare Debian without Swift, and what `make install` puts in a folder.

    dist_test.py [--store FOLDER] --tool GALLOP --library FOLDER DIST

The minimal system is made with debootstrap and kept in the store. Exit status: 0 all is well, or, with a line that says
what is missing, the test cannot run here; 1 something fails.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bare_root import BareRoot
from galloptools.checks import Failure, Missing
from galloptools.terminal.program import TerminalProgram

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "Samples" / "GIFs" / "thrice.gif"
COMPLETIONS = (
    "usr/share/bash-completion/completions/gallop",
    "usr/share/zsh/vendor-completions/_gallop",
    "usr/share/fish/vendor_completions.d/gallop.fish",
)
DESKTOP = (
    "usr/share/applications",
    "usr/share/metainfo",
    "usr/share/icons/hicolor/scalable/apps",
    "usr/share/thumbnailers",
)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("dist", type=Path, help="the folder of the packages")
    parser.add_argument("--tool", type=Path, required=True, help="the program that was packed")
    parser.add_argument("--library", type=Path, required=True, help="the folder of the library that was packed")
    parser.add_argument("--store", type=Path, default=ROOT / ".build" / "bare-root", help="keeps the minimal system")
    options = parser.parse_args()
    packages = sorted(options.dist.glob("*.deb"))
    if not packages:
        print(f"dist-test: {options.dist} has no packages", file=sys.stderr)
        return 1
    start = time.monotonic()
    try:
        with tempfile.TemporaryDirectory() as name:
            prefix(Path(name) / "prefix", options.tool, options.library)
            hardened(Path(name) / "inside", packages)
            root = BareRoot(options.store, Path(name) / "root")
            test(root, packages)
    except Missing as missing:
        print(f"dist-test: left out: {missing}")
        return 0
    except Failure as failure:
        print(f"dist-test: error: {failure}", file=sys.stderr)
        return 1
    errors = lintian_errors(packages)
    print("\n".join(errors), end="\n" if errors else "")
    print(f"dist-test: {len(packages)} packages installed, run and removed in {time.monotonic() - start:.0f} s")
    return 1 if errors else 0


def prefix(folder: Path, tool: Path, library: Path) -> None:
    """Installs into a folder beside another program, and removes what was installed."""
    script = ROOT / "Sources" / "Packaging" / "install.sh"
    other = folder / "bin" / "other"
    other.parent.mkdir(parents=True)
    other.touch()
    subprocess.run([script, tool, library, folder], check=True, capture_output=True)
    command = [folder / "bin" / "gallop", "info", "--json", SAMPLE]
    described = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    expect(json.loads(described)["frameCount"] == 18, "the installed tool describes the sample")
    subprocess.run([script, "--remove", folder], check=True, capture_output=True)
    left = [path for path in folder.rglob("*") if not path.is_dir()]
    expect(left == [other] and not (folder / "share").exists(), "only the other program is left in the folder")


def hardened(folder: Path, packages: list[Path]) -> None:
    """The packed program and library have read-only addresses of functions, and look for libraries nowhere else."""
    for package in packages:
        subprocess.run(["dpkg-deb", "--extract", package, folder], check=True)
    binaries = [folder / "usr/bin/gallop", *folder.glob("usr/lib/*/libgallop.so.*.*")]
    for path in binaries:
        described = subprocess.run(["readelf", "-lWd", path], check=True, capture_output=True, text=True).stdout
        for word in ("GNU_RELRO", "NOW"):
            expect(word in described, f"{path.name} has {word}")
        expect(not re.search(r"R(UN)?PATH", described), f"{path.name} has no path of its own to libraries")


def test(root: BareRoot, packages: list[Path]) -> None:
    expect(shutil.which("swift", path=str(root.folder / "usr/bin")) is None, "the root has no Swift")
    for package in packages:
        shutil.copy(package, root.folder / "tmp")
    shutil.copy(SAMPLE, root.folder / "tmp" / "film.gif")
    names = [package.name.partition("_")[0] for package in packages]
    files = [f"/tmp/{package.name}" for package in packages]
    if root.status("apt-get", "update") != 0:
        raise Missing("the root has no network to install what the packages depend on")
    root.run("apt-get", "install", "--yes", "--no-install-recommends", *files)
    # What the packages depend on stays: only what is their own may come and go.
    root.run("dpkg", "--purge", *names)
    before = root.files()
    root.run("dpkg", "--install", *files)
    commands(root)
    pages(root)
    thumbnail(root)
    terminal(root)
    root.run("dpkg", "--purge", *names)
    left = sorted(root.files() ^ before)
    expect(not left, f"removal leaves the files as they were: {', '.join(left[:5])}")


def commands(root: BareRoot) -> None:
    info = json.loads(root.run("gallop", "info", "--json", "/tmp/film.gif"))
    expect((info["width"], info["height"], info["frameCount"]) == (140, 140, 18), "gallop info describes the sample")
    root.run("gallop", "decode", "/tmp/film.gif", "--output", "/tmp/frames/")
    expect(len(list((root.folder / "tmp/frames").glob("*.png"))) == 18, "gallop decode writes 18 pictures")
    events = root.run("gallop", "play", "--headless", "--events", "--loops", "1", "/tmp/film.gif").splitlines()
    shown = [event for event in map(json.loads, events) if event["event"] == "frameChange"]
    expect(len(shown) > 0, "gallop play shows frames")
    failed = root.status("gallop", "info", "/tmp/none.gif")
    expect(failed == 1, "a file that is missing is exit status 1")


def pages(root: BareRoot) -> None:
    page = root.run("man", "gallop")
    expect("gallop decode" in page and "EXIT STATUS" in page, "man gallop is there")
    expect(page.split("\n", 1)[0].split() == ["GALLOP(1)", "User", "Commands", "GALLOP(1)"], "it has its heading")
    for name in COMPLETIONS:
        expect("gallop" in (root.folder / name).read_text(), f"{name} is there")
    for folder in DESKTOP:
        expect(any("gallop" in path.name for path in (root.folder / folder).iterdir()), f"{folder} has its entry")
    root.run("bash", "-n", f"/{COMPLETIONS[0]}")


def thumbnail(root: BareRoot) -> None:
    """Makes a thumbnail by the line that file managers run."""
    entry = (root.folder / "usr/share/thumbnailers/gallop.thumbnailer").read_text()
    line = re.search(r"^Exec=(.*)$", entry, re.MULTILINE)
    expect(line is not None and "MimeType=image/gif;" in entry, "the thumbnailer takes GIFs")
    # Desktops' own for all pictures has 2 at the most.
    expect("\n[X-Tumbler Settings]\nPriority=3\n" in entry, "Tumbler asks it first")
    places = {"%s": "128", "%i": "/tmp/film.gif", "%o": "/tmp/thumbnail.png"}
    words = [re.sub("%[sio]", lambda place: places[place[0]], word) for word in line[1].split()]
    root.run(*words)
    picture = (root.folder / "tmp/thumbnail.png").read_bytes()
    expect(picture[16:24] == bytes((0, 0, 0, 128, 0, 0, 0, 128)), "the thumbnail has 128 x 128 pixels")


def terminal(root: BareRoot) -> None:
    """Plays in a terminal until a picture is there, and quits with a key."""
    words = root.command("gallop", "play", "--terminal", "--graphics", "symbols", "/tmp/film.gif")
    with TerminalProgram(words, size=(60, 20)) as program:
        program.wait("status line", lambda: " of 18  film" in program.screen.text)
        expect(any(ord(letter) > 0x2580 for letter in program.screen.text), "the terminal shows a picture")
        program.type("q")
        program.wait_for_end()
        expect(program.process.returncode == 0, "q ends the player with status 0")


def lintian_errors(packages: list[Path]) -> list[str]:
    if shutil.which("lintian") is None:
        print("dist-test: lintian is not installed: its rules are not checked")
        return []
    command = ["lintian", "--allow-root", "--fail-on", "error", "--display-level", "error", *map(str, packages)]
    outcome = subprocess.run(command, capture_output=True, text=True)
    return [line for line in outcome.stdout.splitlines() if line.startswith("E:")] if outcome.returncode != 0 else []


def expect(condition: bool, sentence: str) -> None:
    if not condition:
        raise Failure(f"it is not so that {sentence}")


if __name__ == "__main__":
    sys.exit(main())
