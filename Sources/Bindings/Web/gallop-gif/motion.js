// When an element may move by itself. WCAG 2.2.2: what moves longer than five seconds can be paused.

export const MOTIONS = ["full", "reduced", "once", "hover"];
const ONCE_LIMIT = 5000;

/**
 * Ends what moves once, after five seconds in which it moves in sight.
 * @param {() => void} end
 * @returns {(isMoving: boolean) => void} counts from now on, or rests
 */
export function onceLimit(end) {
  let [left, since, timer] = [ONCE_LIMIT, 0, 0];
  return (isMoving) => {
    if (isMoving === since > 0) return;
    const now = performance.now();
    if (isMoving) timer = setTimeout(end, left);
    else clearTimeout(timer);
    left -= isMoving ? 0 : now - since;
    since = isMoving ? now : 0;
  };
}

/**
 * What a policy means for an element.
 * @param {string | null} motion "full" plays in any case, "reduced" (the default) unless the user asks for less motion,
 *   "once" plays one loop and at most five seconds, "hover" plays under the pointer or with the focus
 * @param {boolean} prefersReduced whether the user asks for less motion
 */
export function motionPlan(motion, prefersReduced) {
  const policy = MOTIONS.includes(motion) ? motion : "reduced";
  return {
    startsByItself: policy === "full" || (!prefersReduced && policy !== "hover"),
    endsByItself: policy === "once",
    followsPointer: policy === "hover",
  };
}

/** Whether a policy on flashes may stop what plays. @param {string} [policy] */
export const mayHold = (policy) => ["hold", "slow"].includes(policy);
