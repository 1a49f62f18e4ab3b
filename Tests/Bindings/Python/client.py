"""A program that uses the package with types: mypy in its strict mode must find nothing here."""

from __future__ import annotations

import asyncio

import gallop
import numpy
import numpy.typing


def pixels(path: str) -> numpy.typing.NDArray[numpy.uint8]:
    with gallop.open(path) as gif:
        for frame in gif:
            seconds: float = frame.delay
            status: gallop.FrameStatus = frame.status
            print(frame.index, seconds, status, frame.rect.width, frame.array[0, 0])
        last: gallop.Frame = gif[-1]
        some: list[gallop.Frame] = gif[2:4]
        print(last, some, gif.thumbnail((9, 9)).array.shape, gif.plays)
        return gif.decode(size=(96, 0), frames=slice(None, None, 2), format="bgra")


def training(paths: list[str], numbers: numpy.typing.NDArray[numpy.int64]) -> numpy.typing.NDArray[numpy.uint8]:
    for batch in gallop.clips(paths, 8, frames=4, fit="contain", progress=print):
        reasons: list[Exception] = [error for error in batch.errors if error is not None]
        print(reasons, batch.frames[0, 0], batch.statuses[0])
    for item in gallop.decode_many(paths, frames=lambda path: [0, len(str(path))], format="rgb", layout="TCHW"):
        print(item.indices.tolist())
    gif = gallop.open(paths[0])
    print(gif.decode(frames=numbers), gif[numbers[0]], gif[numpy.int32(2)], gif.decode(frames=gif.indices(3)), gif.clip(fps=5, out=gif.clip()))
    return gif.clip(8, size=(64, 64), format=gallop.PixelFormat.GRAY)


def errors(paths: list[str]) -> list[str]:
    return [str(item.error) for item in gallop.decode_many(paths, jobs=2) if item.error is not None]


async def play(path: str) -> None:
    gallop.Player(path, pace=2).close()  # type: ignore[call-arg]
    with gallop.Player(path, rate=2, mode=gallop.PlaybackMode.BOUNCE, range=range(2, 9)) as player:
        player.on_loop(lambda loop: print(loop.count))
        player.play()
        async for change in player:
            index: int = change.current_frame_index
            if index > 3:
                break
        async for event in player.events():
            if isinstance(event, gallop.Failure):
                print(event.error.code, event.error.offset)


def main() -> None:
    try:
        print(pixels("horse.gif").shape, errors(["horse.gif"]))
        asyncio.run(play("horse.gif"))
    except gallop.GIFError as error:
        code: str = error.code
        print(code, error.frame, error.offset, error.path)
