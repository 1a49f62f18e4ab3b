"""Handles of the library, and calls that Ctrl-C ends.

Python runs signal handlers on its main thread, between its own instructions: not while that thread is inside the
library. So a call on the main thread is given 50 ms by its cancel token. Nearly every call ends before that, and costs
no thread. One that does not is made again on a helper thread, where it goes on from what is decoded, while the main
thread waits for a lock, which signals do interrupt. An exception from a handler sets the token, and the call ends.
Calls after such a one go to a helper thread at once, until one of them is short again.
Other threads get no signals, so their calls have no such limit.
"""

from __future__ import annotations

import ctypes
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

from ._library import CANCELLED, check, lib
from ._structs import Handle

SLICE_MS = 50
"""How long a call may keep the main thread."""


class Owned:
    """A handle that is released once: when it is closed, or when nothing refers to it any more."""

    __slots__ = ("_release", "value")

    def __init__(self, value: int | None, release: Callable[[int], int]) -> None:
        self.value = value or 0
        self._release = release

    def close(self) -> None:
        # A second release, of another thread at the same time or after an interrupt, is an error code, and harmless.
        if value := self.value:
            self._release(value)
            self.value = 0

    def __del__(self) -> None:
        try:
            self.close()
        except KeyboardInterrupt:
            self.close()
            interrupt_soon()
        except BaseException:  # of another signal's handler: Python reports it
            self.close()
            raise


def interrupt_soon() -> None:
    """Interrupts the main thread when it has probably left the finalizer: what a finalizer raises, Python drops."""
    # A handler may have given the signal back to the system, which would end the program.
    if not callable(signal.getsignal(signal.SIGINT)):
        return
    timer = threading.Timer(0.01, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT))
    timer.daemon = True
    timer.start()


def make(kind: str, function: Callable[..., int], *arguments: Any, path: str | None = None) -> Owned:
    """Calls a function that gives a handle of a kind as its last argument."""
    out = Handle()
    check(function(*arguments, ctypes.byref(out)), path)
    return Owned(out.value, getattr(lib, f"gallop_{kind}_release"))


class Interruptible:
    """A cancel token, and the calls that it ends when a signal handler raises."""

    __slots__ = ("_has_deadline", "_is_slow", "token")

    def __init__(self) -> None:
        self.token = make("cancel", lib.gallop_cancel_new)
        self._has_deadline = False
        self._is_slow = False

    def call(self, function: Callable[..., int], *arguments: Any, path: str | None = None) -> int:
        """A call that can be made again after it was cancelled; its status, or the exception for it."""
        if threading.get_ident() != threading.main_thread().ident:
            self._reset()
            return check(function(*arguments), path)
        if not self._is_slow:
            self._has_deadline = True
            lib.gallop_cancel_after(self.token.value, SLICE_MS)
            status = function(*arguments)
            if status != CANCELLED:
                return check(status, path)
        begin = time.monotonic()
        status = self.on_helper(lambda: check(function(*arguments), path))
        self._is_slow = time.monotonic() - begin > SLICE_MS / 1000
        return status

    def on_helper(self, work: Callable[[], int]) -> int:
        """What `work` gives on another thread, for which this one waits until a signal handler raises."""
        self._reset()
        outcome: list[Any] = []
        is_over = threading.Event()

        def run() -> None:
            try:
                outcome.append(work())
            except BaseException as error:  # raised again on the thread that waits
                outcome.append(error)
            finally:
                is_over.set()

        threading.Thread(target=run, name="gallop", daemon=True).start()
        try:
            is_over.wait()
        except BaseException:
            lib.gallop_cancel_set(self.token.value)
            is_over.wait()
            lib.gallop_cancel_reset(self.token.value)
            raise
        result = outcome[0]
        if isinstance(result, BaseException):
            raise result
        return int(result)

    def cancel(self) -> None:
        """Ends the calls of other threads with this token, and those that follow."""
        lib.gallop_cancel_set(self.token.value)

    def _reset(self) -> None:
        if self._has_deadline:
            lib.gallop_cancel_reset(self.token.value)
            self._has_deadline = False
