// The page's side of the engine: one host for the page, in a worker where there are workers.

import { decodeFirst } from "./first-frame.js";
import { compileModule } from "./module.js";
import { GallopError } from "./protocol.js";
import { keyOf } from "./source.js";

// A worker that keeps ending is not tried for ever.
const MOST_WORKERS = 3;
/** Elements of a page in which the browser shows first frames while the engine starts; more cost 15 MB in Chromium. */
const MOST_FIRST = 16;
/** Milliseconds for which the engine's start waits for them: a file from afar takes longer than the processor is busy. */
const FIRST_MS = 60;

/**
 * @typedef {object} Configuration
 * @property {number} [budget] bytes for canvases and files of the whole page
 * @property {string | URL | BufferSource | WebAssembly.Module} [wasm] the module, if it is not beside this file
 * @property {boolean | string | URL | (() => Worker)} [worker] false keeps the engine in the page; an address replaces
 *   worker.js, a function makes the worker
 * @property {string | URL | BufferSource | WebAssembly.Module} [flashes] the module that judges flashes, if it is not there
 * @property {object} [limits] what a file may ask for: streamBytes, canvasPixels, frames, decodedBytes, totalPixels
 */

/** The page's one connection to its host. */
class Client {
  /** @type {Configuration} */
  #settings = {};
  #port = null;
  #workers = 0;
  #listeners = new Map();
  #replies = new Map();
  #count = 0;
  /** Whether the host is there; until then the page asks for the files itself. */
  #isStarted = false;
  /** The answers that the host is to take over. @type {Map<string, {response: Promise<object>, first?: Promise<object>}>} */
  #early = new Map();
  #firstCount = 0;
  /** Makes a worker; index.js sets it. @type {(address: Configuration["worker"]) => Worker} */
  makeWorker;

  /** @param {Configuration} settings */
  configure(settings) {
    Object.assign(this.#settings, settings);
    this.#port?.then((port) => port.post(this.#configuration));
  }

  get #configuration() {
    const { budget, limits, flashes } = this.#settings;
    return { op: "configure", budget, limits, flashes: resolved(flashes) };
  }

  /** The way to the host; starts it when it is asked for first. */
  port() {
    this.#port ??= this.#start().catch((error) => {
      this.#port = null;
      this.#forgetEarly();
      throw error;
    });
    return this.#port;
  }

  /**
   * Asks for a file while the host starts: one wait less for the first GIFs of a page.
   * @param {FirstFrame | false} first what shows its first frame, where that is wanted
   * @returns {Promise<ImageBitmap | null | undefined>} its first frame, where that is wanted and the browser decodes it
   */
  async fetchEarly(request, first) {
    if (this.#isStarted || !request.url || !canSendStreams()) return null;
    const key = keyOf(request);
    let early = this.#early.get(key);
    if (!early) {
      const response = fetch(request.url, { credentials: request.credentials }).catch(({ message }) => ({ failure: message }));
      this.#early.set(key, (early = { response }));
    }
    // Before the answer goes to the host: elements with one source share the frame. Of many elements the engine fills all
    // sooner than the browser fills some: both would take the processor. An element that asks again keeps its place.
    if (!first || (first.place ??= (this.#firstCount += 1)) > MOST_FIRST) return null;
    return early.first ??= early.response.then((response) => (
      this.#firstCount > MOST_FIRST ? null : decodeFirst(response, this.#settings.limits?.canvasPixels)));
  }

  #forgetEarly() {
    for (const { response } of this.#early.values()) response.then(({ body }) => body?.cancel()).catch(() => {});
    this.#early.clear();
  }

  /** Has the host wait for an answer that is on its way; returns the request for it. */
  #handOver(port, request) {
    const key = keyOf(request);
    const early = this.#early.get(key);
    if (!early) return request;
    this.#early.delete(key);
    early.response.then(({ ok, status, body, failure }) => (
      port.post({ op: "answer", key, ok, status, body, failure }, port.isWorker && body ? [body] : [])));
    return { ...request, isHanded: true };
  }

  /**
   * Opens a player. Its messages go to `listener`, until it is closed.
   * @param {{post: Function}} port
   * @param {object} player request, canvas or canvasOf, options, box, isVisible, isWatched
   * @param {(message: object) => void} listener
   */
  open(port, player, listener) {
    const id = (this.#count += 1);
    this.#listeners.set(id, listener);
    const request = player.request.url ? this.#handOver(port, player.request) : player.request;
    port.post({ op: "open", id, ...player, request }, port.isWorker && player.canvas ? [player.canvas] : []);
    let ack = 0;
    const send = (op, values) => this.#listeners.has(id) && port.post({ op, id, ...values });
    return {
      id,
      port,
      send,
      command: (command, a, b) => {
        ack += 1;
        send("command", { command, a, b, ack });
        return ack;
      },
      ask: (question, ...values) => this.#ask(port, { id, question, values }),
      /** Ends the player. Its canvas stays for the next player of the element if that is to follow. */
      close: (isCanvasKept = false) => {
        port.post({ op: "close", id, isCanvasKept });
        this.#listeners.delete(id);
      },
    };
  }

  /** Figures of the engine. */
  async statistics() {
    const port = await this.port();
    return { ...(await this.#ask(port, { question: "statistics" })), isWorker: port.isWorker };
  }

  #ask(port, question) {
    const ticket = (this.#count += 1);
    return new Promise((resolve, reject) => {
      this.#replies.set(ticket, { resolve, reject });
      port.post({ op: "ask", ticket, ...question });
    });
  }

  async #start() {
    // By then all elements of a page have asked.
    await null;
    // The browser's own first frames, which need the processor less long than a worker that starts.
    if (this.#firstCount <= MOST_FIRST) {
      const late = new Promise((resolve) => setTimeout(resolve, FIRST_MS));
      for (const { first } of this.#early.values()) await Promise.race([first, late]);
    }
    const port = (await this.#startWorker()) ?? (await this.#startInPage());
    this.#isStarted = true;
    // What no element has taken by then is wanted no more.
    setTimeout(() => this.#forgetEarly());
    port.post(this.#configuration);
    const hide = () => port.post({ op: "page", isHidden: document.hidden });
    document.addEventListener("visibilitychange", hide);
    if (document.hidden) hide();
    return port;
  }

  /** A host in a worker; null where there can be none. */
  #startWorker() {
    const canDraw = globalThis.HTMLCanvasElement?.prototype.transferControlToOffscreen;
    if (this.#settings.worker === false || !canDraw || this.#workers >= MOST_WORKERS) return null;
    this.#workers += 1;
    return new Promise((resolve) => {
      let isReady = false;
      let worker;
      try {
        worker = this.makeWorker(this.#settings.worker);
      } catch {
        resolve(null);
        return;
      }
      worker.onmessage = ({ data }) => {
        if (isReady) {
          this.#receive(data);
          return;
        }
        isReady = true;
        resolve({ isWorker: true, post: (message, transfers = []) => worker.postMessage(message, transfers) });
      };
      worker.onerror = (event) => {
        event.preventDefault();
        worker.terminate();
        if (isReady) this.#lose();
        else resolve(null);
      };
      worker.postMessage({ op: "start", wasm: this.#wasm, isHanded: true });
      // At the same time as the worker's own file.
      compileModule(this.#wasm).catch(() => null).then((module) => worker.postMessage({ op: "module", module }));
    });
  }

  async #startInPage() {
    const { serve } = await import("./worker.js");
    const far = { postMessage: (messages) => queueMicrotask(() => this.#receive(messages)) };
    serve(far);
    const post = (data) => far.onmessage({ data });
    post({ op: "start", wasm: this.#wasm });
    return { isWorker: false, post };
  }

  get #wasm() {
    return resolved(this.#settings.wasm);
  }

  #receive(messages) {
    for (const message of messages) {
      if (message.kind === "reply") this.#reply(message);
      else if (message.kind === "judge") {
        // Without the module nothing can judge.
        import("./judge.js").then(({ judge }) => judge(() => this.makeWorker(this.#settings.worker), message))
          .catch(() => message.port?.postMessage(null));
      } else this.#listeners.get(message.id)?.(message);
    }
  }

  #reply({ ticket, value, error }) {
    const reply = this.#replies.get(ticket);
    this.#replies.delete(ticket);
    if (error) reply?.reject(new GallopError(error.code, error));
    else reply?.resolve(value);
  }

  /** After the end of a worker every player starts over in another one. */
  #lose() {
    this.#port = null;
    this.#isStarted = false;
    const listeners = [...this.#listeners.values()];
    this.#listeners.clear();
    for (const { reject } of this.#replies.values()) reject(new GallopError("engineTrap", { message: "The engine stopped." }));
    this.#replies.clear();
    for (const listener of listeners) listener({ kind: "lost" });
  }
}

/** An address as the page means it; modules and bytes as they are. */
function resolved(place) {
  return typeof place === "string" || place instanceof URL ? new URL(place, document.baseURI).href : place;
}

/** Whether the bytes of an answer can go to a worker as they arrive. */
function canSendStreams() {
  try {
    const stream = new ReadableStream();
    structuredClone(stream, { transfer: [stream] });
    return true;
  } catch {
    return false;
  }
}

export const client = new Client();
