// Both halves of an element, the page's and the worker's. The package has them as one file: a browser has it already
// when the worker asks for it, and one file compresses better than two.

export { client } from "./client.js";
export { GallopGIF } from "./element.js";
export { FrameChangeEvent, GallopMediaError, LoopEvent } from "./media-values.js";
export { CAUSES, COMMANDS, EngineTrap, GallopError, MODES, STATES } from "./protocol.js";
export { serve } from "./serve.js";
