// When the host's players tick: one clock for all of them.

/** Frames due within half a refresh are shown together. */
export const HALF_REFRESH = 8;
const REFRESH = 17;
// A browser that draws nothing sends no refresh, but loops must still end.
const LONGEST_WAIT_FOR_REFRESH = 250;

/** The browser's clock: a timer for far instants, the screen's refresh for near ones. */
export class BrowserClock {
  #timer = 0;
  #refresh = 0;
  #at = Infinity;
  #tick = () => {};

  now() {
    return performance.now();
  }

  /** Milliseconds from the page's and the workers' common zero to this clock's. */
  get origin() {
    return performance.timeOrigin;
  }

  /** Sets what a wake-up calls. */
  onWake(tick) {
    this.#tick = tick;
  }

  /** Wakes up at an instant, or with the refresh before it if something is seen. Replaces the wake-up before. */
  wake(at, isSeen) {
    if (at === this.#at) return;
    this.#cancel();
    this.#at = at;
    if (at === Infinity) return;
    const delay = at - this.now();
    if (!isSeen || typeof requestAnimationFrame !== "function") {
      this.#timer = setTimeout(this.#fire, Math.max(0, delay));
    } else if (delay > 2 * REFRESH) {
      this.#timer = setTimeout(this.#awaitRefresh, delay - REFRESH);
    } else {
      this.#awaitRefresh();
    }
  }

  /** Calls `work(deadline)` when nothing else is to be done. */
  idle(work, until) {
    if (typeof requestIdleCallback === "function") {
      requestIdleCallback((idle) => work(Math.min(until, this.now() + idle.timeRemaining())));
    } else {
      setTimeout(() => work(until), 0);
    }
  }

  #awaitRefresh = () => {
    this.#refresh = requestAnimationFrame(this.#fire);
    this.#timer = setTimeout(this.#fire, LONGEST_WAIT_FOR_REFRESH);
  };

  #fire = () => {
    this.#cancel();
    this.#tick();
  };

  #cancel() {
    clearTimeout(this.#timer);
    if (this.#refresh) cancelAnimationFrame(this.#refresh);
    this.#refresh = 0;
    this.#at = Infinity;
  }
}
