// A frame has the same pixels in whatever order frames are asked for: those that browsers show.

import { openGIF } from "/gallop/open.js";
import { hashOf } from "/tests/shared/conformance.js";
import { hashesJustOpened, randomNumbers, shuffled, WAYS } from "/tests/shared/orders.js";
import { equal, ok, test } from "./harness.js";

const COUNT = 100;
const PARTS = 4;
const random = randomNumbers(1);
const lines = (await (await fetch("/suite/expected.jsonl")).text()).split("\n").filter(Boolean);
const rows = lines.map((line) => JSON.parse(line))
  .filter(({ agree, frames }) => agree !== "rejected" && frames.length > 1 && frames.every(({ sha }) => sha));
const chosen = shuffled(rows, random).slice(0, COUNT);

for (let part = 0; part < PARTS; part += 1) {
  test(`Frames in any order are those that browsers show: part ${part + 1} of ${PARTS}`, async () => {
    const [differences, own] = [[], chosen.filter((_, index) => index % PARTS === part)];
    ok(own.length >= COUNT / PARTS, "the suite has so many animations");
    for (const { file, frames } of own) {
      const address = `/suite/gifs/${file.split("/").map(encodeURIComponent).join("/")}`;
      const bytes = new Uint8Array(await (await fetch(address)).arrayBuffer());
      const wanted = frames.map(({ sha }) => sha).join(" ");
      const compare = async (way, hashes) => {
        const found = (await Promise.all(hashes)).join(" ");
        if (found !== wanted) differences.push(`${file}, ${way}: ${found} instead of ${wanted}`);
      };
      for (const [way, hashesOf] of Object.entries(WAYS)) {
        const gif = await openGIF(bytes);
        await compare(way, hashesOf(gif, hashOf, random));
        gif.close();
      }
      await compare("each just opened", await hashesJustOpened(() => openGIF(bytes), hashOf));
    }
    equal(differences, []);
  }, 120);
}
