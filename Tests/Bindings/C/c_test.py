#!/usr/bin/env python3
"""Tests the C library as programs find it: installed, with its header and pkg-config file.

    c_test.py --library DIR [--conformance DIR] [--gallop PATH] [--only TEXT]

DIR is what `make library` makes. Compiles the programs of this folder with gcc, clang and g++, and runs them, also under
AddressSanitizer and valgrind; then the samples. What is not installed is named in one line, and its tests are passed
over. Exit status: 0 all passed, 1 some failed, 2 cannot run.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from galloptools.checks import Failure, Missing, Tests, need

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SAMPLE = ROOT / "Samples" / "GIFs" / "gallop.gif"
TRANSPARENT = ROOT / "Samples" / "GIFs" / "disposals.gif"
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
# Seconds after which a program counts as stuck.
LIMIT = 900


class Installation:
    """The library in a folder of its own, as `make install` puts it."""

    def __init__(self, library: Path, folder: Path) -> None:
        self.prefix = folder / "usr"
        self.build = folder / "build"
        self.build.mkdir()
        subprocess.run([ROOT / "Sources/Bindings/C/CGallop/install.sh", library.resolve(), self.prefix], check=True)
        # The names by which valgrind knows what to pass over.
        for names in library.glob("libgallop.so.*.debug"):
            shutil.copy(names, self.prefix / "lib")
        self.environment = dict(
            os.environ,
            PKG_CONFIG_PATH=f"{self.prefix}/lib/pkgconfig",
            LD_LIBRARY_PATH=f"{self.prefix}/lib",
            ASAN_OPTIONS="abort_on_error=1",
            LSAN_OPTIONS=f"suppressions={HERE / 'lsan.supp'}:print_suppressions=0",
        )

    def flags(self, *packages: str) -> list[str]:
        command = ["pkg-config", "--cflags", "--libs", "gallop", *packages]
        return subprocess.run(command, env=self.environment, check=True, capture_output=True, text=True).stdout.split()

    def run(self, *command: object, status: int = 0, cwd: Path | None = None, **variables: str) -> bytes:
        """Runs a program and returns its output; fails on another exit status, and on any word on standard error."""
        words = [str(word) for word in command]
        try:
            done = subprocess.run(
                words, env={**self.environment, **variables}, capture_output=True, timeout=LIMIT, cwd=cwd
            )
        except subprocess.TimeoutExpired:
            raise Failure(f"{' '.join(words)}: does not end") from None
        errors = done.stderr.decode("utf-8", "replace")
        if done.returncode != status or (errors and status == 0):
            raise Failure(f"{' '.join(words)}: exit status {done.returncode}\n{errors[-4000:]}")
        return done.stdout

    def compile(self, source: Path, compiler: str, *options: str, name: str | None = None) -> Path:
        """Compiles one of the programs with every warning as an error."""
        standard = "-std=c++11" if source.suffix == ".cpp" else "-std=c99"
        program = self.build / (name or f"{source.stem}-{compiler}")
        self.run(need(compiler), standard, *WARNINGS, "-O1", "-g", *options, source, "-o", program, "-pthread",
                 *self.flags(), "-ldl")
        return program


def declared_in(header: str) -> set[str]:
    """The functions of a header."""
    return set(re.findall(r"^GALLOP_API .*?\b(gallop_\w+)\(", header, re.MULTILINE))


# --- What is installed --------------------------------------------------------------------------------------------


def symbols(place: Installation) -> None:
    """Nothing is exported but the functions of the header, and nothing is needed but what every Debian has."""
    need("nm")
    library = place.prefix / "lib" / "libgallop.so"
    lines = place.run("nm", "-D", "--defined-only", library).decode().splitlines()
    exported = {line.split()[-1].split("@")[0] for line in lines if line.split()[-2].isupper()} - {"GALLOP_0"}
    header = (place.prefix / "include" / "gallop.h").read_text()
    declared = declared_in(header)
    if exported != declared:
        raise Failure(f"exported and declared differ: {sorted(exported ^ declared)}")
    dynamic = place.run("readelf", "-d", library).decode()
    if "Library soname: [libgallop.so.0]" not in dynamic:
        raise Failure("the soname is not libgallop.so.0")
    needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic))
    allowed = {"libgif.so.7", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1", "libc.so.6", "libdl.so.2",
               "libpthread.so.0", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
    if needed - allowed:
        raise Failure(f"other libraries are needed: {sorted(needed - allowed)}")


def manual(place: Installation) -> None:
    """Each function has a man page, and none has a fault."""
    need("man")
    folder = place.prefix / "share/man/man3"
    header = (place.prefix / "include" / "gallop.h").read_text()
    missing = {f"{name}.3" for name in declared_in(header)} - {page.name for page in folder.iterdir()}
    if missing:
        raise Failure(f"functions without a page: {sorted(missing)}")
    for page in folder.iterdir():
        place.run("man", "--warnings", "-l", page, MANPAGER="cat", LC_ALL="C.UTF-8")
    text = place.run("man", "-l", folder / "gallop_image_open.3", MANPAGER="cat", LC_ALL="C.UTF-8", MANWIDTH="200").decode()
    for words in ("opens a file", "gallop_image **out", "gallop_open_options", "GALLOP_FILE_CHANGED", "gallop_image_release"):
        if words not in text:
            raise Failure(f"gallop_image_open(3) does not have {words!r}")


# --- Programs -----------------------------------------------------------------------------------------------------


def programs_of(compiler: str) -> Callable[[Installation], None]:
    def run(place: Installation) -> None:
        for name in ("frames", "abuse", "edits", "events", "flashes", "loading", "stills", "tables", "targets"):
            place.compile(HERE / f"{name}.c", compiler)
        run_programs(place, compiler, [])

    run.__doc__ = f"Programs compiled with {compiler}."
    return run


def run_programs(place: Installation, suffix: str, wrapper: Sequence[str], part: int = 1) -> None:
    """Everything that the programs do; `part` says how many times less often."""
    abuse, events = place.build / f"abuse-{suffix}", place.build / f"events-{suffix}"
    place.run(*wrapper, place.build / f"tables-{suffix}", SAMPLE)
    place.run(*wrapper, place.build / f"targets-{suffix}", TRANSPARENT)
    place.run(*wrapper, place.build / f"edits-{suffix}", TRANSPARENT)
    place.run(*wrapper, place.build / f"flashes-{suffix}", SAMPLE)
    place.run(*wrapper, place.build / f"stills-{suffix}", TRANSPARENT)
    place.run(*wrapper, abuse, "structs", SAMPLE)
    place.run(*wrapper, abuse, "handles", 40000 // part, SAMPLE)
    place.run(*wrapper, abuse, "callback", SAMPLE)
    place.run(*wrapper, abuse, "threads", 4000 // part, SAMPLE)
    place.run(*wrapper, events, SAMPLE)
    for _ in range(20 // min(part, 10)):
        place.run(*wrapper, abuse, "exit", SAMPLE)


def forking(place: Installation) -> None:
    """Children decode, and players in them say that they cannot."""
    abuse = place.compile(HERE / "abuse.c", "gcc")
    place.run(abuse, "fork", 50, SAMPLE)
    # Fresh processes fork while their threads use the library for the first time.
    for _ in range(40):
        place.run(abuse, "fork", 2, SAMPLE)


def names(place: Installation) -> None:
    """A file whose name is not UTF-8 is opened."""
    path = os.fsencode(place.build) + b"/\xff\xfe.gif"
    shutil.copy(SAMPLE, path)
    place.run(place.compile(HERE / "frames.c", "gcc"), "decode", os.fsdecode(path))


def loading(place: Installation) -> None:
    """The library is loaded and unloaded at run time, while players play."""
    place.run(place.compile(HERE / "loading.c", "gcc"), place.prefix / "lib/libgallop.so.0", SAMPLE)


def cplusplus(compiler: str) -> Callable[[Installation], None]:
    def run(place: Installation) -> None:
        for standard in (11, 17, 20):
            name = f"header-{compiler}-{standard}"
            place.run(place.compile(HERE / "header.cpp", compiler, f"-std=c++{standard}", name=name), SAMPLE)

        for standard in (17, 20):
            name = f"wrapper-{compiler}-{standard}"
            place.run(place.compile(HERE / "wrapper.cpp", compiler, f"-std=c++{standard}", name=name), SAMPLE)

    run.__doc__ = f"The header in C++11, 17 and 20, and gallop.hpp in C++17 and 20, with {compiler}."
    return run


def sanitized(place: Installation) -> None:
    """Programs compiled with AddressSanitizer.

    Without those that fork: the allocator of gcc 12's sanitizer may stay locked in a child.
    """
    probe = place.build / "probe.c"
    probe.write_text("int main(void) { return 0; }\n")
    if subprocess.run([need("gcc"), "-fsanitize=address", probe, "-o", place.build / "probe"],
                      capture_output=True).returncode != 0:
        raise Missing("gcc has no AddressSanitizer (libasan)")
    for name in ("abuse", "edits", "events", "flashes", "stills", "tables", "targets"):
        place.compile(HERE / f"{name}.c", "gcc", "-fsanitize=address", name=f"{name}-asan")
    run_programs(place, "asan", [], part=4)
    place.run(place.compile(HERE / "wrapper.cpp", "g++", "-std=c++17", "-fsanitize=address", name="wrapper-asan"), SAMPLE)


def valgrind(place: Installation) -> None:
    """Programs under valgrind: no invalid access, no use of what was never written, nothing lost."""
    wrapper = [need("valgrind"), "-q", "--error-exitcode=9", f"--suppressions={HERE / 'swift.supp'}"]
    leaks = ["--leak-check=full", "--show-leak-kinds=definite", "--errors-for-leak-kinds=definite"]
    for name in ("frames", "abuse", "edits", "events", "flashes", "stills", "tables", "targets"):
        place.compile(HERE / f"{name}.c", "gcc", name=f"{name}-plain")
    run_programs(place, "plain", wrapper + leaks, part=40)
    for way in ("read", "changes", "frame", "batch"):
        place.run(*wrapper, *leaks, place.build / "frames-plain", "decode", "--way", way, SAMPLE)
    # A child has lost what only the parent's threads knew.
    place.run(*wrapper, place.build / "abuse-plain", "fork", 2, SAMPLE)


def suppressions(place: Installation) -> None:
    """With the suppressions that are installed, programs of users are clean, without the library's names for debuggers."""
    plain = place.build / "plain"
    plain.mkdir()
    shutil.copy((place.prefix / "lib/libgallop.so.0").resolve(), plain / "libgallop.so.0")
    share = place.prefix / "share/libgallop"
    wrapper = [need("valgrind"), "-q", "--error-exitcode=9", f"--suppressions={share / 'valgrind.supp'}",
               "--leak-check=full", "--show-leak-kinds=definite", "--errors-for-leak-kinds=definite"]
    for source, arguments in (("events.c", [SAMPLE]), ("wrapper.cpp", [SAMPLE])):
        compiler, standard = ("gcc", "-std=c99") if source.endswith(".c") else ("g++", "-std=c++17")
        program = place.compile(HERE / source, compiler, standard, name=f"{source}-supp")
        place.run(*wrapper, program, *arguments, LD_LIBRARY_PATH=str(plain))
        sanitized = place.compile(HERE / source, compiler, standard, "-fsanitize=address", name=f"{source}-lsan")
        options = f"suppressions={share / 'lsan.supp'}:print_suppressions=0"
        place.run(sanitized, *arguments, LD_LIBRARY_PATH=str(plain), LSAN_OPTIONS=options)


# --- Pictures -----------------------------------------------------------------------------------------------------


def conformance(folder: Path) -> Callable[[Installation], None]:
    def run(place: Installation) -> None:
        frames = place.compile(HERE / "frames.c", "gcc")
        batch = place.build / "frames-batch"
        batch.write_text(f'#!/bin/sh\nexec "{frames}" "$@" --way batch\n')
        batch.chmod(0o755)
        script = ROOT / "Tests/Conformance/conformance.py"
        place.run(sys.executable, script, "--gallop", frames, "--piece-bytes", 100, folder)
        place.run(sys.executable, script, "--gallop", batch, folder)

    run.__doc__ = "Every frame of the conformance set, at once, in pieces, and in a batch."
    return run


def compared(gallop: Path) -> Callable[[Installation], None]:
    def run(place: Installation) -> None:
        if not gallop.exists():
            raise Missing(f"neither a conformance set nor {gallop} is there")
        frames = place.compile(HERE / "frames.c", "gcc")
        for path in sorted((ROOT / "Samples" / "GIFs").glob("*.gif")):
            arguments = ["decode", "--format", "rgba", "--output", "-", path]
            if place.run(frames, *arguments) != place.run(gallop, *arguments, "--quiet"):
                raise Failure(f"{path.name}: other pictures than those of {gallop}")

    run.__doc__ = "Every frame of the samples, compared with the command line's."
    return run


# --- Samples and documentation ------------------------------------------------------------------------------------


def make_sample(place: Installation, name: str, *packages: str) -> Path:
    need("make")
    for package in packages:
        if subprocess.run(["pkg-config", "--exists", package]).returncode != 0:
            raise Missing(f"the development files of {package} are not installed")
    folder = place.build / "samples"
    shutil.copytree(ROOT / "Samples" / "C", folder, dirs_exist_ok=True)
    place.run("make", "--silent", "-C", folder, name, "CFLAGS=-O1 -Wall -Wextra -Werror")
    return folder / name


def sample_decoder(place: Installation) -> None:
    """The sample that decodes."""
    output = place.run(make_sample(place, "decode"), SAMPLE, 48, cwd=place.build).decode().splitlines()
    if output[-1] != "frame-0029.pam 30 ms" or not (place.build / "frame-0029.pam").read_bytes().startswith(b"P7\nWIDTH 48\n"):
        raise Failure(f"the sample prints {output[-1:]}")


def sample_player(place: Installation) -> None:
    """The sample with SDL2."""
    place.run(make_sample(place, "player", "sdl2"), SAMPLE, 20, SDL_VIDEODRIVER="dummy")


def screen_of(path: Path) -> bytes:
    """The pixels of a screen that Xvfb keeps in a file: behind a header and a table of colours of stated sizes."""
    data = path.read_bytes()
    colors = int.from_bytes(data[76:80], "big")
    return data[int.from_bytes(data[0:4], "big") + colors * 12:]


def sample_paintable(place: Installation) -> None:
    """The GTK sample, on a screen of its own: beside a broken file the horse is seen, and moves."""
    viewer = make_sample(place, "viewer", "gtk4")
    read, write = os.pipe()
    server = subprocess.Popen([need("Xvfb"), "-displayfd", str(write), "-screen", "0", "800x400x24", "-nolisten", "tcp",
                               "-fbdir", place.build], pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as number:
        display = ":" + number.readline().strip()
    variables = dict(place.environment, DISPLAY=display, GDK_BACKEND="x11", GSK_RENDERER="cairo", NO_AT_BRIDGE="1")
    broken = place.build / "broken.gif"
    broken.write_bytes(b"GIF89a")
    process = subprocess.Popen([viewer, broken, SAMPLE], env=variables, stderr=subprocess.DEVNULL)
    try:
        seen: set[bytes] = set()
        deadline = time.monotonic() + 60
        # Each look waits for a state of the screen that differs from those before; ten make a moving picture.
        while len(seen) < 10:
            if process.poll() is not None or time.monotonic() > deadline:
                raise Failure(f"the viewer has shown {len(seen)} different pictures")
            seen.add(screen_of(place.build / "Xvfb_screen0"))
        if max(len(set(zip(screen[0::4], screen[1::4], screen[2::4]))) for screen in seen) < 50:
            raise Failure("the viewer shows no picture")
    finally:
        process.terminate()
        process.wait()
        server.terminate()
        server.wait()


def readme(place: Installation) -> None:
    """The examples of the article on C that are programs, compiled and run."""
    text = (ROOT / "Sources/Engine/Gallop/Gallop.docc/C.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```c\n(.*?)```", text, re.DOTALL)
    if not blocks:
        raise Failure("the article has no example in C")
    shutil.copy(SAMPLE, place.build / "horse.gif")
    programs = {"readme.c": (blocks[0], "gcc", "-std=c99"), "readme.cpp": (text.split("```cpp\n")[1].split("```")[0], "g++", "-std=c++17")}
    for name, (code, compiler, standard) in programs.items():
        source = place.build / name
        source.write_text(code)
        program = place.compile(source, compiler, standard, name=name.replace(".", "-"))
        output = place.run(program, cwd=place.build).decode()
        if output.splitlines()[-1:] != ["frame 29: 480 x 270, 30 ms"]:
            raise Failure(f"{name} prints {output[-200:]!r}")
        # Without its file it ends with a sentence, and nothing is left.
        other = place.build / "empty"
        other.mkdir(exist_ok=True)
        place.run(program, status=1, cwd=other)


# Each takes more than ten seconds.
SLOW = {"valgrind", "suppressions", "pictures"}


# --- The command --------------------------------------------------------------------------------------------------


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Tests the installed C library.")
    parser.add_argument("--library", type=Path, required=True, help="the folder that `make library` makes")
    parser.add_argument("--conformance", type=Path, help="a folder with expected.jsonl and gifs/")
    parser.add_argument("--gallop", type=Path, default=ROOT / ".build/release/gallop", help="the command line")
    parser.add_argument("--only", default="", help="only tests whose name has this")
    parser.add_argument("--quick", action="store_true", help="leave out the tests that take long")
    options = parser.parse_args(arguments)
    if not (options.library / "libgallop.so").exists():
        parser.error(f"{options.library} has no libgallop.so: `make library` makes it")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(arguments)
    pictures = conformance(options.conformance.resolve()) if options.conformance else compared(options.gallop)
    tests: list[tuple[str, Callable[[Installation], None]]] = [
        ("symbols", symbols), ("manual", manual), ("gcc", programs_of("gcc")), ("clang", programs_of("clang")),
        ("g++", cplusplus("g++")), ("clang++", cplusplus("clang++")), ("fork", forking), ("names", names),
        ("loading", loading),
        ("pictures", pictures), ("asan", sanitized), ("valgrind", valgrind), ("suppressions", suppressions), ("readme", readme),
        ("sample-decode", sample_decoder), ("sample-player", sample_player), ("sample-gtk", sample_paintable),
    ]
    lines = Tests()
    with tempfile.TemporaryDirectory() as folder:
        place = Installation(options.library, Path(folder))
        for name, test in tests:
            if options.only not in name or (options.quick and name in SLOW):
                continue
            lines.run(f"{name}: {(test.__doc__ or name).splitlines()[0]}", partial(test, place))
    return lines.status


if __name__ == "__main__":
    sys.exit(main())
