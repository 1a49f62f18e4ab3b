// Damaged files never end the page: through the engine, and through elements.

import { statistics } from "/gallop/index.js";
import { COMMANDS, Engine } from "/gallop/engine.js";
import { compileModule } from "/gallop/module.js";
import { exercise, unpack } from "/tests/shared/mutants.js";
import { equal, mount, ok, test, until } from "./harness.js";

const SLICE = 2000;
const SHOWN = 200;
const files = [...unpack(new Uint8Array(await (await fetch("/mutants")).arrayBuffer()))];

for (let start = 0; start < files.length; start += SLICE) {
  const slice = files.slice(start, start + SLICE);
  test(`Damaged files from ${start} on never stop the engine`, async () => {
    const engine = await Engine.create(await compileModule());
    let played = 0;
    for (const [index, bytes] of slice.entries()) played += exercise(engine, COMMANDS, bytes, start + index + 1);
    equal(engine.statistics().images, 0);
    ok(played > slice.length / 4, `only ${played} play`);
    return `${slice.length} files, ${played} with pictures`;
  }, 240);
}

test("Elements with damaged files play or fail, and the page goes on", async () => {
  const outcomes = { playing: 0, error: 0, ended: 0 };
  for (const bytes of files.slice(0, SHOWN)) {
    const element = mount({ autoplay: "", class: "small" });
    element.srcObject = bytes;
    const { type } = await Promise.race(Object.keys(outcomes).map((name) => until(element, name)));
    outcomes[type] += 1;
    element.remove();
  }
  const { restarts } = await statistics();
  equal(restarts, 0, "restarts");
  const good = mount({ src: "/gifs/thrice.gif", autoplay: "" });
  await until(good, "playing");
  return JSON.stringify(outcomes);
}, 240);
