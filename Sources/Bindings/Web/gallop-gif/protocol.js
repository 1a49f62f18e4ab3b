// What the page and its engine have in common: the words for states and modes, the commands, the errors.

/** The engine's words for its numbers, in the order of the numbers. */
export const STATES = ["stopped", "playing", "paused", "finished", "failed"];
export const CAUSES = ["play", "loop", "seek", "step", "restart", "appear"];
export const MODES = ["forward", "reverse", "bounce"];

/** The numbers of the commands to a player. */
export const COMMANDS = {
  tick: 0, play: 1, pause: 2, seekToFrame: 3, seekInLoop: 4, step: 5, beginScrubbing: 6, endScrubbing: 7, rate: 8,
  mode: 9, range: 10, visibility: 11, grow: 12, poster: 13, motion: 14,
};

/** The reason why a GIF cannot be used; `code` is the engine's name for it. */
export class GallopError extends Error {
  /**
   * @param {string} code
   * @param {{message?: string, frame?: number, offset?: number, value?: number, limit?: number}} [details]
   */
  constructor(code, { message, ...details } = {}) {
    super(message ?? describe(code, details));
    this.name = "GallopError";
    this.code = code;
    Object.assign(this, details);
  }
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
