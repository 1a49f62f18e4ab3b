// The fallback: the engine in the page itself, where there is no worker.

import { configure, statistics } from "/gallop/index.js";
import { flashingGIF } from "/tests/shared/flashing_gif.js";
import { equal, holds, mount, ok, test, until } from "./harness.js";

configure({ worker: false });

test("Without a worker the page plays by itself", async () => {
  const element = mount({ src: "/gifs/gallop.gif", autoplay: "" });
  await until(element, "loop");
  const { isWorker, images } = await statistics();
  equal([isWorker, images], [false, 1]);
  await element.seekToFrame(9);
  equal((await element.captureFrame()).width, 480);
  element.pause();
  await element.step(2);
  equal(element.currentFrameIndex, 11);
});

test("A canvas of the page shows the frame", async () => {
  const element = mount({ src: "/gifs/gallop.gif" });
  await until(element, "canplaythrough");
  await holds(() => element.currentFrameIndex === 0);
  const canvas = element.shadowRoot.querySelector("[part=picture]");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  ok(data.some((value) => value > 0), "a picture");
});

test("In a page without a worker, too, what flashes is held", async () => {
  const element = mount({ width: 400, height: 300, flashes: "hold", autoplay: "", motion: "full" });
  element.srcObject = new Blob([flashingGIF({ count: 6 })]);
  await holds(() => element.flashState.state === "held");
  await holds(() => element.shadowRoot.querySelector("[part=notice]")?.checkVisibility());
});
