#ifndef GALLOP_CSPNG_SHIM_H
#define GALLOP_CSPNG_SHIM_H
#include <spng.h>
#endif
