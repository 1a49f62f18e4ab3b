// Compiled, not run: what a page in TypeScript writes for existing pages, and to decode without an element.
import { openGIF, useModule, type Frame } from "../../../../Sources/Bindings/Web/gallop-gif/open.js";
import { upgrade, type Upgrade, type UpgradeOptions } from "../../../../Sources/Bindings/Web/gallop-gif/upgrade-with.js";

const options: UpgradeOptions = { controls: "bar", motion: "hover", skip: (image) => image.alt === "",
  labels: { play: "Los" } };
const page: Upgrade = upgrade({ ...options, root: document, selector: ".post img" });
page.pauseAll();
page.revert();

export async function draw(canvas: HTMLCanvasElement): Promise<void> {
  useModule("/static/gallop.wasm");
  const gif = await openGIF(new Request("a.gif"), { limits: { frames: 100 } });
  for (const { data, width, height } of gif) {
    canvas.getContext("2d")?.putImageData(new ImageData(data, width, height), 0, 0);
  }
  const last: Frame = gif.frame(gif.info.frameCount - 1, { width: 10 });
  console.log(last.status, gif.frames("encoded")[0].delay);
  gif.close();
}

// @ts-expect-error: a policy that there is not
upgrade({ motion: "sometimes" });
