import type { Application, Delays, Diagnostic, Engine, FrameInfo, FrameStatus, ImageInfo } from "./engine.js";

export interface Frame {
  /** Straight RGBA, rows from the top; transparent where the status is "blank". */
  data: Uint8ClampedArray;
  width: number;
  height: number;
  status: FrameStatus;
}

export class GIF implements Iterable<Frame> {
  constructor(engine: Engine, image: number);
  readonly info: ImageInfo;
  readonly comments: string[];
  readonly applications: Application[];
  readonly diagnostics: Diagnostic[];
  frames(delays?: Delays): FrameInfo[];
  /** At a smaller size, if one is named; one side alone keeps the shape. */
  frame(index: number, size?: { width?: number; height?: number }): Frame;
  palette(frame?: number): string[] | null;
  check(): Diagnostic[];
  close(): void;
  [Symbol.iterator](): Iterator<Frame>;
}
