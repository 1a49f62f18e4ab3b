"""The decoders that the suite knows: how each is found or built, called, and what its version is.

What is built goes into a folder of its own; what is missing is named, with what installs it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

DECODERS = Path(__file__).resolve().parent / "decoders"
FILES = "{files}"
_BUILD_SECONDS = 900


class MissingError(Exception):
    """A decoder is not here; the message says what installs it."""


@dataclass(frozen=True)
class Peer:
    """A decoder that can be called."""

    key: str
    title: str
    version: str
    command: Sequence[str]
    """FILES stands for the names of many files."""


@dataclass(frozen=True)
class Place:
    """Where things are: the program gallop, and the folder for what is built."""

    gallop: Path
    build: Path


def run(*command: str | Path, **options: object) -> str:
    """A program's output; raises MissingError with its last line where it fails."""
    try:
        done = subprocess.run(
            [str(word) for word in command],
            capture_output=True,
            text=True,
            timeout=_BUILD_SECONDS,
            check=False,
            **options,
        )  # type: ignore[call-overload]
    except OSError as error:
        raise MissingError(f"{command[0]}: {error.strerror}") from error
    if done.returncode != 0:
        lines = (done.stderr or done.stdout).strip().splitlines() or ["no message"]
        raise MissingError(f"{Path(str(command[0])).name} fails: {lines[-1]}")
    return done.stdout


def need(program: str, package: str) -> str:
    """The full name of a program."""
    found = shutil.which(program)
    if found is None:
        raise MissingError(f"no {program}; apt-get install {package}")
    return found


def script(name: str, *arguments: str, python: str = sys.executable) -> list[str]:
    return [python, str(DECODERS / name), *arguments, FILES]


# --- Programs ---------------------------------------------------------------------------------------------------


def gallop(place: Place, piece_bytes: int | None = None) -> Peer:
    """The project's own command, which reads files whole or is fed them in pieces."""
    program = place.gallop.resolve()
    if not os.access(program, os.X_OK):
        raise MissingError(f"no {place.gallop}; run `make build-release`")
    options = ["--program", str(program)] + ([] if piece_bytes is None else ["--piece-bytes", str(piece_bytes)])
    title = "Gallop" if piece_bytes is None else f"Gallop, in pieces of {piece_bytes}"
    return Peer("gallop", title, run(program, "--version").split()[0], script("programs.py", *options, "gallop"))


def ffmpeg(place: Place) -> Peer:
    program = need("ffmpeg", "ffmpeg")
    version = run(program, "-version").split("\n")[0].split()[2]
    return Peer("ffmpeg", "FFmpeg", version, script("programs.py", "--program", program, "ffmpeg"))


def imagemagick(place: Place) -> Peer:
    # A program named convert may be another one; Debian's has its version in its name.
    program = need("convert-im6.q16", "imagemagick")
    version = run(program, "-version").split("\n")[0].split()[2]
    return Peer("imagemagick", "ImageMagick", version, script("programs.py", "--program", program, "imagemagick"))


def browser(name: str, title: str) -> Callable[[Place], Peer]:
    def find(place: Place) -> Peer:
        programs = {"chromium": ("chromium", "chromium"), "firefox": ("firefox-esr", "firefox-esr")}
        words = run(need(*programs[name]), "--version").strip().split(" built ")[0].split()
        return Peer(name, title, words[-1], script("browser.py", name))

    return find


# --- Libraries for C and Rust -----------------------------------------------------------------------------------


def compiled(place: Place, name: str, flags: Sequence[str]) -> str:
    """A C program of decoders/, built where a source is newer."""
    source, program = DECODERS / f"{name}.c", place.build / name
    newest = max(path.stat().st_mtime for path in (source, DECODERS / "answer.h"))
    if not program.exists() or program.stat().st_mtime < newest:
        place.build.mkdir(parents=True, exist_ok=True)
        run(need("cc", "gcc"), "-O1", "-w", "-I", DECODERS, source, "-o", program, *flags)
    return str(program)


def giflib(place: Place) -> Peer:
    header = Path("/usr/include/gif_lib.h")
    if not header.exists():
        raise MissingError("no gif_lib.h; apt-get install libgif-dev")
    numbers = [
        line.split()[-1]
        for line in header.read_text(errors="replace").splitlines()
        if line.startswith(("#define GIFLIB_M", "#define GIFLIB_R"))
    ]
    return Peer("giflib", "giflib, composed simply", ".".join(numbers), [compiled(place, "giflib", ["-lgif"]), FILES])


def gdk_pixbuf(place: Place) -> Peer:
    name = "gdk-pixbuf-2.0"
    if shutil.which("pkg-config") is None or subprocess.run(["pkg-config", "--exists", name], check=False).returncode:
        raise MissingError("no gdk-pixbuf; apt-get install pkg-config libgdk-pixbuf-2.0-dev")
    flags = run("pkg-config", "--cflags", "--libs", name).split()
    return Peer(
        "gdk-pixbuf",
        "gdk-pixbuf",
        run("pkg-config", "--modversion", name).strip(),
        [compiled(place, "gdk_pixbuf", flags), FILES],
    )


def libnsgif(place: Place) -> Peer:
    """Debian has it as a part of NetSurf's sources only, or of other packages' copies."""
    folder = place.build / "netsurf"
    sources = list(folder.glob("netsurf-all-*/libnsgif"))
    if not sources:
        run("sh", DECODERS / "get_netsurf.sh", folder)
        sources = list(folder.glob("netsurf-all-*/libnsgif"))
    library = sources[0]
    flags = [
        "-I",
        str(library / "include"),
        "-I",
        str(library / "src"),
        str(library / "src/libnsgif.c"),
        str(library / "src/lzw.c"),
    ]
    version = next(
        line.split()[-1]
        for line in (library / "Makefile").read_text().splitlines()
        if line.startswith("COMPONENT_VERSION")
    )
    return Peer("libnsgif", "libnsgif", version, [compiled(place, "libnsgif", flags), FILES])


def image_gif(place: Place) -> Peer:
    registry = Path("/usr/share/cargo/registry")
    found = sorted(registry.glob("gif-0.*"))
    if not found:
        raise MissingError("no crate gif; apt-get install librust-gif-dev")
    target = place.build / "image_gif"
    replace = [
        "--config",
        'source.crates-io.replace-with="debian"',
        "--config",
        f'source.debian.directory="{registry}"',
    ]
    manifest = DECODERS / "image_gif" / "Cargo.toml"
    # A lock file would stand beside the manifest: the package is built from a copy.
    copy = place.build / "image_gif_source"
    shutil.copytree(manifest.parent, copy, dirs_exist_ok=True)
    run(
        need("cargo", "cargo"),
        "build",
        "--quiet",
        "--release",
        "--offline",
        "--manifest-path",
        copy / "Cargo.toml",
        "--target-dir",
        target,
        *replace,
    )
    version = found[-1].name.removeprefix("gif-")
    return Peer(
        "image-gif", "image-gif, composed simply", version, [str(target / "release" / "suite-image-gif"), FILES]
    )


# --- Libraries for Python ---------------------------------------------------------------------------------------

_WHEELS = ("pillow", "pyvips[binary]", "skia-python", "numpy")


def python_library(key: str, title: str, expression: str) -> Callable[[Place], Peer]:
    def find(place: Place) -> Peer:
        python = environment(place)
        version = run(python, "-c", f"print({expression})").strip()
        return Peer(key, title, version, script("python_libraries.py", key, python=python))

    return find


def environment(place: Place) -> str:
    """The interpreter of a virtual environment with the wheels."""
    folder = place.build / "venv"
    mark = folder / "wheels"
    if not mark.exists() or mark.read_text() != " ".join(_WHEELS):
        run(sys.executable, "-m", "venv", "--clear", folder)
        run(folder / "bin/pip", "install", "--quiet", *_WHEELS)
        mark.write_text(" ".join(_WHEELS))
    return str(folder / "bin/python")


def chafa(place: Place) -> Peer:
    """Chafa's loader is a copy of libnsgif, and what the program prints is scaled to cells."""
    raise MissingError(
        "its pictures are scaled to a terminal's cells; it reads with a copy of libnsgif, which is in the table"
    )


PEERS: dict[str, Callable[[Place], Peer]] = {
    "gallop": gallop,
    "chromium": browser("chromium", "Chromium itself"),
    "firefox": browser("firefox", "Firefox"),
    "skia": python_library(
        "skia", "Skia (skia-python)", "__import__('importlib.metadata').metadata.version('skia-python')"
    ),
    "libvips": python_library(
        "pyvips", "libvips", "'.'.join(str(__import__('pyvips').version(part)) for part in range(3))"
    ),
    "libnsgif": libnsgif,
    "pillow": python_library("pillow", "Pillow", "__import__('PIL').__version__"),
    "gdk-pixbuf": gdk_pixbuf,
    "imagemagick": imagemagick,
    "ffmpeg": ffmpeg,
    "giflib": giflib,
    "image-gif": image_gif,
    "chafa": chafa,
}
"""In the order in which they are run."""
