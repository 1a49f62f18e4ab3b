// Brings the players' frames onto their canvases, and decodes as little as possible for it.

import { LoopStore } from "./loop-store.js";
import { drawSize } from "./surface.js";

/** Draws for all players of a host. */
export class Painter {
  /** What is kept of loops. */
  store = new LoopStore();

  /** The size at which a player's frames are decoded. */
  sizeOf({ source, box }) {
    return drawSize(source.info, box);
  }

  /** Shows a player's frame. */
  draw(engine, { source, surface, frame, box }) {
    if (!surface) return;
    const size = drawSize(source.info, box);
    const way = this.#way(source, surface, size, frame);
    if (way) {
      surface.take(way, frame, realSize(size, source));
      return;
    }
    const picture = engine.draw(source.image, size.width, size.height, frame);
    surface.put(picture, frame);
    this.store.keep(source, size, frame, picture);
  }

  /** Draws a player's next frame ahead. */
  prepare(engine, player) {
    const { width, height } = this.sizeOf(player);
    engine.prepare(player.source.image, width, height, player.answer.next);
  }

  /** Whether a player's next frame is still to be decoded. */
  mustPrepare(player) {
    const { source, surface, answer } = player;
    if (!surface || !(answer?.next >= 0)) return false;
    return this.#way(source, surface, this.sizeOf(player), answer.next) === null;
  }

  /** The parts of kept pictures that bring a canvas of the right size to a frame; null if it must be decoded. */
  #way(source, surface, size, frame) {
    return this.store.way(source, size, surface.shownAt(realSize(size, source)), frame);
  }

  /** Shows a player's frame again if it is seen at another size now. */
  resize(engine, player, box) {
    const before = this.sizeOf(player);
    player.box = box;
    const { width, height } = this.sizeOf(player);
    if (width === before.width && height === before.height) return;
    this.store.evict(player.source, [...player.source.players].map((other) => this.sizeOf(other)));
    this.draw(engine, player);
  }
}

/** Zeros stand for the GIF's own size. */
function realSize(size, { info }) {
  return size.width > 0 ? size : info;
}
