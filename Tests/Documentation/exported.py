"""The modules that `import Gallop` brings."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def exported_modules() -> tuple[str, ...]:
    """Those that the module Gallop exports, as its file says."""
    text = (ROOT / "Sources/Engine/Gallop/Gallop.swift").read_text(encoding="utf-8")
    return tuple(re.findall(r"^@_exported public import (\w+)$", text, re.MULTILINE))
