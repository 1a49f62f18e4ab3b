#!/usr/bin/env python3
"""Damages GIF files at random and runs `gallop info` and `gallop decode` on them.

The same seed gives the same mutants. A crash, a hang and too much memory are reported with the bytes that did it,
made smaller where that is possible. Exit status: 0 none, 1 some, 2 cannot run.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from galloptools.gif.files import contents
from galloptools.gif.mutants import make
from galloptools.gif.shrinking import shrink

MEBIBYTE = 1 << 20
COMMANDS = (["info", "--json"], ["decode", "--format", "null"])
SHRINKING_TRIES = 200


class Runner:
    def __init__(self, gallop, seconds, megabytes):
        self.gallop = gallop
        self.seconds = seconds
        self.limit = megabytes * MEBIBYTE
        self.highest = 0

    def run(self, path):
        """Runs all commands on a file; what went wrong, or None."""
        for command in COMMANDS:
            fault = self.run_command([self.gallop, *command, str(path)])
            if fault:
                return f"{' '.join(command)}: {fault}"
        return None

    def run_command(self, arguments):
        with subprocess.Popen(
            arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=forbid_core_dumps,
        ) as child:
            timer = threading.Timer(self.seconds, child.kill)
            timer.start()
            _, status, usage = os.wait4(child.pid, 0)
            hung = not timer.is_alive()
            timer.cancel()
            child.returncode = os.waitstatus_to_exitcode(status)
        used = usage.ru_maxrss * 1024
        self.highest = max(self.highest, used)
        if hung:
            return f"no end after {self.seconds} s"
        if child.returncode < 0:
            return f"ended by signal {-child.returncode}"
        if used > self.limit:
            return f"took {used // MEBIBYTE} MiB of memory"
        return None


def forbid_core_dumps():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gallop", required=True, help="the program, a release build")
    parser.add_argument("--count", type=int, default=1000, help="how many mutants")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one")
    parser.add_argument("--seed", default="1", help="the same seed makes the same mutants")
    parser.add_argument("--timeout", type=float, default=2, help="seconds for one command")
    parser.add_argument("--memory", type=int, default=512, help="MiB that one command may take")
    parser.add_argument("--largest", type=int, default=1 << 20, help="bytes above which a file is left out")
    parser.add_argument("--keep", type=Path, help="folder for the mutants that fail")
    parser.add_argument("originals", nargs="+", type=Path, metavar="GIF-OR-DIR", help="files to damage")
    options = parser.parse_args()
    originals = contents(options.originals, options.largest)
    if not originals or not os.access(options.gallop, os.X_OK):
        print("mutate.py: no files, or no program", file=sys.stderr)
        return 2
    runner = Runner(options.gallop, options.timeout, options.memory)
    findings = 0
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "mutant.gif"

        def fault_of(data):
            target.write_bytes(data)
            return runner.run(target)

        for name, data in originals:
            fault = fault_of(data)
            if fault:
                print(f"{name}, unchanged: {fault}", flush=True)
                findings += 1
        for number in range(options.first, options.first + options.count):
            mutant = make(options.seed, number, originals)
            fault = fault_of(mutant.data)
            if not fault:
                continue
            findings += 1
            print(f"mutant {number} of {mutant.origin}: {fault}", flush=True)
            if options.keep:
                # The same command must fail in the same way, in numbers or not.
                kind = fault.rstrip("0123456789 MiBofmemory.s")
                smaller = shrink(mutant.data, lambda part: (fault_of(part) or "").startswith(kind), SHRINKING_TRIES)
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / f"{options.seed}-{number}.gif").write_bytes(smaller)
    print(
        f"{options.count} mutants of {len(originals)} files and synthetic ones, {findings} findings, "
        f"at most {runner.highest // MEBIBYTE} MiB", flush=True)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
