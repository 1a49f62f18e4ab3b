"""Runs the commands of the documentation and compares what they print with what the documentation says."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from galloptools.checks import Failure
from galloptools.terminal.program import TerminalProgram
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
        self._settings = {"PATH": path, "SDL_VIDEODRIVER": "dummy"}
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
            if shutil.which(program, path=self._settings["PATH"]) is None:
                self.notes.append(f"{command.place}: note: {program} is not installed, only what it reads was written")
                return " | ".join([*parts[:index], "cat >/dev/null"])
        return command.text

    def _run(self, text: str) -> tuple[int, str, str]:
        """The exit status, standard output and standard error of a command."""
        child = subprocess.Popen(
            ["bash", "-o", "pipefail", "-c", text],
            cwd=self._folder,
            env={**os.environ, **self._settings},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            printed, errors = child.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            return -1, child.communicate()[0].decode(errors="replace"), f"no end after {SECONDS:.0f} s"
        return child.returncode, printed.decode(errors="replace"), errors.decode(errors="replace")

    def _play(self, text: str) -> tuple[int, str, str]:
        """Run a command in a terminal, and interrupt it."""
        command = ["bash", "-c", f"exec {text}"]
        with TerminalProgram(command, folder=self._folder, settings=self._settings) as terminal:
            deadline = time.monotonic() + ENDLESS_SECONDS
            while terminal.process.poll() is None and time.monotonic() < deadline:
                terminal.read(0.05)
            terminal.process.send_signal(signal.SIGINT)
            try:
                terminal.wait_for_end()
            except Failure:
                return -1, "", "the interrupt does not end it"
            status, errors = terminal.process.returncode, terminal.errors()
        return (0 if status in (-signal.SIGINT, 128 + signal.SIGINT) else status), "", errors


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
