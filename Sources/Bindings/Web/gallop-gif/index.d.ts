import type { FlashReport } from "./decoded.js";
import type { Application, Cause, Delays, Diagnostic, EngineStatistics, FrameInfo, ImageInfo, Limits, Mode }
  from "./engine.js";

export type { FlashPeak, FlashReport } from "./decoded.js";
export { GallopError } from "./engine.js";

export interface Configuration {
  /** Bytes for canvases and files of the whole page. */
  budget?: number;
  /** The module, if it is not beside the package's files. Counts before the first GIF. */
  wasm?: string | URL | BufferSource | WebAssembly.Module;
  /** False keeps the engine in the page; an address or a function replaces worker.js. Counts before the first GIF. */
  worker?: boolean | string | URL | (() => Worker);
  /** The module that judges flashes, if it is not beside the package's files. */
  flashes?: string | URL | BufferSource | WebAssembly.Module;
  limits?: Limits;
}

export interface Statistics extends EngineStatistics {
  elements: number;
  budget: number;
  /** Bytes of pictures that are kept, so that a loop is decoded once. */
  storedBytes: number;
  /** Files that are kept for a while without an element. */
  unusedImages: number;
  /** How often a fault made a fresh engine take over. */
  restarts: number;
  isWorker: boolean;
}

export function configure(settings: Configuration): void;
export function statistics(): Promise<Statistics>;
/** Defines the element; importing the package has done it where there are custom elements. */
export function define(name?: string): void;

export interface FrameChange {
  readonly currentFrameIndex: number;
  readonly frameCount: number;
  /** The number of the loop, from 0. */
  readonly loop: number;
  /** Milliseconds after its time. */
  readonly lateness: number;
  readonly skippedFrames: number;
  readonly cause: Cause;
  /** Seconds since the start of the first loop. */
  readonly mediaTime: number;
  /** The instant on the page's clock, that of `performance.now()`. */
  readonly shownAt: number;
}
export interface FrameChangeEvent extends FrameChange {}
export class FrameChangeEvent extends Event {}
export class LoopEvent extends Event {
  readonly loops: number;
  /** Infinity: for ever. */
  readonly loopsLeft: number;
}

export class GallopMediaError {
  static readonly MEDIA_ERR_ABORTED: 1;
  static readonly MEDIA_ERR_NETWORK: 2;
  static readonly MEDIA_ERR_DECODE: 3;
  static readonly MEDIA_ERR_SRC_NOT_SUPPORTED: 4;
  readonly code: number;
  readonly message: string;
  /** The engine's name for it, or "crossOrigin". */
  readonly reason: string;
  readonly frame?: number;
  readonly offset?: number;
}

export type FlashPolicy = "allow" | "warn" | "hold" | "slow";

/** The verdict on a GIF's flashes as it is seen, and what became of it. */
export interface FlashState {
  readonly state: "unjudged" | "judging" | "passes" | "warned" | "slowed" | "held";
  /** The rate of a GIF that is slowed; null for others. */
  readonly rate: number | null;
  /** Why a GIF fails; null for others, and where it cannot be judged. */
  readonly report: FlashReport | null;
}
export type FlashesEvent = Event & FlashState;

export type Motion = "full" | "reduced" | "once" | "hover";
export type ResizeMode = "stretch" | "contain" | "cover";

export interface GallopEventMap extends HTMLElementEventMap {
  framechange: FrameChangeEvent;
  loop: LoopEvent;
  flashes: FlashesEvent;
}

export class GallopGIF extends HTMLElement {
  src: string;
  /** A file in memory instead of an address; setting takes bytes, too. */
  get srcObject(): Blob | null;
  set srcObject(value: Blob | BufferSource | null);
  readonly currentSrc: string;
  crossOrigin: string | null;
  alt: string;
  poster: string;
  preload: "auto" | "metadata" | "none";
  /** As of images: `lazy` loads when the element comes near. */
  loading: "eager" | "lazy";
  srcset: string;
  sizes: string;
  /** As of images: the size on the page; set, it is what the attribute reserves. */
  width: number;
  height: number;
  /** Whether there is nothing to load, or nothing more for now. */
  readonly complete: boolean;
  /** Resolves when the picture is there. */
  decode(): Promise<void>;
  autoplay: boolean;
  controls: boolean;
  /** Whether it plays for ever. Set to a number, it plays so often; set to false, once. */
  get loop(): boolean;
  set loop(value: boolean | number);
  motion: Motion;
  mode: Mode;
  /** [first, end): the frames to play; null for all. A text is as the attribute; a RangeError if no frame is there. */
  get range(): [number, number] | null;
  set range(value: [number, number] | string | null);
  resizeMode: ResizeMode;
  delays: Delays;
  /** What becomes of frames that come late; a number catches up with this many. */
  late: "skip" | "wait" | number;
  /** What becomes of a GIF that flashes more than WCAG 2.2 allows. */
  flashes: FlashPolicy;
  readonly flashState: FlashState;
  currentTime: number;
  playbackRate: number;
  defaultPlaybackRate: number;
  volume: number;
  muted: boolean;
  readonly duration: number;
  readonly paused: boolean;
  readonly ended: boolean;
  readonly seeking: boolean;
  readonly buffered: TimeRanges;
  readonly seekable: TimeRanges;
  readonly played: TimeRanges;
  readonly readyState: 0 | 1 | 2 | 3 | 4;
  readonly networkState: 0 | 1 | 2 | 3;
  readonly error: GallopMediaError | null;
  readonly textTracks: TextTrackList;
  readonly videoWidth: number;
  readonly videoHeight: number;
  readonly naturalWidth: number;
  readonly naturalHeight: number;
  /** The frame shown last; -1 before the first. */
  readonly currentFrameIndex: number;
  readonly frameCount: number;
  readonly loopsCompleted: number;
  /** Whether a plain image stands in, as for servers without CORS. */
  readonly isPlain: boolean;
  readonly metadata: (ImageInfo & { comments: string[]; applications: Application[] }) | null;
  readonly diagnostics: Diagnostic[];
  load(): void;
  play(): Promise<void>;
  pause(): void;
  fastSeek(time: number): void;
  /** Rejected with a GallopError of the code `noSuchFrame` if the frame is not played. */
  seekToFrame(frame: number): Promise<void>;
  step(count?: number): Promise<void>;
  beginScrubbing(): void;
  endScrubbing(): void;
  canPlayType(type: string): "" | "probably";
  captureFrame(frame?: number): Promise<ImageData>;
  frames(): Promise<FrameInfo[]>;
  palette(frame?: number): Promise<string[] | null>;
  check(): Promise<Diagnostic[]>;
  addEventListener<K extends keyof GallopEventMap>(
    type: K, listener: (this: GallopGIF, event: GallopEventMap[K]) => void, options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions,
  ): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "gallop-gif": GallopGIF;
  }
}
