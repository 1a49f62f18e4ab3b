// The elements in JSX. React 18 looks for them in the global namespace, React 19 in that of its module.
import type * as React from "react";
import type { FlashesEvent, FrameChangeEvent, GallopGIF, LoopEvent } from "./index.js";
import type { GallopScrubber } from "./scrubber.js";
import type { GallopWall } from "./wall.js";

/** React 18 writes `false` as text, which is as good as true: leave the attribute out there. */
type Flag = boolean | "";
type Size = number | string;

/** The attributes of an element of the package, and those of every element. */
type ElementProps<Element, Own> =
  Own & { class?: string } & React.ClassAttributes<Element> & Omit<React.HTMLAttributes<Element>, keyof Own>;

export interface GallopGIFAttributes {
  src?: string;
  srcset?: string;
  sizes?: string;
  alt?: string;
  width?: Size;
  height?: Size;
  loading?: "eager" | "lazy";
  poster?: string;
  crossorigin?: "anonymous" | "use-credentials" | "";
  preload?: "auto" | "metadata" | "none";
  autoplay?: Flag;
  controls?: Flag;
  /** With `controls`, a click on the picture plays and pauses. */
  click?: "toggle";
  /** Empty for ever, or a number of plays. */
  loop?: boolean | number | string;
  mode?: "forward" | "reverse" | "bounce";
  /** The frames to play, as in "5,8": all but the last of the two. */
  range?: string;
  "resize-mode"?: "stretch" | "contain" | "cover";
  motion?: "full" | "reduced" | "once" | "hover";
  late?: "skip" | "wait" | Size;
  delays?: "browser" | "encoded";
  flashes?: "allow" | "warn" | "hold" | "slow";
  /** Heard from React 19 on, as are the other events. */
  onframechange?: (event: FrameChangeEvent) => void;
  onloop?: (event: LoopEvent) => void;
  onflashes?: (event: FlashesEvent) => void;
}

export interface GallopWallAttributes {
  /** 0 for as many as fit. */
  columns?: Size;
  "min-width"?: Size;
  gap?: Size;
  aspect?: Size;
  placeholder?: string;
  "resize-mode"?: "stretch" | "contain" | "cover";
  motion?: "full" | "reduced" | "once" | "hover";
  flashes?: "allow" | "warn" | "hold" | "slow";
  onactivate?: (event: CustomEvent<{ index: number; item: GallopWall["items"][number] }>) => void;
  onviewchange?: (event: CustomEvent<{ first: number; end: number }>) => void;
}

export interface GallopScrubberAttributes {
  min?: Size;
  max?: Size;
  step?: Size;
  value?: Size;
  start?: Size;
  end?: Size;
  knobs?: "both" | "playhead" | "range";
  disabled?: Flag;
  /** The id of the GIF that it drives. */
  for?: string;
}

interface GallopElements {
  "gallop-gif": ElementProps<GallopGIF, GallopGIFAttributes>;
  "gallop-wall": ElementProps<GallopWall, GallopWallAttributes>;
  "gallop-scrubber": ElementProps<GallopScrubber, GallopScrubberAttributes>;
}

declare global {
  namespace JSX {
    interface IntrinsicElements extends GallopElements {}
  }
}

type GlobalElements = JSX.IntrinsicElements;

declare module "react" {
  namespace JSX {
    // Types of React before 18.2.6 have no namespace here: with these lines it is as good as the global one.
    interface Element extends React.ReactElement<any, any> {}
    interface ElementClass extends React.Component<any> {}
    interface ElementAttributesProperty { props: {} }
    interface ElementChildrenAttribute { children: {} }
    interface IntrinsicAttributes extends React.Attributes {}
    interface IntrinsicClassAttributes<T> extends React.ClassAttributes<T> {}
    interface IntrinsicElements extends GlobalElements {}
  }
}
