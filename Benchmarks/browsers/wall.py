"""The wall that all players play: which GIF is in which tile, as bytes and as a page. No process, no clock."""

from __future__ import annotations

import hashlib
import json
import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

PAGE = """<!doctype html>
<meta charset="utf-8">
<title>wall</title>
<style>
body { margin: 0; background: #fff; overflow: hidden }
main { display: grid; grid-template-columns: repeat(COLUMNS, WIDTHpx); grid-auto-rows: HEIGHTpx }
main > * { display: block; width: WIDTHpx; height: HEIGHTpx }
</style>
<main></main>
HEAD<script>
"use strict";
const wall = (() => {
  const tile = { width: WIDTH, height: HEIGHT };
  for (const address of ADDRESSES) {
    const image = document.createElement("TAG");
    image.setAttribute("autoplay", "");
    image.setAttribute("src", address);
    document.querySelector("main").append(image);
  }
  const images = [...document.querySelector("main").children];
  const isComplete = (image) => image.complete ?? (image.readyState === 4 || image.error !== null);

  /* A number for what is in each tile of a screenshot (FNV-1a over its pixels). */
  async function digests(address) {
    const bitmap = await createImageBitmap(await (await fetch(address)).blob());
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(bitmap, 0, 0);
    return images.map((image) => {
      const { x, y } = image.getBoundingClientRect();
      const pixels = new Uint32Array(context.getImageData(x, y, tile.width, tile.height).data.buffer);
      return pixels.reduce((hash, pixel) => Math.imul(hash ^ pixel, 16777619) >>> 0, 2166136261);
    });
  }

  return {
    /* How far loading has come, and whether all tiles lie within the window. */
    state() {
      const boxes = images.map((image) => image.getBoundingClientRect());
      return JSON.stringify({
        complete: images.filter(isComplete).length,
        broken: images.filter((image) => isComplete(image) && image.naturalWidth === 0).length,
        outside: boxes.filter((box) => box.right > innerWidth || box.bottom > innerHeight).length,
        visibility: document.visibilityState,
      });
    },

    /* For each tile: whether the screenshots differ there. */
    async moved(addresses) {
      const shots = [];
      for (const address of addresses) shots.push(await digests(address));
      return JSON.stringify(images.map((_, place) => new Set(shots.map((shot) => shot[place])).size > 1));
    },
  };
})();
</script>
"""


@dataclass(frozen=True)
class WallFile:
    """A GIF that plays forever, and what is known of its playing."""

    name: str
    path: Path
    data: bytes
    delays: Sequence[int]
    """Milliseconds that each frame is shown, as browsers do."""
    rest: float
    """The longest time in seconds that its picture, at the tile's size, stays the same; infinite for one that never
    changes."""

    def rate(self, seconds: float) -> float:
        """Frames a second that begin in any so long part of its playing; no delay is below 20 ms, so that every screen
        of 60 pictures a second can show them."""
        return least_frames(self.delays, seconds) / seconds


@dataclass(frozen=True)
class Wall:
    """So many tiles; the files are taken in turn."""

    files: Sequence[WallFile]
    count: int
    tile: tuple[int, int]
    is_distinct: bool
    """Whether every tile has content of its own: then no player can decode once for several tiles."""

    @property
    def columns(self) -> int:
        return math.ceil(math.sqrt(self.count))

    @property
    def size(self) -> tuple[int, int]:
        return self.columns * self.tile[0], math.ceil(self.count / self.columns) * self.tile[1]

    @property
    def contents(self) -> int:
        """How many different contents there are."""
        return self.count if self.is_distinct else min(self.count, len(self.files))

    @property
    def shown(self) -> Sequence[WallFile]:
        """The files that are on the wall."""
        return self.files[: self.count]

    def file(self, place: int) -> WallFile:
        return self.files[place % len(self.files)]

    def content(self, number: int) -> bytes:
        """The bytes of one of the contents."""
        data = self.file(number).data
        return with_comment(data, f"copy {number}") if self.is_distinct else data

    def rate(self, seconds: float) -> float:
        """Frames a second of the fastest GIF over so much time: a player that draws less often loses frames for certain."""
        return max(file.rate(seconds) for file in self.shown)

    @property
    def shortest_delay(self) -> int:
        """Milliseconds."""
        return min(min(file.delays) for file in self.shown)

    def lively(self, seconds: float) -> list[bool]:
        """For each tile: whether its picture changes at least once in so much time."""
        return [self.file(place).rest <= seconds for place in range(self.count)]

    def page(self, tag: str = "img", head: str = "") -> bytes:
        """The wall as a page; `/tile/N` is the N-th content.

        - tag: the element of a tile
        - head: what the page loads first
        """
        addresses = [f"/tile/{place % self.contents}" for place in range(self.count)]
        text = PAGE.replace("COLUMNS", str(self.columns)).replace("ADDRESSES", json.dumps(addresses))
        text = text.replace("TAG", tag).replace("HEAD", head)
        return text.replace("WIDTH", str(self.tile[0])).replace("HEIGHT", str(self.tile[1])).encode()


def with_comment(data: bytes, text: str) -> bytes:
    """The same GIF with a comment before its first block: other content, the same pictures."""
    if len(data) < 13 or data[:3] != b"GIF":
        raise ValueError("not a GIF")
    colours = data[10]
    start = 13 + (3 << ((colours & 7) + 1) if colours & 0x80 else 0)
    comment = text.encode("ascii")[:255]
    return data[:start] + b"\x21\xfe" + bytes([len(comment)]) + comment + b"\0" + data[start:]


def least_frames(delays: Sequence[int], seconds: float) -> int:
    """Frames of an endless animation that begin within any span of this many seconds: the least number of them."""
    loops, rest = divmod(seconds * 1000, max(1, sum(delays)))
    ends = list(accumulate([*delays, *delays]))
    # The worst span begins just after a frame did, and so ends `rest` later at the latest.
    least = min(bisect_right(ends, start + rest) - index for index, start in enumerate([0, *ends[: len(delays) - 1]]))
    return int(loops) * len(delays) + least


def longest_rest(pictures: Sequence[bytes], delays: Sequence[int]) -> float:
    """The longest time in seconds that an endless animation shows the same picture."""
    marks = [hashlib.blake2b(picture, digest_size=16).digest() for picture in pictures]
    starts = [index for index, mark in enumerate(marks) if mark != marks[index - 1]]
    if not starts:
        return math.inf
    longest = 0
    for start, end in zip(starts, [*starts[1:], starts[0] + len(marks)], strict=True):
        longest = max(longest, sum(delays[index % len(marks)] for index in range(start, end)))
    return longest / 1000
