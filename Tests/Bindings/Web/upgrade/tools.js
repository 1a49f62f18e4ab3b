// What the tests of the upgrade share: its layer, and which frame an image shows.

import { holds, stage } from "/tests/browser/harness.js";

const attach = Element.prototype.attachShadow;
/** The layers on the page, the newest last: pages cannot look into them. */
export const layers = [];
Element.prototype.attachShadow = function (options) {
  const root = attach.call(this, options);
  if (this.localName === "gallop-layer") layers.push(root);
  return root;
};

export const { upgrade } = await import("/gallop/upgrade-with.js");
export const foreign = await (await fetch("/foreign")).json();

/** The buttons that stand on the page now. */
export const buttons = () => [...(layers.at(-1)?.querySelectorAll("button") ?? [])];

/** Puts an image on the page, and waits until it has loaded. */
export async function picture(attributes, place = stage) {
  const image = document.createElement("img");
  for (const [name, value] of Object.entries(attributes)) image.setAttribute(name, value);
  place.append(image);
  if (image.loading !== "lazy") await image.decode();
  return image;
}

/** What stands in place of an image's own picture: "own", "moving" or the number of a frame. */
export async function shown(image) {
  const [, url] = image.style.content.match(/url\("([^"]+)"\)/) ?? [];
  if (!url) return "own";
  const blob = await (await fetch(url)).blob();
  if (blob.type === "image/gif") return "moving";
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  context.drawImage(await createImageBitmap(blob), 0, 0);
  return Math.round((context.getImageData(0, 0, 1, 1).data[0] - 20) / 20);
}

/** Waits until an image shows a certain thing. */
export async function shows(image, wanted) {
  const fits = typeof wanted === "function" ? wanted : (value) => value === wanted;
  for (;;) {
    const value = await shown(image).catch(() => null);
    if (value !== null && fits(value)) return value;
    await new Promise(requestAnimationFrame);
  }
}

/** Waits for the button of an only image. */
export const button = () => holds(() => buttons()[0]);

export const refreshed = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

/** Upgrades while a test runs. */
export async function upgraded(options, body) {
  const handle = upgrade(options);
  try {
    return await body(handle);
  } finally {
    handle.revert();
  }
}
