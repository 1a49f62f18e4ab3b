// `flashes`: what flashes more than WCAG 2.2 allows is held or slowed, the user is told, and decides.

import "/gallop/index.js";
import { flashingGIF } from "/tests/shared/flashing_gif.js";
import { equal, holds, mount as place, ok, test, until } from "./harness.js";

const FLASHING = new Blob([flashingGIF({ count: 6 })]);
/** Large enough to fail. */
const LARGE = { width: 400, height: 300 };

function mount(attributes, file = FLASHING) {
  const element = place({ ...LARGE, ...attributes });
  element.srcObject = file;
  return element;
}

/** The states that an element has gone through, each once. */
function states(element) {
  const seen = [];
  element.addEventListener("flashes", ({ state }) => seen.at(-1) !== state && seen.push(state));
  return seen;
}

const is = (element, state) => holds(() => element.flashState.state === state);
const noticeOf = (element) => element.shadowRoot.querySelector("[part=notice]");
const isSeen = (notice) => notice !== null && notice.checkVisibility();

/** Frames are counted without those that the element shows at its beginning. */
async function framesWithin(element, milliseconds) {
  let count = 0;
  const note = () => (count += 1);
  element.addEventListener("framechange", note);
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  element.removeEventListener("framechange", note);
  return count;
}

test("A GIF that flashes is held at its first frame; the notice says why, and its button plays it", async () => {
  const element = mount({ flashes: "hold", autoplay: "", motion: "full", alt: "Lightning" });
  const seen = states(element);
  equal(element.flashState, { state: "unjudged", rate: null, report: null });
  await is(element, "held");
  await holds(() => isSeen(noticeOf(element)));
  const { report } = element.flashState;
  equal([report.result, report.red, report.decoded], ["fails", null, true]);
  ok(report.general.perSecond > 3 && report.safeSize[0] < 400 && report.safeRate < 1, JSON.stringify(report));
  equal(await framesWithin(element, 1000), 0, "frames while it is held");
  equal([element.paused, element.currentFrameIndex], [false, 0]);
  const notice = noticeOf(element);
  equal(notice.querySelector("p").textContent, "Flashes more than 3 times a second");
  const button = notice.querySelector("button");
  equal(button.ariaLabel, "Play: Lightning");
  button.click();
  await is(element, "warned");
  ok(!isSeen(notice), "the notice is hidden");
  ok(await framesWithin(element, 1000) >= 5, "it plays");
  equal(seen.filter((state) => state !== "judging"), ["held", "warned"]);
  equal(element.flashes, "hold", "the page's attribute");
});

test("play() is kept once a GIF that is held plays", async () => {
  const element = mount({ flashes: "hold" });
  await is(element, "held");
  let isPlaying = false;
  const promise = element.play().then(() => (isPlaying = true));
  equal(await framesWithin(element, 300), 0, "frames while it is held");
  ok(!isPlaying && !element.paused, "it waits");
  element.flashes = "allow";
  await promise;
  await is(element, "unjudged");
});

test("Another GIF is judged for itself: the user's wish is for the one before", async () => {
  const element = mount({ flashes: "hold", autoplay: "", motion: "full" });
  await holds(() => isSeen(noticeOf(element)));
  noticeOf(element).querySelector("button").click();
  await is(element, "warned");
  element.srcObject = new Blob([flashingGIF({ count: 4, delay: 8 })]);
  equal(element.flashState.state, "unjudged");
  await is(element, "held");
  await holds(() => isSeen(noticeOf(element)));
  element.src = "/gifs/gallop.gif";
  await is(element, "passes");
  ok(!isSeen(noticeOf(element)), "the notice is hidden");
  await until(element, "loop");
});

test("Slowed, it has at most six changes in any second, and its time runs with it", async () => {
  const element = mount({ flashes: "slow", autoplay: "", motion: "full" });
  const times = [];
  element.addEventListener("framechange", ({ shownAt }) => times.push(shownAt));
  await is(element, "slowed");
  const { rate } = element.flashState;
  ok(rate > 0.3 && rate < 0.6, `the rate ${rate}`);
  equal(element.playbackRate, 1, "the page's rate");
  await holds(() => times.length > 20);
  for (let index = 6; index < times.length; index += 1) {
    ok(times[index] - times[index - 6] >= 999, `${times[index] - times[index - 6]} ms from frame ${index - 6} on`);
  }
  const [before, start] = [element.currentTime, performance.now()];
  await new Promise((resolve) => setTimeout(resolve, 200));
  const passed = (element.currentTime - before + element.duration) % element.duration;
  ok(Math.abs(passed - rate * (performance.now() - start) / 1000) < 0.08, `${passed} s have passed`);
});

test("A small one plays; one that grows too large is held, and its notice fits", async () => {
  const element = mount({ flashes: "hold", autoplay: "", motion: "full", width: 80, height: 60 });
  await is(element, "passes");
  ok(await framesWithin(element, 600) >= 3, "it plays");
  element.width = 400;
  element.height = 300;
  await is(element, "held");
  await holds(() => isSeen(noticeOf(element)));
  const [outer, inner] = [element, noticeOf(element).firstElementChild].map((part) => part.getBoundingClientRect());
  ok(inner.left >= outer.left && inner.right <= outer.right && inner.bottom <= outer.bottom, "within the picture");
});

test("Only told, it plays", async () => {
  const element = mount({ flashes: "warn", autoplay: "", motion: "full" });
  await is(element, "warned");
  ok(noticeOf(element) === null, "no notice");
  ok(await framesWithin(element, 600) >= 3, "it plays");
});

test("Without an attribute nothing is asked", async () => {
  const element = mount({ autoplay: "", motion: "full" });
  const seen = states(element);
  await until(element, "loop");
  equal([seen, element.flashes, element.flashState.state], [[], "allow", "unjudged"]);
});
