/** What is known of an image. */
export interface ImageInfo {
  width: number;
  height: number;
  frameCount: number;
  /** Plays in all; Infinity for ever. */
  plays: number;
  isComplete: boolean;
  byteCount: number;
  globalPaletteSize: number | null;
  backgroundIndex: number;
  version: 87 | 89;
  /** Milliseconds of one loop, with the delays of browsers. */
  duration: number;
  commentCount: number;
  diagnosticCount: number;
}

/** Facts about one frame; times in milliseconds. */
export interface FrameInfo {
  delay: number;
  storedDelay: number;
  x: number;
  y: number;
  width: number;
  height: number;
  disposal: Disposal;
  isInterlaced: boolean;
  isKeyframe: boolean;
  isTruncated: boolean;
  paletteSize: number | null;
  transparentIndex: number | null;
  requiredFrame: number | null;
  offset: number;
  byteCount: number;
  status: FrameStatus | null;
}

export type Disposal = "keep" | "background" | "previous";
export type FrameStatus = "complete" | "truncated" | "failed" | "blank";
export type Mode = "forward" | "reverse" | "bounce";
export type Delays = "browser" | "encoded";
export type Cause = "play" | "loop" | "seek" | "step" | "restart" | "appear";
export interface Diagnostic { code: string; frame: number | null; offset: number | null }
export interface Application { identifier: string; offset: number; byteCount: number }

/** What a file may ask for; 0 or absent: the engine's own limit. */
export interface Limits {
  streamBytes?: number;
  canvasPixels?: number;
  frames?: number;
  decodedBytes?: number;
  totalPixels?: number;
}

export class GallopError extends Error {
  constructor(code: string, details?: { message?: string; frame?: number; offset?: number; value?: number; limit?: number });
  code: string;
  frame?: number;
  offset?: number;
  value?: number;
  limit?: number;
}

export class EngineTrap extends GallopError {}

export interface Picture {
  pixels: Uint8ClampedArray;
  width: number;
  height: number;
  status: FrameStatus;
  x: number;
  y: number;
  changedWidth: number;
  changedHeight: number;
}

export type PlayerEvent =
  | { kind: "frame"; frame: number; loop: number; cause: Cause; mediaTime: number; lateness: number; skipped: number;
      frameCount: number }
  | { kind: "loop"; loops: number; left: number }
  | { kind: "finished" }
  | { kind: "state"; state: PlayerState }
  | { kind: "buffering"; reason: "source" | "decoder" | null }
  | { kind: "failed" };
export type PlayerState = "stopped" | "playing" | "paused" | "finished" | "failed";

export interface Answer {
  state: PlayerState;
  wakeAt: number;
  next: number;
  time: number;
  duration: number;
  isBuffering: boolean;
  events: PlayerEvent[];
}

export interface PlayerOptions {
  rate?: number;
  mode?: Mode;
  plays?: number;
  delays?: Delays;
  late?: "skip" | "wait" | number;
  isComplete?: boolean;
}

export const COMMANDS: Record<string, number>;
export const STATES: readonly PlayerState[];
export const CAUSES: readonly Cause[];
export const MODES: readonly Mode[];

export class Engine {
  static create(module: WebAssembly.Module): Promise<Engine>;
  constructor(instance: WebAssembly.Instance);
  isBroken: boolean;
  readonly memoryBytes: number;
  openImage(limits?: Limits): number;
  append(image: number, bytes: Uint8Array): void;
  finish(image: number): void;
  info(image: number): ImageInfo | null;
  /** A function that copies the file's bytes so far, also after a trap. */
  heldFile(image: number): () => Uint8Array;
  /** How long each frame is shown, in milliseconds. */
  delays(image: number, delays?: Delays): number[];
  frames(image: number, first?: number, count?: number, delays?: Delays): FrameInfo[];
  palette(image: number, frame?: number): string[] | null;
  comments(image: number): string[];
  applications(image: number): Application[];
  diagnostics(image: number): Diagnostic[];
  check(image: number): Diagnostic[];
  releaseImage(image: number): void;
  draw(image: number, width: number, height: number, frame: number): Picture;
  prepare(image: number, width: number, height: number, frame: number): void;
  evict(image: number, keep?: number): number;
  openPlayer(image: number, options?: PlayerOptions): number;
  perform(player: number, command: number, a?: number, b?: number, now?: number): Answer;
  releasePlayer(player: number): void;
  statistics(): EngineStatistics;
}

export interface EngineStatistics {
  images: number;
  players: number;
  renderers: number;
  canvasBytes: number;
  compressedBytes: number;
  decodes: number;
  memoryBytes: number;
}
