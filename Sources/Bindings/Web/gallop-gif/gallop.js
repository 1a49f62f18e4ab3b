// The page's half of an element, which the package has as one file, index.js; the worker's half is another one. What the
// package's own modules share with it stands here, too.

export { client } from "./client.js";
export * from "./index.js";
export { COMMANDS, MODES } from "./protocol.js";
