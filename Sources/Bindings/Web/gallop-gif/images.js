// The images of a host, and the engine that holds them.

import { Engine, EngineTrap, GallopError } from "./engine.js";
import { engineError } from "./errors.js";
import { isMostlyEmpty, moveImages, trim } from "./memory.js";
import { ImageSource } from "./source.js";

const NO_FIGURES = { images: 0, players: 0, renderers: 0, canvasBytes: 0, compressedBytes: 0, decodes: 0, memoryBytes: 0 };

// Bytes of files that are kept without a player.
const MOST_UNUSED = 8 << 20;

/** Reads images into one engine, replaces an engine that has trapped, and gives memory back. */
export class Images {
  /** The engine; null before the first image, and while a fresh one starts. */
  engine = null;
  #starting = null;
  #sources = new Map();
  /** Those without players, the one left first in front. */
  #unused = new Set();
  #trapped = new Set();
  #limits = {};
  #restarts = 0;
  #isCompacting = false;
  #load;
  #store;
  #largeMemory;
  #observer;

  /**
   * @param {object} parts
   * @param {() => Promise<WebAssembly.Module>} parts.load
   * @param {import("./loop-store.js").LoopStore} parts.store what is kept of the images' loops
   * @param {number} parts.largeMemory bytes of memory that are worth giving back
   * @param {object} parts.observer notified of a source that has `grown`, has `failed`, or `waits` until more of it is
   *   wanted, and of `moved` images, whose players have no handle any more; `settle` after a reading
   */
  constructor({ load, store, largeMemory, observer }) {
    this.#load = load;
    this.#store = store;
    this.#largeMemory = largeMemory;
    this.#observer = observer;
  }

  get limits() {
    return this.#limits;
  }

  /** Sets the limits of images that are read from now on. */
  limit(limits) {
    this.#limits = limits;
  }

  /**
   * The source of a key, if there is one that can be used; from now on it is in use.
   * @param {boolean} [isFresh] whether a file that only waits for elements to come back is to be asked for again
   */
  find(key, isFresh = false) {
    const source = this.#sources.get(key);
    if (isFresh && this.#unused.has(source)) this.#remove(source);
    else if (source && !source.error) {
      this.#unused.delete(source);
      return source;
    }
    return undefined;
  }

  /** Gives a source the page's answer to its request. */
  hand({ key, ...answer }) {
    const source = this.#sources.get(key);
    if (source) source.hand(answer);
    else answer.body?.cancel().catch(() => {});
  }

  add(key, request) {
    const source = new ImageSource(key, request);
    this.#sources.set(key, source);
    return source;
  }

  /** Takes a source without players away. A whole file stays for a while: elements often come back, in another place. */
  leave(source) {
    if (!source.isComplete || source.error || !source.request.url || source.info.byteCount > MOST_UNUSED) {
      this.#remove(source);
      return;
    }
    this.#store.evict(source);
    this.engine?.evict(source.image, 0);
    this.#unused.add(source);
    let excess = -MOST_UNUSED;
    for (const { info } of this.#unused) excess += info.byteCount;
    for (const former of this.#unused) {
      if (excess <= 0) break;
      excess -= former.info.byteCount;
      this.#remove(former);
    }
    this.#shrink();
  }

  #remove(source) {
    source.stop();
    this.#release(source);
    // After an error another try may have its place.
    if (this.#sources.get(source.key) === source) this.#sources.delete(source.key);
    this.#unused.delete(source);
    this.#store.retry();
    this.#shrink();
  }

  // The engine

  /** The engine, started once for all callers. */
  async #ready() {
    if (this.engine) return this.engine;
    const starting = (this.#starting ??= this.#load().then((module) => Engine.create(module)));
    try {
      const engine = await starting;
      if (this.#starting === starting) this.engine = engine;
      return this.engine ?? this.#ready();
    } catch (error) {
      this.#starting = null;
      throw error;
    }
  }

  /** Does work for one image. An error fails that image alone; a trap moves all others to a fresh engine. */
  attempt(source, work) {
    if (!this.engine || source.error) return undefined;
    try {
      return work(this.engine);
    } catch (error) {
      if (error instanceof EngineTrap) this.#renew(source);
      this.fail(source, error);
      return undefined;
    }
  }

  #renew(culprit) {
    this.#restarts += 1;
    this.#trapped.add(culprit.key);
    this.engine = this.#starting = null;
    for (const source of this.#unused) this.#remove(source);
    for (const source of this.#sources.values()) {
      source.stop();
      source.image = 0;
      source.info = null;
      this.#store.evict(source);
      for (const player of source.players) player.leave();
      if (source !== culprit && !source.error) this.read(source, "force-cache");
    }
  }

  /** Ends an image with an error; the first one counts. */
  fail(source, error) {
    if (source.error) return;
    source.error = error instanceof GallopError ? error : new GallopError("internal", { message: String(error) });
    source.stop();
    this.#release(source);
    this.#observer.failed(source);
  }

  /** Takes an image and its players out of the engine. */
  #release(source) {
    const { engine } = this;
    for (const player of source.players) {
      if (engine && player.handle) engine.releasePlayer(player.handle);
      player.leave();
    }
    if (engine && source.image) engine.releaseImage(source.image);
    source.image = 0;
    source.held = null;
    this.#store.evict(source);
  }

  // Reading

  /** Reads an image to its end, and notifies the observer as it grows. */
  async read(source, cache) {
    const pieces = source.pieces(cache);
    // The file and the engine are fetched at the same time.
    const start = pieces.next();
    const { abort } = source;
    try {
      const [first] = await Promise.all([start, this.#ready()]);
      if (abort.signal.aborted) return;
      if (this.#trapped.has(source.key)) throw engineError("engineTrap");
      source.image = this.engine.openImage(this.#limits);
      for (let piece = first; !piece.done; piece = await pieces.next()) {
        if (abort.signal.aborted) return;
        this.#grow(source, (engine) => engine.append(source.image, piece.value));
        if (!source.isWanted) {
          this.#observer.waits(source);
          await source.whenWanted();
        }
      }
      if (abort.signal.aborted) return;
      this.#grow(source, (engine) => {
        engine.finish(source.image);
        source.held = engine.heldFile(source.image);
      });
    } catch (error) {
      if (!abort.signal.aborted) this.fail(source, error);
    } finally {
      pieces.return();
      this.#observer.settle();
    }
  }

  #grow(source, work) {
    this.attempt(source, (engine) => {
      work(engine);
      source.info = engine.info(source.image);
    });
    if (source.info) this.#observer.grown(source);
  }

  // Memory

  /** Keeps the budget: see `trim` in memory.js. */
  trim(rules) {
    if (this.engine) trim(this.engine, this.#store, this.#sources.values(), rules);
  }

  /** Evicts all renderers: they can be made again; without memory nothing can be drawn. */
  evictRenderers() {
    for (const { image } of this.#sources.values()) if (image) this.engine.evict(image, 0);
  }

  /** Gives memory back that no image needs: an instance keeps what it once had. */
  #shrink() {
    if (!this.engine || this.engine.memoryBytes < this.#largeMemory) return;
    if (this.#sources.size === this.#unused.size) {
      this.#sources.clear();
      this.#unused.clear();
      this.engine = this.#starting = null;
    } else if (isMostlyEmpty(this.engine)) this.#compact();
  }

  /** Moves all images to a fresh engine, if all of them are complete. */
  async #compact() {
    if (this.#isCompacting) return;
    this.#isCompacting = true;
    try {
      const old = this.engine;
      const engine = await Engine.create(await this.#load());
      const sources = [...this.#sources.values()].filter(({ error }) => !error);
      if (this.engine !== old || !sources.every(({ held }) => held)) return;
      moveImages(engine, sources, this.#limits);
      this.engine = engine;
      this.#observer.moved();
    } catch {
      // The old engine goes on with all it has.
    } finally {
      this.#isCompacting = false;
    }
  }

  /** Figures of the engine and of what is kept. */
  statistics() {
    const figures = this.engine?.statistics() ?? NO_FIGURES;
    return { ...figures, images: figures.images - this.#unused.size, unusedImages: this.#unused.size,
      storedBytes: this.#store.byteCount, restarts: this.#restarts };
  }
}
