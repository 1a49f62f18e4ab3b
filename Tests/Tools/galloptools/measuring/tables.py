"""Markdown tables and the numbers in them."""

from __future__ import annotations

from collections.abc import Sequence

MISSING = "–"
"""Stands where there is no figure."""


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], left: int) -> str:
    """A Markdown table; all but the first `left` columns are flush right."""
    rule = ["---"] * left + ["---:"] * (len(heads) - left)
    return "\n".join(f"| {' | '.join(map(escaped, row))} |" for row in [heads, rule, *rows])


def escaped(text: str) -> str:
    """Text that cannot end a table's cell or a line, whatever a file is called."""
    return "".join(character if character.isprintable() else "?" for character in text).replace("|", "\\|")


def times(ratio: float | None) -> str:
    if ratio is None:
        return MISSING
    return f"{ratio:.2f}x" if ratio < 10 else f"{ratio:.1f}x"
