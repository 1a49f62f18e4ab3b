// A host on a clock that the test turns, with canvases that only remember what was put on them.

import { readFile } from "node:fs/promises";
import { ManualClock } from "./manual_clock.mjs";
import { load } from "./package_folder.mjs";

export const { Host } = await load("host.js");
export const { COMMANDS, Engine, EngineTrap } = await load("engine.js");
const { compileModule } = await load("module.js");
const { folder } = await import("./package_folder.mjs");

globalThis.ImageData ??= class {
  constructor(data, width, height) {
    Object.assign(this, { data, width, height });
  }
};

const wasm = await readFile(`${folder}gallop.wasm`);
const samples = new URL("../../../../Samples/GIFs/", import.meta.url);

/** A sample, or a part of it. */
export async function sample(name, end) {
  return new Blob([new Uint8Array(await readFile(new URL(name, samples))).subarray(0, end)]);
}

export class Canvas {
  width = 300;
  height = 150;
  puts = [];
  clears = 0;

  getContext() {
    const put = (data, x, y, ...part) => this.puts.push({ width: data.width, height: data.height, part });
    return { canvas: this, putImageData: put, clearRect: () => (this.clears += 1) };
  }
}

/** A Blob whose pieces arrive when the test says so. */
export class HeldFile {
  #controller;
  #stream = new ReadableStream({ start: (controller) => (this.#controller = controller) });

  stream() {
    return this.#stream;
  }

  send(bytes) {
    this.#controller.enqueue(bytes);
  }

  end() {
    this.#controller.close();
  }
}

export class Rig {
  clock = new ManualClock();
  messages = [];
  #count = 0;
  #watchers = new Set();

  constructor(options) {
    const load = () => compileModule(wasm);
    this.host = new Host({ load, clock: this.clock, post: (messages) => this.#take(messages), ...options });
  }

  #take(messages) {
    this.messages.push(...messages);
    for (const watcher of this.#watchers) watcher();
  }

  /** Waits for the messages to have something. */
  until(find) {
    return new Promise((resolve) => {
      const look = () => {
        const found = find();
        if (!found) return;
        this.#watchers.delete(look);
        resolve(found);
      };
      this.#watchers.add(look);
      look();
    });
  }

  /** Opens a player that watches its frames. */
  open(blob, { canvasOf, canvas = canvasOf ? undefined : new Canvas(), isWatched = true, ...rest } = {}) {
    const id = (this.#count += 1);
    const request = blob.url ? blob : { blob };
    this.host.receive({ op: "open", id, request, canvas, canvasOf, isWatched, ...rest });
    let ack = 0;
    const of = (kind) => this.messages.filter((message) => message.id === id && message.kind === kind);
    const player = {
      id, canvas, of,
      send: (op, values) => this.host.receive({ op, id, ...values }),
      command: (command, a, b) => this.host.receive({ op: "command", id, command, a, b, ack: (ack += 1) }),
      events: (kind) => of("answer").flatMap(({ events }) => events).filter((event) => !kind || event.kind === kind),
      frames: () => player.events("frame").map(({ frame }) => frame),
      get last() { return of("answer").at(-1); },
      loaded: () => this.until(() => of("info").find(({ info }) => info.isComplete) && of("answer").length),
      failed: () => this.until(() => of("error")[0]),
    };
    return player;
  }

  /** Moves the time on; what was asked for before is done, and what happens is posted afterwards. */
  async advance(milliseconds) {
    await this.settled();
    this.clock.advance(milliseconds);
    await this.settled();
  }

  async settled() {
    await new Promise((resolve) => queueMicrotask(() => queueMicrotask(resolve)));
  }

  async ask(player, question, ...values) {
    const ticket = `ticket ${(this.#count += 1)}`;
    this.host.receive({ op: "ask", id: player?.id, ticket, question, values });
    return this.until(() => this.messages.find((message) => message.ticket === ticket));
  }
}
