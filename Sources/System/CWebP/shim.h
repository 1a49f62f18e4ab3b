// The types and constants of libwebp and libwebpmux. Their functions are looked up when a WebP is first written.
#pragma once

#include <webp/encode.h>
#include <webp/mux.h>
