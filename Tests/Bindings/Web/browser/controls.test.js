// The bar of controls: its sizes, when it is seen, what a click on the picture does, and pages from right to left.

import "/gallop/index.js";
import "/gallop/scrubber.js";
import { flashingGIF } from "/tests/shared/flashing_gif.js";
import { equal, holds, mount, ok, stage, test, until } from "./harness.js";

const GALLOP = "/gifs/gallop.gif";
const part = (element, name) => element.shadowRoot.querySelector(`[part~=${name}]`);
const refreshed = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

/** A GIF with its bar, paused at the first frame. */
async function withBar(attributes = {}, width = 320) {
  const element = mount({ src: GALLOP, controls: "", ...attributes });
  element.style.width = `${width}px`;
  if (element.readyState < 4) await until(element, "canplaythrough");
  const bar = await holds(() => part(element, "bar"));
  await holds(() => element.currentFrameIndex >= 0);
  const controls = part(element, "controls");
  const [button, slider, place] = ["button", "input", "span"].map((tag) => bar.querySelector(tag));
  const point = (type, more = {}) => element.dispatchEvent(new PointerEvent(type, { pointerType: "mouse", ...more }));
  return {
    element, bar, button, slider, place, point,
    isFaded: () => controls.classList.contains("faded"),
    opacity: () => Number(getComputedStyle(controls).opacity),
    play: async () => {
      element.play();
      await until(element, "playing");
    },
  };
}

test("A narrow bar leaves the number out, and a very narrow one the slider; a finger finds its button", async () => {
  const isShown = (element) => getComputedStyle(element).display !== "none";
  for (const [width, wanted] of [[320, [true, true]], [160, [true, true]], [150, [true, false]], [100, [true, false]],
    [96, [false, false]], [40, [false, false]]]) {
    const { element, bar, button, slider, place } = await withBar({}, width);
    equal([isShown(slider), isShown(place)], wanted, `slider and number at ${width}`);
    const { width: across, height: down } = button.getBoundingClientRect();
    equal([across, down], [28, 28], "the button");
    ok(bar.scrollWidth <= bar.clientWidth && bar.clientWidth <= width, `what is in the bar at ${width}`);
    element.remove();
  }
});

test("A GIF of one frame has no bar, and is no stop for the keyboard; nor is one that failed", async () => {
  const still = mount({ controls: "" });
  still.srcObject = flashingGIF({ count: 1 });
  await until(still, "canplaythrough");
  const failed = mount({ controls: "", src: "/gifs/gone.gif", alt: "Gone" });
  for (const element of [still, failed]) {
    await holds(() => part(element, "controls")?.hidden === true);
    await holds(() => part(element, "frame").tabIndex < 0);
  }
  const { element } = await withBar();
  equal(part(element, "frame").tabIndex, 0);
  // What follows may have more.
  still.srcObject = flashingGIF({ count: 3 });
  await holds(() => part(still, "frame").tabIndex === 0 && !part(still, "controls").hidden);
});

test("Keys on the slider end where the loop does, in either direction", async () => {
  const { element, slider } = await withBar();
  const last = element.frameCount - 1;
  const press = async (key, frame) => {
    slider.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true }));
    await holds(() => element.currentFrameIndex === frame);
  };
  for (const [key, frame] of [["ArrowLeft", 0], ["PageDown", 0], ["PageUp", 10], ["PageUp", 20], ["PageUp", last], ["ArrowRight", last],
    ["ArrowLeft", last - 1], ["PageDown", last - 11]]) await press(key, frame);
  element.mode = "reverse";
  await element.seekToFrame(last);
  for (const [key, frame] of [["ArrowLeft", last], ["ArrowRight", last - 1], ["PageUp", last - 11]]) await press(key, frame);
});

test("A link or a button around the element does not take what is done in the bar for its own", async () => {
  const [begun, heard] = [[], []];
  const link = document.createElement("a");
  link.href = "#followed";
  link.addEventListener("click", (event) => begun.push(event), { capture: true });
  link.addEventListener("click", (event) => heard.push(event));
  stage.append(link);
  const { element, button, slider, place } = await withBar();
  link.append(element);
  await holds(() => element.currentFrameIndex >= 0);
  for (const target of [button, slider, place]) target.click();
  equal([begun.map(({ defaultPrevented }) => defaultPrevented), heard.length, element.paused], [[true, true, true], 0, false]);
  part(element, "frame").click();
  equal(heard.map(({ defaultPrevented }) => defaultPrevented), [false]);
  await holds(() => location.hash === "#followed");
  history.replaceState(null, "", location.pathname);
});

test("The bar fades while it plays, and is there while it is paused", async () => {
  const { element, isFaded, opacity, play, point } = await withBar({ loop: "" });
  point("pointerleave");
  equal(isFaded(), false, "faded while paused");
  await play();
  equal(isFaded(), false, "faded at once");
  await holds(() => isFaded() && opacity() === 0);
  element.pause();
  await until(element, "pause");
  equal(isFaded(), false, "faded when paused again");
  await holds(() => opacity() === 1);
});

test("The bar comes back, with Play, when a connection breaks while the GIF plays", async () => {
  const element = mount({ src: `/cut/bar${GALLOP}?first=160000`, controls: "", autoplay: "", motion: "full" });
  await until(element, "playing");
  const bar = await holds(() => part(element, "bar"));
  await holds(() => part(element, "controls").classList.contains("faded"));
  const failure = until(element, "error");
  await fetch("/release/bar");
  await failure;
  equal([element.paused, part(element, "controls").classList.contains("faded")], [false, false]);
  equal(bar.querySelector("button").ariaLabel, "Play");
});

test("Pointers, keys, the focus and touches bring the bar back", async () => {
  const { element, isFaded, play, point } = await withBar({ loop: "" });
  await play();
  const key = () => element.dispatchEvent(new KeyboardEvent("keydown", { key: "q" }));
  const signs = { pointermove: () => point("pointermove"), keydown: key, focusin: () => element.dispatchEvent(new Event("focusin")),
    touch: () => point("pointerdown", { pointerType: "touch" }) };
  for (const [name, sign] of Object.entries(signs)) {
    point("pointerleave");
    equal(isFaded(), true, `faded before ${name}`);
    sign();
    equal(isFaded(), false, `faded after ${name}`);
  }
  point("pointerleave", { pointerType: "touch" });
  equal(isFaded(), false, "faded when a finger is lifted");
});

test("A bar with the keyboard's focus or a slider in the hand stays", async () => {
  const { element, button, isFaded, play, point, slider } = await withBar({ loop: "" });
  await play();
  button.focus({ focusVisible: true });
  point("pointerleave");
  // Firefox without a screen gives no page the focus.
  equal(isFaded(), !document.hasFocus(), "faded under the focus");
  button.blur();
  point("pointermove");
  slider.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, composed: true }));
  point("pointerleave");
  equal(isFaded(), false, "faded in the hand");
  slider.dispatchEvent(new PointerEvent("pointerup", { bubbles: true, composed: true }));
  point("pointerleave");
  equal(isFaded(), true, "faded when it is let go");
  equal(element.paused, false);
});

test("A faded bar takes no clicks", async () => {
  const { bar, isFaded, play, point } = await withBar({ loop: "" });
  await play();
  const takesClicks = () => getComputedStyle(bar).pointerEvents === "auto";
  equal(takesClicks(), true);
  point("pointerleave");
  equal([isFaded(), takesClicks()], [true, false]);
});

test("A click on the picture plays and pauses where click=toggle asks for it", async () => {
  const { element, bar } = await withBar();
  const frame = part(element, "frame");
  frame.click();
  equal(element.paused, true, "paused without the attribute");
  element.setAttribute("click", "toggle");
  frame.click();
  equal(element.paused, false);
  frame.click();
  equal(element.paused, true);
  bar.click();
  equal(element.paused, true, "paused after a click beside the buttons");
  frame.addEventListener("click", (event) => event.preventDefault());
  frame.click();
  equal(element.paused, true, "paused after a click that the page has taken");
});

test("While a GIF loads, the bar says that more frames may follow", async () => {
  const element = mount({ src: `/held/count${GALLOP}?first=150000`, controls: "" });
  const bar = await holds(() => part(element, "bar"));
  const place = bar.querySelector("span");
  await holds(() => /^#0 of [1-9]\d*\+$/.test(place.textContent));
  await fetch("/release/count");
  await holds(() => place.textContent === "#0 of 30");
});

test("Controls that come and go leave one style and no listener", async () => {
  const { element } = await withBar();
  const count = element.shadowRoot.adoptedStyleSheets.length;
  for (let turn = 0; turn < 3; turn += 1) {
    element.controls = false;
    equal([part(element, "bar"), element.shadowRoot.adoptedStyleSheets.length], [null, count]);
    element.controls = true;
    await holds(() => part(element, "bar"));
    equal(element.shadowRoot.adoptedStyleSheets.length, count);
  }
  element.controls = false;
  element.setAttribute("click", "toggle");
  part(element, "frame").click();
  equal(element.paused, true);
});

test("Media run from left to right in every page: the bar and the scrubber alike", async () => {
  for (const language of ["ltr", "rtl"]) {
    stage.dir = language;
    const { button, place, slider } = await withBar();
    const scrubber = mount({ max: "100", value: "25", start: "10", end: "90" }, "gallop-scrubber");
    scrubber.style.width = "300px";
    scrubber.style.direction = language;
    await refreshed();
    const x = (element) => element.getBoundingClientRect().x;
    ok(x(button) < x(slider) && x(slider) < x(place), `the bar's order in ${language}`);
    equal(getComputedStyle(slider).direction, "ltr", `the slider in ${language}`);
    const knob = (name) => x(scrubber.shadowRoot.querySelector(`[data-knob=${name}]`)) - x(scrubber);
    ok(knob("start") < knob("playhead") && knob("playhead") < 100 && knob("end") > 200, `the knobs in ${language}`);
    const track = scrubber.shadowRoot.querySelector(".track");
    const { left, width, top } = track.getBoundingClientRect();
    const press = { button: 0, pointerId: 1, bubbles: true, clientX: left + 0.75 * width, clientY: top };
    track.dispatchEvent(new PointerEvent("pointerdown", press));
    track.dispatchEvent(new PointerEvent("pointerup", press));
    equal(Math.round(scrubber.value), 75);
    ok(Math.abs(knob("playhead") + 9 - (press.clientX - x(scrubber))) < 2, `the knob under the pointer in ${language}`);
    stage.replaceChildren();
  }
  stage.removeAttribute("dir");
});
