export type Knob = "playhead" | "start" | "end";

/** The detail of `begin`, `change` and `end`. */
export interface ScrubDetail {
  knob: Knob;
  value: number;
  start: number;
  end: number;
}

export interface GallopScrubberEventMap extends HTMLElementEventMap {
  begin: CustomEvent<ScrubDetail>;
  end: CustomEvent<ScrubDetail>;
}

/** A slider with a playhead and the two knobs of a range. Only what a user does causes events. */
export class GallopScrubber extends HTMLElement {
  min: number;
  max: number;
  /** 0 for none. */
  step: number;
  /** Where the playhead is. */
  value: number;
  /** The range; the whole track where it was not set. */
  start: number;
  end: number;
  knobs: "both" | "playhead" | "range";
  disabled: boolean;
  /** The knob in a user's hand; code that sets its value changes nothing meanwhile. */
  readonly held: Knob | null;
  /** A value in words, for screen readers. */
  describe: ((value: number, knob: Knob) => string) | null;
  addEventListener<K extends keyof GallopScrubberEventMap>(
    type: K, listener: (this: GallopScrubber, event: GallopScrubberEventMap[K]) => void,
    options?: boolean | AddEventListenerOptions): void;
  addEventListener(
    type: "change", listener: (this: GallopScrubber, event: CustomEvent<ScrubDetail>) => void,
    options?: boolean | AddEventListenerOptions): void;
  addEventListener(
    type: string, listener: EventListenerOrEventListenerObject,
      options?: boolean | AddEventListenerOptions): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "gallop-scrubber": GallopScrubber;
  }
}
