import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { load } from "./package_folder.mjs";
import { exercise, unpack } from "../shared/mutants.js";

const pack = process.env.GALLOP_MUTANTS;

test("Damaged files never stop the engine", { skip: !pack && "no pack of mutants" }, async (t) => {
  const { loadEngine } = await load("node.js");
  const { COMMANDS } = await load("engine.js");
  const engine = await loadEngine();
  let [count, played] = [0, 0];
  for (const bytes of unpack(new Uint8Array(await readFile(pack)))) {
    count += 1;
    try {
      played += exercise(engine, COMMANDS, bytes, count) ? 1 : 0;
    } catch (error) {
      assert.fail(`mutant ${count}: ${error.stack}`);
    }
  }
  t.diagnostic(`${count} files, ${played} of them with pictures, ${engine.memoryBytes >> 20} MiB`);
  assert.equal(engine.statistics().images, 0);
});
