#!/usr/bin/env python3
"""Runs gallop in processes that get few threads, little memory or few descriptors, and checks how they end.

    limits_test.py [--gallop .build/release/gallop] [--gifs Samples/GIFs] [--step 5] [ONLY...]

Each process ends with status 0, or with an error and status 1 or 2: none hangs, none is ended by a signal. ONLY names
commands. Without Xvfb the window is left out, and without root so are threads, which need another user.
"""

import argparse
import collections
import glob
import os
import pty
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

from galloptools.gif import codes, pieces

TIMEOUT = 60
"""Seconds until a process counts as hanging."""
NOBODY = 65534
"""The limit of threads counts those of a user, and root has none."""
SIDE = 5792
"""A canvas of that side is just within the default limits."""


def large_gif() -> bytes:
    """One frame of a single colour, whose canvas takes 134 MB."""
    stream = codes.CodeStream(2)
    left = SIDE * SIDE
    while left > 0:
        stream.append(stream.clear_code)
        length = 1
        stream.append(0)
        left -= 1
        # Each code is the string before it and one index more.
        while left > 0 and stream.next_code < 4096:
            length += 1
            stream.append(stream.next_code if length <= left else 0)
            left -= min(length, left) if length <= left else 1
    stream.append(stream.end_code)
    palette = (0x203040, 0xFFFFFF)
    return b"".join((
        b"GIF89a", pieces.words(SIDE, SIDE), b"\x81\0\0", pieces.colours((*palette, 0, 0)), b"\x2c",
        pieces.words(0, 0, SIDE, SIDE), b"\0", b"\2", pieces.sub_blocks(stream.bytes()), b"\0;"))


class Runs:
    """The endings of all processes."""

    def __init__(self, gallop, files, folder, display, url):
        self.gallop, self.files, self.folder, self.display, self.url = gallop, files, folder, display, url
        self.endings = collections.Counter()
        self.failures = []

    def commands(self, only):
        out = os.path.join(self.folder, "out")
        short = ["--seconds", "0.3"]
        found = {
            "info": ["info", "--frames"],
            "flashes": ["info", "--flashes", "--size", "2000x"],
            "decode": ["decode", "--format", "null"],
            "decode-jobs": ["decode", "--format", "null", "--jobs", "4"],
            "png": ["decode", "--frames", "0", "--force", "--output", out],
            "rgba": ["decode", "--format", "rgba", "--frames", "0", "--output", "-"],
            "sheet": ["decode", "--format", "sheet", "--frames", "0,0,0", "--force", "--output", out],
            "y4m": ["decode", "--format", "y4m", "--frames", "0", "--force", "--output", out + "-y4m/"],
            "compare": ["compare", self.files[0]],
            "edit": ["edit", "--rotate", "90", "--force", "--output", out + ".gif"],
            "edit-sample": ["edit", "--reverse", "--smaller", "--force", "--output", out + ".gif"],
            "play": ["play", "--headless", "--events", *short],
            "terminal": ["play", "--terminal", *short],
            "window": ["play", "--window", *short],
            "info-url": ["info", self.url],
            "decode-url": ["decode", "--format", "null", self.url],
            "play-url": ["play", "--headless", "--events", *short, self.url],
            "bench-decode": ["bench", "decode", "--repeat", "1"],
            "bench-playback": ["bench", "playback", "--count", "8", *short],
        }
        if not self.display:
            del found["window"]
        return {name: command for name, command in found.items() if not only or name in only}

    def run(self, name, command, limit, value, user=None):
        def starve():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(limit, (value, value))
            if user is not None:
                os.setgroups([])
                os.setgid(user)
                os.setuid(user)

        environment = dict(os.environ, SWIFT_BACKTRACE="enable=no", TERM="xterm-256color", HOME=self.folder)
        if self.display:
            environment.update(DISPLAY=self.display, SDL_VIDEODRIVER="x11", XDG_RUNTIME_DIR=self.folder)
        master = slave = None
        output = subprocess.DEVNULL
        if name == "terminal":
            master, slave = pty.openpty()
            output = slave
        one = {"compare": self.files[1:2], "edit": self.files[-1:], "edit-sample": self.files[:1]}
        try:
            process = subprocess.Popen(
                [self.gallop, *command, *one.get(name, self.files)], stdin=slave or subprocess.DEVNULL, stdout=output,
                stderr=subprocess.PIPE, preexec_fn=starve, env=environment, start_new_session=True)
        except BlockingIOError:
            # The system starts no program at all.
            self.endings[name, "none"] += 1
            for end in filter(None, (master, slave)):
                os.close(end)
            return
        if slave is not None:
            os.close(slave)
            drain = subprocess.Popen(["cat"], stdin=master, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            os.close(master)
        try:
            errors = process.communicate(timeout=TIMEOUT)[1].decode(errors="replace")
            status = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            errors, status = process.communicate()[1].decode(errors="replace"), "hang"
        if slave is not None:
            drain.kill()
            drain.wait()
        self.endings[name, status] += 1
        what = "%s under %s of %d: status %s: %s" % (
            name, NAMES[limit], value, status, errors.strip()[-300 if status in (0, 1, 2) else -6000:])
        if options.verbose:
            print(what, flush=True)
        if status not in (0, 1, 2) or (status != 0 and name != "terminal" and not errors.strip()):
            self.failures.append(what)
            print(what, file=sys.stderr, flush=True)


NAMES = {
    resource.RLIMIT_AS: "an address space", resource.RLIMIT_NPROC: "a number of threads",
    resource.RLIMIT_NOFILE: "a number of descriptors"}


def display(folder):
    """A display of its own; None without Xvfb."""
    if not shutil.which("Xvfb"):
        print("limits: Xvfb is missing: without windows")
        return None, None
    read, write = os.pipe()
    process = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "800x600x24", "-nolisten", "tcp"], pass_fds=[write],
        stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as number:
        return process, ":" + number.readline().strip()


def web_server(folder):
    """A server of the folder's files, and its address."""
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory", folder, "0"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    port = process.stdout.readline().partition(" port ")[2].split()[0]
    return process, "http://127.0.0.1:" + port


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        gallop = shutil.copy(options.gallop, os.path.join(folder, "gallop"))
        files = [shutil.copy(path, folder) for path in sorted(glob.glob(os.path.join(options.gifs, "*.gif")))]
        files.append(os.path.join(folder, "large.gif"))
        with open(files[-1], "wb") as file:
            file.write(large_gif())
        server, name = display(folder)
        web, address = web_server(folder)
        try:
            runs = Runs(gallop, files, folder, name, address + "/" + os.path.basename(files[0]))
            for command, arguments in runs.commands(options.only).items():
                for megabytes in range(40, 401, options.step):
                    runs.run(command, arguments, resource.RLIMIT_AS, megabytes << 20)
                for count in range(4, 33, 4):
                    runs.run(command, arguments, resource.RLIMIT_NOFILE, count)
                if os.getuid() == 0:
                    for count in range(1, 9):
                        runs.run(command, arguments, resource.RLIMIT_NPROC, count, NOBODY)
        finally:
            for process in filter(None, (server, web)):
                process.terminate()
                process.wait()
    for (command, status), count in sorted(runs.endings.items(), key=str):
        print("%-16s status %-5s %d times" % (command, status, count))
    if runs.failures:
        sys.exit("limits: %d of %d processes did not end as they should" % (
            len(runs.failures), sum(runs.endings.values())))
    print("limits: passed")


parser = argparse.ArgumentParser()
parser.add_argument("--gallop", default=".build/release/gallop")
parser.add_argument("--gifs", default="Samples/GIFs")
parser.add_argument("--step", type=int, default=5, help="megabytes from one limit of memory to the next")
parser.add_argument("--verbose", action="store_true")
parser.add_argument("only", nargs="*", help="commands to run; all without any")
options = parser.parse_args()
if __name__ == "__main__":
    main()
