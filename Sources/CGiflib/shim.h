#ifndef GALLOP_CGIFLIB_SHIM_H
#define GALLOP_CGIFLIB_SHIM_H
// Debian's giflib ships no module map.
#include <gif_lib.h>
#endif
