// A wall of live GIFs with figures: how many frames come, how late, what it costs; and <img> instead.
import { statistics } from "../index.js";
import { configureInside, sampleBytes, sampleNames } from "../inspector/inside.js";

const $ = (id) => document.getElementById(id);
const wall = $("wall");
const PROBES = 10;
const BLOCKED_MS = 300;
const BETWEEN_MS = 400;

configureInside({ hasWorker: false });
/** Served beside its GIFs, the page finds them in the folder `gifs`. */
const NAMES = ["gallop", "spheres", "lissajous", "palettes", "spinner", "delays", "disposals", "horseshoe",
  "interlaced", "thrice"].map((name) => `${name}.gif`);
const sources = sampleNames.length > 0
  ? sampleNames.map((name) => URL.createObjectURL(new Blob([sampleBytes(name)], { type: "image/gif" })))
  : NAMES.map((name) => `gifs/${name}`);
/** The sources that are not there. */
const missing = new Set();

let kind = "gallop";
let isPaused = false;
let blocking = 0;
let before = null;
const counted = { frames: 0, skipped: 0, lateness: [] };
let longestPause = 0;

/** Fills the wall. The first GIFs are probes: only they report each frame. */
function build() {
  const count = Number($("count").value);
  wall.replaceChildren(...Array.from({ length: count }, (_, index) => {
    const source = sources[index % sources.length];
    const element = document.createElement(kind === "gallop" ? "gallop-gif" : "img");
    element.setAttribute("alt", `GIF ${index + 1}`);
    if (kind === "img") element.src = source;
    else {
      for (const name of ["autoplay", "loop"]) element.setAttribute(name, "");
      element.setAttribute("resize-mode", "cover");
      element.setAttribute("src", source);
      if (index < PROBES) element.addEventListener("framechange", note);
      element.addEventListener("loadeddata", () => isPaused && element.pause(), { once: true });
    }
    return element;
  }));
  before = null;
  Object.assign(counted, { frames: 0, skipped: 0, lateness: [] });
  document.title = `${count} live GIFs`;
  document.querySelector("h1").textContent = document.title;
  $("toggle").disabled = kind === "img";
}

function note({ lateness, skippedFrames, cause }) {
  counted.frames += 1;
  counted.skipped += skippedFrames;
  if (cause === "play" || cause === "loop") counted.lateness.push(lateness);
}

function say(id, value, unit = "", isBad = false) {
  $(id).replaceChildren(String(value),
    Object.assign(document.createElement("small"), { textContent: unit && ` ${unit}` }));
  $(id).classList.toggle("bad", isBad);
}

/** Where no GIF is there, the page says where it looks for them. */
function miss({ target }) {
  if (target.isPlain) return;
  missing.add(target.getAttribute("src"));
  wall.hidden = missing.size === sources.length;
  $("empty").hidden = !wall.hidden;
}

/** The figures of the last second. */
async function report() {
  const now = performance.now();
  say("pause", Math.round(longestPause), "ms", longestPause > 50);
  longestPause = 0;
  if (kind === "img") {
    for (const id of ["seen", "rate", "late", "skipped", "decodes", "memory"]) say(id, "?");
    return;
  }
  const figures = await statistics();
  const seconds = before ? (now - before.now) / 1000 : 1;
  const { lateness } = counted;
  say("seen", [...wall.children].filter(isInView).length, `of ${wall.childElementCount}`);
  say("rate", (counted.frames / seconds).toFixed(0));
  const late = lateness.length ? lateness.toSorted((a, b) => a - b)[Math.floor(lateness.length * 0.9)] : 0;
  say("late", late.toFixed(0), "ms", late > 34);
  say("skipped", counted.skipped, "", counted.skipped > counted.frames / 10);
  say("decodes", before ? Math.round((figures.decodes - before.decodes) / seconds) : 0);
  say("memory", (figures.memoryBytes / 1e6).toFixed(1), `MB, ${figures.images} images`);
  Object.assign(counted, { frames: 0, lateness: [], skipped: 0 });
  before = { now, decodes: figures.decodes };
}

function isInView(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

// The longest time without a turn of the page's own script.
let last = performance.now();
const channel = new MessageChannel();
channel.port1.onmessage = () => setTimeout(() => {
  const now = performance.now();
  longestPause = Math.max(longestPause, now - last - 4);
  last = now;
  channel.port2.postMessage(null);
});
channel.port2.postMessage(null);

function block() {
  const end = performance.now() + BLOCKED_MS;
  while (performance.now() < end); // on purpose: a page that is busy
}

for (const button of document.querySelectorAll("[data-kind]")) {
  button.addEventListener("click", () => {
    kind = button.dataset.kind;
    for (const other of document.querySelectorAll("[data-kind]")) other.setAttribute("aria-pressed",
      String(other === button));
    build();
  });
}
$("count").addEventListener("change", build);
$("toggle").addEventListener("click", () => {
  isPaused = !isPaused;
  $("toggle").textContent = isPaused ? "Play" : "Pause";
  for (const gif of wall.children) {
    if (isPaused) gif.pause();
    else gif.play().catch(() => {});
  }
});
$("block").addEventListener("click", ({ currentTarget }) => {
  clearInterval(blocking);
  blocking = blocking ? 0 : setInterval(block, BETWEEN_MS);
  currentTarget.setAttribute("aria-pressed", String(blocking !== 0));
});
wall.addEventListener("click", ({ target }) => {
  if (target.localName !== "gallop-gif") return;
  if (target.paused) target.play().catch(() => {});
  else target.pause();
  target.classList.toggle("still", target.paused);
});
// Errors do not bubble.
wall.addEventListener("error", miss, true);
$("names").textContent = NAMES.join(", ");
build();
setInterval(report, 1000);
/** For tests of the page. */
globalThis.gallery = { statistics, get children() { return [...wall.children]; } };
