// The package as one script without modules: the element, the upgrade, decoding, the engine and its worker. The build
// puts the last two inside, and makes of the exports the global `gallopGIF`.

import { configureInside, engineBytes } from "./inspector/inside.js";
import { useFlashes } from "./flashes.js";
import { configure } from "./index.js";
import { useModule } from "./open.js";
import { upgrade } from "./upgrade-with.js";

export * from "./index.js";
export { GIF, loadEngine, openGIF } from "./open.js";
export { upgrade };

configureInside({ hasWorker: location.protocol !== "file:" });
useModule(engineBytes);
// What few pages want is not inside.
const { currentScript } = document;
const flashes = currentScript?.src && new URL("flashes.wasm", currentScript.src).href;
if (flashes) {
  configure({ flashes });
  useFlashes(flashes);
}

// <script src="gallop-gif.min.js" data-upgrade></script>
if (currentScript?.dataset.upgrade !== undefined) upgrade();
