"""Plays a wall with `gallop bench playback` and measures the process from outside."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import processes
from players import Pace, Player
from samples import BASE, Playback, Sample
from wall import Wall

from galloptools.measuring.commands import Failure, complaint

END_SECONDS = 120.0
"""Gallop takes no longer beyond its time."""


class GallopPlayer(Player):
    key = BASE
    title = "Gallop"
    how = (
        "`gallop bench playback`: every picture shown is drawn into its tile of one surface in memory. The whole "
        "process is counted, its start, its loading and its first loop included, over the time that it plays."
    )

    def __init__(self, program: Path, version: str) -> None:
        self._program = program.resolve()
        self.version = version

    def play(self, wall: Wall, pace: Pace) -> Sample:
        width, height = wall.tile
        options = ["--json", "--count", str(wall.count), "--tile", f"{width}x{height}", "--seconds", f"{pace.window:g}"]
        with tempfile.TemporaryDirectory(prefix="bench-browsers-") as folder:
            names = self._files(wall, Path(folder))
            return self._watch([str(self._program), "bench", "playback", *options, *names], folder, pace)

    def _files(self, wall: Wall, folder: Path) -> list[str]:
        """Names of the contents as the command takes them, short enough for many thousand."""
        names = [f"{number}.gif" for number in range(wall.contents)]
        for number, name in enumerate(names):
            (folder / name).write_bytes(wall.content(number))
        return names

    def _watch(self, command: Sequence[str], folder: str, pace: Pace) -> Sample:
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            try:
                process = subprocess.Popen(
                    command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, start_new_session=True
                )
            except OSError as error:
                raise Failure(f"gallop does not run: {error.strerror}") from error
            try:
                memory, cpu = watch_to_end(process, pace)
            finally:
                if process.returncode is None:
                    process.kill()
                    process.wait()
            output.seek(0)
            errors.seek(0)
            if process.returncode != 0:
                raise Failure(complaint(errors.read().decode("utf-8", "replace"), process.returncode, command))
            seconds, playback = parse_playback(output.read())
            return Sample(seconds=seconds, cpu=cpu, memory=memory, processes=1, playback=playback)


def watch_to_end(process: subprocess.Popen[bytes], pace: Pace) -> tuple[list[int], float]:
    """Its PSS in bytes, look after look, and the CPU seconds of its whole life."""
    deadline = time.monotonic() + pace.window + END_SECONDS
    memory: list[int] = []
    while True:
        time.sleep(pace.look)
        looked = processes.pss(processes.tree_of(process.pid))
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        if ended:
            process.returncode = os.waitstatus_to_exitcode(status)
            return memory, usage.ru_utime + usage.ru_stime
        if looked:
            memory.append(looked)
        if time.monotonic() > deadline:
            raise Failure(f"took {END_SECONDS:.0f} s more than it should play")


def parse_playback(text: bytes) -> tuple[float, Playback]:
    """The seconds played, and the rest."""
    try:
        row = json.loads(text)
        seconds = float(row["seconds"])
        late = float(row["latenessMs"]["p99"])
        playback = Playback(int(row["framesDue"]), int(row["framesDropped"]), late, float(row["cpuSeconds"]))
    except (ValueError, KeyError, TypeError) as error:
        raise Failure("gallop prints no report") from error
    if seconds <= 0:
        raise Failure("gallop did not play")
    return seconds, playback
