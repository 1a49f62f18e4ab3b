"""Makes importable what this benchmark shares with others: the browsers' drivers (Tests/BrowserOracle), and tables,
charts and facts about the machine (Benchmarks/peers). Imported for its effect, before anything of theirs."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

for folder in (ROOT / "Tests" / "BrowserOracle", ROOT / "Benchmarks" / "peers"):
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
