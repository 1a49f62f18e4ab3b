// Saving: one frame as a PNG, or all of them in a ZIP with their delays.
import { frameFileName } from "./model.js";
import { zipParts } from "./zip.js";

const toPNG = (canvas) => new Promise((resolve, reject) => canvas.toBlob(
  (blob) => (blob ? resolve(blob) : reject(new Error("The browser cannot write this picture."))),
    "image/png"));

/** Hands a file to the user. @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // the browser reads it after the click
}

/** One frame as a PNG. @param {import("./analysis.js").Analysis} analysis @param {number} index */
export async function framePNG(analysis, index) {
  const canvas = document.createElement("canvas");
  analysis.draw(canvas, index, { isWhole: true });
  return { name: frameFileName(analysis.name, index, analysis.frames.length), blob: await toPNG(canvas) };
}

/**
 * All frames in a ZIP, with their delays in `frames.json`.
 * @param {import("./analysis.js").Analysis} analysis
 * @param {(done: number) => void} progress @param {AbortSignal} signal
 * @returns {Promise<Blob | null>} null if the user has cancelled
 */
export async function framesZIP(analysis, progress, signal) {
  const files = [];
  for (let index = 0; index < analysis.frames.length; index += 1) {
    if (signal.aborted) return null;
    const { name, blob } = await framePNG(analysis, index);
    files.push({ name, bytes: new Uint8Array(await blob.arrayBuffer()) });
    progress(index + 1);
  }
  const { width, height, plays } = analysis.info;
  const list = { source: analysis.name, width, height, plays: plays === Infinity ? "for ever" : plays,
    frames: analysis.frames.map(({ delay }, index) => ({ file: files[index].name, milliseconds: delay })) };
  files.push({ name: "frames.json", bytes: new TextEncoder().encode(`${JSON.stringify(list, null, 2)}\n`) });
  return new Blob(zipParts(files), { type: "application/zip" });
}
