// What the page and its engine have in common: the modes, the commands, the class of errors.

/** The engine's words for its numbers, in the order of the numbers. */
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
    super(message ?? code);
    this.name = "GallopError";
    this.code = code;
    Object.assign(this, details);
  }
}
