// Where flashes are judged: in a worker of the page, also for the engine's worker.

import { configure, statistics } from "/gallop/index.js";
import { flashingGIF } from "/tests/shared/flashing_gif.js";
import { equal, holds, mount, test, until } from "./harness.js";

configure({ worker: "/tests/browser/lone_worker.js" });

const FLASHING = new Blob([flashingGIF({ count: 6 })]);

function held() {
  const element = mount({ width: 400, height: 300, flashes: "hold", autoplay: "", motion: "full" });
  element.srcObject = FLASHING;
  return element;
}

const is = (element, state) => holds(() => element.flashState.state === state);

test("The engine's worker makes no worker to judge flashes", async () => {
  await is(held(), "held");
  equal((await statistics()).isWorker, true);
});

test("A verdict that is wanted no more is given up for the next one", async () => {
  const element = held();
  for (let width = 400; width > 60; width -= 20) {
    element.width = width;
    element.height = width * 0.75;
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  await is(element, "passes");
  const others = [held(), held()];
  others[0].remove();
  await is(others[1], "held");
  const calm = mount({ src: "/gifs/gallop.gif", autoplay: "" });
  await until(calm, "loop");
});
