// What the tests of whole pages look at: boxes, markup, pixels, and the buttons. It stands in every page of `pages/`.

(() => {
  const layers = [];
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (options) {
    const root = attach.call(this, options);
    if (this.localName === "gallop-layer") layers.push(root);
    return root;
  };
  let handle;
  const refreshed = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const controls = () => [...(layers.at(-1)?.querySelectorAll("button, .bar") ?? [])];

  /** Waits until nothing in the layer moves any more. */
  async function settled() {
    for (let last = null, same = 0; same < 16; ) {
      await refreshed();
      const now = JSON.stringify(controls().map((one) => [one.getBoundingClientRect(), one.className]));
      same = now === last ? same + 1 : 0;
      last = now;
    }
  }

  async function pixels(base64) {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    context.drawImage(bitmap, 0, 0);
    return context.getImageData(0, 0, bitmap.width, bitmap.height);
  }

  globalThis.harness = {
    /** Lets everything load, also what is lazy or from another host. */
    async load() {
      const foreign = await (await fetch("/foreign")).json();
      for (const image of document.querySelectorAll("img[data-foreign]")) image.src = foreign + image.dataset.foreign;
      for (const image of document.images) {
        image.loading = "eager";
        await image.decode();
      }
      // Firefox finds what overflows of images that load late with the next layout only.
      const { style } = document.documentElement;
      style.display = "none";
      document.documentElement.getBoundingClientRect();
      document.documentElement.removeAttribute("style");
      await refreshed();
    },

    /** Upgrades as the one line for pages does. */
    async upgradeByImport() {
      const { upgrade } = await import("/gallop/upgrade.js");
      return typeof upgrade;
    },

    async upgrade(options) {
      const { upgrade } = await import("/gallop/upgrade-with.js");
      handle = upgrade(options);
    },

    /** Waits until all moving images are paused, or play. */
    async become(state) {
      const moving = [...document.images].filter((image) => image.currentSrc.includes("slow"));
      const isDone = async (image) => {
        const [, url] = image.style.content.match(/url\("([^"]+)"/) ?? [];
        if (!url) return (image.style.objectPosition !== "" ? "paused" : "moving") === state && image.dataset.foreign;
        const { type } = await (await fetch(url)).blob();
        return (type === "image/gif" ? "moving" : "paused") === state;
      };
      for (const image of moving) while (!(await isDone(image).catch(() => false))) await refreshed();
      await settled();
    },

    /** Waits for what the images show: "gif", "png" or "" in the order of the page. */
    async show(wanted) {
      const kinds = () => Promise.all([...document.images].map(async (image) => {
        const [, url] = image.style.content.match(/url\("([^"]+)"/) ?? [];
        return url ? (await (await fetch(url)).blob()).type.replace("image/", "") : "";
      }));
      while (JSON.stringify(await kinds().catch(() => null)) !== JSON.stringify(wanted)) await refreshed();
      await settled();
    },

    /** Waits for a number of controls. */
    async count(number) {
      while (controls().length !== number) await refreshed();
      await settled();
    },

    names: () => controls().map(({ ariaLabel }) => ariaLabel),
    playAll: () => handle.playAll(),
    revert: () => handle.revert(),
    settled,
    controls,

    /** The box of every element, and how far the page scrolls. */
    boxes() {
      const all = [...document.querySelectorAll("html, body, body *")].map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        const { scrollWidth, scrollHeight } = element;
        return [element.localName, x, y, width, height, scrollWidth, scrollHeight];
      });
      return all;
    },

    html: () => document.documentElement.outerHTML,

    focused: () => layers.at(-1).activeElement?.ariaLabel ?? null,

    /** The side of each button, and whether it stands within its image. */
    sizes() {
      const images = [...document.images].filter((image) => image.style.content);
      return controls().map((control, index) => {
        const [button, image] = [control, images[index]].map((element) => element.getBoundingClientRect());
        const isInside = button.left >= image.left && button.right <= image.right && button.top >= image.top
          && button.bottom <= image.bottom;
        return [button.width, isInside && button.width === button.height];
      });
    },

    /** Whether the first button's disc and icon have the system's colours. */
    hasSystemColours() {
      const disc = controls()[0].firstChild;
      const probe = document.body.appendChild(document.createElement("i"));
      const has = (element, colour) => {
        probe.style.backgroundColor = colour;
        return getComputedStyle(element).backgroundColor === getComputedStyle(probe).backgroundColor;
      };
      const found = [has(disc, "ButtonFace") && getComputedStyle(disc).borderTopWidth === "2px",
        has(disc.firstChild, "ButtonText")];
      probe.remove();
      return found;
    },

    /** The frame in a screenshot: the colour in the middle of the first image. */
    async frameIn(base64) {
      const { data, width } = await pixels(base64);
      const { left, top, height } = document.images[0].getBoundingClientRect();
      const red = data[4 * (Math.round(top + height / 2) * width + Math.round(left + 20))];
      return Math.round((red - 20) / 20);
    },

    /** How many pixels differ outside the buttons, and where. */
    async differences(one, other) {
      const [before, after] = [await pixels(one), await pixels(other)];
      const boxes = controls().map((control) => control.getBoundingClientRect());
      const isInside = (x, y) => boxes.some(({ left, top, right, bottom }) =>
        x >= left - 8 && x < right + 8 && y >= top - 8 && y < bottom + 8);
      const found = [];
      for (let i = 0; i < before.data.length; i += 4) {
        const isSame = [0, 1, 2, 3].every((part) => before.data[i + part] === after.data[i + part]);
        const [x, y] = [(i / 4) % before.width, Math.floor(i / 4 / before.width)];
        if (!isSame && !isInside(x, y)) found.push([x, y]);
      }
      return [before.width === after.width, found.length, found.slice(0, 3)];
    },
  };
})();
