// The conformance set through the module, in a browser.

import { Engine } from "/gallop/engine.js";
import { compileModule } from "/gallop/module.js";
import { compareRow, table } from "/tests/shared/conformance.js";
import { equal, test } from "./harness.js";

const answer = await fetch("/conformance/expected.jsonl");
const lines = answer.ok ? (await answer.text()).split("\n").filter(Boolean) : [];
const ALL_AT_ONCE = 4;

async function compare(rows, results) {
  const engine = await Engine.create(await compileModule());
  for (let row = rows.shift(); row; row = rows.shift()) {
    const address = `/conformance/gifs/${row.file.split("/").map(encodeURIComponent).join("/")}`;
    const bytes = new Uint8Array(await (await fetch(address)).arrayBuffer());
    results.push({ row, differences: await compareRow(engine, row, bytes) });
  }
}

// A part for each test, so that none takes longer than a test may.
const rows = lines.map((line) => JSON.parse(line));
const parts = ["both", "chromium", "rejected"].flatMap((agree) => {
  const of = rows.filter((row) => row.agree === agree);
  return Array.from({ length: Math.ceil(of.length / 40) }, (_, index) => of.slice(40 * index, 40 * index + 40));
});
for (const [index, part] of parts.entries()) {
  test(`Every file is as in the browsers: part ${index + 1} of ${parts.length}`, async () => {
    const results = [];
    const rest = [...part];
    await Promise.all(Array.from({ length: ALL_AT_ONCE }, () => compare(rest, results)));
    const failures = results.filter(({ differences }) => differences.length);
    equal(failures.map(({ row, differences }) => `${row.file}: ${differences[0]}`), []);
    return JSON.stringify(table(results));
  }, 240);
}
if (!lines.length) test("The conformance set is absent", async () => "skipped");
