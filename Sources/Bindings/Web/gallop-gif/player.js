// What the host keeps of a player, so that another instance can take it over.

import { COMMANDS, MODES } from "./protocol.js";

export const SEEKS = [COMMANDS.seekToFrame, COMMANDS.seekInLoop, COMMANDS.step];
/** The values of the command `visibility`: the numbers of gallop.h. */
export const VISIBLE = 0;
export const HIDDEN = 2;
/** The limits of motion, as the command `motion` takes them: `still` and all after it let no time run. */
export const LIMITS = { none: 0, paced: 1, still: 2, frozen: 3 };
/** The commands that need more than the first frame. */
export const WANTING = [COMMANDS.play, COMMANDS.beginScrubbing, ...SEEKS];

/** A player of the page: its settings, its place, and its handle in the engine. */
export class HostPlayer {
  constructor(id, source, { options = {}, box = null, isVisible = true, isWatched = false, isLazy = false }) {
    this.id = id;
    this.source = source;
    this.options = { ...options };
    this.box = box;
    this.isVisible = isVisible;
    this.isWatched = isWatched;
    /** Whether the first frame is enough for now. */
    this.isLazy = isLazy;
    this.surface = null;
    /** The engine's handle; 0 while the engine does not have the player. */
    this.handle = 0;
    this.answer = null;
    /** What decides on its motion by the verdict on its flashes; null where nothing does. */
    this.guard = null;
    /** Whether that is being loaded. */
    this.isAsking = false;
    /** Whether that cannot be loaded, and nothing may move without it. */
    this.isHeld = false;
    /** The number of the last command that was carried out. */
    this.ack = 0;
    /** The frame shown last; -1 before the first. */
    this.frame = -1;
    this.place = null;
    /** The seek that waits for its frame to arrive. */
    this.target = null;
    /** @type {{command: number, a: number, b: number, ack: number}[]} */
    this.waiting = [];
  }

  /** The last command that is done. */
  get done() {
    return this.target ? Math.min(this.ack, this.target.ack - 1) : this.ack;
  }

  get isPlaying() {
    return this.answer?.state === "playing";
  }

  /** Keeps the settings that a fresh player needs. */
  note(command, a, b) {
    if (command === COMMANDS.rate) this.options.rate = a;
    if (command === COMMANDS.mode) this.options.mode = MODES[a];
    if (command === COMMANDS.range) this.options.range = a < b ? [a, b] : null;
  }

  /** Remembers where it stands, and leaves the engine. */
  leave() {
    if (this.handle && this.frame >= 0) this.place = { frame: this.frame, isPlaying: this.isPlaying };
    this.handle = 0;
    this.answer = null;
  }

  /** Whether enough has arrived to begin, or to go on where it stood. */
  canBegin(info) {
    if (!info || info.isComplete || !this.place) return info !== null;
    // Backwards there is no frame before the end of the file is known.
    return (this.options.mode ?? "forward") === "forward" && info.frameCount > this.place.frame + 1;
  }

  /** Whether a seek leads to where nothing has arrived yet. */
  mustWait({ command, a }) {
    const { info } = this.source;
    if (info.isComplete) return false;
    if (command === COMMANDS.seekToFrame) return a >= info.frameCount - 1;
    // Of a player that is not seen the frame is not known here.
    if (command === COMMANDS.step) return a > 0 && (!this.isVisible || this.frame + a >= info.frameCount - 1);
    return command === COMMANDS.seekInLoop && a > 0 && a >= (this.answer?.duration ?? 0);
  }

  /** The commands that bring a fresh player to where this one stands. */
  opening(isSeen) {
    const { range, isPlaying } = { range: this.options.range, ...this.place };
    const commands = [[COMMANDS.visibility, isSeen ? VISIBLE : HIDDEN]];
    if (range) commands.push([COMMANDS.range, range[0], range[1]]);
    // A seek that is to follow shows its own frame.
    const isPlaced = this.waiting.some((order) => SEEKS.includes(order.command) && !this.mustWait(order));
    if (this.place) commands.push([COMMANDS.seekToFrame, this.place.frame]);
    else if (!isPlaced) commands.push([COMMANDS.poster]);
    if (isPlaying) commands.push([COMMANDS.play]);
    this.place = null;
    return commands;
  }
}
