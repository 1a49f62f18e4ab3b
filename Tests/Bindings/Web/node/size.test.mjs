// What a page with one element loads: its own half of the element, the worker's half, and the engine.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { brotliCompressSync, constants } from "node:zlib";
import { folder } from "./package_folder.mjs";

/** The most bytes that all of it may have, each file compressed with brotli for itself. */
const LIMIT = 70_400;

/** A module of the package and all that it imports from the beginning. */
function modules(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  const text = readFileSync(folder + name, "utf8");
  for (const [, imported] of text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) modules(imported, found);
  return found;
}

const settings = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
const compressed = (name) => brotliCompressSync(readFileSync(folder + name), settings).length;

test("Everything that one element loads keeps within the limit", (t) => {
  const names = [...new Set([...modules("index.js"), ...modules("worker.js"), "gallop.wasm"])];
  assert.deepEqual(names, ["index.js", "worker.js", "gallop.wasm"]);
  const sizes = names.map((name) => [name, compressed(name)]);
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  t.diagnostic(`${sizes.map(([name, size]) => `${name} ${size}`).join(", ")}: ${total} bytes; controls.js ${compressed("controls.js")}`);
  assert.ok(total <= LIMIT, `${total} bytes are more than ${LIMIT}`);
});

/** The most bytes that the upgrade of a page may add to those, or load where nothing moves. */
const UPGRADE_LIMIT = 6_144;

test("What an upgraded page loads on top keeps within its limit, and no engine", (t) => {
  const names = [...modules("upgrade.js")];
  assert.deepEqual(names, ["upgrade.js", "upgrade-with.js"]);
  const total = names.reduce((sum, name) => sum + compressed(name), 0);
  const wanted = ["engine", "motion", "bar", "cover", "copy", "data", "density", "plays", "under"].map((part) => `upgrade-${part}.js`);
  t.diagnostic(`${total} bytes; when wanted: ${wanted.map((name) => `${name} ${compressed(name)}`).join(", ")}`);
  assert.ok(total <= UPGRADE_LIMIT, `${total} bytes are more than ${UPGRADE_LIMIT}`);
});
