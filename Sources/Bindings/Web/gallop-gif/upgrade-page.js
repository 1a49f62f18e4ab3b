// The images of a page that move, and what the user and the page want of them.

import { onMotionChange, prefersReducedMotion } from "./page.js";
import { LABELS, PauseButton } from "./upgrade-button.js";
import { scanGIF } from "./upgrade-bytes.js";
import { Frames, mayShowPictures } from "./upgrade-frames.js";
import { UpgradedImage } from "./upgrade-image.js";
import { Layer } from "./upgrade-layer.js";

/** Follows the GIFs below one root. */
export class UpgradedPage {
  #options;
  #root;
  #life = new AbortController();
  #layer = new Layer((image, isSeen) => this.#items.get(image)?.item?.see(isSeen));
  /** @type {Map<HTMLImageElement, {url: string, item: UpgradedImage | null, control: object | null,
   *   isReloaded?: boolean, life?: AbortController}>} */
  #items = new Map();
  /** The files by address, as images share them. @type {Map<string, {users: number, frames: Promise<Frames>}>} */
  #files = new Map();
  /** What the page's last pauseAll() or playAll() has asked for. @type {"play" | "pause" | null} */
  #wish = null;
  /** What some policies need. @type {Promise<{follow?: Function, onceLimit?: Function, spotOf?: Function}> | undefined} */
  #needs;
  /** What ends an image's playing by itself, where the policy says so. */
  #onceLimit;
  /** @type {Promise<boolean> | undefined} */
  #mayShow;

  /** @param {import("./upgrade-with.js").UpgradeOptions} options */
  constructor({ root = document, ...options }) {
    this.#root = root;
    this.#options = { controls: "button", motion: "reduced", observe: true, ...options,
      labels: { ...LABELS, ...options.labels } };
    const { signal } = this.#life;
    onMotionChange(() => this.#decideAll(), signal);
    if (this.#options.observe) this.#observe(signal);
    const { motion } = this.#options;
    if (/hover|click|once/.test(motion)) {
      this.#needs = import("./upgrade-motion.js").then((module) => module.needsOf(motion)).catch(reportError);
    }
    const first = new Set(root.querySelectorAll("img"));
    for (const image of first) this.#look(image);
    for (const type of ["load", "error"]) {
      root.addEventListener(type, ({ target }) => {
        if (this.#options.observe || first.has(target)) this.#look(target, true);
      }, { capture: true, signal });
    }
  }

  // Finding

  #observe(signal) {
    const changes = new MutationObserver((records) => {
      for (const { type, target, addedNodes, attributeName } of records) {
        const known = this.#items.get(target);
        if (attributeName === "alt") known?.control?.update();
        else if (type === "attributes") {
          if (known) known.isReloaded = true;
          this.#look(target);
        }
        for (const node of addedNodes) this.#lookBelow(node);
      }
      for (const image of this.#items.keys()) if (!this.#root.contains(image)) this.#leave(image);
    });
    changes.observe(this.#root, { childList: true, subtree: true, attributes: true,
      attributeFilter: ["src", "srcset", "alt"] });
    signal.addEventListener("abort", () => changes.disconnect());
  }

  #lookBelow(node) {
    this.#look(node);
    node.querySelectorAll?.("img").forEach((image) => this.#look(image));
  }

  /** Looks whether an image shows a GIF that moves; it may have been looked at with another address. */
  async #look(image, hasLoaded = false) {
    if (image?.localName !== "img" || !image.complete) return;
    const url = image.naturalWidth ? image.currentSrc || image.src : "";
    const known = this.#items.get(image);
    if (known?.url === url) {
      if (hasLoaded && known.isReloaded) known.item?.restart();
      return;
    }
    if (known) this.#leave(image);
    if (!url || !this.#isWanted(image, url)) return freeIfCopy(image);
    const entry = { url, item: null, control: null };
    this.#items.set(image, entry);
    const frames = await this.#take(image, url);
    await freeIfCopy(image);
    if (this.#items.get(image) === entry && frames !== "still") await this.#begin(image, entry, frames);
  }

  /** Whether an image may be a GIF: others are never fetched, except where the page names them by a selector. */
  #isWanted(image, url) {
    const { selector, skip } = this.#options;
    if (typeof skip === "function" ? skip(image) : skip && image.matches(skip)) return false;
    if (selector) return image.matches(selector);
    return mayBeGIF(url) || performance.getEntriesByName(url).some(({ contentType }) => contentType === "image/gif");
  }

  /** The frames of a file; "still" if it does not move, null if it cannot be read. */
  #take(image, url) {
    const file = this.#files.get(url) ?? { users: 0, frames: read(image, url) };
    file.users += 1;
    this.#files.set(url, file);
    return file.frames;
  }

  async #begin(image, entry, frames) {
    if (!frames && !mayBeGIF(entry.url) && !this.#options.selector) return;
    // Asked once: a policy may report each picture that it refuses.
    const mayShow = frames && await (this.#mayShow ??= mayShowPictures());
    entry.life = new AbortController();
    const changed = () => {
      entry.control?.update();
      this.#layer.move();
    };
    const { follow, onceLimit, spotOf } = (await this.#needs) ?? {};
    const item = await this.#itemOf(image, mayShow ? frames : null, changed);
    const control = await this.#controlOf(item, mayShow, spotOf);
    if (this.#items.get(image) !== entry) {
      control?.leave?.();
      item.leave();
      return;
    }
    Object.assign(entry, { item, control });
    this.#layer.add(image, control);
    image.addEventListener("pointerenter", () => item.prepare(), { signal: entry.life.signal, once: true });
    follow?.(item, control, entry.life.signal, (wish) => this.#ask(item, wish), () => item.wish ?? this.#wish);
    this.#onceLimit = onceLimit;
    // What the browser cannot decode again stays as it is.
    await item.start(this.#mayPlay(item), this.#limitOf(item))
      .catch(() => this.#items.get(image) === entry && this.#drop(image, entry));
  }

  /** What pauses an image, with frames or without; few have a density that makes their size other than the file's. */
  async #itemOf(image, frames, changed) {
    if (!frames) return new (await import("./upgrade-cover.js")).CoveredImage(image, this.#layer, changed);
    const density = image.naturalWidth === frames.width ? null : await import("./upgrade-density.js");
    return new UpgradedImage(image, frames, changed, density?.widthOf);
  }

  async #controlOf(item, hasFrames, spotOf) {
    const { controls, labels } = this.#options;
    if (controls === "none") return null;
    const press = (isForAll) => {
      const wish = item.isPlaying ? "pause" : "play";
      if (isForAll) this.askAll(wish);
      else this.#ask(item, wish);
    };
    if (controls !== "bar" || !hasFrames) return new PauseButton(item, { labels, press, spotOf });
    return new (await import("./upgrade-bar.js")).ScrubBar(item, { labels, press });
  }

  // Motion

  #mayPlay(item) {
    const wish = item.wish ?? this.#wish;
    const { motion } = this.#options;
    return wish ? wish === "play" : motion === "full" || (!/hover|click/.test(motion) && !prefersReducedMotion());
  }

  #limitOf(item) {
    return item.wish || this.#wish ? undefined : this.#onceLimit;
  }

  #decideAll() {
    for (const { item } of this.#items.values()) item?.[this.#mayPlay(item) ? "play" : "pause"](this.#limitOf(item));
  }

  #ask(item, wish) {
    item.wish = wish;
    item[wish]();
  }

  /** Pauses or plays every image, those to come included. @param {"play" | "pause"} wish */
  askAll(wish) {
    this.#wish = wish;
    for (const { item } of this.#items.values()) if (item) item.wish = null;
    this.#decideAll();
  }

  // Leaving

  #drop(image, entry) {
    entry.life?.abort();
    entry.control?.leave?.();
    entry.item?.leave();
    entry.item = entry.control = null;
    this.#layer.remove(image);
  }

  #leave(image) {
    const entry = this.#items.get(image);
    this.#items.delete(image);
    this.#drop(image, entry);
    const file = this.#files.get(entry.url);
    file.users -= 1;
    if (file.users > 0) return;
    this.#files.delete(entry.url);
    file.frames.then((frames) => frames?.close?.());
  }

  leave() {
    this.#life.abort();
    for (const image of this.#items.keys()) this.#leave(image);
    this.#layer.leave();
    this.#root.querySelectorAll("img").forEach(freeIfCopy);
  }
}

/** Scripts of the page may have copied an upgraded image, with what it shows. */
async function freeIfCopy(image) {
  if (/(blob:|-99999px).*!important/.test(image.getAttribute("style"))) {
    (await import("./upgrade-copy.js")).freeCopy(image);
  }
}

const mayBeGIF = (url) => /^(blob:|data:image\/gif)/i.test(url) || /\.gif$/i.test(new URL(url, document.baseURI).pathname);

/** Reads a file as its image was read, from the browser's cache where it is there. */
async function read(image, url) {
  const bytes = await bytesOf(image, url).catch(() => null);
  if (!bytes) return null;
  const scan = scanGIF(bytes);
  return scan.isAnimated ? new Frames(bytes, scan) : "still";
}

async function bytesOf({ crossOrigin, referrerPolicy }, url) {
  if (/^data:/i.test(url)) return (await import("./upgrade-data.js")).bytesOf(url);
  const credentials = crossOrigin === "use-credentials" ? "include" : "same-origin";
  const response = await fetch(url, { credentials, cache: "force-cache", referrerPolicy });
  return response.ok ? new Uint8Array(await response.arrayBuffer()) : null;
}
