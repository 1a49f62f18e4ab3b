// The README's template of Vue, by the Vue that Debian has: version 2, whose word for it is `ignoredElements`.
import { template } from "/vue_template.js";
import "/gallop/index.js";
import { equal, next, painted, room, test } from "./tools.js";

await new Promise((done, failed) => document.head.append(Object.assign(document.createElement("script"),
  { src: "/vue/vue.js", onload: done, onerror: failed })));
const { Vue } = globalThis;
Object.assign(Vue.config, { productionTip: false, devtools: false, ignoredElements: [/^gallop-/] });

/** The words of Vue while `act` runs. */
async function warningsOf(act) {
  const said = [];
  Vue.config.warnHandler = (message) => said.push(message);
  await act();
  return said;
}

test("Vue renders the README's template, hears frames, and hands on another source", async () => {
  const data = { src: "/gifs/spinner.gif", frame: -1 };
  let view;
  const said = await warningsOf(async () => {
    view = new Vue({ el: room().appendChild(document.createElement("div")), template, data });
    await next(view.$el, "framechange", ({ currentFrameIndex }) => currentFrameIndex === 2);
    await painted();
  });
  equal(said, []);
  const gif = view.$el.querySelector("gallop-gif");
  equal([gif.alt, gif.autoplay, gif.controls, gif.resizeMode, gif.paused],
    ["A horse at a gallop", true, true, "contain", false]);
  const caption = view.$el.querySelector("figcaption");
  equal([caption.textContent, view.frame >= 2], [`Frame #${view.frame}`, true]);
  const arrived = next(gif, "loadedmetadata");
  view.src = "/gifs/delays.gif";
  await arrived;
  equal(new URL(gif.currentSrc).pathname, "/gifs/delays.gif");
  view.$destroy();
});
