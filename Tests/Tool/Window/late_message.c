// Stands in front of Xlib, and sends a window a message after it is destroyed, as a busy display may read SDL's
// wake-up. A program that does not expect the display's answer ends.
#include <dlfcn.h>
#include <stdio.h>

// Asks the library itself, as it is loaded for SDL alone.
static void *xlib(const char *name) { return dlsym(dlopen("libX11.so.6", RTLD_LAZY), name); }

int XDestroyWindow(void *display, unsigned long window) {
  int (*destroy)(void *, unsigned long) = xlib("XDestroyWindow");
  int (*send)(void *, unsigned long, int, long, void *) = xlib("XSendEvent");
  int status = destroy(display, window);
  // An XEvent: a ClientMessage of format 8, as the wake-up is.
  long message[24] = {[0] = 33, [6] = 8};
  send(display, window, 0, 0, message);
  fputs("sent late\n", stderr);
  return status;
}
