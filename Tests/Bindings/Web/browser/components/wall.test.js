import { equal, next, ok, painted, room, test } from "./tools.js";
import "/standin/wall.js";

const list = (count) => Array.from({ length: count },
  (_, index) => ({ src: `${index}.gif`, caption: `GIF ${index}` }));

/** A wall of 4 columns in a view of 400 x 300. */
async function wall(count, attributes = {}) {
  const element = document.createElement("gallop-wall");
  for (const [name, value] of Object.entries({ columns: 4, gap: 0, aspect: 1, ...attributes })) {
    element.setAttribute(name, value);
  }
  element.items = typeof count === "number" ? list(count) : count;
  room().append(element);
  const root = element.shadowRoot;
  const view = root.querySelector(".view");
  const cells = () => [...root.querySelectorAll(".row:not([hidden]) > .cell:not([hidden])")];
  /** Every cell has its GIF. */
  const filled = async () => {
    await painted();
    while (!cells().every((cell) => cell.querySelector("gallop-gif").src)) await painted();
  };
  await filled();
  return {
    element, view, cells, filled,
    gifs: () => [...root.querySelectorAll("gallop-gif")].filter((gif) => gif.src),
    key: (key, more = {}) => view.dispatchEvent(new KeyboardEvent("keydown",
      { key, cancelable: true, ...more })),
    scrollTo: async (top) => {
      const scrolled = next(view, "scroll");
      view.scrollTop = top;
      await scrolled;
      await filled();
    },
  };
}

test("Ten thousand items need only the cells of the view and its edges", async () => {
  const { cells, gifs } = await wall(10_000);
  ok(cells().length >= 12 && cells().length <= 24, `${cells().length} cells`);
  equal(gifs().length, cells().length);
});

test("Cells are reused for what comes into view, and nothing of the former item stays", async () => {
  const { element, cells, scrollTo, gifs } = await wall(1000);
  const before = new Set(element.shadowRoot.querySelectorAll(".cell"));
  gifs()[0].arrive();
  gifs()[1].fail();
  await scrollTo(500);
  while (element.elementOf(20)?.src !== "20.gif") await painted();
  const after = cells();
  ok(after.filter((cell) => before.has(cell)).length >= 8, "reused cells");
  for (const cell of after) {
    ok(!cell.classList.contains("loaded") && !cell.classList.contains("failed"), "a cell of another item");
    equal(cell.querySelector("gallop-gif").src, `${cell.id.slice(5)}.gif`);
    equal(cell.querySelector(".caption").textContent, `GIF ${cell.id.slice(5)}`);
  }
});

test("Placeholders stand until a GIF has arrived", async () => {
  const { element, cells, gifs } = await wall(8,
    { placeholder: "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAAC" });
  const shown = () => getComputedStyle(element.shadowRoot.querySelector(".placeholder")).display !== "none";
  ok(shown(), "the placeholder");
  gifs()[0].arrive();
  equal(shown(), false);
  ok(cells()[0].classList.contains("loaded"));
});

test("A GIF fades in while the wall rests", async () => {
  const { gifs } = await wall(8);
  equal(gifs()[0].getAnimations().length, 0);
  gifs()[0].arrive();
  equal(gifs()[0].getAnimations().length, 1);
});

test("A GIF that cannot be shown says so once, in its cell only: a mark, its words, and why", async () => {
  const evil = "<img src=x onerror=alert(1)>";
  const items = [{ src: "0.gif", caption: "Horse" }, { src: "1.gif", alt: evil, caption: "A caption" }, "2.gif", "3.gif"];
  const { cells, gifs } = await wall(items, { placeholder: "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAAC" });
  for (const index of [0, 1, 2]) gifs()[index].fail();
  equal(cells().map((cell) => cell.classList.contains("failed")), [true, true, true, false]);
  const failures = cells().map((cell) => cell.querySelector(".failure"));
  equal(failures.map((failure) => failure?.textContent), ["", evil, "", undefined]);
  equal(failures[1].querySelector("img"), null);
  const labels = cells().map((cell) => cell.getAttribute("aria-label"));
  equal(labels, ["Horse: It cannot be shown.", `${evil}: It cannot be shown.`,
    "Animated image 3: It cannot be shown.", "Animated image 4"]);
  equal(cells()[1].querySelector(".frame").title, "It cannot be shown.");
  const style = (selector) => getComputedStyle(cells()[1].querySelector(selector));
  equal([style("gallop-gif").visibility, style(".placeholder").display], ["hidden", "none"]);
});

test("A plain image that stands in for a GIF is a picture, not a failure", async () => {
  const { cells, gifs } = await wall(4);
  gifs()[0].isPlain = true;
  gifs()[0].dispatchEvent(new Event("load"));
  equal([...cells()[0].classList].filter((name) => name !== "active"), ["cell", "loaded"]);
  equal(cells()[0].querySelector(".failure"), null);
});

test("A GIF that fails after its first frame goes on to show what it has", async () => {
  const { cells, gifs } = await wall(4);
  gifs()[0].arrive();
  gifs()[0].fail();
  equal([...cells()[0].classList].filter((name) => name !== "active"), ["cell", "loaded"]);
});

test("A cell that failed shows nothing of it for its next item", async () => {
  const { element, cells, gifs, filled } = await wall(4);
  gifs()[0].fail();
  element.items = ["x.gif"];
  await filled();
  const [cell] = cells();
  equal([cell.querySelector(".failure"), cell.querySelector(".frame").title, cell.getAttribute("aria-label")],
    [null, "", "Animated image 1"]);
  equal(cell.classList.contains("failed"), false);
});

test("An item far away is scrolled to and centred", async () => {
  const { element, view } = await wall(1000);
  const scrolled = next(view, "scroll");
  element.scrollToItem(400, { behavior: "instant" });
  await scrolled;
  await painted();
  const box = view.getBoundingClientRect();
  const cell = element.shadowRoot.querySelector("#item-400").getBoundingClientRect();
  ok(Math.abs((cell.top + cell.bottom) / 2 - (box.top + box.bottom) / 2) < 2, "the distance to the centre");
});

test("What stands at the upper edge stays there in any size of the wall, and comes back", async () => {
  const { element, cells, scrollTo, filled } = await wall(1000);
  await scrollTo(5050);
  const top = (cell) => Math.round(cell.getBoundingClientRect().top - element.getBoundingClientRect().top);
  const { id } = cells().findLast((cell) => top(cell) <= 0 && cell.id.slice(5) % 4 === 0);
  const item = () => element.shadowRoot.getElementById(id);
  const before = top(item());
  for (const [width, columns] of [[300, 4], [200, 2], [260, 3], [400, 4]]) {
    element.style.width = `${width}px`;
    element.columns = columns;
    await filled();
    ok(Math.abs(top(item())) <= item().offsetHeight, `the item is at the edge at ${width} pixels`);
  }
  equal(top(item()), before);
});

test("A click leads the keyboard to the wall", async () => {
  const { view, cells, element } = await wall(20);
  cells()[2].click();
  equal(element.shadowRoot.activeElement, view);
});

test("A smooth scroll ends at the item", async () => {
  const { element, view } = await wall(200);
  const ended = next(view, "scrollend");
  element.scrollToItem(80);
  await ended;
  await painted();
  ok(element.elementOf(80), "the item's element");
});

test("An item that is not there scrolls nowhere", async () => {
  const { element, view } = await wall(10);
  for (const index of [-1, 10, NaN, Infinity]) element.scrollToItem(index, { behavior: "instant" });
  equal(view.scrollTop, 0);
});

test("The keyboard moves through the grid, and a screen reader knows where it is", async () => {
  const { element, view, key } = await wall(1000);
  key("ArrowDown");
  key("ArrowRight");
  equal(element.activeIndex, 5);
  equal(view.getAttribute("aria-activedescendant"), "item-5");
  const label = element.shadowRoot.querySelector("#item-5").getAttribute("aria-label");
  equal(label, "GIF 5");
});

test("The keyboard brings a cell that is far away into view", async () => {
  const { element, key } = await wall(1000);
  key("End", { ctrlKey: true });
  equal(element.activeIndex, 999);
  ok(element.shadowRoot.querySelector("#item-999"), "the last cell");
});

test("The grid has its roles, its size, and the place of each cell", async () => {
  const { view, cells } = await wall(1000);
  equal([view.getAttribute("role"), view.getAttribute("aria-rowcount"), view.getAttribute("aria-colcount")],
    ["grid", "250", "4"]);
  equal(cells()[5].getAttribute("aria-colindex"), "2");
  equal(cells()[5].parentNode.getAttribute("aria-rowindex"), "2");
});

test("Enter and a click choose an item", async () => {
  const { element, cells, key } = await wall(20);
  const chosen = [];
  element.addEventListener("activate", ({ detail }) => chosen.push([detail.index, detail.item.src]));
  cells()[2].click();
  key("ArrowRight");
  key("Enter");
  equal(chosen, [[2, "2.gif"], [3, "3.gif"]]);
});

test("Space stops one GIF, which stays still when it comes back into view", async () => {
  const { element, key, gifs, scrollTo } = await wall(1000);
  for (const gif of gifs()) gif.arrive();
  key(" ");
  equal(element.elementOf(0).paused, true);
  equal(element.elementOf(1).paused, false);
  await scrollTo(20_000);
  equal(element.elementOf(0), null);
  await scrollTo(0);
  const seen = element.elementOf(0);
  ok(!seen.hasAttribute("autoplay"), "item 0 without autoplay");
  ok(element.elementOf(1).hasAttribute("autoplay"), "item 1 with autoplay");
});

test("The wall stops and goes on as a whole, but not what a user has stopped", async () => {
  const { element, key, gifs } = await wall(8);
  for (const gif of gifs()) gif.arrive();
  key(" ");
  element.pause();
  equal(gifs().filter((gif) => !gif.paused).length, 0);
  element.play();
  equal(gifs().map((gif) => gif.paused), [true, false, false, false, false, false, false, false]);
});

test("A new list replaces the old one in the same cells", async () => {
  const { element, cells } = await wall(8);
  const before = cells()[0];
  element.items = ["x.gif"];
  equal(cells().length, 1);
  equal(cells()[0], before);
  equal(element.elementOf(0).src, "x.gif");
});

test("GIFs whose items are the same in a new list play on, and new ones join them", async () => {
  const { element, gifs, cells, filled, key } = await wall(6);
  const before = gifs();
  for (const gif of before) gif.arrive();
  key(" ");
  element.items = list(9).map((item, index) => (index === 1 ? { ...item, src: "other.gif" } : { ...item }));
  await filled();
  equal(cells().length, 9);
  equal(before.map((gif) => gif.commands.includes("emptied")), [false, true, false, false, false, false]);
  equal([before[0].paused, before[2].paused], [true, false]);
  equal(element.elementOf(1).src, "other.gif");
  ok(cells()[2].classList.contains("loaded"), "a picture that stays");
});

test("Another number of columns keeps the place in the list", async () => {
  const { element, view, scrollTo } = await wall(1000);
  const rowHeight = () => element.shadowRoot.querySelector(".row").offsetHeight;
  await scrollTo(100 * rowHeight());
  element.columns = 2;
  await painted();
  equal(Math.round(view.scrollTop / rowHeight()) * 2, 400, "the item at the upper edge");
});

test("A wall that is removed lets all of its GIFs go, and shows them again when it is back", async () => {
  const { element, gifs, filled } = await wall(100);
  const had = gifs();
  element.remove();
  equal(gifs().length, 0);
  ok(had.every((gif) => gif.src === ""), "no source stays");
  room().append(element);
  await filled();
  equal(gifs().length, had.length);
});

test("Items that fly past are not loaded; where the scrolling ends they are", async () => {
  const { element, view, gifs, cells } = await wall(100_000);
  for (let picture = 1; picture <= 4; picture += 1) {
    view.scrollTop = picture * 100_000;
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  await painted();
  equal(gifs().filter((gif) => Number.parseInt(gif.src) > 1000).length, 0, "GIFs loaded in flight");
  const isHidden = (cell) => getComputedStyle(cell.querySelector("gallop-gif")).visibility === "hidden";
  ok(cells().every((cell) => Number.parseInt(cell.id.slice(5)) < 1000 || isHidden(cell)),
    "no picture of a former item");
  const isSeen = (gif) => Number.parseInt(gif.src) === element.inView.first;
  while (!gifs().some(isSeen)) await painted();
  ok(element.inView.first > 10_000);
});

test("An event says which items are in view when they change", async () => {
  const { element, scrollTo } = await wall(1000);
  const changes = [];
  element.addEventListener("viewchange", ({ detail }) => changes.push(detail));
  await scrollTo(1000);
  equal(changes.length, 1);
  equal(changes[0], element.inView);
});
