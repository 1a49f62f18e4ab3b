// In place of flashes-loader.js where all is one script.

import * as flashes from "./flashes.js";

export const loadFlashes = async () => flashes;
