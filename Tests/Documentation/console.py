"""Runs the commands of the documentation and compares what they print with what the documentation says."""

from __future__ import annotations

import os
import pty
import re
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pages import Block, Place

SECONDS = 60.0
"""No command may take longer."""
ENDLESS_SECONDS = 2.0
"""A GIF that plays forever is interrupted after so long."""
FIGURES_VARY = "figures vary"
"""The note above a block whose numbers differ from run to run."""
_NUMBER = re.compile(r"\d[\d.,]*")


@dataclass(frozen=True)
class Command:
    """A line after `$ `, and the lines that it is to print; none where the documentation does not say."""

    place: Place
    text: str
    output: tuple[str, ...]


def commands(block: Block) -> Iterator[Command]:
    """The commands of a block."""
    text, place = "", block.place
    output: list[str] = []
    for offset, line in enumerate(block.lines):
        if line.startswith("$ "):
            if text:
                yield Command(place, text, tuple(output))
            text, place, output = line[2:], Place(block.place.file, block.place.line + offset), []
        elif line.strip():
            output.append(line)
    if text:
        yield Command(place, text, tuple(output))


class Console:
    """A folder in which commands are run, with the program on the PATH."""

    def __init__(self, folder: Path, program: Path) -> None:
        self._folder = folder
        path = f"{program.resolve().parent}{os.pathsep}{os.environ['PATH']}"
        # SDL's dummy driver shows windows nowhere.
        self._environment = {**os.environ, "PATH": path, "SDL_VIDEODRIVER": "dummy", "TERM": "xterm"}
        self.notes: list[str] = []

    def fault(self, command: Command, figures_vary: bool) -> str | None:
        """Run a command; what is wrong with it, or None."""
        text = self._runnable(command)
        status, printed, errors = self._play(text) if is_endless(command.text) else self._run(text)
        if status != 0:
            return f"{command.place}: error: exit status {status}: {(errors or printed).strip()[-300:]}"
        if not command.output:
            return None
        difference = first_difference(command.output, printed.splitlines(), figures_vary)
        place = Place(command.place.file, command.place.line + 1)
        return None if difference is None else f"{place}: error: {difference}"

    def _runnable(self, command: Command) -> str:
        """The command; what is not installed behind a pipe is replaced by `cat`."""
        parts = command.text.split(" | ")
        for index, part in enumerate(parts[1:], 1):
            program = part.split()[0]
            if shutil.which(program, path=self._environment["PATH"]) is None:
                self.notes.append(f"{command.place}: note: {program} is not installed, only what it reads was written")
                return " | ".join([*parts[:index], "cat >/dev/null"])
        return command.text

    def _run(self, text: str) -> tuple[int, str, str]:
        """The exit status, standard output and standard error of a command."""
        pipe = subprocess.PIPE
        child = self._start(text, subprocess.DEVNULL, pipe, pipe)
        try:
            printed, errors = child.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            return -1, child.communicate()[0].decode(errors="replace"), f"no end after {SECONDS:.0f} s"
        return child.returncode, printed.decode(errors="replace"), errors.decode(errors="replace")

    def _play(self, text: str) -> tuple[int, str, str]:
        """Run a command in a terminal until it is interrupted."""
        master, slave = pty.openpty()
        child = self._start(text, slave, slave, slave)
        os.close(slave)
        printed = bytearray()
        reader = threading.Thread(target=_drain, args=(master, printed), daemon=True)
        reader.start()
        status: int | None
        try:
            status = child.wait(ENDLESS_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGINT)
            try:
                status = child.wait(SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
                return -1, "", "the interrupt does not end it"
            # An interrupt is how it is ended, whatever the shell reports.
            status = 0 if status in (-signal.SIGINT, 128 + signal.SIGINT) else status
        reader.join()
        os.close(master)
        return status, printed.decode(errors="replace"), ""

    def _start(self, text: str, reads: int, writes: int, errors: int) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            ["bash", "-o", "pipefail", "-c", text],
            cwd=self._folder,
            env=self._environment,
            stdin=reads,
            stdout=writes,
            stderr=errors,
            start_new_session=True,
        )


def _drain(terminal: int, into: bytearray) -> None:
    """Read what a terminal shows, until its last writer has ended."""
    try:
        while data := os.read(terminal, 1 << 16):
            into += data
    except OSError:
        return  # the terminal's other end is closed


def is_endless(text: str) -> bool:
    """Whether a command plays until it is interrupted."""
    return text.startswith("gallop play ") and "--seconds" not in text


def first_difference(stated: Sequence[str], printed: Sequence[str], figures_vary: bool) -> str | None:
    """The first line that differs. `…` stands for any text within a line, and alone for any number of lines."""
    rest = [line.rstrip() for line in printed if line.strip()]
    for line in stated:
        if line.strip() == "…":
            return None
        if not rest:
            return f"this line is not printed: {line}"
        if not matches(line.rstrip(), rest[0], figures_vary):
            return f"stated: {line}\n  printed: {rest[0]}"
        rest.pop(0)
    return f"the documentation lacks this line: {rest[0]}" if rest else None


def matches(stated: str, printed: str, figures_vary: bool) -> bool:
    if figures_vary:
        stated, printed = _NUMBER.sub("0", stated), _NUMBER.sub("0", printed)
    pattern = ".*".join(re.escape(part) for part in stated.split("…"))
    return re.fullmatch(pattern, printed) is not None
