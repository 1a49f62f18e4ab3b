"""How many GIFs each can play, as a Markdown table and as raw figures."""

from __future__ import annotations

from collections.abc import Mapping

from samples import ALONE_SHARE, BASE, CPU_SHARE, DRAWN_SHARE, DROPPED_SHARE, Climb, Step, quotient
from wall_report import Facts, dump, markdown, megabytes, raw_facts, raw_sample

from galloptools.measuring.tables import MISSING, escaped, table, times

CRITERION = f"""A player keeps up with a wall unless

- a browser draws fewer pictures a second than {100 * DRAWN_SHARE:.0f} % of what it draws for the fastest GIF alone,
  which is on every wall: then it loses frames for certain. Any that it loses before are not held against it. (Alone
  it must draw {100 * ALONE_SHARE:.0f} % of that GIF's frames, or it is throttled.)
- Gallop drops more than {100 * DROPPED_SHARE:.1f} % of the frames that are due, or the p99 of its lateness is above
  the wall's shortest delay;
- its process tree takes more than {100 * CPU_SHARE:.0f} % of all cores;
- it cannot play the wall at all.

A wall that was too much is tried once more before that counts. Walls grow fourfold until one is too much; then the
bounds are narrowed down, unless the run is a quick one. GIFs per core are the tiles of the largest wall that was kept
up with, divided by the machine's cores, of which each player may use all; per core used they are divided by the CPU time
that was really spent. The criterion is harder on Gallop than on the browsers: all of its frames are counted."""


def texts(facts: Facts, climbs: Mapping[str, Climb]) -> tuple[str, str, str]:
    """The table for the terminal, the Markdown and the JSON."""
    summary = summary_table(facts, climbs)
    body = [summary, "## When a wall is too much", CRITERION]
    for player in facts.players:
        body += [f"## {player.title}, wall by wall", step_table(climbs[player.key])]
    return summary, markdown("# How many GIFs at once", "capacity", facts, body), raw(facts, climbs)


def summary_table(facts: Facts, climbs: Mapping[str, Climb]) -> str:
    cores = facts.machine.cores
    base = climbs[BASE]
    rows = []
    for player in facts.players:
        found = climbs[player.key]
        failure = found.first_failure
        used = found.per_cpu_core
        rows.append(
            [
                player.title,
                sustained(found),
                f"{failure.count}: {failure.verdict}" if failure else MISSING,
                f"{found.per_core(cores):g}",
                MISSING if player.key == BASE else times(quotient(base.per_core(cores), found.per_core(cores))),
                MISSING if used is None else f"{used:.0f}",
            ]
        )
    heads = ["player", "GIFs kept up with", "too many", "GIFs per core", "times as many in Gallop", "per core used"]
    return table(heads, rows, left=1)


def sustained(climb: Climb) -> str:
    text = str(climb.ramp.sustained)
    return text if climb.ramp.failed is not None else f"{text} or more"


def step_table(climb: Climb) -> str:
    rows = [step_row(step) for step in sorted(climb.steps, key=lambda step: step.count)]
    numbers = ["CPU, of a core", "peak, MB", "pictures a second", "dropped", "p99 ms", "busiest thread"]
    return table(["GIFs", "verdict", *numbers], rows, left=2)


def step_row(step: Step) -> list[str]:
    verdict = escaped(step.verdict or "keeps up")
    sample = step.sample
    if sample is None:
        return [str(step.count), verdict, *[MISSING] * 6]
    lost = sample.playback
    thread = sample.thread
    return [
        str(step.count),
        verdict,
        f"{100 * sample.share:.1f} %",
        megabytes(sample.peak),
        MISSING if sample.drawn is None else f"{sample.drawn:.1f}",
        MISSING if lost is None else f"{lost.dropped} of {lost.due}",
        MISSING if lost is None else f"{lost.p99:.2f}",
        MISSING if thread is None else f"{thread[0]}, {100 * thread[1]:.0f} %",
    ]


def raw(facts: Facts, climbs: Mapping[str, Climb]) -> str:
    found = {
        key: {
            "sustained": climb.ramp.sustained,
            "failed": climb.ramp.failed,
            "perCore": climb.per_core(facts.machine.cores),
            "perCoreUsed": climb.per_cpu_core,
            "steps": [
                {
                    "count": step.count,
                    "verdict": step.verdict,
                    "sample": None if step.sample is None else raw_sample(step.sample),
                }
                for step in climb.steps
            ],
        }
        for key, climb in climbs.items()
    }
    return dump({**raw_facts(facts), "criterion": CRITERION, "ramps": found})
