// The worker that owns the page's engine.

import { serve } from "./host.js";

serve(self);
