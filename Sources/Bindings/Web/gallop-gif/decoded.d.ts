import type { Application, Delays, Diagnostic, Engine, FrameInfo, FrameStatus, ImageInfo, Mode } from "./engine.js";

export interface Frame {
  /** Straight RGBA, rows from the top; transparent where the status is "blank". */
  data: Uint8ClampedArray;
  width: number;
  height: number;
  status: FrameStatus;
}

/** How a GIF is seen, as far as its flashes depend on it. */
export interface FlashOptions {
  /** The size in CSS pixels; one side alone keeps the shape. The GIF's own if both are absent. */
  width?: number;
  height?: number;
  /** 0.05 to 20; 1 if absent. */
  rate?: number;
  delays?: Delays;
  mode?: Mode;
  /** [first, end): the frames that are played. */
  range?: [number, number] | null;
  /** Whether GIFs of its size play beside it. */
  sharesField?: boolean;
}

/** The second with the most flashes. */
export interface FlashPeak {
  perSecond: number;
  /** When it begins, in a play. */
  fromMs: number;
  /** The one with its first change, and the one whose change makes them so many, maybe in a later play. */
  frames: [number, number];
  /** The part of a field of 10 degrees that has flashed with that frame, 0.25 to 1; less where GIFs that play beside it count, too. */
  fieldShare: number;
}

/** Whether a GIF, played in a loop, flashes more than WCAG 2.2 allows. It informs, and certifies nothing. */
export interface FlashReport {
  result: "passes" | "fails" | "unknown";
  general: FlashPeak | null;
  red: FlashPeak | null;
  /** The greatest rate that passes, and the greatest size up to which each does, [width, height]; null where what was asked
   * passes, or none does. */
  safeRate: number | null;
  safeSize: [number, number] | null;
  /** Whether pictures were needed. */
  decoded: boolean;
  /** Whether it fails only with GIFs of its size beside it: `sharesField`. */
  failsOnlyBesideOthers: boolean;
}

export class GIF implements Iterable<Frame> {
  constructor(engine: Engine, image: number);
  readonly info: ImageInfo;
  readonly comments: string[];
  readonly applications: Application[];
  readonly diagnostics: Diagnostic[];
  frames(delays?: Delays): FrameInfo[];
  /** At another size, if one is named; one side alone keeps the shape. */
  frame(index: number, size?: { width?: number; height?: number }): Frame;
  palette(frame?: number): string[] | null;
  check(): Diagnostic[];
  /** In the thread that asks: up to some seconds for a long GIF. */
  flashes(options?: FlashOptions): Promise<FlashReport>;
  close(): void;
  [Symbol.iterator](): Iterator<Frame>;
}
