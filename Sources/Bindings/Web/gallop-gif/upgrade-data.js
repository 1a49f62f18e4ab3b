// The bytes of a GIF that stands in its address.

/** A policy may forbid requests to data: addresses that images may have. @param {string} url */
export async function bytesOf(url) {
  const [, base64] = url.split(/^data:image\/gif;base64,/i);
  if (base64) return Uint8Array.from(atob(decodeURIComponent(base64)), (letter) => letter.charCodeAt(0));
  return new Uint8Array(await (await fetch(url)).arrayBuffer());
}
