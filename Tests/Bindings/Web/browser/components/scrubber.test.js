import { equal, ok, room, test } from "./tools.js";
import "/gallop/scrubber.js";

/** A scrubber whose track is 400 pixels wide, and the events that it has fired. */
function scrubber(attributes = {}) {
  const element = document.createElement("gallop-scrubber");
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  const fired = [];
  for (const type of ["begin", "change", "end"]) {
    element.addEventListener(type,
      ({ detail }) => fired.push([type, detail.knob, detail.value, detail.start, detail.end]));
  }
  room(418, 28).append(element);
  const track = element.shadowRoot.querySelector(".track");
  const knob = (name) => element.shadowRoot.querySelector(`[data-knob=${name}]`);
  const pointer = (type, x, target = track) =>
    target.dispatchEvent(new PointerEvent(type,
      { clientX: track.getBoundingClientRect().left + x, pointerId: 1,
      button: 0, bubbles: true, composed: true, cancelable: true }));
  const key = (name, pressed, type = "keydown") =>
    knob(name).dispatchEvent(new KeyboardEvent(type, { key: pressed, bubbles: true, cancelable: true }));
  return { element, fired, knob, pointer, key };
}

test("A drag reports its beginning, each change and its end", () => {
  const { fired, pointer } = scrubber({ max: 40, step: 1 });
  pointer("pointerdown", 100);
  pointer("pointermove", 101);
  pointer("pointermove", 200);
  pointer("pointerup", 200);
  equal(fired, [["begin", "playhead", 0, 0, 40], ["change", "playhead", 10, 0, 40],
    ["change", "playhead", 20, 0, 40],
    ["end", "playhead", 20, 0, 40]]);
});

test("A knob that is pressed is not moved by the press alone", () => {
  const { fired, pointer, knob } = scrubber({ max: 40, step: 1, value: 10 });
  pointer("pointerdown", 104, knob("playhead"));
  pointer("pointerup", 104);
  equal(fired, [["begin", "playhead", 10, 0, 40], ["end", "playhead", 10, 0, 40]]);
});

test("A drag that the system takes away ends like any other", () => {
  const { fired, pointer } = scrubber({ max: 40, step: 1 });
  pointer("pointerdown", 100);
  pointer("pointercancel", 100);
  equal(fired.map(([type]) => type), ["begin", "change", "end"]);
});

test("A second finger does not take the knob", () => {
  const { element, fired, pointer, knob } = scrubber({ max: 40, step: 1 });
  pointer("pointerdown", 100);
  knob("end").dispatchEvent(new PointerEvent("pointerdown", { pointerId: 2, button: 0, bubbles: true }));
  equal(element.held, "playhead");
  equal(fired.filter(([type]) => type === "begin").length, 1);
});

test("The range's knobs are taken by the nearer end and stop at each other", () => {
  const { element, pointer } = scrubber({ max: 40, step: 1, start: 10, end: 30, knobs: "range" });
  pointer("pointerdown", 120);
  pointer("pointermove", 390);
  pointer("pointerup", 390);
  equal([element.start, element.end], [30, 30]);
});

test("Values set from code fire no event", () => {
  const { element, fired } = scrubber({ max: 40 });
  Object.assign(element, { value: 7, start: 3, end: 9 });
  equal([element.value, element.start, element.end], [7, 3, 9]);
  equal(fired, []);
});

test("A held knob stays in the hand while code sets it, and the others follow", () => {
  const { element, pointer } = scrubber({ max: 40, step: 1 });
  pointer("pointerdown", 100);
  Object.assign(element, { value: 33, start: 4 });
  equal([element.value, element.start], [10, 4]);
  pointer("pointerup", 100);
  element.value = 33;
  equal(element.value, 33);
});

test("Strings, nonsense and missing values are good for every property", () => {
  const { element } = scrubber();
  Object.assign(element, { max: "10", value: "4", step: "" });
  equal([element.max, element.value, element.step], [10, 4, 0]);
  Object.assign(element, { value: "many", end: null, start: undefined });
  equal([element.value, element.start, element.end], [0, 0, 10]);
});

test("Values that are set before the track has grown hold afterwards", () => {
  const { element } = scrubber();
  Object.assign(element, { value: 30, start: 20, end: 35, max: 40 });
  equal([element.value, element.start, element.end], [30, 20, 35]);
});

test("The range is the whole track, and stays so when the track grows", () => {
  const { element } = scrubber({ max: 5 });
  element.max = 50;
  equal([element.start, element.end], [0, 50]);
});

test("Properties set before the element is in the page hold", () => {
  const element = document.createElement("gallop-scrubber");
  element.max = 9;
  element.value = 8;
  room().append(element);
  equal(element.value, 8);
});

test("Keys move a knob: one beginning, changes while held, one end", () => {
  const { fired, key } = scrubber({ max: 40, step: 1 });
  key("playhead", "ArrowRight");
  key("playhead", "ArrowRight");
  key("playhead", "ArrowRight", "keyup");
  equal(fired.map(([type, , value]) => [type, value]),
    [["begin", 0], ["change", 1], ["change", 2], ["end", 2]]);
});

test("Escape returns a dragged knob to where it was", () => {
  const { element, fired, key, pointer } = scrubber({ max: 40, step: 1, value: 5 });
  pointer("pointerdown", 200);
  key("playhead", "Escape");
  equal(element.value, 5);
  equal(fired.at(-1)[0], "end");
  pointer("pointermove", 300);
  equal(element.value, 5);
});

test("Each knob is a slider with its limits in words that a screen reader reads", () => {
  const { element, knob } = scrubber({ max: 40, start: 10, end: 30, value: 5 });
  element.describe = (value, name) => `${name} at ${value}`;
  const aria = (name) => ["role", "aria-valuemin", "aria-valuemax", "aria-valuenow", "aria-valuetext",
    "tabindex"]
    .map((attribute) => knob(name).getAttribute(attribute));
  equal(aria("playhead"), ["slider", "10", "30", "10", "playhead at 10", "0"]);
  equal(aria("start"), ["slider", "0", "30", "10", "start at 10", "0"]);
  equal(aria("end"), ["slider", "10", "40", "30", "end at 30", "0"]);
  ok(knob("start").getAttribute("aria-label"));
});

test("A disabled scrubber takes neither pointers nor keys nor the focus", () => {
  const { element, fired, key, pointer, knob } = scrubber({ max: 40, step: 1, disabled: "" });
  pointer("pointerdown", 100);
  key("playhead", "ArrowRight");
  equal(fired, []);
  equal(knob("playhead").tabIndex, -1);
  element.disabled = false;
  equal(element.hasAttribute("disabled"), false);
});

test("A scrubber that is removed in the middle of a drag ends the drag", () => {
  const { element, fired, pointer } = scrubber({ max: 40, step: 1 });
  pointer("pointerdown", 100);
  element.remove();
  equal(fired.at(-1)[0], "end");
  equal(element.held, null);
});
