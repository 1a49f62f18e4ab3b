#!/usr/bin/env python3
"""Damages GIF files at random and runs `gallop info` and `gallop decode` on them.

The same seed gives the same mutants. A crash, a hang and too much memory are reported with the bytes that did it,
made smaller where that is possible. Exit status: 0 none, 1 some, 2 cannot run.
"""

import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

MEBIBYTE = 1 << 20
COMMANDS = (["info", "--json"], ["decode", "--format", "null"])
# Numbers at which readers go wrong.
BYTES = (0, 1, 2, 3, 4, 7, 8, 9, 11, 12, 13, 0x21, 0x2C, 0x3B, 0x7F, 0x80, 0xF9, 0xFE, 0xFF)
WORDS = (0, 1, 2, 255, 256, 4095, 4096, 5792, 8192, 32767, 32768, 65535)


def block_places(data):
    """Where records begin, as far as they can be followed."""
    places = []
    place = 13 + (3 * (2 << (data[10] & 7)) if len(data) > 10 and data[10] & 0x80 else 0)
    while place < len(data) and data[place] in (0x21, 0x2C):
        places.append(place)
        if data[place] == 0x2C:
            if place + 10 >= len(data):
                break
            flags = data[place + 9]
            place += 11 + (3 * (2 << (flags & 7)) if flags & 0x80 else 0)
        else:
            place += 2
        while place < len(data) and data[place]:
            place += 1 + data[place]
        place += 1
    places.append(min(place, len(data)))
    return places


def mutate(data, rng):
    """Some changes to a file."""
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        rng.choice(MUTATIONS)(data, rng)
        if not data:
            break
    return bytes(data)


def flip_bits(data, rng):
    for _ in range(rng.choice((1, 2, 16))):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def set_byte(data, rng):
    data[rng.randrange(len(data))] = rng.choice(BYTES)


def truncate(data, rng):
    del data[rng.randrange(len(data)) + 1:]


def header_number(data, rng):
    """A number of the screen, or of an image descriptor or an extension."""
    places = [6, 8] + [place + offset for place in block_places(data)[:-1] for offset in (1, 3, 5, 7)]
    place = rng.choice(places)
    if place + 2 <= len(data):
        data[place:place + 2] = rng.choice(WORDS).to_bytes(2, "little")


def header_flags(data, rng):
    places = [10] + [place + 9 for place in block_places(data)[:-1] if data[place] == 0x2C]
    place = rng.choice(places)
    if place < len(data):
        data[place] = rng.randrange(256)


def duplicate_blocks(data, rng):
    places = block_places(data)
    if len(places) < 2:
        return
    first = rng.randrange(len(places) - 1)
    last = min(len(places) - 1, first + rng.choice((1, 2, 5)))
    part = data[places[first]:places[last]]
    target = rng.choice(places)
    repeats = rng.choice((1, 1, 3, 50 if len(part) < 2000 else 2))
    data[target:target] = part * repeats


def drop_block(data, rng):
    places = block_places(data)
    if len(places) > 1:
        first = rng.randrange(len(places) - 1)
        del data[places[first]:places[first + 1]]


def cut_out(data, rng):
    start = rng.randrange(len(data))
    del data[start:start + rng.choice((1, 2, 10, 300))]


def insert_noise(data, rng):
    place = rng.randrange(len(data) + 1)
    data[place:place] = rng.randbytes(rng.choice((1, 3, 40, 255)))


MUTATIONS = (
    flip_bits, flip_bits, set_byte, set_byte, truncate, header_number, header_number, header_flags,
    duplicate_blocks, drop_block, cut_out, insert_noise,
)


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


def shrink(data, fails, tries=200):
    """Leaves out what can be left out, in ever smaller parts, as long as it still fails."""
    size = len(data) // 2
    while size >= 1 and tries > 0:
        start = 0
        while start < len(data) and tries > 0:
            tries -= 1
            smaller = data[:start] + data[start + size:]
            if smaller and fails(smaller):
                data = smaller
            else:
                start += size
        size //= 2
    return data


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gallop", required=True, help="the program, a release build")
    parser.add_argument("--count", type=int, default=1000, help="how many mutants")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=2, help="seconds for one command")
    parser.add_argument("--memory", type=int, default=512, help="MiB that one command may take")
    parser.add_argument("--largest", type=int, default=1 << 20, help="bytes above which a file is left out")
    parser.add_argument("--keep", type=Path, help="folder for the mutants that fail")
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    files = sorted(path for path in options.folder.rglob("*.gif") if path.stat().st_size <= options.largest)
    if not files or not os.access(options.gallop, os.X_OK):
        print("mutate.py: no files, or no program", file=sys.stderr)
        return 2
    contents = [(path.name, path.read_bytes()) for path in files if path.stat().st_size]
    runner = Runner(options.gallop, options.timeout, options.memory)
    findings = 0
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "mutant.gif"

        def fault_of(data):
            target.write_bytes(data)
            return runner.run(target)

        for name, data in contents:
            fault = fault_of(data)
            if fault:
                print(f"{name}, unchanged: {fault}", flush=True)
                findings += 1
        for number in range(options.first, options.first + options.count):
            rng = random.Random(f"{options.seed} {number}")
            name, data = rng.choice(contents)
            mutant = mutate(data, rng)
            fault = fault_of(mutant)
            if not fault:
                continue
            findings += 1
            print(f"{name}, mutant {number}: {fault}", flush=True)
            if options.keep:
                # The same command must fail in the same way, in numbers or not.
                kind = fault.rstrip("0123456789 MiBofmemory.s")
                smaller = shrink(mutant, lambda part: (fault_of(part) or "").startswith(kind))
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / f"{options.seed}-{number}.gif").write_bytes(smaller)
    print(
        f"{options.count} mutants of {len(contents)} files, {findings} findings, "
        f"at most {runner.highest // MEBIBYTE} MiB", flush=True)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
