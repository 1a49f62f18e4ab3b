// The first frame while the engine starts: the browser's own decoder is there already.

import { configure } from "/gallop/index.js";
import { equal, holds, mount, stage, test, until } from "./harness.js";

configure({ wasm: "/held/engine/gallop/gallop.wasm?first=8" });

const firstOf = (element) => element.shadowRoot.querySelector("[part=first]");

function pixelsOf(canvas) {
  const { width, height } = canvas;
  const context = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
  context.drawImage(canvas, 0, 0);
  return [...context.getImageData(0, 0, width, height).data];
}

test("Until the engine has started, the browser's own first frame is seen where the player would show that", async () => {
  const file = (name) => `/gifs/spinner.gif?${name}`;
  const seen = [{ src: file("plays"), autoplay: "" }, { src: file("rests") }, { src: file("rests"), "resize-mode": "cover" }];
  const others = [{ src: file("reverse"), mode: "reverse" }, { src: file("range"), range: "2,5" },
    { src: file("lazy"), preload: "metadata" }, { src: `/held/slow/gifs/spinner.gif?first=9000` }];
  const elements = seen.map((attributes) => mount(attributes));
  const without = others.map((attributes) => mount(attributes));
  const sought = mount({ src: file("sought") });
  sought.currentTime = 0.5;
  const gone = mount({ src: file("gone") });
  const replaced = mount({ src: file("replaced") });
  await holds(() => [...elements, gone, replaced].every(firstOf));
  gone.remove();
  replaced.src = "/gifs/disposals.gif";
  await holds(() => !firstOf(gone) && firstOf(replaced)?.width !== firstOf(elements[0]).width);
  equal([...without, sought].map(firstOf), [null, null, null, null, null], "first frames");
  equal(elements.map(({ readyState }) => readyState), [0, 0, 0], "ready states");
  const pixels = pixelsOf(firstOf(elements[1]));
  for (const element of elements) element.pause();
  await fetch("/release/engine");
  await fetch("/release/slow");
  for (const element of stage.children) await element.decode();
  await holds(() => [...stage.children].every((element) => !firstOf(element)));
  const { data } = await elements[1].captureFrame(0);
  equal(pixels.length, data.length, "bytes");
  equal(pixels.findIndex((value, place) => value !== data[place]), -1, "the first byte that differs");
});

test("With the engine there is no such frame", async () => {
  const element = mount({ src: "/gifs/gallop.gif" });
  await Promise.race([until(element, "load"), holds(() => firstOf(element))]);
  equal(firstOf(element), null);
});
