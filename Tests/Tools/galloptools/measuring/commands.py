"""Runs other programs, and says in one line why one fails."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

RUN_SECONDS = 300.0
"""No run may take longer."""
ONE_THREAD = {"MAGICK_THREAD_LIMIT": "1", "OMP_NUM_THREADS": "1"}
"""Every program works on one core; ffmpeg gets an option for it."""


class Failure(Exception):
    """Why a program does not process a file."""


def run(command: Sequence[str]) -> str:
    """The text that a command prints; see output."""
    return output(command).decode("utf-8", "replace")


def output(command: Sequence[str]) -> bytes:
    """What a command prints; raises Failure where it cannot be run, fails or takes too long."""
    name = Path(command[0]).name
    try:
        outcome = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=RUN_SECONDS,
            env={**os.environ, **ONE_THREAD},
        )
    except subprocess.TimeoutExpired as error:
        raise Failure(f"took more than {RUN_SECONDS:.0f} s") from error
    except OSError as error:
        raise Failure(f"{name} does not run: {error.strerror}") from error
    if outcome.returncode != 0:
        raise Failure(complaint(outcome.stderr.decode("utf-8", "replace"), outcome.returncode, command))
    return outcome.stdout


def complaint(errors: str, status: int, command: Sequence[str]) -> str:
    """The last line of what a program complains of, with base names in place of paths."""
    lines = [line.strip() for line in errors.splitlines() if line.strip()]
    text = lines[-1] if lines else f"exit status {status}"
    for argument in sorted(command, key=len, reverse=True):
        if "/" in argument:
            text = text.replace(argument, Path(argument).name)
    return without_folders(text)[:200]


def without_folders(text: str) -> str:
    """Absolute paths cut down to their last part: results are read on other machines."""
    return re.sub(r"(?<![\w/])/(?:[^\s'\"`:/]+/)+", "", text)
