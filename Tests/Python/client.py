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


def errors(paths: list[str]) -> list[str]:
    return [str(item.error) for item in gallop.decode_many(paths, jobs=2) if item.error is not None]


async def play(path: str) -> None:
    with gallop.Player(path, rate=2, mode=gallop.PlaybackMode.BOUNCE) as player:
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
