"""The results as a chart: for each tool a dot a file and a mark at the geometric mean, on a logarithmic axis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from figures import TWO_JOBS, MeasuredFile, geometric_mean, grouped
from report import Run

from galloptools.measuring.charts import STYLE, text
from galloptools.measuring.tables import times

WIDTH = 860
LEFT = 190
RIGHT = 90
TOP = 86
ROW = 46
BOTTOM = 92
TICKS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


@dataclass(frozen=True)
class Axis:
    """A logarithmic scale from `low` to `high` over the plot's width."""

    low: float
    high: float

    @staticmethod
    def holding(values: Sequence[float]) -> Axis:
        """The nearest ticks around all values, with 1 and some room always between."""
        least, most = min([*values, 0.95]), max([*values, 2.0])
        low = max((tick for tick in TICKS if tick <= least), default=least)
        high = min((tick for tick in TICKS if tick >= most), default=most)
        return Axis(low, high)

    @property
    def ticks(self) -> list[float]:
        return [tick for tick in TICKS if self.low <= tick <= self.high]

    def x(self, value: float) -> float:
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return LEFT + share * (WIDTH - LEFT - RIGHT)


@dataclass(frozen=True)
class Strip:
    """One row: a tool and its ratios."""

    title: str
    ratios: Sequence[float]
    remark: str = ""
    """Stands in the row where there is no ratio."""


def svg(run: Run) -> str:
    group, files = charted_set(run.files)
    strips = strips_of(run, files)
    axis = Axis.holding([ratio for strip in strips for ratio in strip.ratios])
    height = TOP + ROW * len(strips) + BOTTOM
    bottom = TOP + ROW * len(strips)
    heading = "Time to decode a GIF, as a multiple of Gallop's on one core"
    count = f"{len(files)} {group}" if group != "given" else f"{len(files)} files"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'role="img" aria-labelledby="title description">',
        f'<title id="title">{escape(heading)}</title>',
        f'<desc id="description">{escape(description(strips))}</desc>',
        f"<style>{STYLE}</style>",
        f'<rect class="paper" width="{WIDTH}" height="{height}" rx="8"/>',
        text(24, 36, heading, "ink title"),
        text(
            24, 60, f"{count}, a dot each; the mark is the geometric mean. Right of 1x Gallop is faster.", "soft small"
        ),
    ]
    for tick in axis.ticks:
        kind = "one" if tick == 1 else "grid"
        x = f"{axis.x(tick):.1f}"
        lines.append(f'<line class="{kind}" x1="{x}" y1="{TOP}" x2="{x}" y2="{bottom}"/>')
        lines.append(text(axis.x(tick), bottom + 20, f"{tick:g}x", "soft small", "middle"))
    for index, strip in enumerate(strips):
        lines += strip_lines(strip, TOP + ROW * index + ROW / 2, axis)
    middle = (LEFT + WIDTH - RIGHT) / 2
    lines.append(
        text(middle, bottom + 40, "times as long as Gallop with one job (logarithmic)", "soft small", "middle")
    )
    lines += [text(24, bottom + 62 + 17 * index, line, "soft small") for index, line in enumerate(foot_lines(run))]
    return "\n".join([*lines, "</svg>"]) + "\n"


def charted_set(files: Sequence[MeasuredFile]) -> tuple[str, list[MeasuredFile]]:
    """Real or given files say more than the samples: the last set is shown."""
    return list(grouped(files).items())[-1]


def strips_of(run: Run, files: Sequence[MeasuredFile]) -> list[Strip]:
    strips = []
    for tool in [*(tool for tool in run.tools if tool.key == TWO_JOBS), *run.peers]:
        ratios = [ratio for file in files if (ratio := file.ratio(tool.key)) is not None]
        strips.append(Strip(tool.title, ratios, "" if ratios else "no figure"))
    return strips + [Strip(peer.title, [], "absent") for peer in run.absent]


def strip_lines(strip: Strip, y: float, axis: Axis) -> list[str]:
    lines = [text(LEFT - 16, y + 5, strip.title, "ink label", "end")]
    if not strip.ratios:
        return [*lines, text(LEFT + 12, y + 5, strip.remark, "soft small")]
    lines += [f'<circle class="dot" cx="{axis.x(ratio):.1f}" cy="{y:g}" r="5"/>' for ratio in strip.ratios]
    mean = geometric_mean(strip.ratios)
    lines.append(f'<rect class="mean" x="{axis.x(mean) - 2.5:.1f}" y="{y - 15:g}" width="5" height="30" rx="2"/>')
    lines.append(text(WIDTH - 16, y + 5, times(mean), "ink value", "end"))
    return lines


def description(strips: Sequence[Strip]) -> str:
    """The chart in words, for screen readers."""
    parts = [
        f"{strip.title}: {times(geometric_mean(strip.ratios))} in the geometric mean"
        if strip.ratios
        else f"{strip.title}: {strip.remark}"
        for strip in strips
    ]
    return "; ".join(parts) + "."


def foot_lines(run: Run) -> list[str]:
    cores = "1 core" if run.machine.cores == 1 else f"{run.machine.cores} cores"
    facts = f"{run.machine.cpu}, {cores}. Best of {run.rounds} rounds. {run.date}. Gallop {run.commit}."
    return [facts, " ".join(run.warnings) or ", ".join(tool.version for tool in run.peers)]
