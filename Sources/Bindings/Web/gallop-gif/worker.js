// The worker that owns the page's engine. A page that can have no worker imports it, and serves itself.

import { serve } from "./serve.js";

export { serve };

if (globalThis.WorkerGlobalScope && globalThis instanceof globalThis.WorkerGlobalScope) serve(globalThis);
