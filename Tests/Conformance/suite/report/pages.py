"""What all pages of the report have: the frame of a page, and pictures."""

from __future__ import annotations

from html import escape
from typing import Any

from report.png import data_address

Row = dict[str, Any]
AGREE = {
    "both": ("good", "both browsers agree"),
    "chromium": ("note", "Firefox differs, or a frame fails"),
    "rejected": ("bad", "no picture in Chromium"),
}
"""For each word of the index: how it is coloured, and what it means."""


def page(title: str, body: str, depth: int, script: str = "") -> str:
    """A whole page; `depth` says how far above the style stands."""
    up = "../" * depth
    tail = f'<script src="{up}{script}"></script>' if script else ""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
        f'<link rel="stylesheet" href="{up}style.css"></head>\n<body><main>{body}</main>{tail}</body></html>\n'
    )


def address(row: Row) -> str:
    """A file's page, from the front page."""
    return f"files/{row['file'].removesuffix('.gif')}.html"


# --- Pictures ---------------------------------------------------------------------------------------------------


def scale(width: int, height: int, side: int) -> int:
    """How many times a picture is enlarged to be about `side` points large."""
    return max(1, side // max(width, height, 1))


def image(rgba: bytes, width: int, height: int, side: int, label: str) -> str:
    """A picture, enlarged by a whole number."""
    times = scale(width, height, side)
    source = data_address(rgba, width, height)
    return (
        f'<img class="pixels" src="{source}" width="{width * times}" height="{height * times}" alt="{escape(label)}">'
    )


def figure(rgba: bytes | None, width: int, height: int, caption: str, is_other: bool = False) -> str:
    """A frame with its caption."""
    times = scale(width, height, 96)
    if rgba is None or len(rgba) != width * height * 4 or not rgba:
        size = f"width:{max(40, width * times)}px;height:{max(30, height * times)}px"
        picture = f'<div class="absent" style="{size}">none</div>'
    else:
        picture = image(rgba, width, height, 96, caption)
    return f"<figure{' class=other' if is_other else ''}>{picture}<figcaption>{escape(caption)}</figcaption></figure>"
