// Where the page can make the engine's worker, and no other one: the engine's worker judges flashes itself.

import { configure, statistics } from "/gallop/index.js";
import { flashingGIF } from "/tests/shared/flashing_gif.js";
import { equal, holds, mount, test } from "./harness.js";

let count = 0;
configure({ worker: () => {
  count += 1;
  if (count > 1) throw new Error("There are no more workers.");
  return new Worker("/gallop/worker.js", { type: "module" });
} });

test("Without a worker that judges, a GIF that flashes is held all the same", async () => {
  const file = new Blob([flashingGIF({ count: 6 })]);
  for (const size of [400, 380]) {
    const element = mount({ width: size, height: 300, flashes: "hold", autoplay: "", motion: "full" });
    element.srcObject = file;
    await holds(() => element.flashState.state === "held");
    equal(element.flashState.report.result, "fails");
  }
  equal([count, (await statistics()).isWorker], [2, true]);
});
