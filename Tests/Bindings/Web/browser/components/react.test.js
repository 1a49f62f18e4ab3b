import { React, ReactDOM } from "/react.js";
import { equal, next, ok, painted, room, test } from "./tools.js";
import { componentsOf } from "/standin/react-components.js";

const {
  AnimatedImage, AnimatedImageList, CallbackView, RangeSlider, useAnimatedImage, useEmit, useMountAnimation,
} = componentsOf(React);
const h = React.createElement;

/** Renders into the page; `render` again updates, `unmount` ends. */
function mount(element, isStrict = false) {
  const place = room();
  const root = ReactDOM.createRoot(place);
  const wrap = (child) => (isStrict ? h(React.StrictMode, null, child) : child);
  const render = (child) => ReactDOM.flushSync(() => root.render(wrap(child)));
  render(element);
  return { place, render, unmount: () => ReactDOM.flushSync(() => root.unmount()),
    find: (name) => place.querySelector(name) };
}

test("The ancestor's example works as written: 0/58 ... 57/58, and nothing after it is unmounted", () => {
  const heard = [];
  const example = h(AnimatedImage, { src: "a.gif", resizeMode: "contain",
    onFrameChange: (e) => heard.push(`${e.nativeEvent.currentFrameIndex}/${e.nativeEvent.frameCount}`) });
  const { find, unmount } = mount(example);
  const gif = find("gallop-gif");
  gif.arrive(58);
  for (let frame = 0; frame < 58; frame += 1) gif.show(frame);
  unmount();
  gif.show(0);
  equal(heard, Array.from({ length: 58 }, (_, frame) => `${frame}/58`));
});

test("In strict mode each frame is reported once", () => {
  let heard = 0;
  const { find } = mount(h(AnimatedImage, { src: "a.gif", onFrameChange: () => (heard += 1) }), true);
  find("gallop-gif").arrive();
  find("gallop-gif").show(1);
  equal(heard, 1);
});

test("The newest handler is called, and one that is taken away is not", () => {
  const heard = [];
  const image = (onFrameChange) => h(AnimatedImage, { src: "a.gif", onFrameChange });
  const { find, render } = mount(image(() => heard.push("first")));
  render(image(() => heard.push("second")));
  find("gallop-gif").show(1);
  render(image(undefined));
  find("gallop-gif").show(2);
  equal(heard, ["second"]);
});

test("An event names its element and has the frame's facts", () => {
  let event;
  const { find } = mount(h(AnimatedImage, { src: "a.gif", onFrameChange: (told) => (event = told) }));
  find("gallop-gif").arrive(9);
  find("gallop-gif").show(3, 2);
  const { target, ...facts } = event.nativeEvent;
  equal(facts, { currentFrameIndex: 3, frameCount: 9, loop: 2, lateness: 0, skippedFrames: 0,
    cause: "play" });
  ok(target === find("gallop-gif") && event.target === target, "the target");
});

test("An error says its words", () => {
  const heard = [];
  const { find } = mount(h(AnimatedImage, { src: "a.gif", onError: (e) => heard.push(e.nativeEvent.error) }));
  find("gallop-gif").fail();
  equal(heard, ["It cannot be shown."]);
});

test("Without a resize mode a picture is stretched, as the ancestor's is", () => {
  const { find } = mount(h(AnimatedImage, { src: { uri: "a.gif" } }));
  equal(find("gallop-gif").getAttribute("resize-mode"), "stretch");
  equal(find("gallop-gif").src, "a.gif");
});

test("A GIF plays by itself as often as the file says, unless a user says otherwise", () => {
  const { find, render } = mount(h(AnimatedImage, { src: "a.gif" }));
  const gif = find("gallop-gif");
  equal([gif.hasAttribute("autoplay"), gif.getAttribute("loop")], [true, null]);
  for (const [loop, attribute] of [[true, ""], [false, "1"], [3, "3"]]) {
    render(h(AnimatedImage, { src: "a.gif", loop, autoplay: false }));
    equal([gif.hasAttribute("autoplay"), gif.getAttribute("loop")], [false, attribute]);
  }
});

test("An element without a handler of frames is not asked to report them", () => {
  const { find, render } = mount(h(AnimatedImage, { src: "a.gif", onLoad: () => {} }));
  const asked = [];
  const gif = find("gallop-gif");
  gif.addEventListener = (type, ...rest) => {
    asked.push(type);
    HTMLElement.prototype.addEventListener.call(gif, type, ...rest);
  };
  render(h(AnimatedImage, { src: "a.gif", onLoad: () => {}, onEnded: () => {} }));
  equal(asked.includes("framechange"), false);
  render(h(AnimatedImage, { src: "a.gif", onFrameChange: () => {} }));
  equal(asked.includes("framechange"), true);
});

test("`paused` stops a GIF and lets it go on", () => {
  const { find, render } = mount(h(AnimatedImage, { src: "a.gif", paused: true }));
  const gif = find("gallop-gif");
  gif.arrive();
  equal(gif.paused, true);
  render(h(AnimatedImage, { src: "a.gif", paused: false }));
  equal(gif.paused, false);
  render(h(AnimatedImage, { src: "a.gif", paused: true }));
  equal(gif.commands, ["play", "pause"]);
});

test("Speed, mode and range reach the element, and only when they change", () => {
  const { find, render } = mount(h(AnimatedImage,
    { src: "a.gif", playbackRate: 2, mode: "bounce", range: [2, 5] }));
  const gif = find("gallop-gif");
  equal([gif.playbackRate, gif.mode, gif.range], [2, "bounce", [2, 5]]);
  gif.playbackRate = 3;
  render(h(AnimatedImage, { src: "a.gif", playbackRate: 2, mode: "forward" }));
  equal([gif.playbackRate, gif.mode, gif.range], [3, "forward", null]);
});

test("A ref commands the element", () => {
  const ref = React.createRef();
  const { find, unmount } = mount(h(AnimatedImage, { src: "a.gif", ref }));
  ref.current.seekToFrame(2);
  ref.current.step(-1);
  equal(find("gallop-gif").commands, ["seek 2", "step -1"]);
  unmount();
  equal(ref.current, null);
});

test("A component that goes in the middle of loading gets no more events", () => {
  const heard = [];
  const { find, unmount } = mount(h(AnimatedImage, { src: "a.gif", placeholder: "b.png",
    onLoad: () => heard.push("load"), onError: () => heard.push("error") }), true);
  const gif = find("gallop-gif");
  unmount();
  gif.arrive();
  gif.fail();
  equal(heard, []);
  equal(gif.isConnected, false);
});

test("A placeholder stands until the GIF has arrived, which fades in", async () => {
  const { find } = mount(h(AnimatedImage, { src: "a.gif", placeholder: "data:,", fadeDuration: 30,
    style: { width: 80, height: 60 } }));
  const gif = find("gallop-gif");
  ok(find("img"), "the placeholder");
  equal(gif.style.opacity, "0");
  gif.style.background = "red";
  await painted();
  const faded = next(gif, "transitionend");
  gif.arrive();
  await painted();
  equal(gif.style.opacity, "1");
  await faded;
  await painted();
  equal(find("img"), null);
});

test("Another source shows the placeholder again", async () => {
  const image = (src) => h(AnimatedImage, { src, placeholder: "data:,", fadeDuration: 0 });
  const { find, render } = mount(image("a.gif"));
  find("gallop-gif").arrive();
  await painted();
  equal(find("img"), null);
  render(image("b.gif"));
  ok(find("img"), "the placeholder");
});

test("A hook gives the state of a GIF", async () => {
  function Title() {
    const [ref, state] = useAnimatedImage();
    return h("p", null, h(AnimatedImage, { src: "a.gif", ref }),
      `${state.currentFrameIndex} of ${state.frameCount}`);
  }
  const { find } = mount(h(Title));
  find("gallop-gif").arrive(5);
  find("gallop-gif").show(3);
  await painted();
  equal(find("p").textContent, "3 of 5");
});

test("The slider has the ancestor's values and reports a drag in its words", () => {
  const heard = [];
  const note = (name) => (e) => heard.push([name, e.nativeEvent.minValue ?? null,
    e.nativeEvent.maxValue ?? null]);
  const { find } = mount(h(RangeSlider, { activeColor: "red", minValue: 0, maxValue: 10, leftKnobValue: 2,
    rightKnobValue: 8, step: 1, onRangeSliderViewBeginDrag: note("begin"),
    onRangeSliderViewValueChange: note("change"), onRangeSliderViewEndDrag: note("end") }));
  const slider = find("gallop-scrubber");
  equal([slider.min, slider.max, slider.start, slider.end, slider.knobs], [0, 10, 2, 8, "range"]);
  equal(slider.style.getPropertyValue("--gallop-active"), "red");
  const knob = slider.shadowRoot.querySelector("[data-knob=start]");
  knob.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  knob.dispatchEvent(new KeyboardEvent("keyup", { key: "ArrowRight", bubbles: true }));
  equal(heard, [["begin", null, null], ["change", 3, 8], ["end", 3, 8]]);
});

test("The slider's defaults are the ancestor's", () => {
  const { find } = mount(h(RangeSlider, {}));
  const { min, max, step, start, end } = find("gallop-scrubber");
  equal([min, max, step, start, end], [0, 1, 0, 0, 1]);
});

test("Commands and new properties move the slider's knobs without events of a drag", () => {
  const heard = [];
  const ref = React.createRef();
  const slider = (leftKnobValue) => h(RangeSlider, { ref, maxValue: 10, rightKnobValue: 9, leftKnobValue,
    onRangeSliderViewValueChange: () => heard.push("change") });
  const { find, render } = mount(slider(1));
  ref.current.setLeftKnobValue(4);
  ref.current.setRightKnobValue(6);
  equal([find("gallop-scrubber").start, find("gallop-scrubber").end], [4, 6]);
  render(slider(2));
  equal(find("gallop-scrubber").start, 2);
  equal(heard, []);
});

test("A list shows its data in fixed columns with a placeholder, and scrolls to an item", async () => {
  const ref = React.createRef();
  const chosen = [];
  const data = Array.from({ length: 500 },
    (_, index) => ({ image: { uri: `${index}.gif` }, description: `No ${index}` }));
  const { find, unmount } = mount(h(AnimatedImageList, { ref, data, numColumns: 3, style: { height: 300 },
    options: { placeholderImage: "data:," }, onItemPress: (e) => chosen.push(e.nativeEvent.index) }));
  await painted();
  const root = find("gallop-wall").shadowRoot;
  equal(root.querySelector(".placeholder").getAttribute("src"), "data:,");
  equal(root.querySelector(".view").getAttribute("aria-colcount"), "3");
  ref.current.scrollToItem(300, { behavior: "instant" });
  while (!ref.current.elementOf(300)) await painted();
  root.querySelector("#item-300").click();
  equal(chosen, [300]);
  const gif = ref.current.elementOf(300);
  unmount();
  equal(gif.src, "");
});

test("A direct event goes to its view alone", () => {
  const heard = [];
  const ref = React.createRef();
  mount(h(CallbackView, { onReady: () => heard.push("outer") },
    h(CallbackView, { ref, onReady: (e) => heard.push(["inner", e.nativeEvent.value]) })));
  ref.current.emit("ready", 7, "direct");
  equal(heard, [["inner", 7]]);
});

test("A bubbling event is captured on the way down and delivered on the way up", () => {
  const heard = [];
  const ref = React.createRef();
  const view = (name, child, more) => h(CallbackView, { onReady: () => heard.push(`${name} up`),
    onReadyCapture: () => heard.push(`${name} down`), ...more }, child);
  mount(view("outer", view("middle", view("inner", null, { ref }))));
  ref.current.emit("ready");
  equal(heard, ["outer down", "middle down", "inner down", "inner up", "middle up", "outer up"]);
});

test("A view that stops an event ends its way, also on the way down", () => {
  const heard = [];
  const ref = React.createRef();
  const outer = (handlers) => h(CallbackView, handlers,
    h(CallbackView, { ref, onReady: () => heard.push("inner") }));
  const { render } = mount(outer({ onReadyCapture: (e) => e.stopPropagation() }));
  ref.current.emit("ready");
  equal(heard, []);
  render(outer({ onReady: () => heard.push("outer") }));
  ref.current.emit("ready");
  equal(heard, ["inner", "outer"]);
});

test("An event without a value has none, and one with a value any", () => {
  const heard = [];
  const ref = React.createRef();
  mount(h(CallbackView,
    { ref, onReady: ({ nativeEvent }) => heard.push("value" in nativeEvent, nativeEvent.value ?? null) }));
  ref.current.emit("ready");
  ref.current.emit("ready", { deep: [1] });
  equal(heard, [false, null, true, { deep: [1] }]);
});

test("A component inside sends to the views around it, also through a portal", () => {
  const heard = [];
  let emit;
  function Child() {
    emit = useEmit();
    return null;
  }
  const elsewhere = document.createElement("div");
  mount(h(CallbackView, { onDone: (e) => heard.push(e.nativeEvent.value) },
    ReactDOM.createPortal(h(Child), elsewhere)));
  emit("done", 1);
  emit("done", 2, "direct");
  equal(heard, [1, 2]);
});

test("A registration ends with its view", () => {
  const heard = [];
  const ref = React.createRef();
  const { unmount } = mount(h(CallbackView, { ref, onReady: () => heard.push("heard") }), true);
  const { emit } = ref.current;
  emit("ready");
  unmount();
  emit("ready");
  equal(heard, ["heard"]);
});

test("A prevented default reaches the sender", () => {
  const ref = React.createRef();
  mount(h(CallbackView, { ref, onClose: (e) => e.preventDefault() }));
  equal(ref.current.emit("close"), false);
  equal(ref.current.emit("open"), true);
});

test("A page from a server keeps its elements, which get their style and their handlers", async () => {
  const heard = [];
  const place = room();
  place.innerHTML = '<gallop-gif src="a.gif" resize-mode="stretch" autoplay=""></gallop-gif>';
  const gif = place.firstChild;
  gif.readyState = 4; // it was loaded before React was there
  const image = h(AnimatedImage, { src: "a.gif", fadeDuration: 1, style: { width: 40, zIndex: 2 },
    onFrameChange: (e) => heard.push(e.nativeEvent.currentFrameIndex) });
  let root;
  ReactDOM.flushSync(() => (root = ReactDOM.hydrateRoot(place, image)));
  while (gif.style.opacity !== "1") await painted();
  equal(place.firstChild === gif, true, "the same element");
  equal([gif.style.width, gif.style.zIndex], ["40px", "2"]);
  gif.show(3);
  equal(heard, [3]);
  ReactDOM.flushSync(() => root.unmount());
});

test("An element is animated when it is mounted, and not after it has gone", () => {
  const Box = () => h("p", { ref: useMountAnimation([{ opacity: 0 }, { opacity: 1 }], 60_000) });
  const { find, unmount } = mount(h(Box));
  const [animation] = find("p").getAnimations();
  equal(animation.playState, "running");
  unmount();
  equal(animation.playState, "idle");
});
