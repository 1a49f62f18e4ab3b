// The types and constants of SDL2. Its functions are looked up when a window is opened: linking the library would make
// every start of the tool pay for loading it and the fifty libraries that it brings along.
#pragma once

#define SDL_MAIN_HANDLED
#include <SDL2/SDL.h>
