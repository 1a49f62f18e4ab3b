// What the engine knows of a GIF of the page; it is loaded with the engine, where a frame after the first is wanted.

import { client } from "./gallop.js";
import "./index.js";

/**
 * Lets the engine read a file.
 * @param {Uint8Array} bytes
 * @param {() => void} lost is called where the engine's worker has ended
 * @returns {Promise<{delays: number[], plays: number, capture: (frame: number) => Promise<ImageData>,
 *   close: () => void}>}
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
        resolve({
          delays: message.delays,
          plays: message.info.plays,
          async capture(frame) {
            const { pixels, width, height } = await player.ask("capture", frame);
            return new ImageData(pixels, width, height);
          },
          close: () => player.close(),
        });
      }
    });
  });
}
