// The worker that owns the page's engine.

import { serve } from "./gallop.js";

serve(self);
