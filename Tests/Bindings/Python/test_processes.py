"""Threads, forks, interrupts and the end of the interpreter."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import gallop
import numpy
import pytest
from conftest import slow

WAIT = 60
"""Seconds after which a test gives up on another thread or process."""


def checksum(source: object) -> int:
    """A number for all pixels of a GIF."""
    return sum(int(numpy.sum(frame.array, dtype=numpy.int64)) for frame in gallop.open(source))


def frame_sum(gif: gallop.GIF, index: int) -> int:
    return int(numpy.sum(gif[index].array, dtype=numpy.int64))


# ---- Threads


def test_threads_share_a_gif(horse: Path) -> None:
    image = gallop.open(horse)
    expected = [frame_sum(image, index) for index in range(30)]
    with ThreadPoolExecutor(8) as pool:
        got = list(pool.map(lambda number: frame_sum(image, number * 7 % 30), range(240)))
    assert got == [expected[number * 7 % 30] for number in range(240)]


def test_other_threads_run_while_a_frame_is_decoded() -> None:
    image = gallop.open(slow(4000, 60))
    seen: list[int] = []
    decoding = threading.Thread(target=lambda: seen.append(image[59].index))
    decoding.start()
    # Were the lock held during the call, this loop would make no turn before the thread's end.
    turns = 0
    while decoding.is_alive():
        turns += 1
    decoding.join()
    assert seen == [59] and turns > 10_000


# ---- Forks

needs_fork = pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork here")


def in_child(work: Callable[[], bool]) -> None:
    """Runs in a forked child, which must end well and in time."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            signal.alarm(WAIT)
            status = 0 if work() else 2
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@needs_fork
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_decodes_what_its_parent_has_opened(horse: Path) -> None:
    image = gallop.open(horse)
    expected = frame_sum(image, 29)
    begun = iter(image)
    kept = next(begun).array
    in_child(lambda: frame_sum(image, 29) == expected)
    in_child(lambda: [frame.index for frame in begun] == list(range(1, 30)) and kept.any())
    in_child(lambda: [one.result().shape[0] for one in gallop.decode_many([horse, horse], jobs=2)] == [30, 30])
    assert next(begun).index == 1


@needs_fork
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_fork_while_other_threads_decode(horse: Path) -> None:
    image = gallop.open(horse)
    expected = frame_sum(image, 11)
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            checksum(horse)
            frame_sum(image, 29)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(12):
            in_child(lambda: frame_sum(image, 11) == expected)
    finally:
        stop.set()
        for thread in threads:
            thread.join()


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_gifs_and_frames_go_to_other_processes(horse: Path, method: str) -> None:
    image = gallop.open(horse)
    expected = frame_sum(image, 20)
    context = multiprocessing.get_context(method)
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        assert pool.submit(frame_sum, image, 20).result(WAIT) == expected
        # A frame comes back by its pixels.
        frame = pool.submit(image.__getitem__, 20).result(WAIT)
    assert int(numpy.sum(frame.array, dtype=numpy.int64)) == expected


def test_workers_of_a_data_loader(horse: Path) -> None:
    data = pytest.importorskip("torch.utils.data")
    image = gallop.open(horse)
    loader = data.DataLoader(FramesOf(image), batch_size=5, num_workers=2)
    sums = [int(total) for batch in loader for total in batch]
    assert sums == [frame_sum(image, index) for index in range(30)]


class FramesOf:
    """A data set as PyTorch wants one: the sum of each frame's pixels."""

    def __init__(self, gif: gallop.GIF) -> None:
        self.gif = gif

    def __len__(self) -> int:
        return len(self.gif)

    def __getitem__(self, index: int) -> int:
        return frame_sum(self.gif, index)


# ---- Interrupts

# A shell has what it starts in the background ignore interrupts, and Python keeps to that.
INTERRUPTIBLE = "signal.signal(signal.SIGINT, signal.default_int_handler)"

INTERRUPTED = f"""
import gallop, os, signal, threading, time
from conftest import slow
{INTERRUPTIBLE}
image = gallop.open(slow(4000, 3000))

def interrupt_after_some_decoding():
    begin = time.process_time()
    while time.process_time() - begin < 0.5:
        pass
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)

sent = []
threading.Thread(target=interrupt_after_some_decoding, daemon=True).start()
try:
    {{work}}
    print("not interrupted")
except KeyboardInterrupt:
    print("interrupted", round((time.monotonic() - sent[0]) * 1000))
assert image[3].index == 3
"""


@pytest.mark.parametrize(
    "work",
    [
        "image[2999]",
        "image.decode(frames=[2999], size=(8, 8))",
        "sum(1 for _ in image)",
        "list(gallop.decode_many([image, image], size=(1, 1)))",
    ],
)
def test_ctrl_c_ends_a_long_decode(work: str) -> None:
    outcome = subprocess.run(
        [sys.executable, "-c", INTERRUPTED.replace("{work}", work)],
        capture_output=True,
        text=True,
        timeout=WAIT,
        cwd=Path(__file__).parent,
    )
    words = outcome.stdout.split()
    assert words[:1] == ["interrupted"], outcome.stdout + outcome.stderr
    # How long it took depends on the machine, so it is printed and not judged: 3,000 such frames take a minute.
    print(f"{work}: interrupted after {words[1]} ms")


IN_FINALIZER = f"""
import os, signal, time
from gallop._handles import Owned
{INTERRUPTIBLE}

def release(value):
    calls.append(value)
    if len(calls) == 1:
        os.kill(os.getpid(), signal.SIGINT)

calls = []
owned = Owned(7, release)
try:
    del owned
    time.sleep(20)
    print("not interrupted")
except KeyboardInterrupt:
    print("interrupted", calls)
"""


def test_ctrl_c_while_an_object_is_released_is_not_lost() -> None:
    outcome = subprocess.run(
        [sys.executable, "-c", IN_FINALIZER], capture_output=True, text=True, timeout=WAIT, cwd=Path(__file__).parent
    )
    # Released once more, as the interrupt may have come before the library was called.
    assert outcome.stdout == "interrupted [7, 7]\n", outcome.stdout + outcome.stderr
    assert outcome.stderr == ""


def test_ctrl_c_while_a_pipe_waits_for_its_writer(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    program = f"""
import gallop, os, signal, threading
{INTERRUPTIBLE}
# Its other end is open, and writes nothing.
keep = os.open({str(pipe)!r}, os.O_RDWR)
def interrupt():
    # The call has begun when it has its helper thread.
    while not any(thread.name == "gallop" for thread in threading.enumerate()):
        pass
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt, daemon=True).start()
try:
    gallop.open({str(pipe)!r})
except KeyboardInterrupt:
    print("interrupted")
"""
    outcome = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=WAIT)
    assert outcome.stdout == "interrupted\n", outcome.stderr


# ---- The end of the interpreter


@pytest.mark.parametrize(
    "program",
    [
        "keep = gallop.open(path); frames = [frame.array for frame in keep]",
        "global_iterator = iter(gallop.open(path)); next(global_iterator)",
        "items = gallop.decode_many([path] * 50); next(items)",
        "import threading\ndef work():\n    for _ in range(200):\n        list(gallop.open(path))\n"
        "threading.Thread(target=work, daemon=True).start()",
        "import sys; sys.exit(0 if gallop.open(path)[3].array.any() else 3)",
    ],
)
def test_the_interpreter_ends_quietly(horse: Path, program: str) -> None:
    code = f"import gallop\npath = {str(horse)!r}\n{program}"
    outcome = subprocess.run([sys.executable, "-X", "dev", "-c", code], capture_output=True, text=True, timeout=WAIT)
    assert (outcome.returncode, outcome.stderr) == (0, "")
