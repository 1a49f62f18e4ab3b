// The worker that owns the page's engine.

import { serve } from "./serve.js";

serve(self);
