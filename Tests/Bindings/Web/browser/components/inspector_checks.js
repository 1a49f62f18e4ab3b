import { flashingGIF } from "/tests/shared/flashing_gif.js";
import { equal, next, ok, painted, test } from "./tools.js";

const $ = (id) => document.getElementById(id);
const gif = $("gif");
const press = (key, more = {}) => document.body.dispatchEvent(new KeyboardEvent("keydown",
  { key, bubbles: true, cancelable: true, ...more }));

/** Opens a sample of the page and stops it at its first frame. */
async function open(name) {
  location.hash = "";
  const buttons = [...document.querySelectorAll("#samples button")];
  const button = buttons.find(({ textContent }) => textContent === name);
  // The GIF before may still be on its way.
  const ready = next(gif, "canplaythrough", () => inspector.analysis?.name === `${name}.gif`);
  button.click();
  await ready;
  await painted();
  // As a user does: what has been moved plays no more by itself when the verdict on its flashes comes.
  inspector.transport.seek(0);
  gif.pause();
  await gif.seekToFrame(0);
  await painted();
}

const facts = (id) => Object.fromEntries([...$(id).querySelectorAll("dt")].map((term) =>
  [term.textContent, term.nextElementSibling.textContent]));

test("A GIF that is opened plays, with its facts beside it", async () => {
  const shown = next(gif, "framechange", ({ currentFrameIndex }) => currentFrameIndex === 3);
  const button = [...document.querySelectorAll("#samples button")][0];
  button.click();
  await shown;
  await painted();
  equal(gif.paused, false);
  equal(facts("file-facts").Name, "lissajous.gif");
  ok(document.title.startsWith("lissajous.gif"), "the title");
  gif.pause();
});

test("The keyboard steps, and everything shows the same frame", async () => {
  await open("disposals");
  const seeked = next(gif, "framechange", ({ currentFrameIndex }) => currentFrameIndex === 1);
  press("ArrowRight");
  await seeked;
  await painted();
  equal($("place").textContent, "#1 of 14");
  equal($("scrubber").value, 1);
  equal($("strip").querySelector("[aria-selected=true]").dataset.frame, "1");
  equal($("frame-number").textContent, "#1 of 14");
  equal(facts("frame-facts").Rectangle, "54 × 54 at 12, 12");
});

test("No live region changes with a frame: it would be read out each time", async () => {
  await open("disposals");
  const said = () => [...document.querySelectorAll("output, [aria-live], [role=status]")].map((region) => region.textContent);
  while (!("flashes" in inspector.analysis)) await painted();
  const before = said();
  ok(before.length > 0, "the verdict on flashes and the damage are told");
  const seeked = next(gif, "framechange", ({ currentFrameIndex }) => currentFrameIndex === 1);
  press("ArrowRight");
  await seeked;
  await painted();
  equal($("place").textContent, "#1 of 14");
  equal(said(), before);
});

test("Space plays and pauses", async () => {
  await open("disposals");
  press(" ");
  equal(gif.paused, false);
  press(" ");
  equal(gif.paused, true);
});

test("What its user has stopped stays so when the verdict on its flashes comes", async () => {
  await open("delays");
  while (!("flashes" in inspector.analysis)) await painted();
  await painted();
  equal(gif.paused, true);
});

test("A drag over the timeline plays the frames under it, and Escape all of them again", async () => {
  await open("disposals");
  const box = $("bars").getBoundingClientRect();
  const point = (type, part) => $("bars").dispatchEvent(new PointerEvent(type,
    { pointerId: 1, button: 0, bubbles: true,
    clientX: box.left + 16 + part * (box.width - 80), clientY: box.top + 40 }));
  point("pointerdown", 0.2);
  point("pointermove", 0.5);
  point("pointerup", 0.5);
  const { range } = inspector.transport;
  ok(range && range[1] - range[0] >= 4, `a range, not ${range}`);
  equal(gif.range, range);
  equal([$("scrubber").start, $("scrubber").end], [range[0], range[1] - 1]);
  press("Escape");
  equal([inspector.transport.range, gif.range], [null, null]);
});

test("The scrubber's knobs choose the range, and its playhead the frame", async () => {
  await open("disposals");
  const knob = (name) => $("scrubber").shadowRoot.querySelector(`[data-knob=${name}]`);
  const key = (name, pressed) => ["keydown", "keyup"].forEach((type) =>
    knob(name).dispatchEvent(new KeyboardEvent(type,
      { key: pressed, bubbles: true, composed: true, cancelable: true })));
  key("start", "ArrowRight");
  key("end", "PageDown");
  equal(inspector.transport.range, [1, 4]);
  const seeked = next(gif, "framechange", ({ currentFrameIndex }) => currentFrameIndex === 2);
  knob("playhead").dispatchEvent(new KeyboardEvent("keydown",
    { key: "ArrowRight", bubbles: true, cancelable: true }));
  knob("playhead").dispatchEvent(new KeyboardEvent("keydown",
    { key: "ArrowRight", bubbles: true, cancelable: true }));
  knob("playhead").dispatchEvent(new KeyboardEvent("keyup", { key: "ArrowRight", bubbles: true }));
  await seeked;
});

test("Reverse, bounce and speed reach the player", async () => {
  await open("disposals");
  press("r");
  equal(gif.mode, "reverse");
  press("b");
  equal(document.querySelector("[data-mode=bounce]").getAttribute("aria-pressed"), "true");
  press("ArrowUp");
  equal([gif.playbackRate, $("rate").value], [2, "2"]);
  press("f");
  press("ArrowDown");
  equal([gif.mode, gif.playbackRate], ["forward", 1]);
});

test("A link leads to its frame, and one that carries a GIF opens it", async () => {
  await open("disposals");
  let seeked = next(gif, "framechange", ({ currentFrameIndex }) => currentFrameIndex === 7);
  location.hash = "#frame=7";
  await seeked;
  await painted();
  press("l");
  ok(location.hash.startsWith("#frame=7&name=disposals.gif&gif="), location.hash.slice(0, 40));
  const carried = location.hash.replace("frame=7", "frame=4").replace("disposals", "travelled");
  seeked = next(gif, "framechange", ({ currentFrameIndex }) => currentFrameIndex === 4);
  location.hash = carried;
  await seeked;
  equal(inspector.analysis.name, "travelled.gif");
  equal(gif.paused, true);
});

/** The file that a click would download. */
function nextDownload() {
  return new Promise((resolve) => {
    const { click } = HTMLAnchorElement.prototype;
    const make = URL.createObjectURL;
    let blob;
    URL.createObjectURL = (made) => make.call(URL, (blob = made));
    HTMLAnchorElement.prototype.click = function () {
      HTMLAnchorElement.prototype.click = click;
      URL.createObjectURL = make;
      resolve({ name: this.download, blob });
    };
  });
}

test("The frame shown is saved as a PNG of its full size", async () => {
  await open("disposals");
  const saved = nextDownload();
  press("s");
  const { name, blob } = await saved;
  equal([name, blob.type], ["disposals-00.png", "image/png"]);
  const picture = await createImageBitmap(blob);
  equal([picture.width, picture.height], [240, 160]);
});

test("All frames are saved in a ZIP with their delays", async () => {
  await open("disposals");
  const saved = nextDownload();
  press("S", { shiftKey: true });
  const { name, blob } = await saved;
  equal([name, blob.type], ["disposals-frames.zip", "application/zip"]);
  const text = new TextDecoder("latin1").decode(await blob.arrayBuffer());
  ok(text.includes("disposals-13.png") && text.includes('"milliseconds": 500'),
    "the frames and their delays");
  equal($("save-all").textContent, "Save all");
});

test("The range is saved as a GIF of the same pictures and delays", async () => {
  await open("disposals");
  const { analysis } = inspector;
  inspector.transport.setRange([3, 9]);
  const saved = nextDownload();
  press("g");
  const { name, blob } = await saved;
  equal([name, blob.type], ["disposals-0003-0008.gif", "image/gif"]);
  await inspector.open(new Uint8Array(await blob.arrayBuffer()), name);
  const delays = ({ frames }) => frames.map(({ delay }) => delay);
  equal(delays(inspector.analysis), delays(analysis).slice(3, 9));
  for (let frame = 0; frame < 6; frame += 1) equal(inspector.analysis.pixels(frame), analysis.pixels(3 + frame));
  equal($("save-range").textContent, "Save range");
});

test("A range with a damaged frame is not saved, and the page says why", async () => {
  await open("disposals");
  const bytes = inspector.analysis.bytes.slice();
  bytes[inspector.analysis.frames[3].offset + 12] = 0xff; // no code that frame 3 may have
  await inspector.open(bytes, "broken.gif");
  inspector.transport.setRange([3, 9]);
  press("g");
  while (!$("toast").textContent.startsWith("The frames cannot")) await painted();
  equal($("toast").textContent, "The frames cannot be saved: failed frame");
});

test("What is no GIF is refused in words, and what was open stays", async () => {
  await open("disposals");
  await inspector.open(new TextEncoder().encode("no GIF at all"), "text.gif");
  ok($("toast").textContent.startsWith("text.gif cannot be opened: not a GIF"), $("toast").textContent);
  equal(inspector.analysis.name, "disposals.gif");
});

test("Damage is shown with its place in the file", async () => {
  await open("disposals");
  const bytes = inspector.analysis.bytes.slice(0, 3000);
  await inspector.open(bytes, "cut.gif");
  ok(inspector.analysis.diagnostics.length > 0);
  ok($("damage-count").classList.contains("bad"));
  ok(/0x[0-9a-f]{4}/.test($("damage").textContent), $("damage").textContent);
});

test("Damage is counted in the head, and leads to the list", async () => {
  await open("delays");
  equal($("badge").hidden, true);
  const isInLegend = () => getComputedStyle($("legend").querySelector(".warning")).display !== "none";
  equal(isInLegend(), false);
  await open("disposals");
  equal([$("badge").hidden, $("badge").textContent], [false, "5 warnings"]);
  equal(isInLegend(), true);
  const details = $("diagnostics").parentElement;
  details.open = false;
  $("badge").click();
  equal([details.open, document.activeElement === $("diagnostics")], [true, true]);
});

test("A frame that cannot be drawn is saved as a transparent picture", async () => {
  await open("disposals");
  const bytes = inspector.analysis.bytes.slice();
  const { offset } = inspector.analysis.frames[3];
  bytes[offset + 12] = 0xff; // no code that frame 3 may have, and frame 4 is drawn on it
  await inspector.open(bytes, "broken.gif");
  const canvas = document.createElement("canvas");
  equal([2, 4].map((frame) => inspector.analysis.draw(canvas, frame, { isWhole: true })), ["complete", "blank"]);
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  ok(data.every((byte) => byte === 0), "a transparent picture");
});

test("The chips of the size show which one is on, and answer the pointer", async () => {
  await open("disposals");
  const [fit, once] = [..."fit 1".split(" ")].map((zoom) => document.querySelector(`[data-zoom="${zoom}"]`));
  const ground = (chip) => getComputedStyle(chip).backgroundColor;
  const [on, off] = [ground(fit), ground(once)];
  ok(on !== off, "the look of the one that is on");
  once.click();
  await Promise.all(once.parentElement.getAnimations({ subtree: true }).map(({ finished }) => finished));
  equal([ground(fit), ground(once)], [off, on]);
  fit.click();
});

test("A GIF that flashes says when, marks it on the timeline, and leads to its first frame", async () => {
  const judged = async () => {
    while (["", "being judged"].includes($("flash-verdict").textContent)) await painted();
    return $("flash-verdict").textContent;
  };
  await open("lissajous");
  equal(await judged(), "passes");
  equal([$("legend").classList.contains("with-flashes"), $("flashes").querySelectorAll("button").length], [false, 0]);
  await inspector.open(flashingGIF({ count: 6, width: 200, height: 150 }), "storm.gif");
  equal(await judged(), "fails");
  ok(/^5 general flashes in the second from \d+ ms, in 34 % of a 10° field: frame #\d$/.test($("flashes").firstElementChild.textContent),
    $("flashes").firstElementChild.textContent);
  ok($("flashes").textContent.includes("certifies nothing"), "what it is");
  ok($("legend").classList.contains("with-flashes"), "the legend");
  await painted();
  const canvas = $("bars");
  const row = canvas.getContext("2d").getImageData(0, canvas.height - Math.round(18 * devicePixelRatio), canvas.width, 1).data;
  ok(row.some((value, place) => place % 4 === 0 && value > 120 && value > row[place + 1] + 60), "a red line under the bars");
  $("flashes").querySelector("button").click();
  await painted();
});

test("A file whose every frame is sound says so", async () => {
  await open("delays");
  equal($("damage-count").textContent, "none");
});

test("The page can send nothing anywhere", async () => {
  const refused = next(document, "securitypolicyviolation");
  const answer = await fetch("https://example.org/").then(() => "sent", () => "refused");
  equal(answer, "refused");
  equal((await refused).effectiveDirective, "connect-src");
});

test("The picture is drawn by a worker, also from a disk", async () => {
  await open("disposals");
  equal((await inspector.statistics()).isWorker, true);
});
