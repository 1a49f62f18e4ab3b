"""Runs a program in a terminal of its own: types, clicks, resizes, and reads what the screen shows.

Each step waits for what it leads to on the screen, or for the end of the process; nothing waits for a fixed time.
"""

import fcntl
import os
import pty
import re
import resource
import select
import signal
import struct
import subprocess
import termios
import time

from galloptools.checks import Failure
from galloptools.terminal.screen import DEFAULTS, Screen

ANSWERS = {
    "background": "\x1b]11;rgb:fdfd/f6f6/e3e3\x1b\\", "kitty": "\x1b_Gi=31;OK\x1b\\",
    "color": "\x1bP1$r0;48:2::1:2:3m\x1b\\", "cell": "\x1b[6;20;10t", "area": "\x1b[4;480;800t",
    "attributes": "\x1b[?62;4;22c"}
"""What a light terminal with all graphics and colours answers to the questions of ``Screen``."""
TIMEOUT = 30
"""Seconds until absent output counts as missing."""


class TerminalProgram:
    """A running program and the terminal that it has to itself."""

    def __init__(self, command, size=(80, 24), echoes=True, flushes=True, folder=None, settings=None,
                 answers=None):
        self.master, self.slave = pty.openpty()
        modes = termios.tcgetattr(self.slave)
        if not echoes:
            modes[3] &= ~termios.ECHO
        if not flushes:
            modes[3] |= termios.NOFLSH
        termios.tcsetattr(self.slave, termios.TCSANOW, modes)
        self.screen = Screen(*size)
        self.written = 0
        # By the names of the questions; a terminal without answers is silent.
        self.answers = answers or {}
        self.is_silent = False
        self.set_size(*size)
        self.before = termios.tcgetattr(self.slave)
        environment = {key: value for key, value in os.environ.items()
                       if key not in ("TMUX", "STY", "TERM_PROGRAM", "LC_ALL", "LC_CTYPE", "LANG")}
        environment.update(TERM="xterm-256color", COLORTERM="truecolor", SWIFT_BACKTRACE="enable=no")
        environment.update(settings or {})
        os.set_blocking(self.master, False)
        self.process = subprocess.Popen(
            command, env=environment, cwd=folder, stdin=self.slave, stdout=self.slave, stderr=subprocess.PIPE,
            preexec_fn=self.take_terminal)

    def take_terminal(self):
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        # A shell that runs this in the background has these ignored, and children would inherit that.
        for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stderr.close()
        for end in (self.master, self.slave):
            if end is not None:
                os.close(end)

    def set_size(self, columns, rows):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, columns, rows):
        self.screen.resize(columns, rows)
        self.set_size(columns, rows)
        self.process.send_signal(signal.SIGWINCH)

    def read(self, timeout=0.0):
        """Takes what the terminal got, waiting a little for it."""
        if not select.select([self.master], [], [], timeout)[0]:
            return False
        try:
            data = os.read(self.master, 1 << 16)
        except OSError:
            return False
        self.written += len(data)
        self.screen.feed(data)
        if not self.is_silent:
            self.answer()
        return True

    def answer(self):
        """Answers the questions so far."""
        questions, self.screen.questions = self.screen.questions, []
        for question in questions:
            if question in self.answers:
                os.write(self.master, self.answers[question].encode())

    def wait(self, what, condition):
        deadline = time.monotonic() + TIMEOUT
        while not condition():
            if self.process.poll() is not None:
                raise Failure("ended with %s before %s" % (self.process.returncode, what))
            if time.monotonic() > deadline:
                raise Failure("no %s; the screen shows\n%s" % (what, self.screen.text))
            self.read(0.05)

    def see(self, pattern):
        self.wait(pattern, lambda: re.search(pattern, self.screen.text))

    def type(self, data):
        """Types, taking what the terminal gets meanwhile."""
        data = data.encode() if isinstance(data, str) else data
        deadline = time.monotonic() + TIMEOUT
        while data and self.process.poll() is None:
            self.read()
            try:
                data = data[os.write(self.master, data[:256]):]
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise Failure("keys are not taken")
                self.read(0.05)

    def mouse(self, code, column, row, final="M"):
        self.type("\x1b[<%d;%d;%d%s" % (code, column + 1, row + 1, final))

    def wait_for_end(self, reads=True):
        deadline = time.monotonic() + TIMEOUT
        while self.process.poll() is None:
            if time.monotonic() > deadline:
                raise Failure("does not end")
            if not reads or not self.read(0.02):
                time.sleep(0.01)
        while self.read():
            pass

    def check_restored(self, checks_modes=True):
        if checks_modes and self.screen.modes != DEFAULTS:
            raise Failure("modes are left as %s" % self.screen.modes)
        if termios.tcgetattr(self.slave) != self.before:
            raise Failure("the line's settings are left changed")

    def check_nothing_unread(self):
        """Nothing is left for the shell, once it has ended."""
        modes = termios.tcgetattr(self.slave)
        # Without lines, so that a part of one counts, too.
        modes[3] &= ~(termios.ICANON | termios.ECHO)
        termios.tcsetattr(self.slave, termios.TCSANOW, modes)
        if select.select([self.slave], [], [], 0)[0]:
            raise Failure("left to the shell: %r" % os.read(self.slave, 200))

    def errors(self):
        """What it wrote to standard error, once it has ended."""
        return self.process.stderr.read().decode(errors="replace")

    def end(self, status=0, keys="q"):
        self.type(keys)
        self.wait_for_end()
        self.expect_status(status)
        self.check_restored()

    def expect_status(self, *allowed):
        if self.process.returncode not in allowed:
            raise Failure("ended with %s: %s" % (
                self.process.returncode, self.process.stderr.read().decode(errors="replace")))
