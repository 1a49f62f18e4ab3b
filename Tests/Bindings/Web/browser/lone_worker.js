// The package's worker, where making another worker never ends: in Firefox it may be so.

import { serve } from "/gallop/serve.js";

globalThis.Worker = class {
  constructor() {
    for (;;);
  }
};

serve(self);
