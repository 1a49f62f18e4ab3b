// Many first frames while the engine starts: then the browser leaves all of them to the engine.

import { configure } from "/gallop/index.js";
import { equal, holds, mount, stage, test } from "./harness.js";

configure({ wasm: "/held/engine/gallop/gallop.wasm?first=8" });

test("The browser shows no first frames in more than sixteen elements, however few their files are", async () => {
  const elements = Array.from({ length: 17 }, (_, number) => (
    mount({ src: `/gifs/thrice.gif?${number % 2}`, width: 24, height: 24 })));
  const arrived = () => performance.getEntriesByType("resource").filter(({ name }) => name.includes("thrice.gif")).length;
  // One more file, which is asked for when these are there, is decoded by the browser after them.
  await holds(() => arrived() === 2);
  await createImageBitmap(await (await fetch("/gifs/thrice.gif")).blob());
  await new Promise(requestAnimationFrame);
  equal(elements.map((element) => element.shadowRoot.querySelector("[part=first]")), elements.map(() => null), "first frames");
  await fetch("/release/engine");
  for (const element of stage.children) await element.decode();
  equal(elements.map(({ videoWidth }) => videoWidth), elements.map(() => 140), "widths");
});
