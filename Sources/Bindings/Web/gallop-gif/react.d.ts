/// <reference path="./react-elements.d.ts" />
import type * as React from "react";
import type { FlashState, FrameChange, GallopGIF } from "./index.js";
import type { GallopScrubber } from "./scrubber.js";
import type { GallopWall, WallItem } from "./wall.js";

/** An event as React Native's bridge delivers it: the facts are in `nativeEvent`. */
export interface BridgeEvent<Facts = {}, Target = EventTarget> {
  type: string;
  target: Target;
  currentTarget: Target;
  timeStamp: number;
  nativeEvent: Facts & { target: Target };
}

export type Handler<Facts = {}, Target = EventTarget> = (event: BridgeEvent<Facts, Target>) => void;

/** The same as of the element's event. */
export type FrameFacts = FrameChange;

type Plain = Omit<React.HTMLAttributes<HTMLElement>, "onLoad" | "onError" | "onPlay" | "onPlaying" | "onPause"
  | "onEnded" | "onWaiting" | "onSeeking" | "onSeeked" | "onTimeUpdate" | "onRateChange" | "onProgress"
  | "onDurationChange" | "onLoadStart" | "onLoadedMetadata" | "onLoadedData" | "placeholder" | "children">;
type GIFHandler<Facts = {}> = Handler<Facts, GallopGIF>;

export interface AnimatedImageProps extends Plain {
  src?: string | { uri: string };
  /** "stretch" where it is absent. */
  resizeMode?: "stretch" | "contain" | "cover";
  /** The URL of a picture, or an element, that stands until the GIF has arrived. */
  placeholder?: string | React.ReactElement;
  /** Milliseconds of the fade on arrival: 300 with a placeholder, none without. */
  fadeDuration?: number;
  paused?: boolean;
  /** True where it is absent. */
  autoplay?: boolean;
  /** For ever, once, or a number of plays; what the file says where it is absent. */
  loop?: boolean | number;
  controls?: boolean;
  playbackRate?: number;
  mode?: "forward" | "reverse" | "bounce";
  /** Frames to play: [first, end). */
  range?: [number, number] | null;
  motion?: "full" | "reduced" | "once" | "hover";
  late?: string | number;
  delays?: "browser" | "encoded";
  flashes?: "allow" | "warn" | "hold" | "slow";
  alt?: string;
  poster?: string;
  preload?: "auto" | "metadata" | "none";
  crossOrigin?: "anonymous" | "use-credentials";
  /** `lazy` loads when it comes near. */
  loading?: "eager" | "lazy";
  srcSet?: string;
  sizes?: string;
  width?: number | string;
  height?: number | string;
  onFrameChange?: GIFHandler<FrameFacts>;
  onLoop?: GIFHandler<{ loops: number; loopsLeft: number }>;
  onFlashes?: GIFHandler<FlashState>;
  onError?: GIFHandler<{ error: string }>;
  onLoadStart?: GIFHandler;
  onLoadedMetadata?: GIFHandler;
  /** The first frame has arrived. */
  onLoadedData?: GIFHandler;
  /** All has arrived, as for images; a plain image that stands in, too. */
  onLoad?: GIFHandler;
  onPlay?: GIFHandler;
  onPlaying?: GIFHandler;
  onPause?: GIFHandler;
  onEnded?: GIFHandler;
  onWaiting?: GIFHandler;
  onSeeking?: GIFHandler;
  onSeeked?: GIFHandler;
  onTimeUpdate?: GIFHandler;
  onRateChange?: GIFHandler;
  onProgress?: GIFHandler;
  onDurationChange?: GIFHandler;
}

export interface AnimatedImageListProps<Item extends WallItem = WallItem>
  extends Omit<React.HTMLAttributes<HTMLElement>, "children" | "placeholder"> {
  data: readonly Item[];
  options?: { placeholderImage?: string | { uri: string } };
  placeholder?: string;
  /** A fixed number; as many as fit where it is absent. */
  columns?: number;
  numColumns?: number;
  gap?: number;
  /** Width by height of a picture. */
  aspect?: number;
  minWidth?: number;
  resizeMode?: "stretch" | "contain" | "cover";
  motion?: "full" | "reduced" | "once" | "hover";
  onItemPress?: Handler<{ index: number; item: Item }, GallopWall>;
  onViewChange?: Handler<{ first: number; end: number }, GallopWall>;
}

type SliderRange = { minValue: number; maxValue: number };

export interface RangeSliderProps extends Omit<React.HTMLAttributes<HTMLElement>, "children"> {
  activeColor?: string;
  inactiveColor?: string;
  minValue?: number;
  maxValue?: number;
  leftKnobValue?: number;
  rightKnobValue?: number;
  /** 0 for none. */
  step?: number;
  disabled?: boolean;
  onRangeSliderViewBeginDrag?: Handler<{}, GallopScrubber>;
  onRangeSliderViewValueChange?: Handler<SliderRange, GallopScrubber>;
  onRangeSliderViewEndDrag?: Handler<SliderRange, GallopScrubber>;
}

/** Commands of a slider: they cause no event of a drag. */
export interface RangeSliderCommands {
  readonly element: GallopScrubber | null;
  setLeftKnobValue(value: number): void;
  setRightKnobValue(value: number): void;
}

export interface CallbackEvent<Value = unknown> {
  type: string;
  target: Element | null;
  currentTarget: Element | null;
  /** 1 on the way down, 2 at the view itself, 3 on the way up. */
  eventPhase: 1 | 2 | 3;
  nativeEvent: { value?: Value; target: Element | null };
  stopPropagation(): void;
  isPropagationStopped(): boolean;
  preventDefault(): void;
  isDefaultPrevented(): boolean;
}

/** Sends an event; false if a handler has prevented the default. */
export type Emit = (name: string, value?: unknown, phase?: "direct" | "bubbling") => boolean;

export interface CallbackViewProps {
  /** The element to render; "div" where it is absent. */
  as?: React.ElementType;
  children?: React.ReactNode;
  className?: string;
  style?: React.CSSProperties;
  id?: string;
  /** `onReady` is called for `ready` on its way up, `onReadyCapture` on its way down. */
  [callback: `on${string}`]: ((event: CallbackEvent<any>) => void) | undefined;
}

export interface CallbackCommands {
  readonly element: Element | null;
  emit: Emit;
}

/** What a GIF is doing. */
export interface AnimatedImageState {
  currentFrameIndex: number;
  frameCount: number;
  currentTime: number;
  duration: number;
  paused: boolean;
  ended: boolean;
  playbackRate: number;
  error: { code: number; message: string } | null;
}

export interface Components {
  AnimatedImage: React.ForwardRefExoticComponent<AnimatedImageProps & React.RefAttributes<GallopGIF>>;
  AnimatedImageList: React.ForwardRefExoticComponent<
    AnimatedImageListProps<any> & React.RefAttributes<GallopWall>>;
  RangeSlider: React.ForwardRefExoticComponent<RangeSliderProps & React.RefAttributes<RangeSliderCommands>>;
  CallbackView: React.ForwardRefExoticComponent<CallbackViewProps & React.RefAttributes<CallbackCommands>>;
  useAnimatedImage(): [ref: (element: GallopGIF | null) => void, state: AnimatedImageState,
    element: GallopGIF | null];
  useEmit(): Emit;
  useMountAnimation(keyframes: Keyframe[],
    options?: number | KeyframeAnimationOptions): React.RefCallback<Element>;
}

export const AnimatedImage: Components["AnimatedImage"];
export const AnimatedImageList: Components["AnimatedImageList"];
export const RangeSlider: Components["RangeSlider"];
export const CallbackView: Components["CallbackView"];
export const useAnimatedImage: Components["useAnimatedImage"];
export const useEmit: Components["useEmit"];
export const useMountAnimation: Components["useMountAnimation"];

/** The components of a React that is handed over. */
export function componentsOf(react: object): Components;
