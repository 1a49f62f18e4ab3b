// What openGIF takes: paths, URLs, bytes and pieces; and what it refuses.

import assert from "node:assert/strict";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { folder, load } from "./package_folder.mjs";

const { GallopError, loadEngine, openGIF } = await load("node.js");
const SPINNER = new URL("../../../../Samples/GIFs/spinner.gif", import.meta.url);
const bytes = new Uint8Array(await readFile(SPINNER));

/** Calls `use` with the address of a server that answers each path with a status and a body. */
async function withServer(answers, use) {
  const server = createServer(({ url }, response) => {
    const [status, body] = answers[url] ?? [404, "nothing"];
    response.writeHead(status).end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await use(`http://127.0.0.1:${server.address().port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

test("URLs give the same frames as the path: file, http and data, as URL objects and as strings", async () => {
  const wanted = (await openGIF(fileURLToPath(SPINNER))).frame(2).data;
  await withServer({ "/spinner.gif": [200, bytes] }, async (origin) => {
    const data = `data:image/gif;base64,${Buffer.from(bytes).toString("base64")}`;
    for (const place of [SPINNER, SPINNER.href, `${origin}/spinner.gif`, new URL(`${origin}/spinner.gif`), data]) {
      assert.deepEqual((await openGIF(place)).frame(2).data, wanted, String(place).slice(0, 60));
    }
  });
});

test("Views, streams and lists of pieces give the same frames", async () => {
  const wanted = (await openGIF(bytes)).frame(2).data;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const halves = [bytes.subarray(0, 100), bytes.slice(100).buffer];
  for (const input of [view, halves, createReadStream(SPINNER), new Blob([bytes]).stream(), new Response(bytes)]) {
    assert.deepEqual((await openGIF(input)).frame(2).data, wanted);
  }
});

test("A server's refusal is an error with its status, and one that is not there says why", async () => {
  await withServer({}, async (origin) => {
    await assert.rejects(openGIF(`${origin}/gone.gif`), { name: "GallopError", code: "unreadable", value: 404,
      message: "The server answers with status 404." });
    // The same where the caller has asked the server.
    await assert.rejects(openGIF(await fetch(`${origin}/gone.gif`)), { code: "unreadable", value: 404 });
  });
  await assert.rejects(openGIF("http://127.0.0.1:1/a.gif"), { name: "GallopError", code: "unreadable" });
});

test("A connection that breaks is an error with a code, also of an answer that the caller asked for", async () => {
  const broken = () => new Response(new ReadableStream({ start: (stream) => stream.error(new TypeError("terminated")) }));
  const wanted = { name: "GallopError", code: "unreadable", message: "The file cannot be read: terminated." };
  await assert.rejects(openGIF(broken()), wanted);
});

test("A reason that is a sentence ends with one full stop", async (context) => {
  context.mock.method(globalThis, "fetch", async () => { throw new TypeError("NetworkError when attempting to fetch."); });
  await assert.rejects(openGIF("http://127.0.0.1/a.gif"),
    { message: "The file cannot be read: NetworkError when attempting to fetch." });
});

test("What is no input at all is a TypeError that says what it is", async () => {
  for (const [input, name] of [[42, "a number"], [undefined, "undefined"], [null, "null"], [true, "a boolean"],
    [{}, "an object of Object"], [() => {}, "a function"]]) {
    await assert.rejects(openGIF(input), { name: "TypeError",
      message: `openGIF takes a path, a URL, bytes, a Blob, a Response or pieces of bytes, not ${name}.` });
  }
});

test("Pieces that are no bytes are refused, and leave nothing behind", async () => {
  const engine = await loadEngine();
  await assert.rejects(openGIF([1, 2, 3], { engine }),
    { name: "TypeError", message: "A piece of a GIF is bytes, not a number." });
  await assert.rejects(openGIF(createReadStream(SPINNER, "latin1"), { engine }), { name: "TypeError" });
  assert.equal(engine.statistics().images, 0);
});

test("A file without frames is refused with a code, however short it is", async () => {
  const engine = await loadEngine();
  const header = Uint8Array.from([...Buffer.from("GIF89a"), 1, 0, 1, 0, 0, 0, 0]);
  for (const input of [header, Uint8Array.of(...header, 0x3b), Uint8Array.of(...header, 0x21, 0xfe, 0, 0x3b)]) {
    await assert.rejects(openGIF(input, { engine }), (error) => {
      assert.ok(error instanceof GallopError);
      assert.deepEqual([error.code, error.message], ["noFrames", "The file has no frame to play."]);
      return true;
    });
  }
  await assert.rejects(openGIF(header.subarray(0, 6), { engine }), GallopError);
  await assert.rejects(openGIF(new Uint8Array(), { engine }), GallopError);
  assert.equal(engine.statistics().images, 0);
});

test("The browsers' import says in Node which one is Node's", async () => {
  const browsers = await load("open.js");
  await assert.rejects(browsers.openGIF(bytes), (error) => {
    assert.ok(error instanceof browsers.GallopError);
    assert.equal(error.code, "engineUnavailable");
    assert.match(error.message, /Node has an import of its own: gallop-gif\/node\.$/);
    return true;
  });
  browsers.useModule(await readFile(new URL("gallop.wasm", `file://${folder}`)));
  assert.deepEqual((await browsers.openGIF(bytes)).frame(2).data, (await openGIF(bytes)).frame(2).data);
});
