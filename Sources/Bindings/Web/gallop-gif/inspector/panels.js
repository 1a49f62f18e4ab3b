// The panels beside the picture: a frame's facts, its colours, the file, and what is damaged.
import { sayBytes, sayName, sayPlays, sayTime, sayWarnings } from "./model.js";

const $ = (id) => document.getElementById(id);
const hex = (offset) => `0x${offset.toString(16).padStart(4, "0")}`;
const MOST_ROWS = 200;
const DISPOSALS = { keep: "stays", background: "rectangle is cleared",
  previous: "what was before comes back" };

function fill(list, rows) {
  const known = rows.filter(([, value]) => value !== null && value !== "");
  list.replaceChildren(...known.flatMap(([name, value, more]) => {
    const [term, text] = [document.createElement("dt"), document.createElement("dd")];
    term.textContent = name;
    text.textContent = value;
    if (more) text.append(" ", Object.assign(document.createElement("small"), { textContent: more }));
    return [term, text];
  }));
}

/** What the user sees of one frame. */
export function showFrame(analysis, index) {
  const frame = analysis.frames[index];
  if (!frame) return;
  const { colors, isOwn } = analysis.palette(index);
  $("frame-number").textContent = `#${index} of ${analysis.frames.length}`;
  const stored = `${frame.storedDelay} ms in the file`;
  const required = frame.requiredFrame === null ? "" : `frame #${frame.requiredFrame}`;
  const drawnOn = frame.isKeyframe ? "nothing: a key frame" : required;
  const isWhole = frame.status === null || frame.status === "complete";
  const state = frame.isTruncated ? "cut off" : isWhole ? "" : frame.status;
  fill($("frame-facts"), [
    ["Begins at", sayTime(analysis.starts[index])],
    ["Delay", `${frame.delay} ms`, frame.storedDelay === frame.delay ? "" : stored],
    ["Rectangle", `${frame.width} × ${frame.height}`, `at ${frame.x}, ${frame.y}`],
    ["Then", DISPOSALS[frame.disposal] ?? frame.disposal],
    ["Drawn on", drawnOn],
    ["Transparent", frame.transparentIndex === null ? "no colour" : `colour ${frame.transparentIndex}`],
    ["Rows", frame.isInterlaced ? "interlaced" : "in order"],
    ["Bytes", sayBytes(frame.byteCount), `at ${hex(frame.offset)}`],
    ["State", state],
  ]);
  showPalette(analysis, frame, colors, isOwn);
}

let shownPalette = "";

function showPalette(analysis, frame, colors, isOwn) {
  const ground = isOwn ? -1 : analysis.info.backgroundIndex;
  const key = `${analysis.name} ${isOwn ? frame.offset : -1} ${frame.transparentIndex} ${colors.length}`;
  if (key === shownPalette) return; // most frames share one palette
  shownPalette = key;
  $("color-count").textContent = colors.length
    ? `${colors.length}, ${isOwn ? "the frame's own" : "the file's"}` : "none";
  $("palette").replaceChildren(...colors.map((color, index) => {
    const swatch = document.createElement("i");
    swatch.style.backgroundColor = color;
    const isClear = index === frame.transparentIndex;
    swatch.classList.toggle("clear", isClear);
    swatch.classList.toggle("ground", index === ground);
    const uses = [isClear && "transparent", index === ground && "background"].filter(Boolean);
    swatch.title = [`${index}: ${color}`, ...uses].join(", ");
    return swatch;
  }));
}

/** What the file says of itself. */
export function showFile({ info, frames, comments, applications, duration, name, bytes }) {
  shownPalette = "";
  fill($("file-facts"), [
    ["Name", name],
    ["Size", `${info.width} × ${info.height}`, `GIF${info.version}a`],
    ["Frames", String(frames.length), frames.length > 1
      ? `${(1000 * frames.length / duration).toFixed(1)} a second` : ""],
    ["Loop", sayTime(duration), `plays ${sayPlays(info.plays)}`],
    ["Bytes", sayBytes(bytes.length), `${bytes.length.toLocaleString("en")} bytes`],
    ["Key frames", String(frames.filter(({ isKeyframe }) => isKeyframe).length)],
    ["Colours", info.globalPaletteSize === null ? "no palette of the file"
      : `${info.globalPaletteSize} in the file's palette`],
    ...applications.map(({ identifier, offset, byteCount }) =>
      ["Application", identifier, `${sayBytes(byteCount)} at ${hex(offset)}`]),
    ...comments.map((comment) => ["Comment", comment.trim()]),
  ]);
}

/**
 * The verdict on the flashes.
 * @param {object | null | undefined} report null for what cannot be judged, undefined before it is
 */
export function showFlashes(report, { seek }) {
  const verdict = $("flash-verdict");
  verdict.className = { fails: "bad", passes: "good" }[report?.result] ?? "";
  verdict.textContent = report === undefined ? "being judged" : report === null ? "cannot be judged" : report.result;
  const lines = [];
  for (const name of ["general", "red"]) {
    const peak = report?.[name];
    if (!peak) continue;
    const line = document.createElement("p");
    line.append(`${peak.perSecond} ${name} flashes in the second from ${sayTime(peak.fromMs)}, in `
      + `${Math.round(peak.fieldShare * 100)} % of a 10° field: `,
      Object.assign(document.createElement("button"), { textContent: `frame #${peak.frames[0]}`, onclick: () => seek(peak.frames[0]) }));
    lines.push(line);
  }
  const safe = [report?.safeRate && `at ${Math.floor(report.safeRate * 100) / 100}×`,
    report?.safeSize && `at up to ${report.safeSize.join(" × ")}`].filter(Boolean);
  const say = (text, name = "p") => lines.push(Object.assign(document.createElement(name), { textContent: text }));
  if (safe.length) say(`Passes ${safe.join(", or ")}.`);
  if (report) say("WCAG 2.3.1, in a loop, at its own size. It informs, and certifies nothing.", "small");
  $("flashes").replaceChildren(...lines);
}

/** What is damaged, with the places in the file. */
export function showDamage(analysis, { seek, check }) {
  const { diagnostics, isChecked } = analysis;
  const count = $("damage-count");
  count.className = diagnostics.length ? "bad" : "good";
  count.textContent = diagnostics.length || (isChecked ? "none" : "none in the structure");
  $("badge").textContent = sayWarnings(diagnostics.length);
  $("badge").hidden = diagnostics.length === 0;
  const list = document.createElement("ul");
  for (const { code, frame, offset } of diagnostics.slice(0, MOST_ROWS)) {
    const row = list.appendChild(document.createElement("li"));
    row.appendChild(document.createElement("span")).textContent = sayName(code);
    if (offset !== null) row.appendChild(document.createElement("code")).textContent = hex(offset);
    if (frame === null || frame >= analysis.frames.length) continue;
    const jump = row.appendChild(document.createElement("button"));
    Object.assign(jump, { textContent: `frame #${frame}`, onclick: () => seek(frame) });
  }
  if (diagnostics.length > MOST_ROWS) {
    list.appendChild(document.createElement("li")).textContent = `and ${diagnostics.length - MOST_ROWS} more`;
  }
  const parts = [diagnostics.length ? list : "Every record of the file is sound."];
  if (isChecked && !diagnostics.length) parts[0] = "Every frame decodes as it should.";
  if (!isChecked) {
    const button = Object.assign(document.createElement("button"),
      { textContent: "Decode every frame", onclick: check });
    parts.push(document.createElement("br"), button);
  }
  $("damage").replaceChildren(...parts);
}
