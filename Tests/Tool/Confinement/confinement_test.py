#!/usr/bin/env python3
"""Checks what a decoder that was taken over could reach:  confinement_test.py [--gallop .build/release/gallop]

A library in front of giflib asks for files, sockets, processes and programs from inside the decoder. Needs a C compiler,
giflib's headers, and a kernel with Landlock and seccomp: what it lacks is named and left out.
"""

from __future__ import annotations

import argparse
import functools
import http.server
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

HERE = Path(__file__).resolve().parent
SAMPLE = HERE.parents[2] / "Samples/GIFs/gallop.gif"
# What Landlock refuses, and what seccomp does.
FILES = {
    "read a file",
    "read beside the input",
    "list a folder",
    "write a file",
    "overwrite a file",
    "make a folder",
}
CALLS = {
    "open a ring",
    "start a process",
    "read its parent",
    "type into a terminal",
    "start a program",
    "signal its parent",
    "change a mode",
    "change times",
    "share memory",
    "limit its parent",
}
SOCKETS = {"open a socket", "open a local socket"}


class Setting:
    """A folder with inputs, a secret beside them, and the library."""

    def __init__(self, gallop: str, folder: Path) -> None:
        self.gallop, self.folder = gallop, folder
        self.library = folder / "intruder.so"
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-Wall", "-Werror", "-o", self.library, HERE / "intruder.c", "-ldl"], check=True
        )
        self.inputs = folder / "in"
        self.inputs.mkdir()
        shutil.copy(SAMPLE, self.inputs / "a.gif")
        (self.inputs / "secret.txt").write_text("secret")
        (folder / "secret.txt").write_text("secret")

    def run(self, *arguments: str, stdin: Path | None = None) -> tuple[dict[str, bool], subprocess.CompletedProcess]:
        """What was granted, by what was asked for, and the process."""
        environment = dict(
            os.environ,
            LD_PRELOAD=str(self.library),
            INTRUDER_FILE=str(self.folder / "secret.txt"),
            INTRUDER_NEIGHBOUR=str(self.inputs / "secret.txt"),
            INTRUDER_FOLDER=str(self.inputs),
            INTRUDER_NEW=str(self.folder / "new"),
        )
        with open(stdin or os.devnull, "rb") as source:
            done = subprocess.run(
                [self.gallop, *arguments],
                stdin=source,
                capture_output=True,
                text=True,
                errors="replace",
                env=environment,
                timeout=60,
            )
        answers = re.findall(r"^([a-z ]+): (granted|[A-Z].*)$", done.stderr, re.MULTILINE)
        return {what: answer == "granted" for what, answer in answers}, done


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--gallop", default=".build/release/gallop")
    gallop = str(Path(parser.parse_args().gallop).resolve())
    offered = subprocess.run([gallop, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[1]
    print(offered)
    expected = expectation(offered)
    with tempfile.TemporaryDirectory() as name:
        setting = Setting(gallop, Path(name))
        for check in (unconfined, info, decode, network):
            check(setting, expected)
            print(f"{check.__name__}: as expected")
    return 0


def expectation(offered: str) -> set[str]:
    """What this kernel can refuse."""
    refused: set[str] = set()
    if re.search(r"Landlock \d", offered):
        refused |= FILES
    if "seccomp" in offered and "no seccomp" not in offered:
        refused |= CALLS | SOCKETS
    return refused


def require(condition: bool, what: object) -> None:
    if not condition:
        sys.exit(f"confinement: {what}")


def check_refused(granted: dict[str, bool], expected: set[str], done: subprocess.CompletedProcess) -> None:
    require(len(granted) >= 18, f"only {sorted(granted)} were tried: {done.stderr}")
    reached = sorted(what for what in expected if granted[what])
    require(not reached, f"{done.args[1:]}: granted: {', '.join(reached)}")


def unconfined(setting: Setting, expected: set[str]) -> None:
    """Without confinement the library gets what it asks for, so that its failures below mean something."""
    granted, _ = setting.run("info", "--no-confine", str(setting.inputs / "a.gif"))
    wanted = (FILES | SOCKETS | {"start a process"}) - {"make a folder"}
    require(all(granted[what] for what in wanted), f"refused without confinement: {granted}")
    (setting.folder / "new").unlink()
    (setting.folder / "secret.txt").write_text("secret")


def info(setting: Setting, expected: set[str]) -> None:
    sample = setting.inputs / "a.gif"
    for arguments, stdin in [(["info", str(sample)], None), (["info", "-"], sample)]:
        granted, done = setting.run(*arguments, stdin=stdin)
        check_refused(granted, expected, done)
        require(done.returncode == 0 and "30" in done.stdout, f"status {done.returncode}: {done.stderr}")
    require((setting.folder / "secret.txt").read_text() == "secret", "a file was changed")


def decode(setting: Setting, expected: set[str]) -> None:
    """Also into folders, patterns, links and pipes; several at once."""
    sample, out = str(setting.inputs / "a.gif"), setting.folder / "out"
    outputs = [
        (["-o", f"{out}/"], 30),
        (["-o", f"{out}/deep/{{name}}/{{frame}}.png"], 30),
        (["--frames", "0", "-o", f"{out}/one.png"], 1),
        (["--frames", "0", "--force", "-o", f"{out}/one.png"], 1),
        (["--format", "null"], 0),
        (["--format", "rgba", "-o", "-"], 0),
        (["--format", "rgba", "-o", "/dev/null"], 0),
        (["--format", "rgba", "--force", "-o", f"{setting.folder}/link.rgba"], 0),
    ]
    (setting.folder / "link.rgba").symlink_to(setting.inputs / "target.rgba")
    out.mkdir()
    for arguments, count in outputs:
        granted, done = setting.run("decode", sample, *arguments)
        check_refused(granted, expected, done)
        require(done.returncode == 0, f"{arguments}: status {done.returncode}: {done.stderr}")
        found = sum(1 for path in out.rglob("*.png"))
        require(count == 0 or found == count, f"{arguments}: {found} files")
        if count > 1 or "--force" in arguments:
            shutil.rmtree(out)
            out.mkdir()
    require((setting.inputs / "target.rgba").stat().st_size > 0, "the target of the link was not written")
    shutil.copy(sample, setting.inputs / "b.gif")
    granted, done = setting.run("decode", "--jobs", "2", sample, str(setting.inputs / "b.gif"), "-o", f"{out}/")
    check_refused(granted, expected, done)
    require(done.returncode == 0 and len(list(out.iterdir())) == 60, f"two at once: {done.stderr}")


def network(setting: Setting, expected: set[str]) -> None:
    """A URL is loaded; behind it the network is closed."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *arguments: object) -> None:
            pass

    handler = functools.partial(Handler, directory=str(setting.inputs))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://localhost:{server.server_address[1]}/a.gif"
        # While it is loaded the decoder has begun already, and may open sockets, but no file and no program.
        granted, done = setting.run("info", url)
        check_refused(granted, expected - SOCKETS, done)
        require(done.returncode == 0 and "30" in done.stdout, f"status {done.returncode}: {done.stderr}")
        server.shutdown()


if __name__ == "__main__":
    sys.exit(main())
