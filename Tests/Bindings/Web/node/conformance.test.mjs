import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { load } from "./package_folder.mjs";
import { compareRow, table } from "../shared/conformance.js";

const folder = process.env.GALLOP_CONFORMANCE;

test("Every file of the conformance set is as in the browsers", { skip: !folder && "no conformance set" }, async (t) => {
  const { loadEngine } = await load("node.js");
  const engine = await loadEngine();
  const lines = (await readFile(`${folder}/expected.jsonl`, "utf8")).split("\n").filter(Boolean);
  const results = [];
  for (const row of lines.map((line) => JSON.parse(line))) {
    const bytes = new Uint8Array(await readFile(`${folder}/gifs/${row.file}`));
    const differences = await compareRow(engine, row, bytes);
    if (bytes.length < 20000) differences.push(...(await compareRow(engine, row, bytes, 1)));
    results.push({ row, differences });
  }
  t.diagnostic(JSON.stringify(table(results)));
  const failures = results.filter(({ differences }) => differences.length);
  assert.deepEqual(failures.map(({ row, differences }) => `${row.file}: ${differences[0]}`), []);
});
