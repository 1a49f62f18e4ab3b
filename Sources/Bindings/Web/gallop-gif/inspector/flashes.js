// The verdict on a GIF's flashes at its own size. A worker of its own judges, and ends with the GIF.
import { flashesOf, useFlashes } from "../flashes.js";
import { flashesBytes, makeWorker } from "./inside.js";

let worker = null;

/** @param {import("./analysis.js").Analysis} analysis @returns {Promise<object | null>} null if it cannot be judged */
export async function judgeFlashes({ bytes, info }) {
  if (flashesBytes) useFlashes(flashesBytes);
  worker?.terminate();
  const own = (worker = makeWorker());
  try {
    return await flashesOf(bytes, info, {}, { worker: own });
  } catch {
    return null;
  } finally {
    own.terminate();
  }
}
