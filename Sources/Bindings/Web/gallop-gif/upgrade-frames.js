// The frames of one GIF as pictures for an image element. The engine is loaded when a frame after the first is wanted.

/** A GIF whose bytes the page has. */
export class Frames {
  #bytes;
  #scan;
  #opening = null;
  #isClosed = false;
  /** What images share: stills by their frames, and the animation by its plays. @type {Map<number, Shown>} */
  #shared = new Map();

  /** @param {Uint8Array} bytes @param {ReturnType<import("./upgrade-bytes.js").scanGIF>} scan */
  constructor(bytes, scan) {
    this.#bytes = bytes;
    this.#scan = scan;
    /** What the engine knows, once it has read the file. @type {object | undefined} */
    this.opened = undefined;
    /** Plays in all. */
    this.plays = scan.plays;
    this.width = bytes[6] | (bytes[7] << 8);
  }

  /** Lets the engine read the file. Resolves with null where there is no engine, or where it refuses the file. */
  open() {
    this.#opening ??= this.#open().catch(() => null);
    return this.#opening;
  }

  async #open() {
    const { openInEngine } = await import("./upgrade-engine.js");
    const opened = await openInEngine(this.#bytes, () => (this.#opening = null));
    if (this.#isClosed) opened.close();
    this.plays = opened.plays;
    return (this.opened = opened);
  }

  /**
   * The animation from its beginning. What plays for ever is shared by the images that begin at once.
   * @param {number} [plays]
   * @param {boolean} [mayJoin] whether an animation that runs already will do, as it does for images of one address
   * @returns {Promise<Shown>}
   */
  moving(plays = this.plays, mayJoin = true) {
    const make = () => this.#fileWith(plays);
    if (plays < Infinity) return new Shown(make()).take();
    const running = this.#shared.get(plays);
    if (!running?.isYoung && !(mayJoin && running?.startedAt < Infinity)) this.#shared.delete(plays);
    return this.#take(plays, make);
  }

  async #fileWith(plays) {
    const { loopAt, plays: own } = this.#scan;
    let bytes = this.#bytes;
    if (plays !== own && loopAt >= 0) bytes = (await import("./upgrade-plays.js")).withPlays(bytes, loopAt, plays);
    return new Blob([bytes], { type: "image/gif" });
  }

  /** One frame as a picture. @returns {Promise<Shown>} */
  still(frame) {
    return this.#take(frame, () => this.#draw(frame));
  }

  #take(key, make) {
    if (!this.#shared.get(key)?.users) this.#shared.set(key, new Shown(make()));
    return this.#shared.get(key).take();
  }

  async #draw(frame) {
    const canvas = document.createElement("canvas");
    const captured = frame > 0 ? await (await this.open())?.capture(frame) : null;
    // What browsers draw of an animated image is its first frame.
    const moving = captured ? null : await this.moving();
    const picture = captured ?? moving.picture;
    Object.assign(canvas, { width: picture.width, height: picture.height });
    canvas.getContext("2d").drawImage(picture, 0, 0);
    moving?.release();
    return blobOf(canvas);
  }

  close() {
    this.#isClosed = true;
    this.#opening?.then((opened) => opened?.close());
  }
}

/** Whether the page's policy lets it show pictures of its own. */
export function mayShowPictures() {
  return new Shown(blobOf(document.createElement("canvas"))).take().then((shown) => !shown.release(), () => false);
}

const blobOf = (canvas) => new Promise((resolve) => canvas.toBlob(resolve));

/** An address that the browser has decoded: it can be shown without a gap. Browsers decode once for all that show it. */
export class Shown {
  #ready;
  /** The images in sight that show it. */
  #seen = new Set();
  users = 0;
  /** When an animation has begun; Infinity once no image has been in sight, as browsers differ in what they do then. */
  startedAt = Infinity;
  /** Whether its first paint is yet to come. */
  isYoung = true;

  /** @param {Blob | Promise<Blob>} blob */
  constructor(blob) {
    this.#ready = this.#decode(blob);
  }

  async #decode(blob) {
    try {
      this.picture = new Image();
      this.picture.src = this.url = URL.createObjectURL(await blob);
      await this.picture.decode();
      return this;
    } catch (error) {
      // What fails is made anew when it is wanted again.
      this.users = 1;
      this.release();
      throw error;
    }
  }

  /** Each user releases it once. @returns {Promise<Shown>} */
  take() {
    this.users += 1;
    return this.#ready;
  }

  release() {
    this.users -= 1;
    if (this.users) return;
    URL.revokeObjectURL(this.url);
    this.picture = null;
  }

  /** Notes which images are in sight. */
  see(image, isSeen) {
    this.#seen[isSeen ? "add" : "delete"](image);
    if (!this.#seen.size) this.startedAt = Infinity;
  }

  /** Its time begins, until it has been painted. */
  start(isPainted) {
    if (this.isYoung && this.#seen.size) this.startedAt = performance.now();
    this.isYoung &&= !isPainted;
  }
}
