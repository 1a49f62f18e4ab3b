/** Importing this module upgrades the page; `upgrade-with.js` has the function alone. */
export interface UpgradeOptions {
  /**
   * The images to read, of whatever address; what cannot be read has a button, too. Without it: those whose address ends
   * in .gif, `data:` and `blob:` addresses, and what the browser says came as image/gif.
   */
  selector?: string;
  /** Where images are looked for; the document if absent. */
  root?: Document | ShadowRoot | Element;
  /** A pause button (the default), a bar with a slider over the frames, or nothing. */
  controls?: "button" | "bar" | "none";
  /**
   * When images may move by themselves. `reduced` (the default): unless the user asks for less motion; `once`: one
   * loop, at most five seconds; `hover`: under the pointer or with the focus; `click`: not before a click; `full`: in
   * any case.
   */
  motion?: "reduced" | "once" | "hover" | "click" | "full";
  /** Whether images that come, change and go are followed; true if absent. */
  observe?: boolean;
  /** Images that stay as they are. */
  skip?: string | ((image: HTMLImageElement) => boolean);
  /** The words on the buttons; English if absent. */
  labels?: { pause?: string; play?: string; all?: string };
}

export interface Upgrade {
  /** Pauses all images, those that come later included. */
  pauseAll(): void;
  /** Plays all images, also where `motion` would not. */
  playAll(): void;
  /** Leaves the page as it was. */
  revert(): void;
}

/** Upgrades the GIFs below a root; it takes the place of an upgrade that holds there. */
export function upgrade(options?: UpgradeOptions): Upgrade;
