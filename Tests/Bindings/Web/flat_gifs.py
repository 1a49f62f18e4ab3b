"""GIFs whose frames are one colour each, so that a picture tells which frame it shows."""

from __future__ import annotations

from collections.abc import Sequence

from galloptools.gif.pieces import TRAILER, control, image, loop, screen


def colour(frame: int) -> int:
    """The colour of a frame, 0xRRGGBB: the red part counts in steps of 20."""
    return (20 + 20 * frame) << 16 | 0x40 << 8 | (220 - 20 * frame)


def flat_gif(delays: Sequence[int], width: int = 120, height: int = 80, loops: int | None = 0) -> bytes:
    """A frame for each delay, in hundredths of a second. `loops` is the count in the file; None leaves it out."""
    frames = [
        control(delay=delay) + image(0, 0, width, height, [0] * (width * height), [colour(number), 0])
        for number, delay in enumerate(delays)
    ]
    return screen(width, height) + (b"" if loops is None else loop(loops)) + b"".join(frames) + TRAILER
