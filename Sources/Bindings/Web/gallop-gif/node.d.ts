import type { GIF } from "./decoded.js";
import type { Engine, Limits } from "./engine.js";

export { GIF } from "./decoded.js";
export type { Frame } from "./decoded.js";
export { Engine, GallopError } from "./engine.js";

export function loadEngine(wasm?: string | URL | BufferSource): Promise<Engine>;

/**
 * A path, a URL (`file:`, `http:`, `https:`, `data:`, `blob:`), the bytes, a Response, or pieces, as from a stream. Any
 * other value is a TypeError. A file without frames is a GallopError with the code `noFrames`.
 */
export function openGIF(
  input: string | URL | Response | ArrayBuffer | ArrayBufferView | Blob
    | AsyncIterable<Uint8Array | ArrayBuffer> | Iterable<Uint8Array | ArrayBuffer>,
  options?: { limits?: Limits; engine?: Engine },
): Promise<GIF>;
