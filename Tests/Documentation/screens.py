"""Compares the terminal screens of the documentation with what the program draws.

Pictures and figures differ from run to run, the words and their order do not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from galloptools.checks import Failure
from galloptools.terminal.program import TerminalProgram
from pages import Block

SCREEN_OF = "screen of "
"""The beginning of the note above a block that shows a screen; the command follows."""
_FIGURE = re.compile(r"\d[\d.,]*(?: [KMG]B\b)?")
_DRAWN = re.compile(r"[^\x21-\x7e]+")


def screen_fault(block: Block, program: Path, folder: Path) -> str | None:
    """Run the command of a block's note in a terminal as large as the block; what is wrong with it, or None."""
    words = (block.note or "").removeprefix(SCREEN_OF).split()
    files = sorted(str(path) for path in folder.glob(words[-1]))
    wanted = legible(block.lines)
    size = max(len(line) for line in block.lines), len(block.lines)
    command = [str(program), "play", "--terminal", "--graphics", "symbols", *words[2:-1], *files]
    try:
        with TerminalProgram(command, size=size, folder=folder) as terminal:
            terminal.wait("screen with these lines: " + "; ".join(wanted), lambda: shows(terminal.screen.text, wanted))
            terminal.end()
    except (Failure, ValueError) as error:
        return f"{block.place}: error: {error}"
    return None


def legible(lines: Sequence[str]) -> list[str]:
    """The lines that have words, with 0 for each figure and a space for what is drawn."""
    plain = (_DRAWN.sub(" ", _FIGURE.sub("0", line)).strip() for line in lines)
    return [line for line in plain if re.search("[A-Za-z]", line)]


def shows(screen: str, wanted: Sequence[str]) -> bool:
    return legible(screen.splitlines()) == list(wanted)
