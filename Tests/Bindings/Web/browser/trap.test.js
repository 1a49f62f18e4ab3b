// What becomes of the others when one GIF stops the engine, or the worker.

import { configure, statistics } from "/gallop/index.js";
import { equal, holds, mount, notes, ok, stage, test, until } from "./harness.js";

configure({ worker: "/tests/browser/trapping_worker.js" });

async function wall() {
  const sources = ["gallop", "spinner", "thrice", "spheres"];
  const elements = sources.map((name) => mount({ src: `/gifs/${name}.gif`, class: "small", loop: "", autoplay: "" }));
  await Promise.all(elements.map((element) => until(element, "playing")));
  return elements;
}

test("A GIF that stops the engine fails alone; the others go on", async () => {
  const elements = await wall();
  const resting = mount({ src: "/gifs/gallop.gif?resting" });
  await until(resting, "canplaythrough");
  await holds(() => resting.currentFrameIndex >= 0);
  await resting.seekToFrame(20);
  const faults = elements.map((element) => notes(element, ["error", "emptied", "pause"]));
  const bad = mount();
  bad.srcObject = new Blob(["TRAP and nothing else"]);
  await until(bad, "error");
  equal(bad.error.reason, "engineTrap");
  await Promise.all(elements.map((element) => until(element, "framechange")));
  equal(faults.flat(), []);
  equal([resting.currentFrameIndex, resting.paused, resting.error], [20, true, null]);
  await resting.step(1);
  equal(resting.currentFrameIndex, 21);
  const { restarts, images } = await statistics();
  equal([restarts, images], [1, 5]);
});

test("The file that stopped the engine is not tried again", async () => {
  const address = URL.createObjectURL(new Blob(["TRAP"]));
  const before = (await statistics()).restarts;
  for (let round = 0; round < 3; round += 1) {
    const element = mount({ src: address });
    await until(element, "error");
    equal(element.error.reason, "engineTrap");
    element.remove();
  }
  equal((await statistics()).restarts, before + 1);
});

test("After the end of the worker all go on in another one", async () => {
  const elements = await wall();
  const paused = elements[0];
  paused.pause();
  await paused.seekToFrame(12);
  const others = elements.slice(1);
  const faults = elements.map((element) => notes(element, ["error", "emptied", "pause"]));
  const bad = mount();
  bad.srcObject = new Blob(["KILL"]);
  await Promise.race([until(bad, "error"), until(others[0], "framechange")]);
  await Promise.all(others.map((element) => until(element, "framechange")));
  bad.remove();
  await holds(() => paused.currentFrameIndex === 12);
  equal(faults.flat(), []);
  ok(stage.isConnected, "the page");
  await paused.step();
  equal(paused.currentFrameIndex, 13);
});
