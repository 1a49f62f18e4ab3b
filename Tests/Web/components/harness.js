// A small runner for tests in a page: `test` collects, `suite.run()` answers one row for each test.

const tests = [];

/** @param {string} title @param {() => unknown} body */
export function test(title, body) {
  tests.push({ title, body });
}

/** Fails unless two values are the same as JSON, or the same object. */
export function equal(actual, expected, note = "") {
  if (Object.is(actual, expected)) return;
  const [was, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (was !== wanted || was === undefined) throw new Error(`${note} is ${was}, should be ${wanted}`);
}

/** Fails unless the value is true. */
export function ok(value, note = "a value") {
  if (!value) throw new Error(`${note} should be true`);
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
export const painted = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

/** An empty part of the page for one test, of a known size. */
export function stage(width = 400, height = 300) {
  const place = document.createElement("div");
  place.style.cssText = `width: ${width}px; height: ${height}px; position: relative`;
  place.dataset.stage = "";
  document.body.append(place);
  return place;
}

const LIMIT_MS = 15_000;

async function runOne({ title, body }) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("the test does not end")), LIMIT_MS);
  });
  try {
    await Promise.race([Promise.resolve().then(body), late]);
    return { title, error: null };
  } catch (error) {
    return { title, error: `${error?.message ?? error}\n${error?.stack ?? ""}` };
  } finally {
    clearTimeout(timer);
    for (const place of document.querySelectorAll("[data-stage]")) place.remove();
  }
}

globalThis.suite = {
  async run() {
    const rows = [];
    for (const one of tests) rows.push(await runOne(one));
    return JSON.stringify(rows);
  },
};
