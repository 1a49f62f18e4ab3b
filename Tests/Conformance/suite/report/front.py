"""The front page of the report: the decoders, and the list of files with filters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from catalogue import TOPICS
from report.pages import AGREE, Row, address, image, page

_SHORT = {"both": "agree", "chromium": "differ", "rejected": "no picture"}


def front(
    rows: Sequence[Row], pictures: Mapping[str, bytes], peers: Mapping[str, Row], recorded: Mapping[str, str]
) -> str:
    """The list of all files with filters, above it the decoders."""
    count = len(rows)
    body = [
        "<h1>The Gallop conformance suite</h1>",
        f"<p>{count} small GIFs, each with one oddity or two, and what browsers show of them. Recorded on "
        f"{escape(recorded['date'])} with {escape(_plain(recorded['chromium']))} and "
        f"{escape(_plain(recorded['firefox']))}. Chromium's pictures are the expectation; "
        "Firefox has a column of its own.</p>",
    ]
    if peers:
        body += ["<h2>Identical to Chromium</h2>", '<div class="card peers">', *_bars(peers, count), "</div>"]
    body += ["<h2>Files</h2>", _filters(rows, peers), _table(rows, pictures, peers)]
    return page("The Gallop conformance suite", "\n".join(body), 0, "filters.js")


def _plain(version: str) -> str:
    return version.split(" built ")[0]


def _bars(peers: Mapping[str, Row], count: int) -> list[str]:
    found = []
    numbers = {key: sum(not file["differences"] for file in peer["files"].values()) for key, peer in peers.items()}
    for key in sorted(peers, key=lambda key: -numbers[key]):
        number, peer = numbers[key], peers[key]
        full = " full" if number == count else ""
        found.append(
            f'<span>{escape(peer["title"])} <span class="soft">{escape(peer["version"])}</span></span>'
            f'<span class="bar{full}"><i style="width:{100 * number / count:.1f}%"></i></span>'
            f'<span class="count">{number} of {count}</span>'
        )
    return found


def _filters(rows: Sequence[Row], peers: Mapping[str, Row]) -> str:
    numbers = sorted({number for row in rows for number in row["rows"]})
    choices = {
        "topic": ("all topics", {key: text for key, text in TOPICS.items()}),
        "kind": ("sound and damaged", {"sound": "sound", "damaged": "damaged"}),
        "agree": ("any agreement", {key: text for key, (_, text) in AGREE.items()}),
        "row": ("all rows", {str(number): f"row {number}" for number in numbers}),
        "differs": ("any decoder", {key: f"{peer['title']} differs" for key, peer in peers.items()}),
    }
    selects = []
    for name, (nothing, options) in choices.items():
        if options:
            listed = "".join(f'<option value="{escape(key)}">{escape(text)}</option>' for key, text in options.items())
            selects.append(
                f'<select name="{name}" aria-label="{escape(nothing)}">'
                f'<option value="">{escape(nothing)}</option>{listed}</select>'
            )
    search = '<input type="search" name="text" placeholder="Search names and titles" aria-label="Search">'
    return f'<form class="filters">{search}{"".join(selects)}<output></output></form>'


def _table(rows: Sequence[Row], pictures: Mapping[str, bytes], peers: Mapping[str, Row]) -> str:
    head = "<thead><tr><th>File</th><th>Chromium shows</th><th class=wide>Rows</th><th class=wide>Browsers</th>"
    head += "<th class=wide>Decoders</th></tr></thead>" if peers else "</tr></thead>"
    lines = []
    for row in rows:
        differs = [key for key, peer in peers.items() if peer["files"].get(row["file"], {}).get("differences")]
        name = row["file"].removesuffix(".gif")
        facts = {
            "text": f"{name} {row['title']}".lower(),
            "topic": name.split("/")[0],
            "kind": row["kind"],
            "agree": row["agree"],
            "rows": " ".join(map(str, row["rows"])),
            "differs": " ".join(differs),
        }
        attributes = " ".join(f'data-{key}="{escape(text)}"' for key, text in facts.items())
        marks = "".join(
            f'<i{" class=bad" if key in differs else ""} title="{escape(peer["title"])}"></i>'
            for key, peer in peers.items()
        )
        lines.append(
            f'<tr {attributes}><td><a class="name" href="{address(row)}">{escape(name)}</a>'
            f'<span class="title">{escape(row["title"])}</span></td><td>{_thumbnails(row, pictures)}</td>'
            f'<td class="wide mono">{escape(", ".join(map(str, row["rows"])))}</td>'
            f'<td class=wide><span class="badge {AGREE[row["agree"]][0]}">{_SHORT[row["agree"]]}</span></td>'
            + (f'<td class=wide><span class="marks">{marks}</span></td>' if peers else "")
            + "</tr>"
        )
    return f'<table class="files">{head}<tbody>{"".join(lines)}</tbody></table>'


def _thumbnails(row: Row, pictures: Mapping[str, bytes]) -> str:
    shown = [frame["sha"] for frame in row["frames"][:6]]
    parts = [image(pictures[sha], row["width"], row["height"], 40, "") for sha in shown if sha is not None]
    more = f'<span class="soft">+{len(row["frames"]) - 6}</span>' if len(row["frames"]) > 6 else ""
    return f'<div class="strip">{"".join(parts)}{more}</div>' if parts else '<span class="soft">nothing</span>'
