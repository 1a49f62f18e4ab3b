"""The Python environment that the libraries are installed into, and how one of them is run there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from galloptools.measuring.commands import Failure, run
from readers import LIBRARIES, PACKAGES, Library

HERE = Path(__file__).resolve().parent
ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "VIPS_CONCURRENCY": "1",
    "OPENCV_FOR_THREADS_NUM": "1",
    "TF_CPP_MIN_LOG_LEVEL": "3",
}


class Environment:
    """A virtual environment with the wheel and those of the libraries that can be installed."""

    def __init__(self, folder: Path) -> None:
        self.python = folder / "bin" / "python"
        if not self.python.exists():
            print(f"making a Python environment in {folder}", file=sys.stderr)
            run([sys.executable, "-m", "venv", str(folder)])

    def install(self, requirement: str) -> None:
        """Raises Failure."""
        print(f"installing {Path(requirement).name}", file=sys.stderr)
        run([str(self.python), "-m", "pip", "install", "--quiet", "--no-input", requirement])

    def imports(self, module: str) -> bool:
        try:
            run([str(self.python), "-c", f"import {module}"])
        except Failure:
            return False
        return True

    def install_wheel(self, wheel: Path) -> None:
        """The wheel, also over one of the same version. Raises Failure."""
        pip = [str(self.python), "-m", "pip", "install", "--quiet", "--no-input"]
        run([*pip, "--force-reinstall", "--no-deps", str(wheel)])
        if not self.imports("numpy"):
            self.install("numpy")

    def prepare(self, wheel: Path, with_large: bool) -> tuple[dict[str, str], list[str]]:
        """The versions of the libraries that are there, and a sentence for each that is not."""
        self.install_wheel(wheel)
        versions: dict[str, str] = {}
        absent: list[str] = []
        for key, library in LIBRARIES.items():
            try:
                self._have(library, with_large)
                versions[key] = run([str(self.python), str(HERE / "library_run.py"), key, "version"]).strip()
            except Failure as error:
                absent.append(f"{library.title}: {error}")
        return versions, absent

    def _have(self, library: Library, with_large: bool) -> None:
        if self.imports(library.module):
            return
        if library.is_large and not with_large:
            raise Failure("left out; LARGE=1 installs it")
        self.install(PACKAGES.get(library.package, library.package))

    def rows(
        self, arguments: Sequence[str], seconds: float, script: str = "library_run.py"
    ) -> tuple[list[dict[str, Any]], str | None]:
        """The lines that a run of a library prints, and how it ended if not well."""
        command = [str(self.python), str(HERE / script), *arguments]
        try:
            outcome = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=seconds,
                env={**os.environ, **ONE_THREAD},
            )
        except subprocess.TimeoutExpired as error:
            return list(_parsed(error.stdout or b"")), f"took more than {seconds:.0f} s"
        fault = None if outcome.returncode == 0 else f"ended with status {outcome.returncode}"
        return list(_parsed(outcome.stdout)), fault


def _parsed(output: bytes) -> Iterator[dict[str, Any]]:
    for line in output.decode("utf-8", "replace").splitlines():
        if line.startswith("{"):
            yield json.loads(line)
