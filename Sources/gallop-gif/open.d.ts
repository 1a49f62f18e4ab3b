import type { Application, Delays, Diagnostic, Engine, FrameInfo, FrameStatus, ImageInfo, Limits } from "./engine.js";

export { Engine, GallopError } from "./engine.js";

/** An engine of its own, in the thread that asks for it. */
export function loadEngine(wasm?: string | URL | BufferSource | WebAssembly.Module): Promise<Engine>;

/** Names another place for the module than beside open.js. It counts before the first GIF. */
export function useModule(wasm: string | URL | BufferSource | WebAssembly.Module): void;

/** An address, bytes, or what delivers bytes. A file without frames is a GallopError with the code `noFrames`. */
export function openGIF(
  input: string | URL | Request | Response | ArrayBuffer | ArrayBufferView | Blob | ReadableStream<Uint8Array>
    | AsyncIterable<Uint8Array | ArrayBuffer> | Iterable<Uint8Array | ArrayBuffer>,
  options?: { limits?: Limits; engine?: Engine },
): Promise<GIF>;

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
  frame(index: number, size?: { width?: number; height?: number }): Frame;
  palette(frame?: number): string[] | null;
  check(): Diagnostic[];
  close(): void;
  [Symbol.iterator](): Iterator<Frame>;
}
