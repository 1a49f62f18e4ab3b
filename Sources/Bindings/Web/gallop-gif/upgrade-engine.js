// What the engine knows of a GIF of the page; it is loaded with the engine, where a frame after the first is wanted.

import { client } from "./gallop.js";
import "./index.js";

const TURN = 8;
/** @type {Map<number, Promise<void>>} */
const turns = new Map();

/** Waits for an instant. What is due at nearly the same goes on in one go: browsers then lay out once for all images. */
function until(instant) {
  const turn = Math.ceil(instant / TURN) * TURN;
  if (!turns.has(turn)) {
    turns.set(turn, new Promise((resolve) => setTimeout(() => {
      turns.delete(turn);
      resolve();
    }, turn - performance.now())));
  }
  return turns.get(turn);
}

/**
 * Lets the engine read a file.
 * @param {Uint8Array} bytes
 * @param {() => void} lost is called where the engine's worker has ended
 * @returns {Promise<Opened>}
 */
export async function openInEngine(bytes, lost) {
  const port = await client.port();
  return new Promise((resolve, reject) => {
    const player = client.open(port, { request: { blob: new Blob([bytes]) }, isVisible: false }, (message) => {
      if (message.kind === "error") {
        player.close();
        reject(message);
      } else if (message.kind === "lost") {
        lost();
        reject(message);
      } else if (message.kind === "info" && message.delays) {
        resolve(new Opened(player, message.delays, message.info.plays));
      }
    });
  });
}

/** A file that the engine has read. */
class Opened {
  #player;
  #delays;

  /** @param {object} player @param {number[]} delays milliseconds of each frame @param {number} plays in all */
  constructor(player, delays, plays) {
    this.#player = player;
    this.#delays = delays;
    this.plays = plays;
    this.frameCount = delays.length;
    /** Milliseconds of a loop. */
    this.length = delays.reduce((sum, delay) => sum + delay, 0);
  }

  /** The frame that is shown after some milliseconds. */
  frameAfter(elapsed) {
    let left = elapsed % this.length;
    return this.#delays.findIndex((delay) => (left -= delay) < 0);
  }

  /** A frame as a picture. */
  async capture(frame) {
    const { pixels, width, height } = await this.#player.ask("capture", frame);
    return createImageBitmap(new ImageData(pixels, width, height));
  }

  /**
   * Shows the rest of a loop frame by frame; whether it comes to the end.
   * @param {number} frame the one that is shown
   * @param {(frame: number) => Promise<object>} stillOf
   * @param {(frame: number, still: object | null) => boolean} show gets no still at the end; false ends it
   */
  async playRest(frame, stillOf, show) {
    for (let due = performance.now(); frame < this.frameCount; ) {
      due = Math.max(performance.now(), due + this.#delays[frame]);
      frame += 1;
      const still = frame < this.frameCount ? await stillOf(frame) : null;
      await until(due);
      if (!show(frame, still)) return false;
    }
    return true;
  }

  close() {
    this.#player.close();
  }
}
