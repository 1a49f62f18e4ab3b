// A small runner of tests in a page. A suite registers tests; `harness.run` answers with a row for each.

const LONGEST_SECONDS = 60;
let tests = [];

/** Registers a test. */
export function test(title, body, seconds = LONGEST_SECONDS) {
  tests.push({ title, body, seconds });
}

export const stage = document.getElementById("stage");

export function equal(got, wanted, what = "value") {
  const [one, other] = [got, wanted].map((value) => JSON.stringify(value, plain));
  if (one !== other) throw new Error(`${what}: ${one} instead of ${other}`);
}

const plain = (_, value) => (typeof value === "number" && !Number.isFinite(value) ? String(value) : value);

export function ok(value, what = "it") {
  if (!value) throw new Error(`${what} is not so`);
}

export async function rejects(promise, name) {
  const error = await promise.then(() => null, (reason) => reason);
  if (error?.name !== name && error?.code !== name) throw new Error(`ends with ${error} instead of ${name}`);
  return error;
}

/** Waits for an event. */
export function until(target, type) {
  return new Promise((resolve) => target.addEventListener(type, resolve, { once: true }));
}

/** Waits until something holds; it is looked at with each event of the element, and with each refresh. */
export async function holds(find) {
  while (!find()) await new Promise(requestAnimationFrame);
  return find();
}

/**
 * Holds the timers of two to five seconds while a body runs.
 * @param {(held: Map<number, {run: () => void, delay: number}>) => Promise<void>} body gets those that are set and not cleared
 */
export async function holdingTimers(body) {
  const { setTimeout, clearTimeout } = globalThis;
  const held = new Map();
  let last = 1e9;
  globalThis.setTimeout = (run, delay, ...rest) => {
    if (!(delay > 2000 && delay <= 5000)) return setTimeout(run, delay, ...rest);
    held.set((last += 1), { run, delay });
    return last;
  };
  globalThis.clearTimeout = (timer) => held.delete(timer) || clearTimeout(timer);
  try {
    await body(held);
  } finally {
    Object.assign(globalThis, { setTimeout, clearTimeout });
  }
}

/**
 * Scrolls an element into sight, out of it, and into it again: the timer that is held meanwhile goes on with its rest.
 * @returns {Promise<{first: number, run: () => void}>} its delay at first, and what it does at its end
 */
export async function seeTwice(element, held) {
  element.scrollIntoView();
  await holds(() => held.size === 1);
  const [{ delay: first }] = held.values();
  scrollTo(0, 0);
  await holds(() => held.size === 0);
  element.scrollIntoView();
  await holds(() => held.size === 1);
  const [{ run, delay }] = held.values();
  ok(delay < first && delay < 5000, `the rest of its time: ${delay}`);
  return { first, run };
}

/** Puts an element on the page. */
export function mount(attributes = {}, tag = "gallop-gif") {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  stage.append(element);
  return element;
}

/** Notes the events of an element, in order. */
export function notes(element, types) {
  const seen = [];
  for (const type of types) element.addEventListener(type, () => seen.push(type));
  return seen;
}

export const MEDIA_EVENTS = ["loadstart", "progress", "suspend", "abort", "error", "emptied", "loadedmetadata",
  "loadeddata", "canplay", "canplaythrough", "playing", "waiting", "seeking", "seeked", "ended", "durationchange",
  "play", "pause", "ratechange", "volumechange", "resize"];

async function runOne({ title, body, seconds }) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("The test does not end.")), seconds * 1000);
  });
  try {
    const note = await Promise.race([body(), late]);
    return { title, error: null, note: note ?? null };
  } catch (error) {
    return { title, error: `${error}\n${error.stack ?? ""}`.slice(0, 1500) };
  } finally {
    clearTimeout(timer);
    stage.replaceChildren();
  }
}

globalThis.harness = {
  /** Runs a suite; the rows as JSON text. */
  async run(suite, only = "") {
    tests = [];
    const uncaught = [];
    const note = (event) => uncaught.push(String(event.reason ?? event.message));
    addEventListener("error", note);
    addEventListener("unhandledrejection", note);
    const violation = (event) => uncaught.push(`policy: ${event.violatedDirective} ${event.blockedURI}`);
    addEventListener("securitypolicyviolation", violation);
    await import(suite);
    const rows = [];
    for (const one of tests) if (one.title.includes(only)) rows.push(await runOne(one));
    rows.push({ title: "Nothing is left uncaught", error: uncaught.length ? uncaught.join("; ") : null });
    return JSON.stringify(rows);
  },
};
