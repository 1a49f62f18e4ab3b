// The components with the engine: what a page does from end to end.
import { React, ReactDOM } from "/react.js";
import { statistics } from "/gallop/index.js";
import { componentsOf } from "/gallop/react-components.js";
import "/gallop/scrubber.js";
import "/gallop/wall.js";
import { equal, next, ok, painted, room, test } from "./tools.js";

const { AnimatedImage, AnimatedImageList } = componentsOf(React);
const h = React.createElement;
const GIFS = ["gallop", "spheres", "lissajous", "palettes", "spinner", "delays", "disposals", "horseshoe"];

function mount(element, isStrict = false) {
  const root = ReactDOM.createRoot(room());
  ReactDOM.flushSync(() => root.render(isStrict ? h(React.StrictMode, null, element) : element));
  return () => ReactDOM.flushSync(() => root.unmount());
}

/** Waits until the engine has let go of everything. */
async function untilEmpty() {
  for (;;) {
    const { elements, images } = await statistics();
    if (elements === 0 && images === 0) return;
    await painted();
  }
}

test("The ancestor's example plays 0/58 ... 57/58 and stops when it is unmounted", async () => {
  const heard = [];
  let tellLooped;
  const looped = new Promise((resolve) => (tellLooped = resolve));
  const unmount = mount(h(AnimatedImage, { src: "/fifty-eight.gif", resizeMode: "contain",
    style: { width: 90, height: 60 }, late: "wait",
    onFrameChange: (e) => {
      heard.push(`${e.nativeEvent.currentFrameIndex}/${e.nativeEvent.frameCount}`);
      if (e.nativeEvent.currentFrameIndex === 57) tellLooped();
    } }), true);
  await looped;
  unmount();
  const { length } = heard;
  const first = heard.slice(0, heard.indexOf("57/58") + 1);
  equal(first, Array.from({ length: 58 }, (_, frame) => `${frame}/58`));
  await untilEmpty();
  for (let picture = 0; picture < 10; picture += 1) await painted();
  equal(heard.length, length, "the frames heard");
});

test("What is loaded is said as of an image, also of a picture that is no GIF", async () => {
  const heard = [];
  const note = (e) => heard.push(e.type);
  const show = (src) => mount(h(AnimatedImage, { src, onLoadedData: note, onLoad: note, onError: note }));
  const unmount = show("/gifs/gallop.gif");
  while (!heard.includes("load")) await painted();
  unmount();
  const unmountPlain = show("/tests/browser/pixel.png");
  while (heard.length < 3) await painted();
  unmountPlain();
  equal(heard, ["loadeddata", "load", "load"]);
});

test("A component that goes while its file arrives leaves nothing behind", async () => {
  for (let round = 0; round < 20; round += 1) {
    mount(h(AnimatedImage, { src: `/gifs/gallop.gif?${round}`, onFrameChange: () => {} }), true)();
  }
  await untilEmpty();
});

test("Two hundred mounts and unmounts leave the engine as it was", async () => {
  const show = async (name) => {
    const loaded = [];
    const unmount = mount(h(AnimatedImage, { src: `/gifs/${name}.gif`, onLoad: () => loaded.push(name) }));
    while (loaded.length === 0) await painted();
    unmount();
  };
  for (const name of GIFS) await show(name);
  await untilEmpty();
  const { memoryBytes } = await statistics();
  for (let round = 0; round < 200; round += 1) await show(GIFS[round % 4 + 2]);
  await untilEmpty();
  const after = (await statistics()).memoryBytes;
  // Files without an element stay for a while, here and there in the memory.
  ok(after <= memoryBytes + (1 << 20), `${after} bytes after ${memoryBytes}`);
});

test("A list of a thousand GIFs decodes only those in view, one image for each file", async () => {
  const ref = React.createRef();
  const data = Array.from({ length: 1000 },
    (_, index) => ({ src: `/gifs/${GIFS[index % 8]}.gif`, caption: `${index}` }));
  const unmount = mount(h(AnimatedImageList, { ref, data, columns: 4, aspect: 1.5, style: { height: 300 } }));
  while (!ref.current.elementOf(0)?.readyState) await painted();
  ref.current.scrollToItem(500, { behavior: "instant" });
  while (!(ref.current.elementOf(500)?.currentFrameIndex >= 0)) await painted();
  const { images, elements } = await statistics();
  ok(images <= 8, `${images} images`);
  ok(elements <= 40, `${elements} players`);
  unmount();
  await untilEmpty();
});

test("A wall shows what the browser can show, and says of the rest that it cannot be shown", async () => {
  const foreign = await (await fetch("/foreign")).json();
  const wall = document.createElement("gallop-wall");
  wall.columns = 4;
  wall.items = [{ src: "/gifs/spinner.gif" }, { src: `${foreign}/gifs/thrice.gif`, alt: "No CORS" },
    { src: "/tests/browser/pixel.png", alt: "A PNG" }, { src: "/nowhere.gif", alt: "Gone" }];
  room().append(wall);
  const cells = () => [...wall.shadowRoot.querySelectorAll(".row:not([hidden]) > .cell")];
  const states = () => cells().map(({ classList }) => ["loaded", "failed"].filter((name) => classList.contains(name)).join());
  while (states().includes("") || states().length < 4) await painted();
  equal(states(), ["loaded", "loaded", "loaded", "failed"]);
  equal([0, 1, 2, 3].map((index) => wall.elementOf(index).isPlain), [false, true, true, false]);
  equal(cells()[3].querySelector(".failure").textContent, "Gone");
  equal(cells()[3].getAttribute("aria-label"), "Gone: The server answers with status 404.");
});

test("A scrubber drives the GIF that it names", async () => {
  const place = room();
  const [gif, scrubber] = ["gallop-gif", "gallop-scrubber"].map((name) => document.createElement(name));
  Object.assign(gif, { id: "driven", src: "/gifs/disposals.gif" });
  scrubber.setAttribute("for", "driven");
  place.append(gif, scrubber);
  await next(gif, "canplaythrough");
  await painted();
  equal([scrubber.max, scrubber.start, scrubber.end], [13, 0, 13]);
  const knob = (name) => scrubber.shadowRoot.querySelector(`[data-knob=${name}]`);
  const key = (name, type,
    pressed) => knob(name).dispatchEvent(new KeyboardEvent(type, { key: pressed, bubbles: true }));
  const shown = next(gif, "framechange", ({ currentFrameIndex }) => currentFrameIndex === 2);
  for (const pressed of ["ArrowRight", "ArrowRight"]) key("playhead", "keydown", pressed);
  key("playhead", "keyup", "ArrowRight");
  await shown;
  key("start", "keydown", "ArrowRight");
  key("start", "keyup", "ArrowRight");
  equal(gif.range, [1, 14]);
  const stepped = next(gif, "framechange", ({ currentFrameIndex }) => currentFrameIndex === 3);
  gif.step(1);
  await stepped;
  equal(scrubber.value, 3);
  equal(knob("playhead").getAttribute("aria-valuetext"), "frame #3 of 14");
  // The page chooses the range.
  gif.range = [4, 9];
  await painted();
  equal([scrubber.start, scrubber.end], [4, 8]);
  const sought = next(gif, "framechange", ({ currentFrameIndex }) => currentFrameIndex === 7);
  gif.seekToFrame(7);
  await sought;
  equal(scrubber.value, 7);
  gif.removeAttribute("range");
  await painted();
  equal([scrubber.start, scrubber.end], [0, 13]);
});
