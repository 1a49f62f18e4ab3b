// Style attributes of images as pages write them; the page of these tests has no policy against them.

import { equal, holds, ok, stage, test, until } from "/tests/browser/harness.js";
import { buttons, foreign, picture, refreshed, shown, shows, upgraded } from "./tools.js";

test("Nothing is left after revert: attributes, layer, addresses", async () => {
  const styles = [null, "", "color:red", "content: none; COLOR: Red"];
  for (const style of styles) await picture(style === null ? { src: "/flat.gif" } : { src: "/flat.gif", style });
  const before = document.documentElement.outerHTML;
  await upgraded({ motion: "click" }, async () => {
    for (const image of stage.children) await shows(image, 0);
    ok(document.documentElement.outerHTML !== before);
  });
  equal(document.documentElement.outerHTML, before);
  equal(document.querySelector("gallop-layer"), null);
});

test("A style that the page changes meanwhile stays as the page wants it", async () => {
  const image = await picture({ src: "/flat.gif", style: "width: 50px" });
  await upgraded({}, async () => {
    await shows(image, "moving");
    image.style.width = "70px";
  });
  equal(image.getAttribute("style"), "width: 70px;");
});

const WRITES = [
  ({ style }) => (style.cssText = "border: 2px solid red"),
  (image) => image.removeAttribute("style"),
  (image) => image.setAttribute("style", "color:red"),
  ({ style }) => (style.content = ""),
  ({ style }) => style.removeProperty("content"),
];

test("A style that the page writes over a paused image neither moves it nor gets lost", async () => {
  for (const write of WRITES) {
    const image = await picture({ src: "/flat.gif", style: "width: 90px" });
    const expected = image.cloneNode();
    write(expected);
    await upgraded({ motion: "click" }, async ({ playAll }) => {
      await shows(image, 0);
      write(image);
      // Before the next refresh.
      await Promise.resolve();
      equal(await shown(image), 0);
      equal(image.style.borderTopWidth, expected.style.borderTopWidth);
      image.style.height = "50px";
      playAll();
      await shows(image, "moving");
    });
    expected.style.height = "50px";
    equal(image.style.cssText, expected.style.cssText);
    image.remove();
  }
});

test("The page's newest style is left letter by letter", async () => {
  const image = await picture({ src: "/flat.gif", style: "width: 90px" });
  await upgraded({ motion: "click" }, async ({ playAll }) => {
    await shows(image, 0);
    image.setAttribute("style", "COLOR:red");
    playAll();
    await shows(image, "moving");
  });
  equal(image.getAttribute("style"), "COLOR:red");
});

test("A still over an image stays when the page writes its style", async () => {
  const image = await picture({ src: `${foreign}/flat.gif` });
  await upgraded({ motion: "click" }, async () => {
    await holds(() => image.style.objectPosition);
    for (const write of WRITES) {
      write(image);
      await holds(() => image.style.objectPosition === "-99999px 0px" && image.style.overflow === "clip");
    }
  });
  equal(image.style.objectPosition, "");
});

test("A script of the page that writes the style back each time ends nothing but the still", async () => {
  const image = await picture({ src: "/flat.gif" });
  await upgraded({ motion: "click" }, async () => {
    await shows(image, 0);
    let count = 0;
    const changes = new MutationObserver(() => {
      if (!image.style.content) return;
      count += 1;
      image.removeAttribute("style");
    });
    changes.observe(image, { attributes: true });
    image.removeAttribute("style");
    for (let turn = 0; turn < 5; turn += 1) await refreshed();
    ok(count <= 12, `once a refresh: ${count}`);
    changes.disconnect();
    await shows(image, 0);
  });
  equal(image.getAttribute("style"), null);
});

test("Copies of an upgraded image are upgraded, or shown as they are, and nothing is left of it in them", async () => {
  for (const src of ["/flat.gif", `${foreign}/flat.gif`]) {
    const image = await picture({ src, style: "width: 90px" });
    const is = (one, state) => holds(() => (one.style.content || one.style.objectPosition ? "still" : "free") === state);
    await upgraded({ motion: "click" }, async () => {
      await is(image, "still");
      const other = image.cloneNode();
      other.src = "/tests/browser/pixel.png";
      const holder = document.createElement("p");
      holder.innerHTML = image.outerHTML;
      stage.append(other, holder);
      await is(other, "free");
      equal(other.style.cssText, "width: 90px;");
      await holds(() => buttons().length === 2);
      await is(holder.firstChild, "still");
      holder.firstChild.src = "/tests/browser/pixel.png";
      await until(holder.firstChild, "load");
      await is(holder.firstChild, "free");
      stage.append(image.cloneNode());
      await holds(() => buttons().length === 2);
    });
    for (const one of document.images) await holds(() => one.style.cssText === "width: 90px;");
    stage.replaceChildren();
  }
});

test("Copies that are made when nothing is followed are free after revert", async () => {
  const image = await picture({ src: "/flat.gif" });
  await upgraded({ motion: "click", observe: false }, async () => {
    await shows(image, 0);
    stage.append(image.cloneNode());
    ok(stage.lastChild.style.content);
  });
  await holds(() => stage.lastChild.getAttribute("style") === null);
});
