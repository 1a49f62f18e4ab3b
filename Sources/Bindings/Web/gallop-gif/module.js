// Where the compiled module comes from. One fetch and one compilation serve the page.

import { GallopError } from "./protocol.js";

/**
 * Compiles the engine.
 * @param {string | URL | BufferSource | WebAssembly.Module | undefined} source where it is; beside this file if absent
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compileModule(source) {
  if (source instanceof WebAssembly.Module) return source;
  try {
    if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return await WebAssembly.compile(source);
    const response = await fetch(source ?? new URL("./gallop.wasm", import.meta.url));
    if (!response.ok) throw new Error(`HTTP status ${response.status}`);
    // A server that names another content type makes compileStreaming fail after it has read the body.
    if (response.headers.get("Content-Type")?.startsWith("application/wasm")) {
      return await WebAssembly.compileStreaming(response);
    }
    return await WebAssembly.compile(await response.arrayBuffer());
  } catch (error) {
    throw new GallopError("engineUnavailable", { message: `The engine cannot be loaded: ${error.message}.` });
  }
}
