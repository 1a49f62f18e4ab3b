"""The page of one file."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from html import escape

from catalogue import TOPICS
from report.blocks import Block, blocks
from report.pages import AGREE, Row, address, figure, page, scale

_MOST_SHOWN = 96


def file_page(
    row: Row,
    data: bytes,
    pictures: Mapping[str, bytes],
    peers: Mapping[str, Row],
    before: Row | None,
    behind: Row | None,
) -> str:
    """Everything about one file."""
    name = _name(row)
    links = ['<a href="../../index.html">All files</a>', '<span class="push"></span>']
    for other, text in ((before, "&larr; {}"), (behind, "{} &rarr;")):
        if other is not None:
            links.append(f'<a href="../../{address(other)}">{text.format(escape(_name(other)))}</a>')
    tone, text = AGREE[row["agree"]]
    facts = {
        "Canvas": f"{row['width']} x {row['height']}",
        "Frames": row["frameCount"],
        "Plays": "not stated" if row["plays"] is None else row["plays"],
        "Rows": ", ".join(map(str, row["rows"])),
        "Bytes": len(data),
        "Kind": row["kind"],
    }
    listed = "".join(f"<div><dt>{key}</dt><dd>{escape(str(value))}</dd></div>" for key, value in facts.items())
    body = [
        f"<nav>{''.join(links)}</nav>",
        '<div class="hero">',
        _whole(row, data),
        f"<div><h1>{escape(name)}</h1><p>{escape(row['title'][:1].upper() + row['title'][1:])}.</p>"
        f'<span class="badge {tone}">{escape(text)}</span> '
        f'<span class="badge">{escape(TOPICS[name.split("/")[0]])}</span><dl class="facts">{listed}</dl></div></div>',
        "<h2>What is shown</h2>",
        '<div class="card">',
        _chromium(row, pictures),
        _firefox(row, pictures),
        *_peers(row, {key: peer for key, peer in peers.items() if key not in ("chromium", "firefox")}, pictures),
        "</div>",
        "<h2>Byte by byte</h2>",
        f'<div class="card">{_bytes(data)}</div>',
    ]
    return page(f"{name}: the Gallop conformance suite", "\n".join(body), 2)


def _name(row: Row) -> str:
    return row["file"].removesuffix(".gif")


def _whole(row: Row, data: bytes) -> str:
    """The file itself, as this reader's own browser shows it."""
    if not row["frames"]:
        return ""
    times = scale(row["width"], row["height"], 220)
    source = "data:image/gif;base64," + base64.b64encode(data).decode("ascii")
    size = f'width="{row["width"] * times}" height="{row["height"] * times}"'
    return (
        f'<figure><img class="pixels" src="{source}" {size} alt="the GIF">'
        "<figcaption>as your browser shows it</figcaption></figure>"
    )


def _decoder(title: str, version: str, badge: str, strip: str, notes: Sequence[str]) -> str:
    listed = "".join(f"<li>{escape(note)}</li>" for note in notes)
    return (
        f'<section class="decoder"><div><h3>{escape(title)}</h3><div class="soft">{escape(version)}</div>{badge}</div>'
        f"<div>{strip}{f'<ul>{listed}</ul>' if notes else ''}</div></section>"
    )


def _chromium(row: Row, pictures: Mapping[str, bytes]) -> str:
    frames, notes = [], []
    for index, frame in enumerate(row["frames"]):
        delay = "" if frame["ms"] is None else f", {frame['ms']} ms"
        rgba = None if frame["sha"] is None else pictures[frame["sha"]]
        frames.append(figure(rgba, row["width"], row["height"], f"{index}{delay}"))
        if frame.get("why") == "failed":
            notes.append(f"frame {index} fails in ImageDecoder; this is what <img> paints in its time")
    strip = f'<div class="strip">{"".join(frames)}</div>' if frames else '<span class="soft">nothing: no frame</span>'
    return _decoder("Chromium", "the expectation", '<span class="badge good">by definition</span>', strip, notes)


def _firefox(row: Row, pictures: Mapping[str, bytes]) -> str:
    own = row.get("firefox")
    if own is None:
        return _decoder(
            "Firefox", "not asked", "", '<span class="soft">its decoder is not asked for sides of this size</span>', []
        )
    frames, notes = [], []
    expected = [frame["sha"] for frame in row["frames"]]
    for index, frame in enumerate(own["frames"]):
        delay = "" if frame["ms"] is None else f", {frame['ms']} ms"
        rgba = None if frame["sha"] is None else pictures[frame["sha"]]
        is_other = index >= len(expected) or frame["sha"] != expected[index]
        frames.append(figure(rgba, own["width"], own["height"], f"{index}{delay}", is_other))
    if own["frames"] and (own["width"], own["height"]) != (row["width"], row["height"]):
        notes.append(f"canvas of {own['width']} x {own['height']}")
    if len(own["frames"]) != row["frameCount"]:
        notes.append(f"{len(own['frames'])} frames")
    if None not in (own["plays"], row["plays"]) and own["plays"] != row["plays"]:
        notes.append(f"plays: {own['plays']}")
    strip = f'<div class="strip">{"".join(frames)}</div>' if frames else '<span class="soft">nothing: no frame</span>'
    badge = (
        '<span class="badge good">the same</span>'
        if row["agree"] == "both"
        else '<span class="badge note">its own column</span>'
    )
    return _decoder("Firefox", "ImageDecoder", badge, strip, notes)


def _peers(row: Row, peers: Mapping[str, Row], pictures: Mapping[str, bytes]) -> list[str]:
    """Those that show the same together, and then each that does not."""
    files = [(peer, peer["files"][row["file"]]) for peer in peers.values()]
    same = "".join(
        f'<span class="badge good">{escape(peer["title"])}</span>' for peer, file in files if not file["differences"]
    )
    together = (
        [_decoder("Identical", "decoders that show what Chromium does", "", f'<div class="same">{same}</div>', [])]
        if same
        else []
    )
    return together + [_different(row, peer, file, pictures) for peer, file in files if file["differences"]]


def _different(row: Row, peer: Row, file: Row, pictures: Mapping[str, bytes]) -> str:
    """A decoder that shows something else."""
    expected = [pictures[frame["sha"]] if frame["sha"] else None for frame in row["frames"]]
    frames = []
    for index, frame in enumerate(file["frames"][:12]):
        rgba = bytes.fromhex(frame["rgba"]) or None
        is_other = index >= len(expected) or not _same(rgba, expected[index])
        delay = "" if frame["ms"] is None else f", {frame['ms']} ms"
        frames.append(figure(rgba, file["width"], file["height"], f"{index}{delay}", is_other))
    notes = file["differences"][:6]
    if file["error"] and not any(file["error"] in note for note in notes):
        notes.append(f"error: {file['error']}")
    strip = f'<div class="strip">{"".join(frames)}</div>' if frames else '<span class="soft">nothing</span>'
    return _decoder(peer["title"], peer["version"], '<span class="badge bad">differs</span>', strip, notes)


def _same(left: bytes | None, right: bytes | None) -> bool:
    """Whether two pictures look alike: the colour of transparent pixels is not seen."""
    if left is None or right is None or len(left) != len(right):
        return left is right
    return all(
        left[place : place + 4] == right[place : place + 4] or left[place + 3] == right[place + 3] == 0
        for place in range(0, len(left), 4)
    )


# --- Bytes ------------------------------------------------------------------------------------------------------


def _bytes(data: bytes) -> str:
    return f'<table class="bytes">{"".join(_line(block, data) for block in blocks(data))}</table>'


def _line(block: Block, data: bytes) -> str:
    content = data[block.start : block.end]
    shown = content[:_MOST_SHOWN].hex(" ").upper()
    more = f' <span class="soft">and {len(content) - _MOST_SHOWN} more</span>' if len(content) > _MOST_SHOWN else ""
    colours = ""
    if block.kind == "palette":
        entries = [content[place : place + 3].hex() for place in range(0, min(len(content), 96), 3)]
        colours = (
            '<span class="swatches">'
            + "".join(f'<i style="background:#{entry}"></i>' for entry in entries if len(entry) == 6)
            + "</span>"
        )
    return (
        f'<tr class="k-{block.kind}"><td class="at mono">{block.start}</td><td class="hex mono">{shown}{more}</td>'
        f'<td class="what">{escape(block.text)}{colours}</td></tr>'
    )
