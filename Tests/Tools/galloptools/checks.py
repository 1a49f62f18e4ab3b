"""What test programs have in common that are none of pytest's: checks, what they need, and a line for each test."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable


class Failure(Exception):
    """A test has failed."""


class Missing(Exception):
    """A test needs what is not installed, or not allowed."""


def check(holds: object, what: str) -> None:
    if not holds:
        raise Failure(what)


def need(program: str, *others: str) -> str:
    """The path of the first program; raises Missing where one is not installed."""
    paths = {name: shutil.which(name) for name in (program, *others)}
    for name, path in paths.items():
        if path is None:
            raise Missing(f"{name} is not installed")
    return str(paths[program])


class Tests:
    """Runs tests one after another and counts what fails."""

    __test__ = False

    def __init__(self) -> None:
        self.failures = 0

    @property
    def status(self) -> int:
        """The exit status of the program."""
        return 1 if self.failures else 0

    def run(self, name: str, test: Callable[[], None], *failing: type[Exception]) -> None:
        """Runs a test and prints what became of it; `failing` are exceptions that count as failures, too."""
        start = time.monotonic()
        try:
            test()
            print(f"ok       {name} ({time.monotonic() - start:.1f} s)", flush=True)
        except Missing as missing:
            print(f"skipped  {name}: {missing}", flush=True)
        except (Failure, *failing) as failure:
            self.failures += 1
            print(f"FAILED   {name}: {failure}", flush=True)
