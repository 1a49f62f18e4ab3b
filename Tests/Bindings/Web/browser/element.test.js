// The element in its document: sight, size, moves, people, motion, memory, traps.

import { statistics } from "/gallop/index.js";
import { motionPlan } from "/gallop/motion.js";
import { equal, holdingTimers, holds, mount, notes, ok, seeTwice, stage, test, until } from "./harness.js";

const GALLOP = "/gifs/gallop.gif";
const SPINNER = "/gifs/spinner.gif";

async function shown(attributes = {}) {
  const element = mount({ src: GALLOP, ...attributes });
  if (element.readyState < 4) await until(element, "canplaythrough");
  await holds(() => element.currentFrameIndex >= 0);
  return element;
}

const picture = (element) => element.shadowRoot.querySelector("[part=picture]");

/** The pixels that the element shows. */
function pixels(element, width = 48, height = 27) {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  context.drawImage(picture(element), 0, 0, width, height);
  return context.getImageData(0, 0, width, height).data;
}

const difference = (one, other) => one.reduce((sum, value, index) => sum + Math.abs(value - other[index]), 0) / one.length;

const refreshed = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

test("The frame that is shown is the frame that is decoded", async () => {
  const element = await shown();
  for (const frame of [0, 11, 23]) {
    await element.seekToFrame(frame);
    const canvas = new OffscreenCanvas(480, 270);
    canvas.getContext("2d").putImageData(await element.captureFrame(frame), 0, 0);
    const context = new OffscreenCanvas(48, 27).getContext("2d");
    context.drawImage(canvas, 0, 0, 48, 27);
    const wanted = context.getImageData(0, 0, 48, 27).data;
    // A worker's canvas reaches the page with one of the next refreshes.
    do {
      await refreshed();
      await refreshed();
    } while (difference(pixels(element), wanted) >= 2);
  }
});

test("A first frame that was shown in part becomes whole, where nothing plays", async () => {
  const cases = { plain: [{}, 0], metadata: [{ preload: "metadata" }, 0], range: [{ range: "5,9" }, 5],
    reverse: [{ mode: "reverse" }, 29] };
  for (const [name, [attributes, frame]] of Object.entries(cases)) {
    const element = mount({ src: `/held/torn-${name}${GALLOP}?first=3000`, ...attributes });
    await holds(() => element.currentFrameIndex >= 0);
    equal([element.currentFrameIndex, element.paused], [0, true]);
    await fetch(`/release/torn-${name}`);
    await holds(() => element.currentFrameIndex === frame);
    const whole = await shown();
    await whole.seekToFrame(frame);
    await refreshed();
    do await refreshed(); while (difference(pixels(element), pixels(whole)) >= 2);
    element.remove();
    whole.remove();
  }
});

test("The element has the GIF's size where it is given none", async () => {
  const element = await shown();
  equal([element.clientWidth, element.clientHeight], [480, 270]);
  const small = await shown();
  small.style.width = "240px";
  equal([small.clientWidth, small.clientHeight], [240, 135]);
});

test("Frames are decoded at the size at which they are seen", async () => {
  const element = await shown({ class: "small", "resize-mode": "contain" });
  equal([element.clientWidth, element.clientHeight], [96, 64]);
  await holds(() => picture(element).width === Math.round(96 * devicePixelRatio));
  equal(picture(element).height, Math.round(54 * devicePixelRatio));
});

test("What is not seen decodes nothing; when it is seen it plays", async () => {
  const element = mount({ src: `${GALLOP}?far`, autoplay: "", class: "far" });
  await until(element, "playing");
  const before = await statistics();
  const seen = notes(element, ["timeupdate", "loop", "framechange"]);
  const near = mount({ src: GALLOP, autoplay: "" });
  await until(near, "loop");
  const decodes = (await statistics()).decodes - before.decodes;
  // The one that is seen may have begun its next loop.
  ok(decodes < 2 * near.frameCount, `${decodes} decodes`);
  equal([element.paused, element.currentFrameIndex, element.currentTime, seen], [false, -1, 0, []]);
  element.scrollIntoView();
  await until(element, "framechange");
  scrollTo(0, 0);
});

test("A listener on an ancestor hears each frame once it has read an event", async () => {
  const seen = new Set();
  const note = ({ currentFrameIndex }) => seen.add(currentFrameIndex);
  stage.addEventListener("framechange", note, true);
  mount({ src: SPINNER, autoplay: "" });
  await holds(() => seen.size > 20);
  stage.removeEventListener("framechange", note, true);
});

test("Moving an element in the document loses nothing", async () => {
  const element = await shown({ autoplay: "" });
  const seen = notes(element, ["emptied", "pause", "loadstart"]);
  const before = picture(element);
  const box = document.createElement("div");
  stage.append(box);
  box.append(element);
  await refreshed();
  equal([seen, element.paused, picture(element) === before], [[], false, true]);
  await until(element, "framechange");
  if (!stage.moveBefore) return;
  stage.moveBefore(element, null);
  await refreshed();
  equal([seen, element.paused, picture(element) === before], [[], false, true]);
  await until(element, "framechange");
});

test("An element that leaves pauses and releases all; one that returns goes on where it was", async () => {
  const element = await shown();
  await element.seekToFrame(17);
  await element.play();
  const paused = until(element, "pause");
  element.remove();
  await paused;
  equal((await statistics()).players, 0);
  equal(picture(element), null);
  equal([element.frameCount, element.readyState, element.paused], [30, 4, true]);
  const { currentTime } = element;
  stage.append(element);
  await until(element, "framechange");
  await holds(() => picture(element) && element.currentFrameIndex >= 17);
  ok(Math.abs(element.currentTime - currentTime) < 0.05, `${element.currentTime} instead of ${currentTime}`);
});

test("An element that leaves while it loads fires nothing more", async () => {
  const element = mount({ src: "/held/leaving/gifs/gallop.gif?first=5000" });
  await until(element, "loadstart");
  const seen = notes(element, ["loadedmetadata", "canplay", "error"]);
  element.remove();
  await fetch("/release/leaving");
  await statistics();
  await refreshed();
  equal([seen.length, (await statistics()).players], [0, 0]);
});

test("Properties that are set before the element is defined count", async () => {
  const element = document.createElement("gallop-later");
  const settings = { alt: "A horse", autoplay: true, loop: true, late: "wait", delays: "encoded", resizeMode: "cover",
    crossOrigin: "anonymous", preload: "metadata", poster: "pixel.png", motion: "full", volume: 0.5 };
  Object.assign(element, { src: GALLOP, playbackRate: 2, ...settings });
  const seen = notes(element, ["loadstart"]);
  stage.append(element);
  const { GallopGIF } = await import("/gallop/element.js");
  customElements.define("gallop-later", class extends GallopGIF {});
  await until(element, "canplaythrough");
  equal([element.playbackRate, element.getAttribute("src"), seen.length], [2, GALLOP, 1]);
  for (const [name, value] of Object.entries(settings)) equal(element[name], value, name);
  ok(element.hasAttribute("autoplay"), "an attribute");
  while (element.paused) await refreshed();
});

test("Setting the same source again loads again, as media elements do", async () => {
  const element = await shown();
  const seen = notes(element, ["loadstart"]);
  element.src = GALLOP;
  await until(element, "canplaythrough");
  equal(seen.length, 1);
});

test("Another source is drawn on the same canvas, and nothing of the one before stays", async () => {
  const element = await shown();
  const canvas = picture(element);
  const empty = new Uint8ClampedArray(48 * 27 * 4);
  while (difference(pixels(element), empty) === 0) await refreshed();
  element.removeAttribute("src");
  while (difference(pixels(element), empty) > 0) await refreshed();
  element.src = SPINNER;
  await until(element, "canplaythrough");
  await holds(() => picture(element).width === 128);
  equal(picture(element), canvas);
  while (difference(pixels(element), empty) === 0) await refreshed();
  element.removeAttribute("src");
  element.remove();
  await holds(() => picture(element) === null);
});

test("A poster gives an element its size until the GIF has one", async () => {
  const element = mount({ src: SPINNER, poster: GALLOP, preload: "none", controls: "" });
  await holds(() => element.clientWidth === 480);
  equal([element.clientHeight, element.naturalWidth], [270, 0]);
  await element.decode();
  equal(element.clientWidth, element.naturalWidth);
});

test("The poster stands until it plays, or a frame is sought", async () => {
  const element = mount({ src: GALLOP, poster: "/tests/browser/pixel.png" });
  await until(element, "canplaythrough");
  const poster = () => element.shadowRoot.querySelector("[part=poster]");
  ok(poster(), "the poster");
  await element.play();
  equal(poster(), null);
  element.pause();
  element.load();
  await until(element, "canplaythrough");
  ok(poster(), "the poster");
  await element.seekToFrame(3);
  equal([poster(), element.paused], [null, true]);
  element.poster = "/tests/browser/pixel.png?2";
  equal(poster(), null);
});

test("What is asked of a GIF that failed is refused with its reason", async () => {
  const element = mount({ src: "/gifs/gone.gif" });
  await until(element, "error");
  for (const ask of [() => element.seekToFrame(3), () => element.captureFrame(), () => element.palette()]) {
    const error = await ask().then(() => null, (reason) => reason);
    equal([error.code, error.message], ["unreadable", "The server answers with status 404."]);
  }
});

test("A page may give an element any letter as a property of its own", async () => {
  const element = document.createElement("gallop-gif");
  const letters = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  for (const [place, letter] of letters.entries()) element[letter] = place;
  Object.assign(element, { src: GALLOP, autoplay: true, motion: "full" });
  stage.append(element);
  await until(element, "playing");
  equal(letters.map((letter) => element[letter]), [...letters.keys()]);
});

test("Keys play, pause, step and go to the ends", async () => {
  const element = await shown({ controls: "" });
  const frame = element.shadowRoot.querySelector("[part=frame]");
  // What handles keys is loaded with the bar.
  await holds(() => element.shadowRoot.querySelector("[part=bar]"));
  const press = (key) => frame.dispatchEvent(new KeyboardEvent("keydown",
    { key, bubbles: true, composed: true, cancelable: true }));
  element.focus();
  equal([document.activeElement === element, element.shadowRoot.activeElement === frame], [true, true]);
  press("ArrowRight");
  await until(element, "seeked");
  equal(element.currentFrameIndex, 1);
  press("End");
  await until(element, "seeked");
  equal(element.currentFrameIndex, 29);
  press("ArrowLeft");
  await until(element, "seeked");
  press("Home");
  await until(element, "seeked");
  equal(element.currentFrameIndex, 0);
  press(" ");
  await until(element, "playing");
  press("k");
  equal(element.paused, true);
  ok(press("q"), "other keys are left to the page");
});

test("The bar of controls plays, seeks and shows the place", async () => {
  const element = await shown({ controls: "", loop: "" });
  const bar = await holds(() => element.shadowRoot.querySelector("[part=controls]"));
  const [button, slider] = [bar.querySelector("button"), bar.querySelector("input")];
  equal([button.ariaLabel, slider.ariaLabel], ["Play", "Time"]);
  element.alt = "A horse";
  button.click();
  await until(element, "playing");
  await holds(() => button.ariaLabel === "Pause: A horse" && slider.ariaLabel === "Time: A horse");
  element.alt = "";
  await holds(() => button.ariaLabel === "Pause");
  button.click();
  slider.value = 0.45;
  slider.dispatchEvent(new Event("input"));
  await until(element, "seeked");
  equal(element.currentFrameIndex, 15);
  await holds(() => bar.querySelector("span").textContent === "#15 of 30");
  equal(slider.ariaValueText, "#15 of 30, 0.45 of 0.90 seconds");
  element.controls = false;
  equal(element.shadowRoot.querySelector("[part=controls]"), null);
});

test("There is no bar where nothing can be played, nor over the text of what cannot be shown", async () => {
  const element = mount({ controls: "", alt: "Nothing yet" });
  const bar = await holds(() => element.shadowRoot.querySelector("[part=controls]"));
  equal(bar.hidden, true);
  element.src = GALLOP;
  await holds(() => !bar.hidden);
  element.src = "/gifs/none.gif";
  await until(element, "error");
  await holds(() => bar.hidden);
});

test("The policies of motion", async () => {
  const plan = (motion, prefersReduced) => Object.values(motionPlan(motion, prefersReduced)).map(Number).join("");
  equal([plan("full", false), plan("full", true)], ["100", "100"], "full");
  equal([plan("reduced", false), plan("reduced", true), plan(null, true)], ["100", "000", "000"], "reduced");
  equal([plan("once", false), plan("once", true)], ["110", "010"], "once");
  equal([plan("hover", false), plan("hover", true)], ["001", "001"], "hover");
});

test("motion=once plays one loop by itself, and more if the user asks", async () => {
  const element = mount({ src: GALLOP, autoplay: "", motion: "once" });
  const loops = notes(element, ["loop"]);
  await until(element, "pause");
  equal(loops.length, 1);
  await element.play();
  await until(element, "loop");
  await until(element, "loop");
  equal(element.paused, false);
});

test("motion=once counts its five seconds only while it is seen", async () => {
  await holdingTimers(async (held) => {
    const element = mount({ src: GALLOP, autoplay: "", motion: "once", class: "far" });
    element.playbackRate = 0.05;
    await until(element, "playing");
    equal([held.size, element.paused], [0, false], "far away");
    const { first, run } = await seeTwice(element, held);
    equal([first, element.paused], [5000, false]);
    run();
    equal(element.paused, true);
    scrollTo(0, 0);
  });
});

test("motion=once counts the five seconds of a plain image only while it is seen", async () => {
  const foreign = await (await fetch("/foreign")).json();
  await holdingTimers(async (held) => {
    const element = mount({ src: `${foreign}${GALLOP}?once`, autoplay: "", motion: "once", class: "far" });
    await until(element, "load");
    equal([held.size, element.isPlain, element.paused], [0, true, false], "far away");
    const { first, run } = await seeTwice(element, held);
    equal([first, element.paused], [5000, false]);
    run();
    equal(element.paused, true);
    scrollTo(0, 0);
  });
});

test("A wish of the user or another policy ends the counting of motion=once", async () => {
  await holdingTimers(async (held) => {
    for (const end of [(element) => element.play(), (element) => (element.motion = "full"), (element) => element.load()]) {
      const element = mount({ src: GALLOP, autoplay: "", motion: "once" });
      element.playbackRate = 0.05;
      await holds(() => held.size === 1);
      end(element);
      equal(held.size, 0, String(end));
      element.remove();
      await refreshed();
    }
  });
});

test("In another document the element, its bar and what it is made of look as before", async () => {
  const frame = document.createElement("iframe");
  frame.srcdoc = "<!doctype html><title>Another document</title>";
  stage.append(frame);
  await until(frame, "load");
  const element = await shown({ controls: "" });
  const bar = await holds(() => element.shadowRoot.querySelector("[part=controls]"));
  const look = () => {
    const style = (node) => node.ownerDocument.defaultView.getComputedStyle(node);
    const { width, height } = element.getBoundingClientRect();
    return [width, height, style(element).display, style(bar).position, style(bar.firstChild).display];
  };
  const before = look();
  equal(before, [480, 270, "inline-block", "absolute", "flex"]);
  frame.contentDocument.body.append(element);
  equal(look(), before, "there");
  stage.append(element);
  equal(look(), before, "back");
});

test("motion=hover plays under the pointer and with the focus", async () => {
  const element = await shown({ motion: "hover", autoplay: "" });
  equal(element.paused, true);
  element.dispatchEvent(new PointerEvent("pointerenter"));
  await until(element, "playing");
  element.dispatchEvent(new PointerEvent("pointerleave"));
  equal(element.paused, true);
  // A window without the focus sends no events of it.
  element.dispatchEvent(new FocusEvent("focusin"));
  await until(element, "playing");
  element.dispatchEvent(new FocusEvent("focusout"));
  equal(element.paused, true);
});

test("The page may be blocked: a worker goes on showing frames", async () => {
  const { isWorker } = await statistics();
  const element = await shown({ src: `${GALLOP}?blocked` });
  const frames = [];
  element.addEventListener("framechange", (event) => frames.push(event));
  await element.play();
  const blocks = [];
  for (let round = 0; round < 4; round += 1) {
    const start = performance.now();
    while (performance.now() < start + 300);
    blocks.push([start, performance.now()]);
    // The next frame comes after all that were shown meanwhile.
    await until(element, "framechange");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  element.pause();
  frames.slice(1).forEach(({ currentFrameIndex, skippedFrames }, index) => {
    equal(currentFrameIndex, (frames[index].currentFrameIndex + skippedFrames + 1) % 30, "the order");
  });
  // The page alone can show no frame while it is blocked. Firefox's worker may miss the first block.
  const counts = blocks.map(([start, end]) => frames.filter(({ shownAt }) => shownAt > start && shownAt < end).length);
  ok(isWorker, "a worker draws");
  const isFirefox = navigator.userAgent.includes("Firefox");
  ok(counts.slice(isFirefox ? 1 : 0).some((count) => count > 0), `frames in the blocks: ${counts}`);
  ok(isFirefox || counts.every((count) => count > 0), `frames in the blocks: ${counts}`);
  return `${counts} frames in blocks of 300 ms`;
});

test("Ten thousand elements that come and go leave nothing behind", async () => {
  const sources = [GALLOP, SPINNER, "/gifs/thrice.gif"];
  const round = async (count) => {
    for (let index = 0; index < count; index += 1) {
      const element = mount({ src: sources[index % 3], autoplay: "", class: "small" });
      if (index % 50 === 0) await until(element, "playing");
      else if (index % 10 === 0) await until(element, "loadstart");
      element.remove();
    }
    await refreshed();
    return statistics();
  };
  const before = await round(200);
  const after = await round(10000);
  equal([after.images, after.players, after.elements, after.renderers], [0, 0, 0, 0]);
  ok(after.compressedBytes <= 8 << 20, `${after.compressedBytes} bytes of files without an element`);
  ok(after.memoryBytes <= before.memoryBytes * 2, `${before.memoryBytes} grows to ${after.memoryBytes}`);
  return `${before.memoryBytes >> 20} MiB before, ${after.memoryBytes >> 20} MiB after`;
}, 240);
