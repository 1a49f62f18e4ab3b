// The engine's errors in sentences. The page has them from its host.

import { GallopError } from "./protocol.js";

/** An error of the engine. @param {string} code @param {{frame?: number, offset?: number, value?: number, limit?: number}} [details] */
export function engineError(code, details = {}) {
  return new GallopError(code, { message: describe(code, details), ...details });
}

/** The error of a file that cannot be read. @param {string} reason with or without a full stop */
export function unreadable(reason) {
  return new GallopError("unreadable", { message: `The file cannot be read: ${reason.replace(/\.$/, "")}.` });
}

/** The error of a file that its server refuses. */
export function refused(status) {
  return new GallopError("unreadable", { message: `The server answers with status ${status}.`, value: status });
}

/** The instance has stopped for good: a fresh one must take over. */
export class EngineTrap extends GallopError {
  constructor(call) {
    super("engineTrap", { message: `The engine stopped in ${call}.` });
  }
}

const SENTENCES = {
  notAGIF: "The file is not a GIF.", noFrames: "The file has no frame to play.", notLoaded: "No GIF is loaded.",
  emptyFile: "The file is empty.", outOfMemory: "There is no memory left.", engineTrap: "The engine stopped at this GIF.",
};

function describe(code, { frame, offset, value, limit }) {
  if (SENTENCES[code]) return SENTENCES[code];
  const parts = [frame >= 0 && `frame ${frame}`, offset >= 0 && `byte ${offset}`, value >= 0 && `value ${value}`,
    limit >= 0 && `limit ${limit}`].filter(Boolean);
  const words = code.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return parts.length ? `${words} (${parts.join(", ")})` : words;
}
