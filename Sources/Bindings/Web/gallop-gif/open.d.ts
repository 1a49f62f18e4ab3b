import type { GIF } from "./decoded.js";
import type { Engine, Limits } from "./engine.js";

export { GIF } from "./decoded.js";
export type { Frame } from "./decoded.js";
export { Engine, GallopError } from "./engine.js";

/** An engine of its own, in the thread that asks for it. */
export function loadEngine(wasm?: string | URL | BufferSource | WebAssembly.Module): Promise<Engine>;

/** Names another place for the module than beside open.js. It counts before the first GIF. */
export function useModule(wasm: string | URL | BufferSource | WebAssembly.Module): void;

/** An address, bytes, or what delivers bytes. A file without frames is a GallopError with the code `noFrames`. */
export function openGIF(
  input: string | URL | Request | Response | ArrayBuffer | ArrayBufferView | Blob | ReadableStream<Uint8Array>
    | AsyncIterable<Uint8Array | ArrayBuffer> | Iterable<Uint8Array | ArrayBuffer>,
  options?: { limits?: Limits; engine?: Engine },
): Promise<GIF>;
