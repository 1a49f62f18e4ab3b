"""The files of the suite, topic by topic."""

from __future__ import annotations

from catalogue import blocks, codes, colours, cuts, disposal, geometry, interlace, pairs, timing
from catalogue.entry import Entry, checked

TOPICS = {
    "timing": "Delays, loops and stills",
    "disposal": "What becomes of a frame when its time is over",
    "colours": "Palettes and transparency",
    "geometry": "Canvases and rectangles",
    "interlace": "Interlaced frames",
    "cuts": "Files that end too early",
    "codes": "Code streams, sound and damaged",
    "blocks": "Odd blocks",
    "pairs": "Oddities together",
}


def all_entries() -> list[Entry]:
    """Every file, in the order of the names."""
    topics = (timing, disposal, colours, geometry, interlace, cuts, codes, blocks, pairs)
    return checked(entry for topic in topics for entry in topic.entries())
