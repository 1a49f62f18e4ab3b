// What the suites of the components share beside the runner.
import { stage } from "../harness.js";

export { equal, ok, test } from "../harness.js";

/** A part of the page of a known size, for one test. */
export function room(width = 400, height = 300) {
  const box = document.createElement("div");
  Object.assign(box.style, { width: `${width}px`, height: `${height}px`, position: "relative" });
  stage.replaceChildren(box);
  return box;
}

/** Resolves with the next event of a type for which the condition holds. */
export function next(target, type, condition = () => true) {
  return new Promise((resolve) => {
    const hear = (event) => {
      if (!condition(event)) return;
      target.removeEventListener(type, hear, true);
      resolve(event);
    };
    target.addEventListener(type, hear, true);
  });
}

/** Resolves after the next picture of the page. */
export const painted = () =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
