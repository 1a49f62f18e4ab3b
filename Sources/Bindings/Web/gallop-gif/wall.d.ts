import type { GallopGIF } from "./index.js";

/**
 * An item of a wall: a URL, or an object. `url`, `uri` and `image`, `description` and `title` are understood,
 * too.
 */
export type WallItem = string | {
  src?: string;
  caption?: string;
  alt?: string;
  [more: string]: unknown;
};

export interface ScrollOptionsOfWall {
  behavior?: ScrollBehavior;
  block?: "center" | "start" | "end" | "nearest";
}

/** Items of a list: first ..< end. */
export interface ItemRange {
  first: number;
  end: number;
}

export interface GallopWallEventMap extends HTMLElementEventMap {
  /** A user has chosen an item. */
  activate: CustomEvent<{ index: number; item: WallItem }>;
  /** Other items have cells now. */
  viewchange: CustomEvent<ItemRange>;
}

/** A grid of thousands of GIFs of which only those in view exist. */
export class GallopWall extends HTMLElement {
  get items(): WallItem[];
  set items(list: Iterable<WallItem> | null | undefined);
  /** 0 for as many as fit. */
  columns: number;
  /** The URL of a picture that stands until a GIF has arrived. */
  placeholder: string;
  /** The item that the keyboard is at. */
  readonly activeIndex: number;
  readonly paused: boolean;
  readonly inView: ItemRange;
  pause(): void;
  play(): void;
  /** Brings an item into view: smoothly and centred unless the options say otherwise. */
  scrollToItem(index: number, options?: ScrollOptionsOfWall): void;
  /** The GIF of an item, or null while the item has no cell. */
  elementOf(index: number): GallopGIF | null;
  addEventListener<K extends keyof GallopWallEventMap>(
    type: K, listener: (this: GallopWall, event: GallopWallEventMap[K]) => void,
    options?: boolean | AddEventListenerOptions): void;
  addEventListener(
    type: string, listener: EventListenerOrEventListenerObject,
      options?: boolean | AddEventListenerOptions): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "gallop-wall": GallopWall;
  }
}
