/* Divides an X screen into two monitors side by side, of the same width. */
#include <X11/extensions/Xrandr.h>

static void set_monitor(Display *server, Window root, const char *name, int x, int width, int height, RROutput output) {
  XRRMonitorInfo *monitor = XRRAllocateMonitor(server, output != None);
  monitor->name = XInternAtom(server, name, False);
  if (output != None) monitor->outputs[0] = output;
  monitor->x = x;
  monitor->width = width;
  monitor->height = height;
  monitor->mwidth = width / 4;
  monitor->mheight = height / 4;
  XRRSetMonitor(server, root, monitor);
  XRRFreeMonitors(monitor);
}

int main(void) {
  Display *server = XOpenDisplay(NULL);
  Window root;
  XRRScreenResources *resources;
  XWindowAttributes facts;
  if (server == NULL) return 1;
  root = DefaultRootWindow(server);
  resources = XRRGetScreenResources(server, root);
  XGetWindowAttributes(server, root, &facts);
  set_monitor(server, root, "left", 0, facts.width / 2, facts.height, resources->outputs[0]);
  set_monitor(server, root, "right", facts.width / 2, facts.width / 2, facts.height, None);
  XCloseDisplay(server);
  return 0;
}
