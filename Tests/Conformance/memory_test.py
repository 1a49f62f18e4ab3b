#!/usr/bin/env python3
"""Measures how much memory a built gallop takes for input that arrives: a large pipe, and an endless HTTP body.

    memory_test.py PATH/TO/gallop

Exit status 1 where it is more than what came, a tenth of that, and what the program takes for itself.
"""

import http.server
import os
import subprocess
import sys
import threading

MEBIBYTE = 1 << 20
# What the program takes with a small GIF, with room.
OWN = 48 * MEBIBYTE
PIPE = 150 * MEBIBYTE
# The limit of a load over HTTP: GIFLoader.Options.byteLimit.
HTTP_LIMIT = 256 * MEBIBYTE

HEADER = b"GIF89a" + bytes([1, 0, 1, 0, 0x80, 0, 0]) + bytes([255, 0, 0, 0, 0, 255])
FRAME = bytes([0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0])
# A comment without end: blocks of 255 bytes.
BLOCKS = (bytes([255]) + bytes([0x61]) * 255) * 4096


def peak(process):
    """Waits for a process; its exit status and largest resident size in bytes."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_maxrss * 1024


def feed(target, count):
    """Writes a GIF of a frame and a long comment; stops where the reader is gone."""
    try:
        target.write(HEADER + FRAME + b"\x21\xfe")
        written = 0
        while count is None or written < count - len(BLOCKS):
            target.write(BLOCKS)
            written += len(BLOCKS)
        target.write(b"\x00\x3b")
        target.flush()
    except (BrokenPipeError, ConnectionResetError):
        pass


def pipe(gallop):
    process = subprocess.Popen(
        [gallop, "info", "--json", "/dev/stdin"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    feed(process.stdin, PIPE)
    process.stdin.close()
    process.stdout.read()
    return peak(process)


class Endless(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        feed(self.wfile, None)

    def log_message(self, *_):
        pass


def body(gallop):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Endless)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}/a.gif"
    process = subprocess.Popen([gallop, "info", url], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.read()
    errors = process.stderr.read().decode()
    status, size = peak(process)
    server.shutdown()
    if "too many bytes" not in errors:
        print(f"an endless body ended with: {errors.strip()}")
        return 0, size
    return status, size


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 64
    failed = False
    for name, run, count, wanted in [("pipe", pipe, PIPE, 0), ("endless body", body, HTTP_LIMIT, 1)]:
        status, size = run(sys.argv[1])
        allowed = count * 11 // 10 + OWN
        is_good = status == wanted and size <= allowed
        failed = failed or not is_good
        print(
            f"{'ok' if is_good else 'FAILED'} {name}: {size / MEBIBYTE:.0f} MiB resident for "
            f"{count / MEBIBYTE:.0f} MiB, {allowed / MEBIBYTE:.0f} allowed, status {status}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
