// The contract of media elements, after the list of Web Platform Tests.

import { configure, statistics, GallopGIF } from "/gallop/index.js";
import { flashingGIF } from "/tests/shared/flashing_gif.js";
import { MEDIA_EVENTS, equal, holds, mount, notes, ok, rejects, stage, test, until } from "./harness.js";

const GALLOP = "/gifs/gallop.gif";
const THRICE = "/gifs/thrice.gif";

async function loaded(attributes = {}) {
  const element = mount({ src: GALLOP, ...attributes });
  await until(element, "canplaythrough");
  await holds(() => element.currentFrameIndex >= 0);
  return element;
}

test("An element without a source is empty", async () => {
  const element = mount();
  ok(element instanceof GallopGIF, "the class");
  const { networkState, readyState, paused, ended, seeking, error, currentTime, duration } = element;
  equal([networkState, readyState, paused, ended, seeking, error, currentTime, duration],
    [0, 0, true, false, false, null, 0, NaN]);
  equal([element.buffered.length, element.seekable.length, element.played.length], [0, 0, 0]);
  equal([element.playbackRate, element.defaultPlaybackRate, element.volume, element.muted], [1, 1, 1, true]);
  equal([element.videoWidth, element.videoHeight, element.frameCount, element.currentFrameIndex], [0, 0, 0, -1]);
  equal([element.currentSrc, element.src, element.textTracks.length], ["", "", 0]);
});

test("The constants are those of media elements", async () => {
  const element = mount();
  for (const name of ["NETWORK_EMPTY", "NETWORK_IDLE", "NETWORK_LOADING", "NETWORK_NO_SOURCE", "HAVE_NOTHING",
    "HAVE_METADATA", "HAVE_CURRENT_DATA", "HAVE_FUTURE_DATA", "HAVE_ENOUGH_DATA"]) {
    equal([element[name], GallopGIF[name]], [HTMLMediaElement[name], HTMLMediaElement[name]], name);
  }
});

test("Attributes and properties reflect each other", async () => {
  const element = mount();
  for (const [property, attribute, value] of [["alt", "alt", "A horse"], ["poster", "poster", "a.png"],
    ["preload", "preload", "none"], ["mode", "mode", "bounce"], ["motion", "motion", "once"],
    ["crossOrigin", "crossorigin", "anonymous"], ["resizeMode", "resize-mode", "cover"], ["delays", "delays", "encoded"]]) {
    element[property] = value;
    equal(element.getAttribute(attribute), value, property);
    element.removeAttribute(attribute);
    ok(element[property] !== value, `${property} is gone`);
  }
  for (const [late, read] of [["wait", "wait"], [3, 3], ["skip", "skip"], [-2, "skip"], ["soon", "skip"], [null, "skip"]]) {
    element.late = late;
    equal([element.getAttribute("late"), element.late], [late === null ? null : String(late), read]);
  }
  for (const name of ["autoplay", "controls"]) {
    element[name] = true;
    ok(element.hasAttribute(name), name);
    element[name] = "";
    ok(element[name] === true, `${name} as React sets it`);
    element[name] = false;
    ok(!element.hasAttribute(name), name);
  }
  element.range = [3, 9];
  equal([element.getAttribute("range"), element.range], ["3,9", [3, 9]]);
  element.range = null;
  equal(element.range, null);
});

test("A quantity is clipped, and what is not there is refused", async () => {
  const element = mount();
  for (const [rate, wanted] of [[100, 20], [0.001, 0.05], [0, 0], [-3, 0.05]]) {
    element.playbackRate = rate;
    equal(element.playbackRate, wanted);
  }
  const thrown = (body) => {
    try {
      body();
      return null;
    } catch (error) {
      return error.name;
    }
  };
  equal(thrown(() => { element.playbackRate = NaN; }), "TypeError");
  for (const range of [[3, 3], [-1, 2], [1.5, 4], [5, 2]]) equal(thrown(() => { element.range = range; }), "RangeError");
  element.src = GALLOP;
  await until(element, "suspend");
  equal(thrown(() => { element.range = [30, 40]; }), "RangeError");
  element.range = [20, 99];
  for (const frame of [19, 30, -1]) {
    const error = await element.seekToFrame(frame).then(() => null, (reason) => reason);
    equal([error?.code, error?.value, error?.limit], ["noSuchFrame", frame, 30]);
    equal(error.message, `There is no frame ${frame} in the range 20,99.`);
  }
  element.range = null;
  equal((await rejects(element.seekToFrame(-1), "noSuchFrame")).message, "There is no frame -1 in the range 0,30.");
  await element.seekToFrame(29);
  element.currentTime = 99;
  ok(element.currentTime <= element.duration, "a time is clipped");
});

test("Loading fires its events in order", async () => {
  const element = mount();
  const seen = notes(element, MEDIA_EVENTS);
  element.src = GALLOP;
  await until(element, "suspend");
  equal([...new Set(seen)].filter((type) => type !== "progress"), ["loadstart", "resize", "durationchange",
    "loadedmetadata", "loadeddata", "canplay", "canplaythrough", "suspend"]);
  equal([element.readyState, element.networkState], [4, 1]);
  equal([element.videoWidth, element.videoHeight, element.frameCount], [480, 270, 30]);
  equal([element.duration, element.buffered.length, element.buffered.end(0), element.seekable.end(0)], [0.9, 1, 0.9, 0.9]);
  equal(new URL(element.currentSrc).pathname, GALLOP);
});

test("The first frame is shown without playing", async () => {
  const element = await loaded();
  await holds(() => element.currentFrameIndex === 0);
  equal([element.paused, element.currentTime], [true, 0]);
});

test("play() fires play and playing, and keeps its promise", async () => {
  const element = await loaded();
  const seen = notes(element, ["play", "playing", "pause", "waiting"]);
  const promise = element.play();
  equal(element.paused, false);
  await promise;
  equal(seen, ["play", "playing"]);
  await element.play();
  equal(seen, ["play", "playing"]);
});

test("pause() fires timeupdate and pause, and breaks a promise that is not kept yet", async () => {
  const element = mount({ src: GALLOP });
  const promise = element.play();
  element.pause();
  await rejects(promise, "AbortError");
  await until(element, "canplaythrough");
  await element.play();
  const seen = notes(element, ["timeupdate", "pause"]);
  element.pause();
  equal(element.paused, true);
  await until(element, "pause");
  equal(seen.slice(-2), ["timeupdate", "pause"]);
  await element.seekToFrame(7);
  await holds(() => element.currentFrameIndex === 7);
  const picture = await element.captureFrame();
  equal([picture.width, picture.height], [480, 270]);
  equal([element.currentFrameIndex, element.currentTime, element.paused], [7, 0.21, true]);
});

test("Autoplay begins by itself, and not after pause()", async () => {
  const element = mount({ src: GALLOP, autoplay: "" });
  await until(element, "playing");
  equal(element.paused, false);
  const other = mount({ src: THRICE, autoplay: "" });
  other.pause();
  await until(other, "canplaythrough");
  await holds(() => other.currentFrameIndex === 0);
  equal(other.paused, true);
});

test("The time goes on while it plays, and timeupdate comes some times a second", async () => {
  const element = await loaded();
  await element.play();
  const start = performance.now();
  await until(element, "timeupdate");
  await until(element, "timeupdate");
  const took = performance.now() - start;
  ok(took > 100 && took < 2000, `${took} ms for two`);
  ok(element.currentTime > 0, "the time");
  element.pause();
  const stands = element.currentTime;
  await element.captureFrame();
  ok(Math.abs(element.currentTime - stands) < 0.05, `${stands} becomes ${element.currentTime}`);
});

test("Frames are announced in order, with what belongs to them", async () => {
  const element = await loaded();
  const frames = [];
  element.addEventListener("framechange", (event) => frames.push(event));
  await element.play();
  await until(element, "loop");
  element.pause();
  const shown = frames.filter(({ loop }) => loop === 0);
  let expected = -1;
  for (const { currentFrameIndex, skippedFrames, frameCount, lateness } of shown) {
    equal(frameCount, 30);
    ok(lateness >= 0, "lateness");
    if (expected >= 0) equal(currentFrameIndex, expected + skippedFrames, "frame");
    expected = currentFrameIndex + 1;
  }
  ok(shown.length > 15, `${shown.length} frames`);
  ok(["play", "loop"].includes(frames.at(-1).cause), "the cause");
});

test("A seek fires seeking and seeked, and shows the frame", async () => {
  const element = await loaded();
  const seen = notes(element, ["seeking", "seeked", "timeupdate"]);
  element.currentTime = 0.315;
  equal([element.seeking, element.currentTime], [true, 0.315]);
  await until(element, "seeked");
  equal(seen, ["seeking", "timeupdate", "seeked"]);
  equal([element.seeking, element.currentFrameIndex, element.paused], [false, 10, true]);
  ok(Math.abs(element.currentTime - 0.315) < 0.001, `time ${element.currentTime}`);
});

test("Seeks are kept within the loop", async () => {
  const element = await loaded();
  element.currentTime = 99;
  await until(element, "seeked");
  equal(element.currentFrameIndex, 29);
  element.currentTime = -3;
  await until(element, "seeked");
  equal([element.currentFrameIndex, element.currentTime], [0, 0]);
  element.fastSeek(0.1);
  await until(element, "seeked");
  equal(element.currentFrameIndex, 3);
});

test("A time that is set before loading is where it begins", async () => {
  const element = mount();
  element.currentTime = 0.315;
  equal([element.currentTime, element.seeking], [0.315, false]);
  element.src = GALLOP;
  equal(element.currentTime, 0);
  element.currentTime = 0.315;
  await until(element, "canplaythrough");
  await holds(() => element.currentFrameIndex === 10);
});

test("seekToFrame() and step() go to frames", async () => {
  const element = await loaded();
  await element.seekToFrame(12);
  equal(element.currentFrameIndex, 12);
  await element.step();
  equal(element.currentFrameIndex, 13);
  await element.step(-3);
  equal(element.currentFrameIndex, 10);
  await element.play();
  await element.step(1);
  equal(element.paused, true);
});

test("Numbers that are none are refused", async () => {
  const element = await loaded();
  for (const name of ["currentTime", "playbackRate", "volume"]) {
    for (const value of [NaN, Infinity, "a word"]) {
      let caught = null;
      try {
        element[name] = value;
      } catch (error) {
        caught = error.name;
      }
      equal(caught, "TypeError", name);
    }
  }
  element.currentTime = "0.3";
  await until(element, "seeked");
});

test("The rate changes the speed, and fires ratechange", async () => {
  const element = await loaded();
  const seen = notes(element, ["ratechange"]);
  element.playbackRate = 4;
  equal(element.playbackRate, 4);
  await until(element, "ratechange");
  await element.play();
  const start = performance.now();
  await until(element, "loop");
  await until(element, "loop");
  const took = performance.now() - start;
  ok(took < 800, `two loops of 225 ms took ${took} ms`);
  element.playbackRate = 4;
  await new Promise(requestAnimationFrame);
  equal(seen.length, 1);
  element.playbackRate = -1;
  equal(element.playbackRate, 0.05);
  element.defaultPlaybackRate = 2;
  element.load();
  equal(element.playbackRate, 2);
});

test("The end fires pause and ended; play() starts over", async () => {
  const element = mount({ src: GALLOP, loop: "1" });
  await until(element, "canplaythrough");
  element.playbackRate = 5;
  const seen = notes(element, ["pause", "ended"]);
  await element.play();
  equal(element.loop, false);
  await until(element, "ended");
  equal(seen, ["pause", "ended"]);
  equal([element.ended, element.paused, element.currentTime, element.currentFrameIndex], [true, true, 0.9, 29]);
  await element.play();
  equal([element.ended, element.paused], [false, false]);
});

test("One frame plays and ends with the events of a film", async () => {
  const element = mount({});
  element.srcObject = flashingGIF({ count: 1 });
  await until(element, "canplaythrough");
  const seen = notes(element, ["play", "playing", "pause", "ended"]);
  const states = [];
  element.addEventListener("playing", () => {
    states.push([element.paused, element.ended]);
    element.play();
  });
  await element.play();
  await holds(() => seen.includes("ended"));
  equal([seen, states], [["play", "playing", "pause", "ended"], [[false, false]]]);
  equal([element.paused, element.ended], [true, true]);
});

test("A file that plays three times ends by itself", async () => {
  const element = mount({ src: THRICE });
  await until(element, "canplaythrough");
  equal(element.loop, false);
  element.playbackRate = 20;
  const told = [];
  element.addEventListener("loop", ({ loops, loopsLeft }) => told.push([loops, loopsLeft]));
  await element.play();
  await until(element, "ended");
  equal([told, element.loopsCompleted], [[[1, 2], [2, 1], [3, 0]], 3]);
});

test("loop may be switched while it plays", async () => {
  const element = await loaded();
  equal(element.loop, true);
  element.playbackRate = 10;
  await element.play();
  element.loop = false;
  equal([element.loop, element.getAttribute("loop")], [false, "1"]);
  await until(element, "ended");
  element.loop = true;
  await element.play();
  await until(element, "loop");
  await until(element, "loop");
  equal(element.ended, false);
});

test("mode and range choose the frames, and the duration follows", async () => {
  const element = await loaded({ range: "5,8", mode: "reverse" });
  await holds(() => Math.abs(element.duration - 0.09) < 1e-9);
  const frames = [];
  element.addEventListener("framechange", ({ currentFrameIndex }) => frames.push(currentFrameIndex));
  await element.play();
  await holds(() => frames.length > 7);
  element.pause();
  ok(frames.slice(1).every((frame) => frame >= 5 && frame < 8), frames.join());
  element.mode = "bounce";
  await until(element, "durationchange");
  ok(element.duration > 0.1, `duration ${element.duration}`);
  element.removeAttribute("range");
  await until(element, "durationchange");
  ok(element.duration > 1, `duration ${element.duration}`);
});

test("load() starts over: abort, emptied, loadstart", async () => {
  const element = await loaded();
  await element.play();
  const seen = notes(element, ["abort", "emptied", "loadstart", "loadedmetadata"]);
  element.load();
  equal([element.paused, element.readyState, element.currentTime], [true, 0, 0]);
  await until(element, "loadedmetadata");
  equal(seen, ["abort", "emptied", "loadstart", "loadedmetadata"]);
  element.load();
  const held = "/held/again/gifs/gallop.gif?first=1000";
  element.src = held;
  await until(element, "loadstart");
  element.src = THRICE;
  await until(element, "canplaythrough");
  ok(seen.includes("abort"), "abort");
  await fetch("/release/again");
});

test("Another source breaks the promise of play()", async () => {
  const element = mount({ src: GALLOP });
  const promise = element.play();
  element.src = THRICE;
  await rejects(promise, "AbortError");
  await until(element, "canplaythrough");
  equal(element.frameCount > 0, true);
});

test("preload=none loads when it is to play", async () => {
  const element = mount({ src: THRICE, preload: "none" });
  await until(element, "suspend");
  equal([element.networkState, element.readyState], [1, 0]);
  await element.play();
  ok(element.readyState >= 3, "readyState");
});

test("preload=metadata loads the first frame, and the rest when it is to play", async () => {
  const element = mount({ src: "/held/metadata/gifs/gallop.gif?first=150000", preload: "metadata" });
  await until(element, "suspend");
  equal([element.networkState, element.readyState >= 2, element.readyState < 4], [1, true, true]);
  await fetch("/release/metadata");
  equal(element.readyState < 4, true);
  const complete = until(element, "canplaythrough");
  await element.play();
  await complete;
  equal([element.frameCount, element.networkState], [30, 1]);
});

test("A new preload goes on where the one before has ended", async () => {
  const element = mount({ src: "/held/more/gifs/gallop.gif?first=150000", preload: "none" });
  await until(element, "suspend");
  equal(element.readyState, 0);
  element.preload = "metadata";
  await until(element, "suspend");
  equal([element.readyState >= 2, element.readyState < 4], [true, true]);
  await fetch("/release/more");
  element.preload = "auto";
  await until(element, "canplaythrough");
});

test("The frame is right when it is asked for the first time while it plays", async () => {
  for (const mode of ["forward", "reverse", "bounce"]) {
    const element = mount({ src: GALLOP, mode, loop: "" });
    await until(element, "canplaythrough");
    await element.play();
    await holds(() => element.currentTime > 0.3);
    const step = (time) => Math.floor(time / 0.03 + 1e-9);
    const [before, frame, after] = [element.currentTime, element.currentFrameIndex, element.currentTime];
    const due = mode === "reverse" ? [29 - step(after), 29 - step(before)] : [step(before), step(after)];
    ok(before > after || (frame >= due[0] && frame <= due[1]), `${mode}: frame ${frame}, due ${due}`);
    element.remove();
  }
});

test("A GIF plays while it arrives, waits where it ends, and goes on", async () => {
  const element = mount({ src: "/held/stream/gifs/gallop.gif?first=150000" });
  element.addEventListener("framechange", () => {});
  const promise = element.play();
  await promise;
  ok(element.readyState < 4, "not complete");
  await until(element, "waiting");
  ok(element.frameCount < 30, "not all frames");
  const [resumed, looped] = [until(element, "playing"), until(element, "loop")];
  await fetch("/release/stream");
  await resumed;
  await looped;
  equal([element.readyState, element.frameCount], [4, 30]);
});

test("An error is reported once, with its code; play() is refused", async () => {
  const element = mount({ src: "/gifs/none.gif" });
  await until(element, "error");
  equal([element.error.code, element.error.MEDIA_ERR_SRC_NOT_SUPPORTED, element.networkState], [4, 4, 3]);
  ok(element.error.message.includes("404"), element.error.message);
  await rejects(element.play(), "NotSupportedError");
  element.src = GALLOP;
  await until(element, "canplay");
  equal(element.error, null);
});

test("What is no GIF is shown as the browser shows it, and says so", async () => {
  const element = mount({ src: "/tests/browser/pixel.png", alt: "A pixel" });
  await until(element, "load");
  equal([element.error.code, element.error.reason, element.isPlain], [4, "notAGIF", true]);
  ok(element.shadowRoot.querySelector("[part=plain]"), "the plain image");
});

test("A GIF of a server without CORS is shown as a plain image, and says so", async () => {
  const foreign = await (await fetch("/foreign")).json();
  const element = mount({ src: `${foreign}${THRICE}`, autoplay: "", motion: "full", alt: "Three" });
  await until(element, "load");
  equal([element.error.code, element.error.reason, element.isPlain], [4, "crossOrigin", true]);
  ok(element.error.message.includes("CORS"), element.error.message);
  equal(element.shadowRoot.querySelector("img[part=plain]").alt, "Three");
  const allowed = mount({ src: `${foreign}${THRICE}?cors` });
  await until(allowed, "canplaythrough");
  equal(allowed.error, null);
});

test("A plain image that may not move is still", async () => {
  const foreign = await (await fetch("/foreign")).json();
  const element = mount({ src: `${foreign}${THRICE}?still`, motion: "hover" });
  await until(element, "load");
  ok(element.shadowRoot.querySelector("canvas[part=plain]"), "a canvas");
});

test("A plain image stops and moves as the policy changes, and goes with its source", async () => {
  const foreign = await (await fetch("/foreign")).json();
  const element = mount({ src: `${foreign}${THRICE}?policy`, autoplay: "", motion: "full" });
  await until(element, "load");
  const kinds = () => Array.from(element.shadowRoot.querySelectorAll("[part=plain]"), (node) => node.localName);
  equal(kinds(), ["img"]);
  element.motion = "hover";
  equal(kinds(), ["canvas"]);
  element.motion = "full";
  equal(kinds(), ["img"]);
  element.motion = "hover";
  element.src = THRICE;
  equal(kinds(), []);
  await until(element, "canplaythrough");
  equal(element.isPlain, false);
});

test("A plain image that moves by itself says so as a player does", async () => {
  const foreign = await (await fetch("/foreign")).json();
  const element = mount({ src: `${foreign}${THRICE}?says`, autoplay: "", motion: "full" });
  const events = [];
  for (const type of ["play", "playing", "pause"]) element.addEventListener(type, () => events.push(type));
  await until(element, "load");
  equal([events, element.paused], [["play", "playing"], false]);
  element.pause();
  await holds(() => events.at(-1) === "pause");
});

test("The bar of a plain image says whether it moves, and has no time", async () => {
  const foreign = await (await fetch("/foreign")).json();
  const element = mount({ src: `${foreign}${THRICE}?bar`, autoplay: "", controls: "", motion: "full" });
  const find = (name) => element.shadowRoot.querySelector(name);
  await holds(() => find("[part=controls]"));
  await holds(() => find("button").ariaLabel === "Pause" && find("input").disabled);
  find("button").click();
  await holds(() => find("button").ariaLabel === "Play");
});

test("The number of a frame that is sought is known where the element is not seen", async () => {
  const element = mount({ src: GALLOP });
  element.style.cssText = "position: absolute; top: 300vh";
  await element.decode();
  await element.seekToFrame(12);
  equal(element.currentFrameIndex, 12);
  await element.step(2);
  equal(element.currentFrameIndex, 14);
  element.currentTime = 0;
  await until(element, "seeked");
  equal(element.currentFrameIndex, 0);
});

test("A frame that is asked for loads what waits to come near", async () => {
  for (const ask of [(element) => element.seekToFrame(4), (element) => element.step(1)]) {
    const element = mount({ src: GALLOP, loading: "lazy" });
    element.style.cssText = "position: absolute; top: 20000px";
    await ask(element);
    ok(element.readyState > 0);
  }
});

test("A GIF may come from memory", async () => {
  const element = mount();
  element.srcObject = await (await fetch(GALLOP)).blob();
  await until(element, "canplaythrough");
  equal([element.frameCount, element.currentSrc], [30, ""]);
  element.srcObject = await (await fetch(THRICE)).arrayBuffer();
  await until(element, "canplaythrough");
  ok(element.frameCount !== 30, "the other one");
});

test("Volume, tracks and types answer, as bars ask for them", async () => {
  const element = mount();
  const seen = notes(element, ["volumechange"]);
  element.volume = 0.5;
  element.muted = false;
  await until(element, "volumechange");
  equal([element.volume, element.muted, seen.length > 0], [0.5, false, true]);
  equal([element.canPlayType("image/gif"), element.canPlayType("video/mp4")], ["probably", ""]);
  element.textTracks.addEventListener("change", () => {});
});

test("What the file says of itself is there", async () => {
  const element = await loaded();
  equal([element.metadata.width, element.metadata.version, element.metadata.plays === Infinity], [480, 89, true]);
  equal(element.metadata.comments, ["A horse at a gallop. Made by Gallop."]);
  equal([element.diagnostics, (await element.frames()).length, (await element.check()).length], [[], 30, 0]);
  ok((await element.palette()).length === element.metadata.globalPaletteSize, "palette");
  await element.seekToFrame(5);
  const [shown, other] = [await element.captureFrame(), await element.captureFrame(20)];
  equal([shown.width, shown.height], [480, 270]);
  ok(shown.data.some((value, index) => value !== other.data[index]), "frames differ");
});

test("Elements with one source share one fetch and one image", async () => {
  const source = `${GALLOP}?shared`;
  const elements = [1, 2, 3, 4].map(() => mount({ src: source }));
  await Promise.all(elements.map((element) => until(element, "canplaythrough")));
  const { images, players } = await statistics();
  equal([images, players], [1, 4]);
});

test("One compilation serves the page", async () => {
  await loaded();
  const log = await (await fetch("/log")).json();
  const { length } = log.filter((path) => path.endsWith("gallop.wasm"));
  ok(length <= 1, `${length} fetches`);
  ok(stage.isConnected, "the page");
  configure({ budget: 64 << 20 });
  equal((await statistics()).budget, 64 << 20);
});

// The edges, which trial use ran into

const asked = async (path) => (await (await fetch("/log")).json()).filter((one) => one === path).length;

test("What waits until it is needed loads for a seek, and for a time", async () => {
  const element = mount({ src: `${GALLOP}?seek`, preload: "none" });
  await until(element, "suspend");
  await element.seekToFrame(5);
  await holds(() => element.currentFrameIndex === 5);
  equal(element.paused, true);
  const other = mount({ src: `${GALLOP}?time`, preload: "none" });
  await until(other, "suspend");
  const seen = notes(other, ["seeking", "seeked"]);
  other.currentTime = 0.5;
  equal(other.currentTime, 0.5);
  await until(other, "seeked");
  equal([other.currentTime, seen], [0.5, ["seeking", "seeked"]]);
  await holds(() => other.currentFrameIndex > 0);
});

test("Play begins again also where a seek has led to the end of a GIF that ends", async () => {
  const element = mount({ src: GALLOP, loop: "1" });
  await element.decode();
  element.currentTime = element.duration;
  await until(element, "seeked");
  const seen = notes(element, ["ended", "playing"]);
  await element.play();
  await holds(() => element.currentFrameIndex > 0 && element.currentFrameIndex < element.frameCount - 1);
  equal([seen, element.ended, element.paused], [["playing"], false, false]);
});

test("An element outside of the document says that it does not load", async () => {
  const element = document.createElement("gallop-gif");
  element.src = GALLOP;
  await rejects(element.play(), "InvalidStateError");
  for (const promise of [element.seekToFrame(1), element.step(1), element.decode()]) await rejects(promise, "InvalidStateError");
  // In the task that removes it, too, although it keeps its player for as long as that.
  const removed = mount({ src: GALLOP });
  await removed.decode();
  removed.remove();
  await rejects(removed.seekToFrame(1), "InvalidStateError");
});

test("What an element was asked before it left the document is rejected; back again, it goes where it was to go", async () => {
  const element = mount({ src: `${GALLOP}?leaving` });
  const promises = [element.decode(), element.decode(), element.seekToFrame(3)];
  element.remove();
  await Promise.all(promises.map((promise) => rejects(promise, "InvalidStateError")));
  stage.append(element);
  element.pause();
  await holds(() => element.currentFrameIndex === 3);
  equal([element.seeking, element.error], [false, null]);
});

test("An empty source is an error", async () => {
  const element = mount({ src: "" });
  await until(element, "error");
  equal([element.error.code, element.networkState, element.complete], [4, 3, true]);
  await rejects(element.play(), "NotSupportedError");
});

test("At a rate of 0 the time stands, and nothing is paused", async () => {
  const element = await loaded();
  element.playbackRate = 0;
  await element.play();
  const { currentTime } = element;
  equal([element.paused, element.playbackRate], [false, 0]);
  await element.seekToFrame(7);
  equal([element.currentFrameIndex, currentTime], [7, 0]);
  element.playbackRate = 2;
  await until(element, "loop");
  element.playbackRate = 0;
  // After an answer of the engine, to which the rate has come before.
  await element.captureFrame();
  const time = element.currentTime;
  await element.captureFrame();
  equal([element.paused, element.currentTime], [false, time]);
});

test("Playing again from the end is a seek", async () => {
  const element = await loaded({ src: THRICE, loop: "1" });
  await element.play();
  await until(element, "ended");
  const seen = notes(element, ["play", "seeking", "seeked", "playing"]);
  await element.play();
  equal(seen, ["play", "seeking", "seeked", "playing"]);
});

test("Off screen the time stands with the frames, and goes on from there", async () => {
  const element = await loaded({ autoplay: "", motion: "full" });
  await until(element, "framechange");
  element.classList.add("far");
  const near = mount({ src: GALLOP, autoplay: "", motion: "full" });
  await holds(() => {
    const { currentTime } = element;
    return new Promise((resolve) => until(near, "framechange").then(() => resolve(element.currentTime === currentTime)));
  });
  await until(near, "loop");
  const before = element.currentTime;
  const seen = notes(element, ["loop", "framechange", "timeupdate"]);
  await until(near, "loop");
  equal([element.currentTime, seen, element.paused], [before, [], false]);
  element.classList.remove("far");
  element.scrollIntoView();
  const event = await until(element, "framechange");
  equal(event.cause, "appear");
  const after = element.currentTime;
  ok(Math.abs(after - before) < 0.25, `${before} goes on at ${after}`);
  scrollTo(0, 0);
});

test("An element that returns to the document knows its file, and plays on if it played", async () => {
  const source = `${GALLOP}?returns`;
  const element = await loaded({ src: source, autoplay: "", motion: "full" });
  await until(element, "framechange");
  const { duration } = element;
  const requests = await asked(GALLOP);
  const seen = notes(element, ["pause", "play", "durationchange", "emptied"]);
  element.remove();
  await holds(() => element.paused);
  stage.append(element);
  ok(element.currentFrameIndex > 0, `frame ${element.currentFrameIndex}`);
  await until(element, "framechange");
  equal([element.duration, await asked(GALLOP)], [duration, requests]);
  equal(seen, ["pause", "play"]);
  element.pause();
  element.remove();
  await holds(() => element.shadowRoot.querySelector("canvas") === null);
  stage.append(element);
  await element.seekToFrame(3);
  equal([element.paused, element.currentFrameIndex], [true, 3]);
});

test("A file that breaks off stays at its frame", async () => {
  const element = mount({ src: `/cut/off${GALLOP}?first=160000`, autoplay: "", motion: "full" });
  let last = await until(element, "framechange");
  element.addEventListener("framechange", (event) => (last = event));
  await holds(() => last.currentFrameIndex > 1);
  const failure = until(element, "error");
  await fetch("/release/off");
  await failure;
  equal([element.error.code, element.error.reason], [2, "unreadable"]);
  equal([element.currentFrameIndex, element.currentTime > 0], [last.currentFrameIndex, true]);
});

test("A range may be a text, and what is none is refused", async () => {
  const element = await loaded();
  element.range = "2,5";
  equal(element.range, [2, 5]);
  const error = (value) => {
    try {
      element.range = value;
      return null;
    } catch (error) {
      return error;
    }
  };
  equal(error(5).message, "A range is a pair of frames, [first, end]: 5 is none.");
  const named = (value) => error(value).name;
  equal([[5], "x", [1, 2, 3], [5, 5], "999,1000", [1.5, 3]].map(named),
    ["TypeError", "TypeError", "TypeError", "RangeError", "RangeError", "RangeError"]);
  equal(element.range, [2, 5]);
  element.setAttribute("range", "999,1000");
  equal(element.range, null);
  await element.seekToFrame(20);
  equal(element.currentFrameIndex, 20);
});

test("Any other text than a number plays for ever", async () => {
  const element = await loaded({ loop: "abc" });
  equal([element.loop, element._plays], [true, undefined]);
  for (const [value, wanted] of [["abc", true], [2, false], [false, false], [true, true], [Infinity, true]]) {
    element.loop = value;
    equal(element.loop, wanted, String(value));
  }
});

test("What is no frame is refused by the promise", async () => {
  const element = await loaded();
  for (const frame of [NaN, "x", undefined]) await rejects(element.seekToFrame(frame), "TypeError");
  await rejects(element.step(NaN), "TypeError");
  await rejects(element.seekToFrame(99), "noSuchFrame");
});

test("An element has no keys of its own", async () => {
  equal(Object.keys(await loaded()), []);
});

test("A step leads on from a seek that waits", async () => {
  const element = mount({ src: `/held/step${GALLOP}?first=20000` });
  await until(element, "loadedmetadata");
  element.seekToFrame(25);
  const stepped = element.step(2);
  await fetch("/release/step");
  await stepped;
  await holds(() => element.currentFrameIndex === 27);
});

test("A source that changes outside of the document is loaded on return", async () => {
  const element = await loaded();
  element.remove();
  await holds(() => !element.shadowRoot.querySelector("canvas"));
  element.src = THRICE;
  stage.append(element);
  await until(element, "canplaythrough");
  equal([element.frameCount, element.videoWidth], [18, 140]);
});

test("Autoplay is not lost by an element that leaves before it begins", async () => {
  const element = mount({ src: `/held/leaves${GALLOP}?first=9`, autoplay: "", motion: "full" });
  await until(element, "loadstart");
  element.remove();
  await holds(() => !element.shadowRoot.querySelector("canvas"));
  stage.append(element);
  await fetch("/release/leaves");
  await until(element, "framechange");
  equal(element.paused, false);
});

test("load() asks for the file again, and a failed one leaves the next its try", async () => {
  const address = "/gifs/thrice.gif?again";
  const element = await loaded({ src: address });
  const before = await asked(THRICE);
  element.load();
  await until(element, "canplaythrough");
  // A browser may answer by itself: the host must not.
  equal(await statistics().then(({ unusedImages }) => unusedImages >= 0), true);
  ok(await asked(THRICE) >= before, "the request");
  const missing = URL.createObjectURL(new Blob(["no GIF"]));
  const failed = mount({ src: missing });
  await until(failed, "error");
  const other = mount({ src: missing });
  await until(other, "error");
  equal([failed.error.reason, other.error.reason], ["notAGIF", "notAGIF"]);
});

test("An address that is none is an error", async () => {
  const element = mount({ src: "http://" });
  await until(element, "error");
  equal([element.src, element.error.code], ["http://", 4]);
  await rejects(element.play(), "NotSupportedError");
});
