// What the elements share: one observer of each kind, one timer, one look at the user's wish for less motion.

const TIME_UPDATE = 250;

// How far outside of the view an element that loads late begins to load.
const NEAR = "1250px";

const sights = new WeakMap();
let intersections;
let neighbourhood;
let sizes;

/**
 * Notifies an element when it comes into sight, and of its size in device pixels.
 * @param {Element} element
 * @param {(isVisible: boolean) => void} see
 * @param {(width: number, height: number) => void} measure
 */
export function observe(element, see, measure) {
  sights.set(element, { see, measure });
  if (typeof IntersectionObserver === "function") {
    intersections ??= new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) sights.get(target)?.see(isIntersecting);
    });
    intersections.observe(element);
  } else see(true);
  if (typeof ResizeObserver !== "function") return;
  sizes ??= new ResizeObserver((entries) => {
    for (const entry of entries) {
      const { width, height } = entry.contentRect;
      sights.get(entry.target)?.measure(Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio));
    }
  });
  sizes.observe(element);
}

const approaches = new WeakMap();

/** Calls `approach` once, when an element is near the view. */
export function whenNear(element, approach) {
  if (typeof IntersectionObserver !== "function") {
    approach();
    return;
  }
  approaches.set(element, approach);
  neighbourhood ??= new IntersectionObserver((entries, observer) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      observer.unobserve(target);
      approaches.get(target)?.();
    }
  }, { rootMargin: NEAR });
  neighbourhood.observe(element);
}

/** Ends what `observe` and `whenNear` began. */
export function unobserve(element) {
  intersections?.unobserve(element);
  neighbourhood?.unobserve(element);
  sizes?.unobserve(element);
  sights.delete(element);
}

const playing = new Set();
let timer = 0;

/** Calls `update` four times a second while it is in the set. */
export function setTicking(update, isTicking) {
  if (isTicking) playing.add(update);
  else playing.delete(update);
  if (playing.size > 0 && !timer) {
    timer = setInterval(() => playing.forEach((each) => each()), TIME_UPDATE);
  } else if (playing.size === 0) {
    clearInterval(timer);
    timer = 0;
  }
}

const query = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");

/** Whether the user asks for less motion. */
export function prefersReducedMotion() {
  return query?.matches === true;
}

/** Calls `change` when the user's wish changes, until the signal ends it. */
export function onMotionChange(change, signal) {
  query?.addEventListener("change", change, { signal });
}

/** The user's instant, on the clock that the page shares with its workers. */
export const now = () => performance.timeOrigin + performance.now();
