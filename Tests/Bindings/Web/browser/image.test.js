// The element where an <img> would stand: its box, its events, what is shown when nothing can be.

import "/gallop/index.js";
import { equal, holds, mount, notes, ok, rejects, stage, test, until } from "./harness.js";
import { LAYOUTS } from "./layouts.js";

const GALLOP = "/gifs/gallop.gif";
const SPINNER = "/gifs/spinner.gif";
/** The picture of the layouts: no square, and smaller than the stage. */
const PICTURE = "/gifs/lissajous.gif";
// Browsers lay images out in steps of 1/64 pixel, and round a ratio there and back.
const STEP = 0.05;
/** What is laid out otherwise, in both browsers and in one of them; the README says why. */
const SHRINKING = ["responsive, padding within, parent shrinks to fit", "max-width, another ratio, parent shrinks to fit"];
const KNOWN = {
  Chrome: ["flex row, too full, width", "flex column, too short, height"],
  Firefox: ["display block, width auto", "flex row", "grid, column too narrow, stretched", "vertical-rl, block"],
};

const refreshed = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
const browser = navigator.userAgent.includes("Firefox") ? "Firefox" : "Chrome";

/** Lays a tag out in a situation; returns the box from its parent's corner, and the parent's size. */
async function boxOf([, own, parent, attributes = {}, around = "GIF"], tag) {
  const outer = document.createElement("div");
  const [outermost, within] = [parent].flat();
  outer.style.cssText = `position: relative; width: 400px; font: 16px/1.2 serif; ${outermost}`;
  const place = within === undefined ? outer : outer.appendChild(document.createElement("div"));
  if (within) place.style.cssText = within;
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries({ src: PICTURE, ...attributes })) element.setAttribute(name, value);
  if (attributes.src === "") element.removeAttribute("src");
  element.style.cssText = `margin: 0; ${own}`;
  for (const word of around.split(" ")) {
    const box = document.createElement("b");
    if (word.startsWith("BOX")) box.style.flex = `0 0 ${word.slice(3)}px`;
    place.append(word === "GIF" ? element : word.startsWith("BOX") ? box : ` ${word} `);
  }
  stage.append(outer);
  if (element.hasAttribute("src")) await element.decode();
  await refreshed();
  const [inner, whole] = [element.getBoundingClientRect(), outer.getBoundingClientRect()];
  outer.remove();
  return [inner.left - whole.left, inner.top - whole.top, inner.width, inner.height, whole.width, whole.height]
    .map((number) => Math.round(number * 100) / 100);
}

test("The element is laid out as an image is", async () => {
  const others = [];
  const rows = [];
  for (const layout of LAYOUTS) {
    const [image, gif] = [await boxOf(layout, "img"), await boxOf(layout, "gallop-gif")];
    const isEqual = image.every((number, index) => Math.abs(number - gif[index]) <= STEP);
    if (!isEqual) others.push(layout[0]);
    const sizes = [image, gif].map((box) => box.slice(2, 4).join(" x "));
    rows.push(`  ${layout[0].padEnd(36)}${sizes[0].padEnd(20)}${isEqual ? "equal" : sizes[1]}`);
  }
  equal(others.sort(), [...SHRINKING, ...KNOWN[browser]].sort());
  return `${LAYOUTS.length - others.length} of ${LAYOUTS.length} layouts equal\n${rows.join("\n")}`;
});

test("What lays the element out may change", async () => {
  const [row, line] = ["display: flex; width: 200px", "width: 200px"].map((style) => {
    const outer = document.createElement("div");
    outer.style.cssText = style;
    stage.append(outer);
    return outer;
  });
  const element = document.createElement("gallop-gif");
  element.src = GALLOP;
  element.style.maxWidth = "100%";
  row.append(element);
  await element.decode();
  line.append(element);
  await refreshed();
  equal(element.clientWidth, 200);
  element.style.cssText = "display: inline";
  for (let round = 0; round < 3; round += 1) {
    element.remove();
    await refreshed();
    line.append(element);
    await holds(() => element.clientWidth === 480);
  }
  element.style.cssText = "";
  dispatchEvent(new Event("resize"));
  await holds(() => !element.matches(":state(inline)"));
  element.style.display = "inline";
  dispatchEvent(new Event("resize"));
  await holds(() => element.matches(":state(inline)"));
  element.hidden = true;
  equal(getComputedStyle(element).display === "inline-block", false);
});

test("Width and height reserve the place before anything has arrived", async () => {
  const element = mount({ src: `/held/place${GALLOP}?first=5`, width: "96", height: "54" });
  element.style.cssText = "width: 200px; height: auto";
  await refreshed();
  equal([element.clientWidth, element.clientHeight, element.width, element.height], [200, 113, 200, 113]);
  const loaded = until(element, "load");
  await fetch("/release/place");
  await loaded;
  equal([element.clientHeight, element.naturalWidth, element.naturalHeight], [113, 480, 270]);
});

test("The picture fills the content box, as object-fit and object-position say", async () => {
  const element = mount({ src: GALLOP });
  element.style.cssText = "width: 200px; height: 200px; padding: 10px 20px; object-fit: cover; object-position: 0 0";
  await element.decode();
  await holds(() => element.shadowRoot.querySelector("[part=picture]"));
  const picture = element.shadowRoot.querySelector("[part=picture]");
  const [outer, inner] = [element.getBoundingClientRect(), picture.getBoundingClientRect()];
  equal([inner.left - outer.left, inner.top - outer.top, inner.width, inner.height], [20, 10, 200, 200]);
  const { objectFit, objectPosition } = getComputedStyle(picture);
  equal([objectFit, objectPosition], ["cover", "0px 0px"]);
  element.style.objectFit = "";
  element.setAttribute("resize-mode", "contain");
  equal(getComputedStyle(picture).objectFit, "contain");
});

test("load comes once, when all has arrived; complete and decode() agree", async () => {
  const element = mount();
  const seen = notes(element, ["loadeddata", "load", "error"]);
  equal(element.complete, true);
  element.src = `/held/whole${GALLOP}?first=200000`;
  equal(element.complete, false);
  await until(element, "loadeddata");
  equal(element.complete, false);
  const decoded = element.decode();
  await fetch("/release/whole");
  await decoded;
  equal([element.complete, seen], [true, ["loadeddata", "load"]]);
  const first = mount({ src: `/held/first${GALLOP}?first=60000`, preload: "metadata" });
  await until(first, "load");
  ok(first.complete && first.frameCount < 30, `${first.frameCount} frames`);
  await fetch("/release/first");
});

test("The second element of a file of which the first frame is enough has loaded, too", async () => {
  const attributes = { src: `/held/second${GALLOP}?first=60000`, preload: "metadata" };
  await mount(attributes).decode();
  const element = mount(attributes);
  await element.decode();
  equal([element.complete, element.networkState], [true, 1]);
  element.setAttribute("late", "wait");
  await element.captureFrame(0);
  equal(element.networkState, 1);
  await fetch("/release/second");
});

test("What cannot be shown fires error, and shows its text as an image does", async () => {
  const image = document.createElement("img");
  Object.assign(image, { src: "/nowhere.gif", alt: "A horse at a gallop" });
  image.style.margin = "4px";
  const element = mount({ src: "/nowhere.gif", alt: "A horse at a gallop" });
  stage.append(image);
  const seen = notes(element, ["load", "error"]);
  await until(element, "error");
  await refreshed();
  const [one, other] = [element.getBoundingClientRect(), image.getBoundingClientRect()];
  equal([one.width, one.height].map(Math.round), [other.width, other.height].map(Math.round));
  equal([seen, element.complete, element.matches(":state(failed)")], [["error"], true, true]);
  await rejects(element.decode(), "EncodingError");
  element.src = SPINNER;
  await element.decode();
  equal([element.matches(":state(failed)"), element.clientWidth > 0], [false, true]);
});

test("What cannot be shown has the box of an image, whatever its text, and stands on the line as it does", async () => {
  for (const attributes of [{}, { alt: "" }, { alt: "A horse" }, { width: 60, height: 40 }, { width: 60, height: 40, alt: "" }]) {
    const boxes = [];
    for (const tag of ["img", "gallop-gif"]) {
      const element = document.createElement(tag);
      const failed = until(element, "error");
      for (const [name, value] of Object.entries({ src: "/nowhere.gif", ...attributes })) element.setAttribute(name, value);
      const line = stage.appendChild(document.createElement("p"));
      const word = document.createElement("span");
      word.textContent = "gallop";
      line.append(element, word);
      element.style.margin = "0";
      await failed;
      await refreshed();
      const { width, height, top } = element.getBoundingClientRect();
      boxes.push([tag, Math.round(width), Math.round(height), Math.round(top - word.getBoundingClientRect().top)]);
      line.remove();
    }
    const [[, ...image], [, ...gif]] = boxes;
    equal([attributes, gif], [attributes, image]);
  }
});

test("What is to load late loads when it comes near, or when it is asked for", async () => {
  const isAsked = async (path) => (await (await fetch("/log")).json()).includes(path);
  const [far, wanted] = ["one", "two"].map((name) => mount({ src: `/held/${name}${SPINNER}?first=9`, loading: "lazy",
    class: "far", autoplay: "" }));
  const near = mount({ src: SPINNER, loading: "lazy" });
  await near.decode();
  await refreshed();
  equal([await isAsked(`/held/one${SPINNER}`), far.networkState, far.readyState], [false, 2, 0]);
  await Promise.all([fetch("/release/one"), fetch("/release/two")]);
  await wanted.decode();
  far.scrollIntoView();
  await until(far, "load");
  scrollTo(0, 0);
});

const source = (attributes) => Object.entries(attributes).reduce((element, [name, value]) => {
  element.setAttribute(name, value);
  return element;
}, document.createElement("source"));

/** Where an <img> and the element with the same candidates get their pictures from, and at which size. */
async function chosen(attributes, sources = []) {
  const found = [];
  for (const tag of ["img", "gallop-gif"]) {
    const picture = document.createElement("picture");
    const element = document.createElement(tag);
    picture.append(...sources.map(source), element);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    stage.append(picture);
    await element.decode();
    found.push([element.currentSrc, element.clientWidth, element.naturalWidth, element.naturalHeight]);
    picture.remove();
  }
  return found;
}

/** Texts of `sizes` that browsers read in their own way, and of `srcset`. */
const SIZES = ["nonsense", "50%, 60px", "-10px, 60px", "calc(10px + 50%), 60px", "min-content, 60px",
  "(min-width: calc(1em + 1px)) calc(64px - 4px), 400px", "(min-width: 10px) and (max-width: min(9000px, 900em)) min(50vw, 60px)",
  "CALC(300px - 20px)", "(min-width: 10px)60px, 400px", "screen 60px, 400px", "not (min-width: 1px) 60px, 400px",
  "10rem", "15.5em", "var(--w), 60px", "/* 400px */ 60px", "max(60px, min(1px, 2px)) , 400px"];
const SRCSETS = [`${SPINNER} 1e0x`, `${SPINNER} 50h 128w, ${GALLOP} 270h 480w`, `${SPINNER} a(b, c), ${GALLOP}`,
  `${SPINNER}, ${GALLOP} 2x`, `${SPINNER} 100.5w, ${GALLOP} 480w`, `${SPINNER} 1x 2x, ${GALLOP} 1x`, ` , ${SPINNER} .5x,`];

test("Of several files the element loads the one that an image would", async () => {
  const cases = [
    [{ src: SPINNER, srcset: `${GALLOP} 2x, ${SPINNER} 1x` }], [{ src: SPINNER, srcset: `${GALLOP} 2x` }],
    [{ src: SPINNER, srcset: `${GALLOP} 480w 270h`, sizes: "10em" }],
    [{ srcset: `${GALLOP} ${devicePixelRatio * 2}x, ${SPINNER} ${devicePixelRatio * 4}x` }],
    [{ srcset: `${SPINNER} 128w, ${GALLOP} 480w`, sizes: "100px" }],
    [{ srcset: `${SPINNER} 128w, ${GALLOP} 480w`, sizes: "(max-width: 1px) 10px, 240px" }],
    [{ srcset: `${SPINNER} 128w, ${GALLOP} 480w`, sizes: "calc(100vw - 100vw + 60px)" }],
    [{ srcset: `${SPINNER} 128w, ${GALLOP} 480w`, sizes: "(min-width: 1px) min(40px, 90vw), 100vw" }],
    [{ srcset: `${SPINNER} 128w, ${GALLOP} 480w`, sizes: "max(240px, min(5em, 3vw))" }],
    ...SIZES.map((sizes) => [{ srcset: `${SPINNER} 128w, ${GALLOP} 480w`, sizes }]),
    ...SRCSETS.map((srcset) => [{ srcset }]),
    [{ srcset: `${SPINNER} 128w, ${GALLOP} 480w` }],
    [{ src: GALLOP }, [{ srcset: "/gifs/palettes.gif", media: "(min-width: 100000px)" }, { srcset: `${SPINNER} 2x` }]],
    [{ src: GALLOP }, [{ srcset: SPINNER, media: "(min-width: 1px)", type: "image/gif" }]],
  ];
  for (const [index, situation] of cases.entries()) {
    // An image takes what the browser has already.
    const one = JSON.parse(JSON.stringify(situation).replaceAll(".gif", `.gif?choice${index}`));
    const [image, gif] = await chosen(...one);
    equal(gif.slice(0, 2), image.slice(0, 2), JSON.stringify(one));
    // Chromium cuts parts of a pixel off, Firefox rounds them.
    ok(Math.abs(gif[2] - image[2]) <= 1 && Math.abs(gif[3] - image[3]) <= 1, `${gif} as ${image}`);
  }
});

test("A <picture> that names no file for it is an error, and asks for nothing", async () => {
  const element = document.createElement("gallop-gif");
  const picture = document.createElement("picture");
  picture.append(element);
  stage.append(picture);
  await until(element, "error");
  equal([element.error.code, element.currentSrc, element.complete], [4, "", true]);
});

test("The page may style what an element does", async () => {
  const element = mount({ src: `/held/states${SPINNER}?first=9` });
  const states = () => ["loading", "playing", "paused", "failed"].filter((name) => element.matches(`:state(${name})`));
  await holds(() => element.matches(":state(loading)"));
  await fetch("/release/states");
  await element.decode();
  equal(states(), ["paused"]);
  await element.play();
  equal(states(), ["playing"]);
  // What fails plays no more, although it is not paused.
  element.src = "/gifs/none.gif";
  element.play().catch(() => {});
  await until(element, "error");
  equal([states(), element.paused], [["failed"], false]);
});

test("A hundred first frames that come in parts become whole", async () => {
  const bytes = (await (await fetch(GALLOP)).arrayBuffer()).byteLength;
  const whole = mount({ src: GALLOP });
  await whole.decode();
  const wanted = (await whole.captureFrame(0)).data;
  for (let round = 0; round < 100; round += 1) {
    const first = 900 + Math.floor((bytes / 12) * ((round * 0.618) % 1));
    const element = mount({ src: `/held/drip${round}${GALLOP}?first=${first}`, preload: round % 2 ? "metadata" : "auto" });
    await until(element, "loadedmetadata");
    await fetch(`/release/drip${round}`);
    await element.decode();
    const context = new OffscreenCanvas(480, 270).getContext("2d");
    const differs = () => {
      context.clearRect(0, 0, 480, 270);
      context.drawImage(element.shadowRoot.querySelector("[part=picture]"), 0, 0, 480, 270);
      return context.getImageData(0, 0, 480, 270).data.some((value, index) => value !== wanted[index]);
    };
    while (differs()) await refreshed();
    element.remove();
  }
}, 240);
