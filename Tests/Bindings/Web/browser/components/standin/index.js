// A <gallop-gif> without an engine: it loads when a test says so, and counts its calls.

export class StandInGif extends HTMLElement {
  static observedAttributes = ["src"];
  /** Every element that has been in the page, so that a test sees which are gone. */
  static made = new Set();
  paused = true;
  frameCount = 0;
  currentFrameIndex = 0;
  duration = NaN;
  currentTime = 0;
  commands = [];

  connectedCallback() { StandInGif.made.add(this); }
  attributeChangedCallback(_name, before) {
    this.paused = true;
    this.frameCount = 0;
    if (before !== null) this.commands.push("emptied");
  }
  get alt() { return this.getAttribute("alt") ?? ""; }
  get src() { return this.getAttribute("src") ?? ""; }
  set src(value) { this.setAttribute("src", value); }

  /** The GIF has arrived. */
  arrive(frameCount = 4) {
    this.frameCount = frameCount;
    this.duration = frameCount / 10;
    for (const type of ["loadedmetadata", "loadeddata"]) this.dispatchEvent(new Event(type));
    if (this.hasAttribute("autoplay")) this.play();
  }
  fail() {
    this.error = { message: "It cannot be shown." };
    this.dispatchEvent(new Event("error"));
  }
  show(index, loop = 0) {
    this.currentFrameIndex = index;
    const facts = { currentFrameIndex: index, frameCount: this.frameCount, loop, lateness: 0, skippedFrames: 0,
      cause: "play" };
    this.dispatchEvent(Object.assign(new Event("framechange"), facts));
  }
  play() {
    this.paused = false;
    this.commands.push("play");
    this.dispatchEvent(new Event("play"));
    return Promise.resolve();
  }
  pause() {
    this.paused = true;
    this.commands.push("pause");
    this.dispatchEvent(new Event("pause"));
  }
  seekToFrame(index) {
    this.commands.push(`seek ${index}`);
    this.show(index);
    return Promise.resolve();
  }
  step(frames = 1) { this.commands.push(`step ${frames}`); }
}

if (!customElements.get("gallop-gif")) customElements.define("gallop-gif", StandInGif);
