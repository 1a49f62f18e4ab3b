// One image and where its bytes come from; elements with the same source share it.

import { GallopError } from "./engine.js";

/** What names a source: elements with the same key share the image. */
export function keyOf({ url, blob, credentials }, id) {
  return blob ? `blob ${id}` : `${credentials ?? "same-origin"} ${url}`;
}

/** The bytes of a GIF, as they arrive, and what the engine makes of them. */
export class ImageSource {
  /** @param {string} key @param {{url?: string, blob?: Blob, credentials?: RequestCredentials}} request */
  constructor(key, request) {
    this.key = key;
    this.request = request;
    this.players = new Set();
    /** The engine's handle; 0 before the engine has it. */
    this.image = 0;
    this.info = null;
    /** @type {GallopError | null} */
    this.error = null;
    this.abort = null;
  }

  get isComplete() {
    return this.info?.isComplete === true;
  }

  /**
   * The bytes in pieces, as they arrive.
   * @param {RequestCache} cache
   */
  async *pieces(cache = "default") {
    this.abort?.abort();
    const abort = new AbortController();
    this.abort = abort;
    const reader = (await this.#stream(cache, abort.signal)).getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read().catch(unreadable);
        if (done || abort.signal.aborted) return;
        yield value;
      }
    } finally {
      reader.cancel().catch(() => {});
    }
  }

  /** Ends the reading. */
  stop() {
    this.abort?.abort();
    this.abort = null;
  }

  async #stream(cache, signal) {
    const { url, blob, credentials = "same-origin" } = this.request;
    if (blob) return blob.stream();
    const response = await fetch(url, { credentials, cache, signal }).catch(unreadable);
    if (!response.ok) {
      response.body?.cancel().catch(() => {});
      throw new GallopError("unreadable", { message: `The server answers with status ${response.status}.`,
        value: response.status });
    }
    return response.body ?? new Blob([]).stream();
  }
}

function unreadable(error) {
  throw new GallopError("unreadable", { message: `The file cannot be read: ${error.message}.` });
}
