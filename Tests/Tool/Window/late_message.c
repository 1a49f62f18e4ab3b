// Stands in front of Xlib, and sends SDL's last wake-up once more after its window is destroyed, as a busy
// display may read it. A program that does not expect the display's answer ends.
#include <dlfcn.h>

static void *display;  // SDL's connection for wake-ups
static long message[24];  // an XEvent

// Asks the library itself, as it is loaded for SDL alone.
static void *xlib(const char *name) { return dlsym(dlopen("libX11.so.6", RTLD_LAZY), name); }

int XSendEvent(void *to, unsigned long window, int propagate, long mask, void *event) {
  int (*send)(void *, unsigned long, int, long, void *) = xlib("XSendEvent");
  display = to;
  __builtin_memcpy(message, event, 12 * sizeof(long));  // a client message's length
  return send(to, window, propagate, mask, event);
}

int XDestroyWindow(void *owner, unsigned long window) {
  int (*destroy)(void *, unsigned long) = xlib("XDestroyWindow");
  int (*synchronize)(void *, int) = xlib("XSync");
  int (*send)(void *, unsigned long, int, long, void *) = xlib("XSendEvent");
  int status = destroy(owner, window);
  synchronize(owner, 0);
  if (display) send(display, window, 0, 0, message);
  return status;
}
