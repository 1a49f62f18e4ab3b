// Loads what judges flashes. Bundlers find both files by their addresses and copy them as they are: many of them cannot
// split what a worker loads later.

/** @returns {Promise<typeof import("./flashes.js")>} */
export async function loadFlashes() {
  const flashes = await import(/* webpackIgnore: true */ /* @vite-ignore */ new URL("./flashes.js", import.meta.url).href);
  flashes.findBeside(new URL("./flashes.wasm", import.meta.url));
  return flashes;
}
