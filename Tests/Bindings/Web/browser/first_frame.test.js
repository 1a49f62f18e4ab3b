// The first frame while the engine starts: the browser's own decoder is there already.

import { configure } from "/gallop/index.js";
import { equal, holds, mount as place, ok, stage, test, until } from "./harness.js";

configure({ wasm: "/held/engine/gallop/gallop.wasm?first=8" });

// A file of the size of a sample whose canvas is said to be 3000 x 3000.
const bytes = new Uint8Array(await (await fetch("/gifs/thrice.gif")).arrayBuffer());
bytes.set([3000 & 255, 3000 >> 8, 3000 & 255, 3000 >> 8], 6);
const LARGE = URL.createObjectURL(new Blob([bytes]));

/** All are small, so that all are in sight. */
const mount = (attributes) => place({ width: 24, height: 24, ...attributes });

const firstOf = (element) => element.shadowRoot.querySelector("[part=first]");

function pixelsOf(canvas) {
  const { width, height } = canvas;
  const context = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
  context.drawImage(canvas, 0, 0);
  return [...context.getImageData(0, 0, width, height).data];
}

test("Until the engine has started, the browser's own first frame is seen where the player would show that", async () => {
  const file = (name) => `/gifs/thrice.gif?${name}`;
  const seen = [{ src: file("plays"), autoplay: "" }, { src: file("rests") },
    { src: file("rests"), "resize-mode": "cover" }];
  const others = [{ src: file("reverse"), mode: "reverse" }, { src: file("range"), range: "2,5" },
    { src: file("lazy"), preload: "metadata" }, { src: `/held/slow/gifs/thrice.gif?first=9000` }];
  const elements = seen.map((attributes) => mount(attributes));
  elements.push(place({ src: file("sized") }));
  const without = others.map((attributes) => mount(attributes));
  // Posters, pictures that are too large, what is not seen, and what is set while the file arrives.
  const poster = mount({ src: file("poster"), poster: "/tests/browser/pixel.png" });
  const large = mount({ src: LARGE });
  const unseen = mount({ src: file("unseen") });
  unseen.style.display = "none";
  const plain = mount({ src: "/tests/browser/pixel.png" });
  const sought = mount({ src: file("sought") });
  sought.currentTime = 0.5;
  const turned = mount({ src: file("turned") });
  turned.mode = "reverse";
  without.push(poster, large, unseen, plain, sought, turned);
  const gone = mount({ src: file("gone") });
  const replaced = mount({ src: file("replaced") });
  const stepped = mount({ src: file("plays") });
  await holds(() => [...elements, gone, replaced, stepped].every(firstOf));
  gone.remove();
  replaced.src = "/gifs/disposals.gif";
  await holds(() => !firstOf(gone) && firstOf(replaced)?.width !== firstOf(elements[0]).width);
  equal(without.map(firstOf), without.map(() => null), "first frames");
  equal(elements.map((element) => element.clientWidth), [24, 24, 24, 140], "widths");
  equal(elements.map(({ readyState }) => readyState), [0, 0, 0, 0], "ready states");
  const pixels = pixelsOf(firstOf(elements[1]));
  // What is seen stays when it is asked for again, and leaves when another place is.
  const before = elements.map(firstOf);
  for (const element of elements) element.play().catch(() => {});
  await new Promise(requestAnimationFrame);
  ok(elements.every((element, index) => firstOf(element) === before[index]), "the same pictures");
  for (const element of elements) element.pause();
  stepped.seekToFrame(3).catch(() => {});
  equal(firstOf(stepped), null);
  await fetch("/release/engine");
  await fetch("/release/slow");
  for (const element of stage.children) if (element !== unseen) await element.decode();
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
