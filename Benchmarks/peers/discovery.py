"""Finds the peers, makes what can be made (a Python environment, the giflib program), and says what is missing."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from figures import BASE, INDICES, TWO_JOBS
from tools import Absent, Effort, SelfTimed, Tool, WholeProcess

from galloptools.measuring.commands import Failure, run

HERE = Path(__file__).resolve().parent
VENV_PYTHON = HERE / ".venv" / "bin" / "python"
BUILD = HERE / ".build"
DEBIAN_CRATES = Path("/usr/share/cargo/registry")

# One black pixel.
TINY_GIF = bytes.fromhex("474946383961010001008000000000000000002c00000000010001000002024401003b")


@dataclass(frozen=True)
class Plan:
    """A peer that may be installed or not."""

    key: str
    title: str
    find: Callable[[str, str], Tool]
    """Raises Failure."""


def find_peers() -> list[Tool | Absent]:
    """Every peer, in the order of the tables."""
    plans = [
        Plan("skia", "Skia + Wuffs", find_skia),
        Plan("giflib", "giflib, indices only", find_giflib),
        Plan("image-gif", "image-gif, indices only", find_image_gif),
        Plan("ffmpeg", "ffmpeg", find_ffmpeg),
        Plan("imagemagick", "ImageMagick", find_imagemagick),
        Plan("pillow", "Pillow", find_pillow),
    ]
    make_environment()
    return [find(plan) for plan in plans]


def find(plan: Plan) -> Tool | Absent:
    try:
        return plan.find(plan.key, plan.title)
    except Failure as error:
        return Absent(plan.key, plan.title, str(error))


def gallop_indices(program: Path, commit: str) -> Tool:
    """Gallop's decoder without its renderer."""

    def command(path: Path, effort: Effort) -> Sequence[str]:
        return [str(program), "bench", "decode", "--json", "--indices", "--repeat", str(effort.repeats), str(path)]

    return SelfTimed(
        key=INDICES,
        title="Gallop, indices only",
        version=commit,
        how="`gallop bench decode --indices`: bytes in memory to the palette indices of every frame.",
        command=command,
    )


def gallop(program: Path, commit: str, jobs: int) -> Tool:
    """Gallop itself, decoding each file with this many threads."""

    def command(path: Path, effort: Effort) -> Sequence[str]:
        options = ["--json", "--repeat", str(effort.repeats), "--jobs", str(jobs)]
        return [str(program), "bench", "decode", *options, str(path)]

    return SelfTimed(
        key=BASE if jobs == 1 else TWO_JOBS,
        title="Gallop" if jobs == 1 else f"Gallop, {jobs} jobs",
        version=commit,
        how=f"`gallop bench decode --jobs {jobs}`: bytes in memory to every composed RGBA canvas, in place.",
        command=command,
    )


# --- Python libraries ---------------------------------------------------------------------------------------------


def make_environment() -> None:
    """A Python environment of this folder's own, if it can be made; a peer that lacks a library reports that later."""
    try:
        if not VENV_PYTHON.exists():
            print("making a Python environment for Skia and Pillow", file=sys.stderr)
            run([sys.executable, "-m", "venv", str(VENV_PYTHON.parents[1])])
        for package, module in {"numpy": "numpy", "skia-python": "skia", "Pillow": "PIL"}.items():
            if not imports(module):
                print(f"installing {package}", file=sys.stderr)
                run([str(VENV_PYTHON), "-m", "pip", "install", "--quiet", "--no-input", package])
    except Failure as error:
        print(f"bench-peers: {error}", file=sys.stderr)


def imports(module: str) -> bool:
    try:
        run([str(VENV_PYTHON), "-c", f"import {module}"])
    except Failure:
        return False
    return True


def python_decoder(key: str, title: str, how: str) -> Tool:
    script = str(HERE / "decoders.py")
    if not VENV_PYTHON.exists():
        raise Failure("no Python environment could be made")
    version = run([str(VENV_PYTHON), script, key, "--version"]).strip()

    def command(path: Path, effort: Effort) -> Sequence[str]:
        limits = ["--repeat", str(effort.repeats), "--seconds", str(effort.seconds)]
        return [str(VENV_PYTHON), script, key, *limits, str(path)]

    return SelfTimed(key=key, title=title, version=version, how=how, command=command)


def find_skia(key: str, title: str) -> Tool:
    how = (
        "Chromium's decoder, through skia-python: `Codec.getPixels`, RGBA with straight alpha, every frame in place "
        "on the one before it. A frame that restores what was before it is undone from a copy. Timed within the "
        "process: Python's part is some microseconds a frame."
    )
    return python_decoder(key, title, how)


def find_pillow(key: str, title: str) -> Tool:
    return python_decoder(key, title, '`seek` to each frame in order, `convert("RGBA")`. Timed within the process.')


# --- giflib -------------------------------------------------------------------------------------------------------


def find_giflib(key: str, title: str) -> Tool:
    compiler = shutil.which("cc")
    pkg_config = shutil.which("pkg-config")
    if compiler is None or pkg_config is None:
        raise Failure("cc and pkg-config are needed to build it")
    flags = run([pkg_config, "--cflags", "--libs", "libgif"]).split()
    program = BUILD / "giflib_lines"
    BUILD.mkdir(exist_ok=True)
    base = [compiler, "-O2", "-std=c17", "-D_POSIX_C_SOURCE=200809L", "-Wall", "-Wextra"]
    run([*base, str(HERE / "giflib_lines.c"), "-o", str(program), *flags])

    def command(path: Path, effort: Effort) -> Sequence[str]:
        return [str(program), str(effort.repeats), str(path)]

    how = "A C program of ours, `cc -O2`: `DGifGetLine` for every row, palette indices only, no colours, no canvas."
    version = f"giflib {run([str(program), '--version']).strip()}"
    return SelfTimed(key=key, title=title, version=version, how=how, command=command)


# --- image-gif ----------------------------------------------------------------------------------------------------


def find_image_gif(key: str, title: str) -> Tool:
    cargo = shutil.which("cargo")
    if cargo is None:
        raise Failure("cargo is not installed")
    crates = sorted(DEBIAN_CRATES.glob("gif-0.*"))
    if not crates:
        raise Failure("there is no crate gif; apt-get install librust-gif-dev")
    # A lock file would stand beside the manifest: the program is built from a copy.
    source, target = BUILD / "image_gif_source", BUILD / "image_gif"
    shutil.copytree(HERE / "image_gif", source, dirs_exist_ok=True)
    registry = ['source.crates-io.replace-with="debian"', f'source.debian.directory="{DEBIAN_CRATES}"']
    where = ["--manifest-path", str(source / "Cargo.toml"), "--target-dir", str(target)]
    options = [part for setting in registry for part in ("--config", setting)]
    run([cargo, "build", "--quiet", "--release", "--offline", *where, *options])
    program = str(target / "release" / "image-gif-indices")
    how = "A Rust program of ours, `cargo build --release`: `read_into_buffer` for every frame, palette indices only."
    weezl = [path.name.replace("-", " ") for path in sorted(DEBIAN_CRATES.glob("weezl-*"))[-1:]]
    return SelfTimed(
        key=key,
        title=title,
        version=f"image-gif {crates[-1].name.removeprefix('gif-')} ({', '.join(weezl)})",
        how=how,
        command=lambda path, effort: [program, str(effort.repeats), str(path)],
    )


# --- Programs -----------------------------------------------------------------------------------------------------

PROCESS = "The whole process, less its own start (its time for a GIF of one pixel, measured beside every run)."


def tiny_gif() -> Path:
    BUILD.mkdir(exist_ok=True)
    path = BUILD / "tiny.gif"
    path.write_bytes(TINY_GIF)
    return path


def find_ffmpeg(key: str, title: str) -> Tool:
    program = shutil.which("ffmpeg")
    if program is None:
        raise Failure("ffmpeg is not installed")
    found = re.search(r"^ffmpeg version (\S+)", run([program, "-version"]))
    before = ["-hide_banner", "-nostdin", "-nostats", "-loglevel", "error", "-progress", "pipe:1", "-threads", "1"]
    after = ["-threads", "1", "-fps_mode", "passthrough", "-pix_fmt", "rgba", "-f", "null", "-"]
    return WholeProcess(
        key=key,
        title=title,
        version=f"ffmpeg {found[1] if found else 'of unknown version'}",
        how=f"`ffmpeg -threads 1 -i FILE {' '.join(after)}`. {PROCESS}",
        command=lambda path: [program, *before, "-i", str(path), *after],
        tiny=tiny_gif(),
    )


def find_imagemagick(key: str, title: str) -> Tool:
    for program in programs(["magick", "convert"]):
        try:
            version = imagemagick_version(run([program, "-version"]))
        except Failure:
            continue
        if version is not None:
            break
    else:
        raise Failure("ImageMagick is not installed")
    after = ["-coalesce", "-depth", "8", "rgba:/dev/null"]
    return WholeProcess(
        key=key,
        title=title,
        version=version,
        how=f"`{Path(program).name} FILE {' '.join(after)}`, one thread. {PROCESS}",
        command=lambda path: [program, str(path), *after],
        tiny=tiny_gif(),
    )


def programs(names: Sequence[str]) -> Iterator[str]:
    """Every program of these names on the PATH: the first `convert` need not be ImageMagick's."""
    for name in names:
        for folder in os.get_exec_path():
            if (found := shutil.which(name, path=folder)) is not None:
                yield found


def imagemagick_version(text: str) -> str | None:
    """The version in what `convert -version` prints; None if that is another program."""
    found = re.search(r"^Version: (ImageMagick \S+(?: Q\d+\S*)?)", text)
    return found[1] if found else None
