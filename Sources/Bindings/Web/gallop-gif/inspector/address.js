// The GIF that the page's own address names, as in index.html?src=horse.gif.
import { engineBytes } from "./inside.js";

const UNREADABLE = "It is not there, or its server lets no page of another site read it (CORS).";
const SILENT = "This page sends no requests. Open inspector/index.html of the package, or drop the file here.";

/** The address that the page's own one names; null for none. @param {string} search */
export function addressIn(search) {
  return new URLSearchParams(search).get("src") || null;
}

/** The bytes at an address. Errors say in words why there are none. @param {URL} url */
export async function bytesAt(url) {
  if (engineBytes) throw new Error(SILENT);
  const response = await fetch(url).catch(() => {
    throw new Error(UNREADABLE);
  });
  if (!response.ok) throw new Error(`The server answers with status ${response.status}.`);
  return new Uint8Array(await response.arrayBuffer());
}
