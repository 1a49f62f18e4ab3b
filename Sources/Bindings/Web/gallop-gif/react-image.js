// <AnimatedImage>: a GIF as a React component, with the ancestor's properties and event shape.
import "./index.js";
import { styled } from "./react-tools.js";

/** The handlers of <AnimatedImage> and the element's events. */
const EVENTS = {
  onFrameChange: "framechange", onLoop: "loop", onFlashes: "flashes", onLoadStart: "loadstart", onLoadedMetadata: "loadedmetadata",
  onLoadedData: "loadeddata", onLoad: "load", onError: "error", onPlay: "play", onPlaying: "playing", onPause: "pause",
  onEnded: "ended", onWaiting: "waiting", onSeeking: "seeking", onSeeked: "seeked", onTimeUpdate: "timeupdate",
  onRateChange: "ratechange", onProgress: "progress", onDurationChange: "durationchange",
};
const CHANGES = ["framechange", "loadedmetadata", "loadeddata", "play", "pause", "ended", "seeked",
  "ratechange", "durationchange", "emptied", "error"];
/** What a property that is taken away returns to. */
const DEFAULTS = { playbackRate: 1, mode: "forward", range: null };
const HAVE_CURRENT_DATA = 2;
const NOTHING = Object.freeze({ currentFrameIndex: 0, frameCount: 0, currentTime: 0, duration: NaN,
  paused: true, ended: false, playbackRate: 1, error: null });

const sourceOf = (src) => (src && typeof src === "object" ? src.uri ?? "" : src ?? "");
const fill = { position: "absolute", inset: 0, width: "100%", height: "100%" };

/** The attribute `loop`: for ever, once, a number of plays, or, where it is absent, what the file says. */
function playsOf(loop) {
  if (loop === undefined || loop === null) return undefined;
  return loop === true ? true : String(Number(loop) || 1);
}

/** A page that wants less motion gets no fades. */
function prefersLess() {
  return globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;
}

/** The state of an element for a render. */
function stateOf(element) {
  return element ? Object.fromEntries(Object.keys(NOTHING).map((name) => [name, element[name]])) : NOTHING;
}

/** @param {object} React @param {ReturnType<import("./react-tools.js").reactTools>} tools */
export function imageComponents(React, { useBrowserEffect, useEvents, useSharedRef, useStyle }) {
  const { createElement, forwardRef, useCallback, useEffect, useRef, useState } = React;

  /** Whether the GIF of this source has arrived. Another source starts over. */
  function useArrival(ref, src) {
    const [arrived, setArrived] = useState(null);
    useBrowserEffect(() => {
      const element = ref.current;
      const arrive = () => setArrived(src);
      if (element.readyState >= HAVE_CURRENT_DATA || element.isPlain) arrive(); // before React was there
      // A plain image that stands in comes without data.
      for (const type of ["loadeddata", "load"]) element.addEventListener(type, arrive);
      return () => ["loadeddata", "load"].forEach((type) => element.removeEventListener(type, arrive));
    }, [src]);
    return arrived === src;
  }

  /** Hands properties that attributes cannot carry to the element. */
  function useProperties(ref, properties) {
    const before = useRef({});
    useBrowserEffect(() => {
      for (const [name, value] of Object.entries(properties)) {
        const had = before.current[name];
        if (value !== had) ref.current[name] = value ?? DEFAULTS[name];
      }
      before.current = properties;
    });
  }

  /** `paused` wins over `autoplay`; a GIF that cannot play says so by its `error`. */
  function usePaused(ref, paused) {
    const before = useRef(undefined);
    useBrowserEffect(() => {
      const changed = before.current !== undefined && before.current !== paused;
      before.current = paused;
      if (!changed) return;
      if (paused) ref.current.pause();
      else ref.current.play()?.catch?.(() => {});
    }, [paused]);
  }

  const Image = forwardRef(function Image(props, forwarded) {
    const {
      src, resizeMode = "stretch", style, className, placeholder, fadeDuration, paused = false, autoplay = true,
      loop, controls = false, playbackRate, mode, range, motion, alt, poster, preload, crossOrigin,
      loading, srcSet, sizes, width, height, late, delays, flashes, ...others
    } = props;
    const ref = useRef(null);
    const source = sourceOf(src);
    const hasArrived = useArrival(ref, source);
    const [covered, setCovered] = useState(null); // the source that has faded in wholly
    const rest = Object.fromEntries(Object.entries(others).filter(([name]) => !(name in EVENTS)));
    useEvents(ref, EVENTS, props);
    useProperties(ref, { playbackRate, mode, range });
    usePaused(ref, paused);

    const isFading = placeholder !== undefined || fadeDuration > 0;
    const fade = isFading && !prefersLess() ? fadeDuration ?? 300 : 0;
    const look = isFading
      ? { opacity: hasArrived ? 1 : 0, transition: hasArrived ? `opacity ${fade}ms` : "none" } : {};
    const own = placeholder === undefined ? { ...look, ...style } : { ...fill, ...look };
    useStyle(ref, own);
    // An empty text is not the same as true to every React that hydrates.
    const flag = (isSet) => (isSet ? true : undefined);
    const gif = createElement("gallop-gif", {
      ...(placeholder === undefined ? { ...rest, width, height, class: className } : {}), key: "gif",
      ref: useSharedRef(ref, forwarded), src: source || undefined, "resize-mode": resizeMode, alt, motion,
      poster, preload, crossorigin: crossOrigin, loading, srcset: srcSet, sizes, ...styled(own),
      loop: playsOf(loop), late, delays, flashes, controls: flag(controls),
      autoplay: flag(autoplay && !paused), onTransitionEnd: isFading ? () => setCovered(source) : undefined,
    });
    if (placeholder === undefined) return gif;
    const isCovered = hasArrived && (covered === source || fade === 0);
    const stand = typeof placeholder === "string"
      ? createElement("img",
        { src: placeholder, alt: "", "aria-hidden": true, style: { ...fill, objectFit: "cover" } })
      : placeholder;
    const holder = isCovered ? null : createElement("span", { key: "placeholder", style: fill }, stand);
    const box = { display: "inline-block", position: "relative", overflow: "hidden", width, height, ...style };
    return createElement("span", { ...rest, className, style: box }, holder, gif);
  });

  /** A GIF with a placeholder is held by another element: when that comes or goes, all starts over. */
  const AnimatedImage = forwardRef(function AnimatedImage(props, ref) {
    return createElement(Image, { ...props, ref, key: props.placeholder === undefined ? "bare" : "held" });
  });

  /**
   * A ref for <AnimatedImage> or <gallop-gif>, and what the GIF is doing, again at each change.
   * @returns {[ref: (element: Element | null) => void, state: object, element: Element | null]}
   */
  function useAnimatedImage() {
    const [element, setElement] = useState(null);
    const [state, setState] = useState(NOTHING);
    useEffect(() => {
      const look = () => setState(stateOf(element));
      look();
      if (!element) return undefined;
      for (const type of CHANGES) element.addEventListener(type, look);
      return () => CHANGES.forEach((type) => element.removeEventListener(type, look));
    }, [element]);
    return [setElement, state, element];
  }

  /**
   * A ref whose element is animated when it is mounted; nothing moves for users who want less motion.
   * @param {Keyframe[]} keyframes @param {number | KeyframeAnimationOptions} [options]
   */
  function useMountAnimation(keyframes, options = 250) {
    const running = useRef(null);
    return useCallback((element) => {
      running.current?.cancel();
      running.current = element && !prefersLess() ? element.animate(keyframes, options) : null;
    }, []);
  }

  return { AnimatedImage, useAnimatedImage, useMountAnimation };
}
