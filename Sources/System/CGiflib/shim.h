#ifndef GALLOP_CGIFLIB_SHIM_H
#define GALLOP_CGIFLIB_SHIM_H
// Debian's giflib ships no module map.
#include <gif_lib.h>
// For strerror: the words of an error stand in a module that imports no C library of its own.
#include <string.h>
#endif
