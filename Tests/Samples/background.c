/* A program that sets the background of an X screen, until another one ends its connection. Then it says whose
 * background the root window names: its own, which is gone, or another. */
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <stdio.h>
#include <unistd.h>

static Display *observer;
static Pixmap own;

static int connection_lost(Display *server) {
  Atom type;
  int format;
  unsigned long count, rest;
  unsigned char *value = NULL;
  (void)server;
  XGetWindowProperty(observer, DefaultRootWindow(observer), XInternAtom(observer, "_XROOTPMAP_ID", False), 0, 1, False,
                     XA_PIXMAP, &type, &format, &count, &rest, &value);
  puts(value != NULL && count == 1 && *(unsigned long *)value != own ? "another" : "own");
  fflush(stdout);
  _exit(0);
}

static void name_background(Display *server, Window root, const char *name) {
  XChangeProperty(server, root, XInternAtom(server, name, False), XA_PIXMAP, 32, PropModeReplace,
                  (unsigned char *)&own, 1);
}

int main(void) {
  Display *server = XOpenDisplay(NULL);
  Window root;
  XEvent event;
  observer = XOpenDisplay(NULL);
  if (server == NULL || observer == NULL) return 1;
  root = DefaultRootWindow(server);
  own = XCreatePixmap(server, root, 1, 1, (unsigned)DefaultDepth(server, DefaultScreen(server)));
  name_background(server, root, "_XROOTPMAP_ID");
  name_background(server, root, "ESETROOT_PMAP_ID");
  XSync(server, False);
  XSetIOErrorHandler(connection_lost);
  puts("set");
  fflush(stdout);
  while (1) XNextEvent(server, &event);
}
