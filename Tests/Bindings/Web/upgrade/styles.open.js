// Style attributes of images as pages write them; the page of these tests has no policy against them.

import { equal, ok, stage, test } from "/tests/browser/harness.js";
import { picture, shows, upgraded } from "./tools.js";

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
