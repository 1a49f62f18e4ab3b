// A program for a bundler: the element, the wall and the scrubber, imported by the package's name.

import { GallopGIF, statistics } from "gallop-gif";
import "gallop-gif/scrubber";
import "gallop-gif/wall";

const until = (target, type) => new Promise((resolve) => target.addEventListener(type, resolve, { once: true }));

async function play() {
  const gif = document.createElement("gallop-gif");
  gif.setAttribute("src", "/gifs/thrice.gif");
  document.body.append(gif);
  await until(gif, "loadeddata");
  await gif.play();
  while (gif.currentFrameIndex < 3) await until(gif, "framechange");
  gif.pause();
  const { isWorker, restarts } = await statistics();
  return JSON.stringify({
    frameCount: gif.frameCount,
    isWorker,
    restarts,
    isOneEngine: gif instanceof GallopGIF,
    elements: ["gallop-wall", "gallop-scrubber"].filter((name) => customElements.get(name)).length,
  });
}

globalThis.harness = { play };
