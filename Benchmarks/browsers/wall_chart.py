"""The figures as bars: what a wall costs each player, or how many GIFs each can play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from samples import BASE, Climb, Standing
from wall import Wall
from wall_report import Facts, megabytes

from galloptools.measuring.charts import STYLE, text

WIDTH = 860
LEFT = 140
RIGHT = 130
TOP = 60
HEAD = 40
ROW = 34
BOTTOM = 66
BARS = """
.bar { fill: #0969da } .own { fill: #bc4c00 }
@media (prefers-color-scheme: dark) { .bar { fill: #58a6ff } .own { fill: #f0883e } }
"""


@dataclass(frozen=True)
class Bar:
    title: str
    value: float
    label: str
    is_own: bool


@dataclass(frozen=True)
class Group:
    """Bars on one scale, which begins at zero."""

    title: str
    bars: Sequence[Bar]


def cost(facts: Facts, wall: Wall, standings: Mapping[str, Standing]) -> str:
    """CPU time and memory for one wall."""
    cpu, memory = [], []
    for player in facts.players:
        found, is_own = standings[player.key], player.key == BASE
        cpu.append(Bar(player.title, found.share, f"{100 * found.share:.1f} %", is_own))
        memory.append(Bar(player.title, found.peak, f"{megabytes(found.peak)} MB", is_own))
    groups = [Group("CPU time, of one core", cpu), Group("Memory of the process tree (PSS), peak", memory)]
    return svg(f"{wall.count} GIFs playing, tiles of {facts.tile[0]} x {facts.tile[1]}", groups, facts)


def capacity(facts: Facts, climbs: Mapping[str, Climb]) -> str:
    """GIFs per core."""
    bars = []
    for player in facts.players:
        found = climbs[player.key]
        value = found.per_core(facts.machine.cores)
        more = "" if found.ramp.failed is not None else " or more"
        bars.append(Bar(player.title, value, f"{value:g}{more}", player.key == BASE))
    groups = [Group("GIFs per core that were kept up with", bars)]
    return svg(f"How many GIFs at once, tiles of {facts.tile[0]} x {facts.tile[1]}", groups, facts)


def svg(heading: str, groups: Sequence[Group], facts: Facts) -> str:
    bottom = TOP + sum(HEAD + ROW * len(group.bars) for group in groups)
    height = bottom + BOTTOM
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'role="img" aria-labelledby="title description">',
        f'<title id="title">{escape(heading)}</title>',
        f'<desc id="description">{escape(description(groups))}</desc>',
        f"<style>{STYLE}{BARS}</style>",
        f'<rect class="paper" width="{WIDTH}" height="{height}" rx="8"/>',
        text(24, 38, heading, "ink title"),
    ]
    y = TOP
    for group in groups:
        lines += group_lines(group, y)
        y += HEAD + ROW * len(group.bars)
    lines += [text(24, bottom + 28 + 18 * index, line, "soft small") for index, line in enumerate(foot_lines(facts))]
    return "\n".join([*lines, "</svg>"]) + "\n"


def group_lines(group: Group, top: float) -> list[str]:
    lines = [text(24, top + 24, group.title, "soft label")]
    most = max((bar.value for bar in group.bars), default=0)
    for index, bar in enumerate(group.bars):
        y = top + HEAD + ROW * index
        length = (WIDTH - LEFT - RIGHT) * bar.value / most if most > 0 else 0
        kind = "own" if bar.is_own else "bar"
        lines.append(text(LEFT - 12, y + 17, bar.title, "ink label", "end"))
        lines.append(f'<rect class="{kind}" x="{LEFT}" y="{y:g}" width="{max(1.5, length):.1f}" height="24" rx="2"/>')
        lines.append(text(LEFT + max(1.5, length) + 10, y + 17, bar.label, "ink value"))
    return lines


def description(groups: Sequence[Group]) -> str:
    """The chart in words, for screen readers."""
    parts = [f"{group.title}: {', '.join(f'{bar.title} {bar.label}' for bar in group.bars)}" for group in groups]
    return "; ".join(parts) + "."


def foot_lines(facts: Facts) -> list[str]:
    cores = "1 core" if facts.machine.cores == 1 else f"{facts.machine.cores} cores"
    versions = ", ".join(player.version for player in facts.players if player.key != BASE)
    first = f"{facts.machine.cpu}, {cores}. {facts.date}. Gallop {facts.commit}."
    return [first, " ".join(facts.warnings) or versions]
