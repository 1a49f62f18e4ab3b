"""The Python of README pages and of the article runs as it stands."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import ROOT, SAMPLES

PAGES = [ROOT / name for name in ("README.md", "Sources/Engine/Gallop/Gallop.docc/Python.md", "Sources/Bindings/Python/README.md")]
# What a block imports and the package does not need.
OPTIONAL = ("ray", "imageio", "PIL", "pyarrow", "torch")
FENCE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks() -> Iterator[pytest.param]:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for match in FENCE.finditer(text):
            line = text[: match.start()].count("\n") + 2
            yield pytest.param(match[1], id=f"{page.relative_to(ROOT)}:{line}")


@pytest.mark.parametrize("code", list(blocks()))
def test_a_block_runs(code: str, tmp_path: Path) -> None:
    for module in OPTIONAL:
        if re.search(rf"^import {module}\b|gallop\.{module}\b", code, re.MULTILINE):
            pytest.importorskip(module)
    shutil.copy(SAMPLES / "gallop.gif", tmp_path / "horse.gif")
    outcome = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=240)
    assert outcome.returncode == 0, outcome.stderr
    for wanted in re.findall(r"# prints (.+)$", code, re.MULTILINE):
        assert wanted in outcome.stdout.splitlines()


def test_there_are_blocks() -> None:
    assert len(list(blocks())) >= 7
