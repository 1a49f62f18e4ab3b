// The module's allocator, alone in a module of its own: random requests against what they must give.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { folder } from "./package_folder.mjs";

const wasm = await readFile(`${folder}../allocator.wasm`);

async function heap() {
  return (await WebAssembly.instantiate(wasm, {})).instance.exports;
}

/** Numbers below `end` that look random, and are the same in every run. */
function random(seed) {
  let state = seed;
  return (end) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % end;
  };
}

const view = ({ memory }, address, count) => new Uint8Array(memory.buffer, address, count);

test("Blocks keep what is written, and do not overlap; what is freed becomes one block again", async () => {
  const exports = await heap();
  const below = random(7);
  const slot = exports.malloc(4);
  for (let round = 0; round < 3; round += 1) {
    const live = [];
    let bytes = 0;
    for (let step = 0; step < 30000; step += 1) {
      if (live.length && (below(100) < 48 || bytes > 24 << 20)) {
        const place = below(live.length);
        const block = live[place];
        live[place] = live.at(-1);
        live.pop();
        bytes -= block.count;
        assert.ok(view(exports, block.address, block.count).every((byte) => byte === block.mark));
        if (below(4)) exports.free(block.address);
        else {
          const count = below(2000);
          const address = exports.realloc(block.address, count);
          const kept = view(exports, address, Math.min(count, block.count));
          assert.ok(kept.every((byte) => byte === block.mark));
          exports.free(address);
        }
        continue;
      }
      const count = below(10) < 8 ? below(300) : below(40) ? below(3000) : below(1 << 18);
      const alignment = below(3) ? 16 : 1 << (2 + below(8));
      const isCleared = below(8) === 0;
      let address;
      if (alignment !== 16) {
        assert.equal(exports.posix_memalign(slot, alignment, count), 0);
        [address] = new Uint32Array(exports.memory.buffer, slot, 1);
      } else address = isCleared ? exports.calloc(count, 1) : exports.malloc(count);
      assert.equal(address % Math.max(16, alignment), 0);
      if (isCleared && alignment === 16) assert.ok(view(exports, address, count).every((byte) => byte === 0));
      const mark = below(256);
      view(exports, address, count).fill(mark);
      live.push({ address, count, mark });
      bytes += count;
    }
    live.sort((one, other) => one.address - other.address);
    live.forEach(({ address }, place) => {
      assert.ok(place === 0 || live[place - 1].address + live[place - 1].count <= address);
    });
    live.forEach(({ address }) => exports.free(address));
    const size = exports.memory.buffer.byteLength;
    const all = exports.malloc(size - exports.__heap_base.value - 128);
    assert.ok(all > 0);
    assert.equal(exports.memory.buffer.byteLength, size);
    exports.free(all);
  }
});

test("What is too large is refused, and harms nothing", async () => {
  const exports = await heap();
  const slot = exports.malloc(4);
  for (const count of [2 ** 31, 2 ** 32 - 1, 2 ** 32 - 16]) {
    assert.equal(exports.malloc(count), 0);
    assert.equal(exports.calloc(count, 2), 0);
    assert.notEqual(exports.posix_memalign(slot, 64, count), 0);
  }
  assert.equal(exports.calloc(1 << 16, 1 << 16), 0);
  const block = exports.malloc(100);
  view(exports, block, 100).fill(1);
  assert.equal(exports.realloc(block, 2 ** 31), 0);
  assert.ok(view(exports, block, 100).every((byte) => byte === 1));
  const next = exports.malloc(1 << 20);
  assert.ok(next > 0);
});

test("The memory ends where the browser ends it: null, never a trap", async () => {
  const exports = await heap();
  let count = 0;
  while (count < 8 && exports.malloc(2 ** 30)) count += 1;
  assert.ok(count <= 3);
  assert.notEqual(exports.malloc(1000), 0);
});
