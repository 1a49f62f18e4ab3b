// Which images are upgraded, and what is left of it.

import { equal, holds, ok, stage, test, until } from "/tests/browser/harness.js";
import { button, buttons, foreign, layers, picture, refreshed, shown, shows, upgraded } from "./tools.js";

test("An image plays from an address of its own, and has a button that pauses it", async () => {
  const image = await picture({ src: "/flat.gif", alt: "Colours" });
  await upgraded({}, async () => {
    await shows(image, "moving");
    equal((await button()).ariaLabel, "Pause animation: Colours");
    buttons()[0].click();
    equal(buttons()[0].ariaLabel, "Play animation: Colours");
    await shows(image, (value) => value >= 0);
    buttons()[0].click();
    equal(buttons()[0].ariaLabel, "Pause animation: Colours");
    await shows(image, "moving");
    equal([image.src, image.currentSrc], Array(2).fill(new URL("/flat.gif", location.href).href));
  });
});

test("Images of one frame and other pictures get nothing", async () => {
  const image = await picture({ src: "/flat.gif" });
  const others = [await picture({ src: "/one.gif" }), await picture({ src: "/tests/browser/pixel.png" })];
  await upgraded({}, async () => {
    await shows(image, "moving");
    await refreshed();
    equal(buttons().length, 1);
    equal(others.map((one) => one.getAttribute("style")), [null, null]);
  });
});

test("A GIF without a name is known by its content type; skip leaves images alone", async () => {
  const unnamed = await picture({ src: "/unnamed" });
  const skipped = await picture({ src: "/flat.gif", class: "logo" });
  const asked = await picture({ src: "/flat.gif", alt: "no" });
  for (const skip of [".logo, [alt=no]", (image) => image !== unnamed]) {
    await upgraded({ skip }, async () => {
      await shows(unnamed, "moving");
      equal([await shown(skipped), await shown(asked), buttons().length], ["own", "own", 1]);
    });
  }
});

test("A selector names the images, of whatever address", async () => {
  const image = await picture({ src: "/flat.gif?like.png" });
  const other = await picture({ src: "/flat.gif" });
  await upgraded({ selector: "img:first-child" }, async () => {
    await shows(image, "moving");
    equal(await shown(other), "own");
  });
});

test("Images that come later, lazy ones and those in other elements are upgraded", async () => {
  await upgraded({}, async () => {
    const late = await picture({ src: "/flat.gif" });
    await shows(late, "moving");
    const section = document.createElement("section");
    section.append(new Image());
    section.firstChild.src = "/flat.gif";
    await section.firstChild.decode();
    stage.append(section);
    await shows(section.firstChild, "moving");
    const lazy = await picture({ src: "/flat.gif", loading: "lazy" });
    await shows(lazy, "moving");
  });
});

test("Without observation only the images at hand count", async () => {
  const first = new Image();
  first.src = "/flat.gif?slow";
  stage.append(first);
  await upgraded({ observe: false }, async () => {
    await shows(first, "moving");
    const late = await picture({ src: "/flat.gif" });
    await refreshed();
    equal(await shown(late), "own");
  });
});

test("A picture's source and a density keep the layout", async () => {
  const holder = document.createElement("picture");
  const source = document.createElement("source");
  source.srcset = "/odd.gif 1.5x";
  holder.append(source);
  stage.append(holder);
  const image = await picture({ src: "/one.gif" }, holder);
  const dense = await picture({ srcset: "/flat.gif 2x" });
  const wide = await picture({ srcset: "/odd.gif 125w", sizes: "77.3px" });
  await holds(() => [image, dense, wide].every((one) => one.complete && /odd|flat/.test(one.currentSrc)));
  const boxes = () => [image, dense, wide].map((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return [x, y, width, height, one.naturalWidth, one.naturalHeight, one.width];
  });
  const before = boxes();
  await upgraded({ motion: "click" }, async ({ playAll }) => {
    for (const one of [image, dense, wide]) await shows(one, 0);
    await refreshed();
    equal(boxes(), before, "paused");
    playAll();
    for (const one of [image, dense, wide]) await shows(one, "moving");
    await refreshed();
    equal(boxes(), before, "playing");
  });
  equal(boxes(), before, "after");
});

test("A new source takes the place of the old one; a source that is no GIF ends it", async () => {
  const image = await picture({ src: "/flat.gif" });
  await upgraded({ motion: "click" }, async () => {
    await shows(image, 0);
    const before = image.style.content;
    image.src = "/odd.gif";
    await until(image, "load");
    await shows(image, 0);
    await holds(() => image.style.content && image.style.content !== before);
    image.src = "/tests/browser/pixel.png";
    await until(image, "load");
    await holds(() => image.style.content === "" && buttons().length === 0);
    image.src = "/flat.gif";
    await shows(image, 0);
    image.src = "/nothing.gif";
    await until(image, "error");
    await holds(() => image.style.content === "" && buttons().length === 0);
  });
});

test("A removed image loses its button, its style and its addresses", async () => {
  const image = await picture({ src: "/flat.gif" });
  await upgraded({ motion: "click" }, async () => {
    await shows(image, 0);
    const [, url] = image.style.content.match(/url\("([^"]+)"/);
    image.remove();
    await holds(() => buttons().length === 0);
    equal(image.getAttribute("style"), null);
    equal(await fetch(url).then(() => "there", () => "gone"), "gone");
    stage.append(image);
    await shows(image, 0);
  });
});

test("What CORS keeps from being read is paused by a still over it; with CORS it is read", async () => {
  const image = await picture({ src: `${foreign}/flat.gif`, alt: "Far" });
  const readable = await picture({ src: `${foreign}/flat.gif?cors`, crossorigin: "" });
  await upgraded({}, async () => {
    await shows(readable, "moving");
    await holds(() => buttons().length === 2);
    equal(image.getAttribute("style"), null);
    buttons()[0].click();
    const cover = await holds(() => layers.at(-1).querySelector("canvas"));
    await holds(() => cover.getBoundingClientRect().width > 0);
    const [one, other] = [cover, image].map((element) => element.getBoundingClientRect());
    equal([one.x, one.y, one.width, one.height], [other.x, other.y, other.width, other.height]);
    equal(buttons()[0].ariaLabel, "Play animation: Far");
    buttons()[0].click();
    equal([layers.at(-1).querySelector("canvas"), image.getAttribute("style")], [null, null]);
  });
});

test("A selector reaches what CORS keeps from being read, of whatever address", async () => {
  const image = await picture({ src: `${foreign}/unnamed` });
  await upgraded({ selector: "img", motion: "click" }, async () => {
    await holds(() => image.style.objectPosition && buttons().length === 1);
    buttons()[0].click();
    equal(image.getAttribute("style"), null);
  });
});

test("A blob whose address is gone is paused by a still over it", async () => {
  const url = URL.createObjectURL(await (await fetch("/flat.gif")).blob());
  const image = await picture({ src: url });
  URL.revokeObjectURL(url);
  await upgraded({ motion: "click" }, async ({ playAll }) => {
    await holds(() => image.style.objectPosition && layers.at(-1).querySelector("canvas"));
    playAll();
    equal(image.getAttribute("style"), null);
  });
});

test("Many images that the page may not read are paused with one look at each", async () => {
  const images = [];
  for (let count = 0; count < 20; count += 1) images.push(await picture({ src: `${foreign}/flat.gif?${count}` }));
  const { getBoundingClientRect } = Element.prototype;
  await upgraded({}, async ({ pauseAll }) => {
    await holds(() => buttons().length === images.length);
    let looks = 0;
    Element.prototype.getBoundingClientRect = function () {
      if (this.localName === "img") looks += 1;
      return getBoundingClientRect.call(this);
    };
    try {
      pauseAll();
      await null;
    } finally {
      Object.assign(Element.prototype, { getBoundingClientRect });
    }
    ok(images.every((image) => image.style.objectPosition));
    ok([...layers.at(-1).querySelectorAll("canvas")].every(({ style }) => parseFloat(style.width) > 0), "their places");
    equal(looks, images.length);
  });
});

test("Images that show the same have one address, and each is paused and goes on by itself", async () => {
  const images = [];
  for (let count = 0; count < 4; count += 1) images.push(await picture({ src: "/quick.gif" }));
  const addresses = () => new Set(images.map(({ style }) => style.content)).size;
  const url = () => images[0].style.content.match(/url\("([^"]+)"/)[1];
  const exists = (address) => fetch(address).then(() => true, () => false);
  await upgraded({}, async ({ pauseAll, playAll }) => {
    for (const image of images) await shows(image, "moving");
    equal(addresses(), 1, "playing");
    const late = await picture({ src: "/quick.gif" });
    images.push(late);
    await shows(late, "moving");
    equal(addresses(), 1, "with one that comes later");
    const moving = url();
    buttons()[1].click();
    await shows(images[1], (value) => value >= 0);
    equal(addresses(), 2, "one paused");
    buttons()[1].click();
    await shows(images[1], "moving");
    equal(addresses(), 2, "it has a time of its own");
    equal(url(), moving);
    pauseAll();
    for (const image of images) await shows(image, (value) => value >= 0);
    await holds(() => addresses() <= 2);
    await refreshed();
    equal(await exists(moving), false, "the address is given back");
    const still = url();
    images.shift().remove();
    await refreshed();
    equal(await exists(still), true, "the others show it");
    playAll();
    for (const image of images) await shows(image, "moving");
  });
  for (const image of images) equal(image.getAttribute("style"), null);
});

test("A button goes away with its image, and comes back with the focus", async () => {
  const scroller = document.createElement("div");
  Object.assign(scroller.style, { height: "200px", width: "300px", overflow: "auto" });
  const space = document.createElement("div");
  space.style.height = "1000px";
  scroller.append(space);
  stage.append(scroller);
  const image = await picture({ src: "/flat.gif" }, scroller);
  await upgraded({}, async () => {
    await shows(image, "moving");
    const isAway = () => buttons()[0]?.classList.contains("away");
    await holds(isAway);
    equal(buttons()[0].hidden, false);
    // A window that is not active sends no event.
    buttons()[0].dispatchEvent(new FocusEvent("focus"));
    await holds(() => !isAway());
    ok(scroller.scrollTop > 0);
    const [one, other] = [buttons()[0], image].map((element) => element.getBoundingClientRect());
    equal([one.right, one.top], [other.right, other.top]);
    image.style.visibility = "hidden";
    scroller.scrollTop = 0;
    await holds(() => buttons()[0].hidden);
  });
});

test("A button does not lie over a bar of the page that stays while it scrolls", async () => {
  const image = await picture({ src: "/flat.gif" });
  await upgraded({}, async () => {
    await shows(image, "moving");
    await holds(() => buttons()[0] && !buttons()[0].classList.contains("away"));
    const bar = document.createElement("header");
    Object.assign(bar.style, { position: "fixed", inset: "0 0 auto", height: "60px", background: "#000" });
    stage.append(bar);
    dispatchEvent(new Event("scroll"));
    await holds(() => buttons()[0].classList.contains("away"));
    bar.remove();
    dispatchEvent(new Event("scroll"));
    await holds(() => !buttons()[0].classList.contains("away"));
  });
});

test("A button under a bar of the page stands in the largest part beside it", async () => {
  const image = await picture({ src: "/flat.gif", width: 300, height: 400 });
  const bars = ["0 0 auto", "0 0 0 auto"].map((inset) => {
    const bar = document.createElement("header");
    Object.assign(bar.style, { position: "fixed", inset, width: "auto", height: "60px", background: "#000" });
    bar.append(document.createElement("a"));
    return bar;
  });
  await upgraded({}, async () => {
    await shows(image, "moving");
    const place = () => {
      const { top, right, width } = buttons()[0].getBoundingClientRect();
      return JSON.stringify([top, right, width]);
    };
    const { top, right, left } = image.getBoundingClientRect();
    await holds(() => place() === JSON.stringify([top, right, 44]));
    stage.append(bars[0]);
    dispatchEvent(new Event("scroll"));
    await holds(() => place() === JSON.stringify([60, right, 44]));
    equal(buttons()[0].classList.contains("away"), false);
    // Another bar covers the right half.
    Object.assign(bars[1].style, { inset: `0 auto 0 ${left + 150}px`, width: "400px", height: "auto" });
    stage.append(bars[1]);
    dispatchEvent(new Event("scroll"));
    await holds(() => place() === JSON.stringify([60, left + 150, 44]));
    equal(buttons()[0].classList.contains("away"), false);
  });
});

test("The box of an image is never empty while its pictures change", async () => {
  const sizes = new Set();
  const observer = new ResizeObserver((entries) => {
    for (const { contentRect: { width, height } } of entries) sizes.add(`${width}x${height}`);
  });
  for (let turn = 0; turn < 5; turn += 1) {
    const image = await picture({ src: "/flat.gif" });
    observer.observe(image);
    await refreshed();
    await upgraded({}, async ({ pauseAll, playAll }) => {
      await shows(image, "moving");
      pauseAll();
      await shows(image, (value) => value >= 0);
      playAll();
      await shows(image, "moving");
    });
    await refreshed();
    observer.unobserve(image);
    image.remove();
  }
  observer.disconnect();
  equal([...sizes], ["120x80"]);
});
