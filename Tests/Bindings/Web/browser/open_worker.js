// A worker that decodes by itself.

import { openGIF } from "/gallop/open.js";

onmessage = async ({ data: address }) => {
  const gif = await openGIF(address);
  const { width, height, data } = gif.frame(11);
  postMessage({ width, height, data, frames: gif.info.frameCount });
};
