// Saves a range of frames as a GIF. The editor is a module of its own, loaded with the first range that is saved.
import { engineError } from "../errors.js";
import { compileModule } from "../module.js";
import { passBytes } from "../pass-bytes.js";
import { Analysis } from "./analysis.js";
import { editBytes } from "./inside.js";

/** How long the page waits for the next step at the most, in milliseconds. */
const SLICE = 12;
let compiled = null;

/** The module of the editor; a load that has failed is tried again. */
function editorModule() {
  compiled ??= compileModule(editBytes ?? new URL("./edit.wasm", import.meta.url)).catch((error) => {
    compiled = null;
    throw error;
  });
  return compiled;
}

/** Gives other things of the page their turn, and ends what the user has cancelled. */
async function pause(signal) {
  await new Promise((resolve) => setTimeout(resolve));
  signal.throwIfAborted();
}

/**
 * The frames of a range as a GIF: copied as they are compressed wherever they then show the same. What it shows is compared
 * with the frames, pixel by pixel, by another instance of the engine.
 * @param {Analysis} analysis @param {WebAssembly.Module} engine
 * @param {[number, number]} range the first frame, and the one behind the last
 * @param {(share: number) => void} progress @param {AbortSignal} signal
 * @returns {Promise<{name: string, blob: Blob}>}
 */
export async function rangeGIF(analysis, engine, [first, end], progress, signal) {
  const parts = await edited(analysis.bytes, first, end, (share) => progress(share / 2), signal);
  const blob = new Blob(parts, { type: "image/gif" });
  const written = await Analysis.open(engine, new Uint8Array(await blob.arrayBuffer()), "");
  await compare(analysis, written, first, end, (share) => progress((1 + share) / 2), signal);
  const number = (frame) => String(frame).padStart(4, "0");
  const stem = analysis.name.replace(/\.gif$/i, "");
  return { name: `${stem}-${number(first)}-${number(end - 1)}.gif`, blob };
}

/** The bytes of the GIF, in parts. */
async function edited(bytes, first, end, progress, signal) {
  const { exports: editor } = await WebAssembly.instantiate(await editorModule(), {});
  editor._initialize();
  passBytes(editor.memory, bytes, editor.edit_room, editor.edit_append);
  const count = checked(editor, editor.edit_begin(first, end));
  const parts = [];
  let paused = performance.now();
  for (;;) {
    const length = checked(editor, editor.edit_next());
    if (length === 0) return parts;
    parts.push(new Uint8Array(editor.memory.buffer, editor.edit_address(), length).slice());
    // The head comes first.
    progress(Math.min(1, (parts.length - 1) / count));
    if (performance.now() - paused < SLICE) continue;
    await pause(signal);
    paused = performance.now();
  }
}

function checked(editor, answer) {
  if (answer >= 0) return answer;
  const length = editor.edit_error();
  const name = new TextDecoder().decode(new Uint8Array(editor.memory.buffer, editor.edit_address(), length).slice());
  const frame = editor.edit_error_frame();
  throw engineError(name || "unreadable", frame < 0 ? {} : { frame });
}

/** Throws unless a GIF shows the frames of a range for as long as they are shown, and plays as often. */
async function compare(analysis, written, first, end, progress, signal) {
  const isAlike = written.frames.length === end - first && written.info.plays === analysis.info.plays
    && written.frames.every(({ delay }, index) => delay === analysis.frames[first + index].delay);
  if (!isAlike) throw engineError("notExact");
  let paused = performance.now();
  for (let index = 0; index < end - first; index += 1) {
    const [wanted, found] = [analysis.pixels(first + index), written.pixels(index)];
    if (wanted.length !== found.length || wanted.some((word, place) => word !== found[place])) {
      throw engineError("notExact", { frame: first + index });
    }
    progress((index + 1) / (end - first));
    if (performance.now() - paused < SLICE) continue;
    await pause(signal);
    paused = performance.now();
  }
}
