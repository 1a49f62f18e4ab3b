#ifndef GALLOP_CGIFLIB_SHIM_H
#define GALLOP_CGIFLIB_SHIM_H
// Debian's giflib ships no module map. The engine relies on DGifGetImageHeader, public since 5.2.
#include <gif_lib.h>
#endif
