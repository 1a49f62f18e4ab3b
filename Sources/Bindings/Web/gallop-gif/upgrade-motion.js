// What some policies of motion need: images that play under the pointer, or at a click, and the end of what plays once.

import { onceLimit } from "./motion.js";

/** What a policy of motion needs. @param {"hover" | "click" | "once"} motion */
export const needsOf = (motion) => (motion === "once" ? { onceLimit }
  : { follow: (...parts) => follow(motion, ...parts), spotOf: motion === "click" ? middleOf : undefined });

/** A large button in the middle. @param {DOMRect} seen of the image */
function middleOf({ left, top, width, height }) {
  const size = Math.max(24, Math.min(72, Math.min(width, height) * 0.6));
  return [left + (width - size) / 2, top + (height - size) / 2, size];
}

// What takes a click on a picture inside it.
const CLICKABLE = "a[href], button, label, summary";

/**
 * Lets the pointer, the focus and clicks decide about an image.
 * @param {"hover" | "click"} motion
 * @param {import("./upgrade-image.js").UpgradedImage} item
 * @param {{element: HTMLElement} | null} control
 * @param {AbortSignal} signal ends it
 * @param {(wish: "play" | "pause") => void} ask
 * @param {() => string | null} wish what the user or the page has asked for
 */
function follow(motion, item, control, signal, ask, wish) {
  const { image } = item;
  if (motion === "click") {
    image.addEventListener("click", (event) => {
      if (!event.defaultPrevented && !image.closest(CLICKABLE)) ask(item.isPlaying ? "pause" : "play");
    }, { signal });
    return;
  }
  const places = [image, image.closest(CLICKABLE), control?.element].filter(Boolean);
  const leave = () => {
    if (!signal.aborted && !wish() && !places.some((place) => place.matches(":hover, :focus, :focus-within"))) item.pause();
  };
  const change = ({ type, pointerType }) => {
    // A finger that scrolls the page plays nothing: it has the button.
    if (wish() || pointerType === "touch") return;
    if (type === "pointerenter" || type === "focusin") item.play();
    // By its style the place is still under the pointer in Firefox, and the next one is not yet.
    else setTimeout(leave);
  };
  for (const place of places) {
    for (const type of ["pointerenter", "pointerleave", "focusin", "focusout"]) {
      place.addEventListener(type, change, { signal });
    }
  }
}
