"use strict";
/* Images on the page itself, for screenshots of what <img> paints. */
const stage = {
  /* Shows the GIF at a URL in the upper left corner; resolves when it is about to be painted for the first time. */
  async show(url) {
    const data = await (await fetch(url, { cache: "no-store" })).arrayBuffer();
    const element = document.createElement("img");
    element.style = "position: absolute; left: 0; top: 0; display: none";
    element.src = URL.createObjectURL(new Blob([data], { type: "image/gif" }));
    document.body.replaceChildren(element);
    await element.decode().catch(() => {});
    element.style.display = "";
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return JSON.stringify(null);
  },

  clear() {
    document.body.replaceChildren();
    return JSON.stringify(null);
  },
};
