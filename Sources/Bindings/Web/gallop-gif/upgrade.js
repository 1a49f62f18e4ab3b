// One line for existing pages: importing this module upgrades the GIFs of the page. With options: upgrade-with.js.

import { upgrade } from "./upgrade-with.js";

export { upgrade };

if (globalThis.document) upgrade();
