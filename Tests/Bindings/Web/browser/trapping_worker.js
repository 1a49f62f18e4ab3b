// The package's worker with an engine that stops at files that begin with "TRAP", as a fault in the module would stop it.

import { Engine, EngineTrap } from "/gallop/engine.js";
import { serve } from "/gallop/serve.js";

const { append } = Engine.prototype;

Engine.prototype.append = function (image, bytes) {
  const text = String.fromCharCode(...bytes.subarray(0, 4));
  // A fault that no instance survives, to end the worker itself.
  if (text === "KILL") setTimeout(() => { throw new Error("The worker ends."); });
  if (text !== "TRAP") return append.call(this, image, bytes);
  this.isBroken = true;
  throw new EngineTrap("gallop_image_append");
};

serve(self);
