// In place of the browser's clock.

/** A clock that a test turns by hand. */
export class ManualClock {
  origin = 0;
  time = 0;
  at = Infinity;
  #tick = () => {};
  #idle = [];

  now() {
    return this.time;
  }

  onWake(tick) {
    this.#tick = tick;
  }

  wake(at) {
    this.at = at;
  }

  idle(work) {
    this.#idle.push(work);
  }

  /** Moves on, waking up at every instant on the way that was asked for. */
  advance(milliseconds) {
    const end = this.time + milliseconds;
    while (this.at <= end) {
      this.time = Math.max(this.time, this.at);
      this.at = Infinity;
      this.#tick();
    }
    this.time = end;
  }

  /** Does the idle work that was asked for. */
  rest() {
    for (const work of this.#idle.splice(0)) work(Infinity);
  }
}
