// The inspector: opens files, connects its parts, listens to the keyboard. Nothing leaves the page.
import { statistics } from "../index.js";
import { compileModule } from "../module.js";
import "../scrubber.js";
import { addressIn, bytesAt } from "./address.js";
import { Analysis } from "./analysis.js";
import { judgeFlashes } from "./flashes.js";
import { configureInside, engineBytes, sampleBytes, sampleNames } from "./inside.js";
import { MOST_LINKED_BYTES, makeLink, nameOf, readLink, sayBytes, sayName, sayPlays, sayTime } from "./model.js";
import { showDamage, showFile, showFlashes, showFrame } from "./panels.js";
import { rangeGIF } from "./range.js";
import { download, framePNG, framesZIP } from "./save.js";
import { place, Strip } from "./strip.js";
import { Timeline } from "./timeline.js";
import { Transport } from "./transport.js";

const $ = (id) => document.getElementById(id);
const compiled = compileModule(engineBytes);
configureInside({ hasWorker: true });

let analysis = null;
/** Where the GIF comes from; null for one that a user has handed over. */
let address = null;
/** Counts what is opened: of two openings under way the later one counts. */
let openings = 0;
let saving = null;
let zoom = "fit";

const transport = new Transport(show);
const timeline = new Timeline({ canvas: $("bars"), hint: $("hint"), legend: $("legend"),
  seek: (frame) => transport.seek(frame),
  choose: (range) => transport.setRange(range) });
const strip = new Strip($("strip"), (frame) => transport.seek(frame));

let showing = 0;
/** Shows the present frame everywhere, once before the next picture. */
function show() {
  showing ||= requestAnimationFrame(showNow);
}

function showNow() {
  showing = 0;
  if (!analysis) return;
  const { frame, range } = transport;
  timeline.place(frame, range);
  strip.place(frame, range);
  showFrame(analysis, frame);
  if (analysis.frames[frame]) place($("overlay"), analysis.frames[frame], analysis.info);
}

async function open(bytes, name, link = {}, from = null) {
  const opening = (openings += 1);
  try {
    const opened = await Analysis.open(await compiled, bytes, name);
    if (opened.frames.length === 0) throw new Error("It has no frames.");
    if (opening !== openings) return;
    analysis = opened;
    address = from;
  } catch (error) {
    refuse(name || "This file", error);
    return;
  }
  saving?.abort();
  $("problem").textContent = "";
  document.body.classList.remove("empty");
  document.title = `${name} – GIF Inspector`;
  const { info, frames, duration } = analysis;
  const facts = [`${info.width} × ${info.height}`,
    `${frames.length} ${frames.length === 1 ? "frame" : "frames"}`,
    sayTime(duration), `plays ${sayPlays(info.plays)}`, sayBytes(bytes.length)];
  $("facts").replaceChildren(Object.assign(document.createElement("b"), { textContent: name }),
    ` · ${facts.join(" · ")}`);
  showFile(analysis);
  damage();
  timeline.show(analysis);
  strip.show(analysis);
  transport.open(analysis, link, flashes(analysis));
  setZoom("fit");
}

/** Shows the verdict on the flashes, once it is there; resolves to whether the GIF may play by itself. */
async function flashes(opened) {
  const seek = (frame) => transport.seek(frame);
  showFlashes(undefined, { seek });
  const report = await judgeFlashes(opened);
  if (opened !== analysis) return false;
  opened.flashes = report;
  showFlashes(report, { seek });
  timeline.show(opened);
  const isSafe = report?.result === "passes";
  const reason = report?.result === "fails" ? "It flashes more than 3 times a second" : "It cannot be checked for flashes";
  if (!isSafe) toast(`${reason}, and plays when you start it.`);
  return isSafe;
}

function damage() {
  showDamage(analysis, { seek: (frame) => transport.seek(frame), check: () => {
    analysis.check();
    damage();
    timeline.show(analysis);
  } });
}

/** Says why nothing is opened: beside what is open, or on the empty page, where it stays. */
function refuse(name, error) {
  const text = `${name} cannot be opened: ${error.code ? sayName(error.code) : error.message}`;
  if (analysis) toast(text);
  else $("problem").textContent = text;
}

/** Opens the GIF at an address, which may be relative to the page's own. */
async function openAddress(text) {
  const opening = (openings += 1);
  try {
    const url = new URL(text, location.href);
    $("problem").textContent = `${nameOf(url)} is on its way …`;
    const bytes = await bytesAt(url);
    if (opening === openings) await open(bytes, nameOf(url), { ...readLink(location.hash), bytes: null }, url.href);
  } catch (error) {
    if (opening === openings) refuse(text, error);
  }
}

async function openFile(file) {
  if (!file) return;
  await open(new Uint8Array(await file.arrayBuffer()), file.name || "pasted.gif",
    { ...readLink(location.hash), bytes: null });
}

// Size

function setZoom(wanted) {
  zoom = wanted;
  for (const button of document.querySelectorAll("[data-zoom]")) {
    button.setAttribute("aria-pressed", String(button.dataset.zoom === wanted));
  }
  fit();
}

function fit() {
  if (!analysis) return;
  const { width, height } = analysis.info;
  const { clientWidth, clientHeight } = $("stage");
  const most = Math.min((clientWidth - 40) / width, (clientHeight - 80) / height);
  const fitting = most < 2 ? most : Math.min(4, Math.floor(most)); // small GIFs grow by whole pixels
  const scale = zoom === "fit" ? fitting : Number(zoom);
  $("picture").style.inlineSize = `${Math.max(1, Math.round(width * scale))}px`;
  $("picture").style.blockSize = `${Math.max(1, Math.round(height * scale))}px`;
  $("stage").classList.toggle("enlarged", scale > 1 && Number.isInteger(scale));
}

// Saving and links

async function saveFrame() {
  const { name, blob } = await framePNG(analysis, transport.frame);
  download(blob, name);
  toast(`Saved ${name}`);
}

/** Saves with a button that shows how far it is, and stops when it is pressed again. */
async function saveWith(button, save) {
  if (saving) {
    saving.abort();
    return;
  }
  const { textContent } = button;
  saving = new AbortController();
  const { signal } = saving;
  try {
    const saved = await save((progress) => {
      button.textContent = `Stop ${progress}`;
    }, signal);
    if (!saved || signal.aborted) return;
    download(saved.blob, saved.name);
    toast(`Saved ${saved.words}, ${sayBytes(saved.blob.size)}`);
  } catch (error) {
    if (!signal.aborted) toast(`The frames cannot be saved: ${error.code ? sayName(error.code) : error.message}`);
  } finally {
    saving = null;
    button.textContent = textContent;
  }
}

function saveAll() {
  const total = analysis.frames.length;
  return saveWith($("save-all"), async (progress, signal) => {
    const blob = await framesZIP(analysis, (done) => progress(`${done}/${total}`), signal);
    return blob && { blob, name: `${analysis.name.replace(/\.gif$/i, "")}-frames.zip`, words: `${total} frames` };
  });
}

function saveRange() {
  const range = transport.range ?? [0, analysis.frames.length];
  return saveWith($("save-range"), async (progress, signal) => {
    const { name, blob } = await rangeGIF(analysis, await compiled, range,
      (share) => progress(`${Math.floor(share * 100)} %`), signal);
    return { blob, name, words: name };
  });
}

async function copyLink() {
  const { frame, range, mode, rate } = transport;
  const isCarried = address === null && analysis.bytes.length <= MOST_LINKED_BYTES;
  const bytes = isCarried ? analysis.bytes : null;
  const hash = makeLink({ frame, range, mode, rate, name: analysis.name, bytes });
  const search = address === null ? "" : `?src=${encodeURIComponent(address)}`;
  // A page from a disk may change only what is behind `#`.
  if (engineBytes) history.replaceState(null, "", hash);
  else history.replaceState(null, "", `${location.pathname}${search}${hash}`);
  try {
    await navigator.clipboard.writeText(location.href);
    const more = isCarried ? "It carries the GIF with it." : "Open the same GIF there.";
    toast(address === null ? `Link copied. ${more}` : "Link copied.");
  } catch {
    toast("The link is in the address bar.");
  }
}

let toasting = 0;
function toast(text) {
  clearTimeout(toasting);
  $("toast").textContent = text;
  $("toast").classList.add("shown");
  toasting = setTimeout(() => $("toast").classList.remove("shown"), 2600);
}

function changeTheme() {
  const root = document.documentElement;
  const isDark = root.classList.contains("dark") || (!root.classList.contains("light")
    && matchMedia("(prefers-color-scheme: dark)").matches);
  root.classList.toggle("light", isDark);
  root.classList.toggle("dark", !isDark);
  timeline.redraw();
}

// What a user does

const ZOOMS = ["fit", "1", "2", "4"];
const KEYS = {
  " ": () => transport.do("toggle"), ArrowRight: () => transport.step(1), ArrowLeft: () => transport.step(-1),
  "Shift+ArrowRight": () => transport.seek(transport.frame + 10), Home: () => transport.do("first"),
  "Shift+ArrowLeft": () => transport.seek(transport.frame - 10), End: () => transport.do("last"),
  ArrowUp: () => transport.changeRate(1), ArrowDown: () => transport.changeRate(-1),
  f: () => transport.setMode("forward"), r: () => transport.setMode("reverse"),
    b: () => transport.setMode("bounce"),
  i: () => transport.cut(true), u: () => transport.cut(false), Escape: () => transport.setRange(null),
  x: () => $("show-overlay").click(), z: () => setZoom(ZOOMS[(ZOOMS.indexOf(zoom) + 1) % ZOOMS.length]),
  s: saveFrame, "Shift+S": saveAll, g: saveRange, l: copyLink,
};
const ALWAYS = { o: () => $("file").click(), d: changeTheme, "?": () => $("keys").showModal() };

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || $("keys").open) return;
  const from = event.composedPath()[0];
  if (from.matches?.("input, select, summary") || (event.key === " " && from.matches?.("button"))) return;
  const name = event.shiftKey && event.key !== "?" ? `Shift+${event.key}` : event.key;
  const act = ALWAYS[name] ?? (analysis && KEYS[name]);
  if (!act) return;
  event.preventDefault();
  act();
});
document.addEventListener("paste", ({ clipboardData }) => openFile(clipboardData.files[0]));
document.addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("dragging");
});
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) document.body.classList.remove("dragging");
});
document.addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("dragging");
  openFile(event.dataTransfer.files[0]);
});
$("file").addEventListener("change", ({ target }) => {
  openFile(target.files[0]);
  target.value = "";
});
for (const [id, act] of [["save-frame", saveFrame], ["save-all", saveAll], ["save-range", saveRange], ["link", copyLink],
  ["theme", changeTheme],
  ["help", ALWAYS["?"]]]) $(id).addEventListener("click", act);
for (const button of document.querySelectorAll("[data-zoom]")) {
  button.addEventListener("click", () => setZoom(button.dataset.zoom));
}
$("show-overlay").addEventListener("change", ({ target }) => {
  $("overlay").hidden = !target.checked;
});
$("badge").addEventListener("click", () => {
  $("diagnostics").parentElement.open = true;
  $("diagnostics").scrollIntoView({ block: "nearest" });
  $("diagnostics").focus();
});
$("picture").addEventListener("click", () => transport.do("toggle"));
$("gif").addEventListener("error", () => toast($("gif").error.message));
new ResizeObserver(fit).observe($("stage"));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => timeline.redraw());
addEventListener("hashchange", follow);

/** Goes where a link asks to; a link that carries a GIF opens it. */
function follow() {
  const link = readLink(location.hash);
  if (link.bytes) open(link.bytes, link.name || "linked.gif", link);
  else if (analysis && link.frame !== null) transport.seek(link.frame);
}

for (const name of sampleNames) {
  const button = $("samples").appendChild(document.createElement("button"));
  button.textContent = name.replace(/\.gif$/, "");
  button.addEventListener("click", () => open(sampleBytes(name), name));
  $("samples").hidden = false;
}
const named = addressIn(location.search);
if (named !== null && !readLink(location.hash).bytes) openAddress(named);
else follow();
/** For tests of the page. */
globalThis.inspector = { open, transport, statistics, get analysis() { return analysis; } };
