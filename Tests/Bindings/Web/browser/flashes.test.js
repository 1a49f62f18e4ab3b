// `flashes`: what flashes more than WCAG 2.2 allows is held or slowed, the user is told, and decides.

import "/gallop/index.js";
import { flashingGIF } from "/tests/shared/flashing_gif.js";
import { equal, holds, mount as place, ok, stage, test, until } from "./harness.js";

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

/** The frames but the first that are shown within a time: none while a GIF is held. The first may come after the verdict. */
async function framesWithin(element, milliseconds) {
  let count = 0;
  const note = ({ currentFrameIndex }) => (count += currentFrameIndex > 0);
  element.addEventListener("framechange", note);
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  element.removeEventListener("framechange", note);
  return count;
}

/** Waits until it has shown some frames. */
async function plays(element, frames = 5) {
  for (let count = 0; count < frames; count += 1) await until(element, "framechange");
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
  button.focus();
  button.click();
  await is(element, "warned");
  await plays(element);
  equal([isSeen(notice), button.ariaLabel], [true, "Stop: Lightning"]);
  ok(element.shadowRoot.activeElement === button, "the focus stays");
  button.click();
  await is(element, "held");
  await holds(() => isSeen(notice) && button.ariaLabel === "Play: Lightning");
  equal(await framesWithin(element, 500), 0, "frames once it is stopped");
  equal(seen.filter((state) => state !== "judging"), ["held", "warned", "held"]);
  equal(element.flashes, "hold", "the page's attribute");
});

test("The page's poster stands until a GIF may play", async () => {
  const poster = "/tests/browser/pixel.png";
  const element = mount({ flashes: "hold", autoplay: "", motion: "full", poster });
  const isThere = () => element.shadowRoot.querySelector("[part=poster]") !== null;
  await holds(() => isSeen(noticeOf(element)) && !element.paused);
  ok(isThere(), "the poster of what is held");
  noticeOf(element).querySelector("button").click();
  await plays(element);
  ok(!isThere(), "it plays");
  const calm = place({ ...LARGE, flashes: "hold", autoplay: "", motion: "full", poster, src: "/gifs/gallop.gif" });
  await is(calm, "passes");
  await holds(() => !calm.shadowRoot.querySelector("[part=poster]"));
  // Without a file yet, and then without a policy.
  const late = place({ ...LARGE, flashes: "hold", autoplay: "", motion: "full", poster });
  late.flashes = "allow";
  late.src = "/gifs/gallop.gif";
  await holds(() => !late.shadowRoot.querySelector("[part=poster]"));
});

test("The bar's button plays what is held, as the notice's does", async () => {
  const element = mount({ flashes: "hold", autoplay: "", motion: "full", controls: "", alt: "Storm" });
  await holds(() => isSeen(noticeOf(element)));
  const bar = () => [...element.shadowRoot.querySelectorAll("button")].find((one) => !noticeOf(element).contains(one));
  await holds(() => bar()?.ariaLabel === "Play: Storm");
  const { width } = noticeOf(element).querySelector("button").getBoundingClientRect();
  ok(width > 40, `the word has room in its button: ${width}`);
  bar().click();
  await is(element, "warned");
  await holds(() => !isSeen(noticeOf(element)) && bar().ariaLabel === "Pause: Storm");
  await plays(element);
});

test("A link around what is held does not take the clicks in its notice", async () => {
  const clicks = [];
  const link = stage.appendChild(document.createElement("a"));
  link.href = "#followed";
  link.addEventListener("click", (event) => clicks.push(event));
  const element = mount({ flashes: "hold", click: "toggle", controls: "" });
  link.append(element);
  const notice = await holds(() => noticeOf(element));
  await holds(() => isSeen(notice));
  notice.querySelector("p").click();
  notice.querySelector("button").click();
  equal([clicks.length, location.hash], [0, ""]);
  await is(element, "warned");
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
  await holds(() => !isSeen(noticeOf(element)));
  await until(element, "loop");
});

test("Slowed, it has at most six changes in any second", async () => {
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
});

test("A small one plays; one that grows too large is held, and its notice fits", async () => {
  const element = mount({ flashes: "hold", autoplay: "", motion: "full", width: 80, height: 60 });
  await is(element, "passes");
  await plays(element);
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
  await plays(element);
});

test("Without an attribute nothing is asked", async () => {
  const element = mount({ autoplay: "", motion: "full" });
  const seen = states(element);
  await until(element, "loop");
  equal([seen, element.flashes, element.flashState.state], [[], "allow", "unjudged"]);
});

test("What cannot be read cannot be judged: it stands, and plays when its user wants it", async () => {
  const src = `${await (await fetch("/foreign")).json()}/gifs/gallop.gif`;
  const element = place({ ...LARGE, src, flashes: "hold", autoplay: "", motion: "full" });
  await is(element, "held");
  await holds(() => isSeen(noticeOf(element)));
  equal([element.isPlain, element.paused, element.flashState.report], [true, true, null]);
  equal(noticeOf(element).querySelector("p").textContent, "Cannot be checked for flashes");
  await element.play();
  ok(element.paused, "a page's play() does not move it");
  noticeOf(element).querySelector("button").click();
  await holds(() => !element.paused && noticeOf(element).querySelector("button").textContent === "Stop");
  noticeOf(element).querySelector("button").click();
  await holds(() => element.paused && noticeOf(element).querySelector("button").textContent === "Play");
  const picture = place({ ...LARGE, src: "/tests/browser/pixel.png", flashes: "hold" });
  await until(picture, "load");
  equal([picture.isPlain, picture.flashState.state], [true, "unjudged"]);
});

test("A policy of none, set where there is no player, takes the notice away", async () => {
  const element = mount({ flashes: "hold", autoplay: "", motion: "full" });
  await holds(() => isSeen(noticeOf(element)));
  element.remove();
  await new Promise((resolve) => setTimeout(resolve));
  element.flashes = "allow";
  stage.append(element);
  await holds(() => !isSeen(noticeOf(element)));
  await plays(element);
});
