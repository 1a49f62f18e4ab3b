// One image and where its bytes come from; elements with the same source share it.

import { refused, unreadable } from "./errors.js";

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
    /** @type {import("./protocol.js").GallopError | null} */
    this.error = null;
    this.abort = null;
    /** Copies the bytes that the engine has; null before it has all of them. */
    this.held = null;
    if (request.isHanded) this.#answer = new Promise((resolve) => (this.hand = resolve));
  }

  #wanted = null;
  /** The page's answer, where the page has asked for the file. */
  #answer = null;

  /** Takes the page's answer over, if the source waits for it. */
  hand = ({ body }) => {
    body?.cancel().catch(() => {});
  };

  get isComplete() {
    return this.info?.isComplete === true;
  }

  /** Whether a player needs more than the first frame. */
  get isWanted() {
    return this.held !== null || !(this.info?.frameCount > 1)
      || [...this.players].some((player) => !player.isLazy);
  }

  /** Resolves when more of the file is wanted. */
  whenWanted() {
    if (this.isWanted) return Promise.resolve();
    return new Promise((resolve) => (this.#wanted = resolve));
  }

  /** Goes on with the reading if it waits and more is wanted. */
  resume() {
    if (!this.#wanted || !this.isWanted) return;
    this.#wanted();
    this.#wanted = null;
  }

  /**
   * The bytes in pieces, as they arrive; those of a complete file come from memory.
   * @param {RequestCache} cache
   */
  async *pieces(cache = "default") {
    this.abort?.abort();
    const abort = new AbortController();
    this.abort = abort;
    if (this.held) {
      yield this.held();
      return;
    }
    const reader = (await this.#stream(cache, abort.signal)).getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read().catch(fail);
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
    this.#wanted?.();
    this.#wanted = null;
  }

  async #stream(cache, signal) {
    const { url, blob, credentials = "same-origin" } = this.request;
    if (blob) return blob.stream();
    const answer = this.#answer ?? fetch(url, { credentials, cache, signal }).catch(fail);
    this.#answer = null;
    const response = await answer;
    if (response.failure) throw unreadable(response.failure);
    if (!response.ok) {
      response.body?.cancel().catch(() => {});
      throw refused(response.status);
    }
    return response.body ?? new Blob([]).stream();
  }
}

function fail({ message }) {
  throw unreadable(message);
}
