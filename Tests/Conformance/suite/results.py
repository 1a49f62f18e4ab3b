"""The table of all decoders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from answers import Row, summary

_KINDS = ("crash", "rejected", "size", "frames", "plays", "delays", "pictures")


@dataclass(frozen=True)
class Result:
    """What differs between a decoder and Chromium."""

    key: str
    title: str
    version: str
    found: Mapping[str, list[tuple[str, str]]]
    own: Mapping[str, list[tuple[str, str]]] | None = None
    """For Firefox: what differs from its own recording."""


def results_text(
    results: Sequence[Result], missing: Mapping[str, str], rows: Sequence[Row], recorded: Mapping[str, str]
) -> str:
    """RESULTS.md."""
    lines = [
        "# Results",
        "",
        "Written by `make suite-peers`. A file counts as identical when its size, number of frames, plays, delays and",
        "every picture are those of Chromium, as far as the decoder says them: [README.md](README.md) has the rules.",
        "",
        f"Recorded on {recorded['date']} with {plain(recorded['chromium'])} and {plain(recorded['firefox'])}.",
        "",
        f"| decoder | version | identical to Chromium, of {len(rows)} | sound files | damaged files |",
        "| --- | --- | --- | --- | --- |",
    ]
    ordered = sorted(results, key=lambda result: -summary(rows, result.found)[0])
    for result in ordered:
        cells = [summary(rows, result.found, kind) for kind in (None, "sound", "damaged")]
        parts = [f"{identical} of {count}" for identical, count in cells[1:]]
        lines.append(f"| {result.title} | {result.version} | {cells[0][0]} | {parts[0]} | {parts[1]} |")
    lines += ["", "How many files differ in what; a file may be in several columns:", ""]
    lines += ["| decoder | " + " | ".join(_KINDS) + " |", "| --- |" + " --- |" * len(_KINDS)]
    for result in ordered:
        kinds = Counter(kind for found in result.found.values() for kind in {kind for kind, _ in found})
        lines.append(f"| {result.title} | " + " | ".join(str(kinds[kind] or "") for kind in _KINDS) + " |")
    lines += ["", "`rejected`: no frame of a file of which Chromium shows some."]
    for result in results:
        if result.own is not None:
            equal = sum(not found for found in result.own.values())
            lines += ["", f"{result.title} compared with its own column of the index: {equal} of {len(result.own)}."]
    if missing:
        lines += ["", "Not in the table:", ""] + [f"- {key}: {reason}" for key, reason in missing.items()]
    return "\n".join(lines) + "\n"


def plain(version: str) -> str:
    """A browser's version without where it was built."""
    return version.split(" built ")[0]
