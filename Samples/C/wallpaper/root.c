#include "wallpaper.h"

#include <X11/Xatom.h>
#include <X11/Xutil.h>
#include <X11/extensions/Xrandr.h>
#include <cairo-xlib.h>
#include <gdk/gdkx.h>

struct Root {
  GdkDisplay *display;
  const Pixels *picture;
  void (*covered)(gboolean is_covered, void *user);
  void *user;
  /* A connection of its own: what it made stays on the server when it ends. */
  Display *server;
  Window window;
  /* The background, and a surface that draws into it; both none before the first picture. */
  Pixmap pixmap;
  cairo_surface_t *surface;
  /* In pixels of the root window. */
  GdkRectangle *monitors;
  int monitor_count;
  /* The window that was active last, whose state is watched. */
  Window active;
};

static int pass_over(Display *server, XErrorEvent *error) {
  (void)server, (void)error;
  return 0;
}

static int connection_lost(Display *server) {
  (void)server;
  give_up("the X server or another wallpaper has ended the connection");
}

/* The first items of a property, to be freed by XFree; NULL if there is none of this type. */
static void *get_property(Display *server, Window window, const char *name, Atom type, unsigned long *count) {
  Atom found;
  int format;
  unsigned long rest;
  unsigned char *value = NULL;
  if (XGetWindowProperty(server, window, XInternAtom(server, name, False), 0, 64, False, type, &found, &format, count,
                         &rest, &value) != Success) {
    return NULL;
  }
  if (found == type && format == 32 && *count > 0) return value;
  if (value != NULL) XFree(value);
  return NULL;
}

static XID get_id(Display *server, Window window, const char *name, Atom type) {
  unsigned long count;
  unsigned long *value = get_property(server, window, name, type, &count);
  XID id = value != NULL ? *value : None;
  if (value != NULL) XFree(value);
  return id;
}

static void set_pixmap_property(Root *root, const char *name) {
  XChangeProperty(root->server, root->window, XInternAtom(root->server, name, False), XA_PIXMAP, 32, PropModeReplace,
                  (unsigned char *)&root->pixmap, 1);
}

/* The background that another program has left, which the next one frees; None if there is none. */
static Pixmap left_background(const Root *root) {
  Pixmap pixmap = get_id(root->server, root->window, "_XROOTPMAP_ID", XA_PIXMAP);
  return pixmap == get_id(root->server, root->window, "ESETROOT_PMAP_ID", XA_PIXMAP) ? pixmap : None;
}

/* Frees another program's background, as those that set these properties agree on. The properties name another one
 * by then: a number that is free may become that of any client, which the next program would end. */
static void free_background(const Root *root, Pixmap pixmap) {
  XErrorHandler handler;
  XSync(root->server, False);
  handler = XSetErrorHandler(pass_over);
  XKillClient(root->server, pixmap);
  XSync(root->server, False);
  XSetErrorHandler(handler);
}

/* Finds where the monitors are. GDK knows none that the user has made of a part of a wide screen. */
static void find_monitors(Root *root, const XWindowAttributes *facts) {
  int event, error, major = 0, minor = 0, i;
  XRRMonitorInfo *monitors = NULL;
  root->monitor_count = 0;
  if (XRRQueryExtension(root->server, &event, &error) && XRRQueryVersion(root->server, &major, &minor) &&
      (major > 1 || minor >= 5)) {
    monitors = XRRGetMonitors(root->server, root->window, True, &root->monitor_count);
  }
  if (monitors == NULL || root->monitor_count < 1) root->monitor_count = 1;
  root->monitors = g_renew(GdkRectangle, root->monitors, root->monitor_count);
  root->monitors[0] = (GdkRectangle){0, 0, facts->width, facts->height};
  for (i = 0; monitors != NULL && i < root->monitor_count; i++) {
    root->monitors[i] = (GdkRectangle){monitors[i].x, monitors[i].y, monitors[i].width, monitors[i].height};
  }
  if (monitors != NULL) XRRFreeMonitors(monitors);
}

/* Draws a part of a monitor's picture into the background. */
static void draw(Root *root, const GdkRectangle *area, const GdkRectangle *damage) {
  cairo_surface_t *part =
    cairo_surface_create_similar_image(root->surface, CAIRO_FORMAT_RGB24, damage->width, damage->height);
  cairo_t *cairo = cairo_create(part);
  int x = area->x + damage->x;
  int y = area->y + damage->y;
  cairo_translate(cairo, -damage->x, -damage->y);
  pixels_draw(root->picture, cairo, area->width, area->height);
  cairo_destroy(cairo);
  cairo = cairo_create(root->surface);
  cairo_set_operator(cairo, CAIRO_OPERATOR_SOURCE);
  cairo_set_source_surface(cairo, part, x, y);
  cairo_rectangle(cairo, x, y, damage->width, damage->height);
  cairo_fill(cairo);
  cairo_destroy(cairo);
  cairo_surface_destroy(part);
  cairo_surface_flush(root->surface);
  XClearArea(root->server, root->window, x, y, (unsigned)damage->width, (unsigned)damage->height, False);
}

static void draw_monitors(Root *root, const GdkRectangle *changed) {
  int i;
  for (i = 0; i < root->monitor_count; i++) {
    const GdkRectangle *area = &root->monitors[i];
    GdkRectangle damage;
    if (pixels_damage(root->picture, changed, area->width, area->height, &damage)) draw(root, area, &damage);
  }
  XFlush(root->server);
}

/* Makes the background in the screen's present size. */
static void make_background(Root *root) {
  Pixmap former = root->pixmap;
  Pixmap left = former == None ? left_background(root) : None;
  guint32 color = root->picture->background;
  XWindowAttributes facts;
  cairo_t *cairo;
  if (former != None) cairo_surface_destroy(root->surface);
  XGetWindowAttributes(root->server, root->window, &facts);
  find_monitors(root, &facts);
  root->pixmap = XCreatePixmap(
    root->server, root->window, (unsigned)facts.width, (unsigned)facts.height, (unsigned)facts.depth);
  root->surface =
    cairo_xlib_surface_create(root->server, root->pixmap, facts.visual, facts.width, facts.height);
  cairo = cairo_create(root->surface);
  cairo_set_source_rgb(cairo, (color >> 16) / 255.0, (color >> 8 & 255) / 255.0, (color & 255) / 255.0);
  cairo_paint(cairo);
  cairo_destroy(cairo);
  draw_monitors(root, NULL);
  XSetWindowBackgroundPixmap(root->server, root->window, root->pixmap);
  set_pixmap_property(root, "_XROOTPMAP_ID");
  set_pixmap_property(root, "ESETROOT_PMAP_ID");
  XClearWindow(root->server, root->window);
  if (former != None) XFreePixmap(root->server, former);
  if (left != None) free_background(root, left);
  XFlush(root->server);
}

static void screen_changed(GdkScreen *screen, gpointer data) {
  Root *root = data;
  (void)screen;
  if (root->pixmap != None) make_background(root);
}

/* Looks at the active window, which may be gone by now. */
static void look_at_active_window(Root *root) {
  Display *server = gdk_x11_display_get_xdisplay(root->display);
  Window active;
  Atom fullscreen = XInternAtom(server, "_NET_WM_STATE_FULLSCREEN", False);
  gboolean is_fullscreen = FALSE;
  unsigned long *states = NULL;
  unsigned long count = 0, i;
  gdk_x11_display_error_trap_push(root->display);
  active = get_id(server, root->window, "_NET_ACTIVE_WINDOW", XA_WINDOW);
  if (active != None && active != root->active) XSelectInput(server, active, PropertyChangeMask | StructureNotifyMask);
  if (active != None) states = get_property(server, active, "_NET_WM_STATE", XA_ATOM, &count);
  for (i = 0; states != NULL && i < count; i++) is_fullscreen = is_fullscreen || states[i] == fullscreen;
  if (states != NULL) XFree(states);
  gdk_x11_display_error_trap_pop_ignored(root->display);
  root->active = active;
  root->covered(is_fullscreen, root->user);
}

static GdkFilterReturn filter(GdkXEvent *data, GdkEvent *translated, gpointer user) {
  const XEvent *event = data;
  Root *root = user;
  const char *name;
  (void)translated;
  /* Not every window manager names another window when the active one ends. */
  if (event->type == DestroyNotify && event->xdestroywindow.window == root->active) look_at_active_window(root);
  if (event->type != PropertyNotify) return GDK_FILTER_CONTINUE;
  if (event->xproperty.window != root->window && event->xproperty.window != root->active) return GDK_FILTER_CONTINUE;
  name = gdk_x11_get_xatom_name_for_display(root->display, event->xproperty.atom);
  if (g_strcmp0(name, "_NET_ACTIVE_WINDOW") == 0 || g_strcmp0(name, "_NET_WM_STATE") == 0) {
    look_at_active_window(root);
  }
  return GDK_FILTER_CONTINUE;
}

Root *root_new(
  GdkDisplay *display, const Pixels *picture, void (*covered)(gboolean is_covered, void *user), void *user) {
  GdkScreen *screen = gdk_display_get_default_screen(display);
  GdkWindow *window = gdk_screen_get_root_window(screen);
  Display *server = XOpenDisplay(gdk_display_get_name(display));
  Root *root;
  if (server == NULL) return NULL;
  root = g_new0(Root, 1);
  *root = (Root){.display = display, .picture = picture, .covered = covered, .user = user, .server = server};
  root->window = DefaultRootWindow(server);
  XSetCloseDownMode(server, RetainPermanent);
  XSetIOErrorHandler(connection_lost);
  g_signal_connect(screen, "size-changed", G_CALLBACK(screen_changed), root);
  g_signal_connect(screen, "monitors-changed", G_CALLBACK(screen_changed), root);
  gdk_window_set_events(window, gdk_window_get_events(window) | GDK_PROPERTY_CHANGE_MASK);
  gdk_window_add_filter(NULL, filter, root);
  look_at_active_window(root);
  return root;
}

void root_show(Root *root, const GdkRectangle *changed) {
  if (root->pixmap == None) make_background(root);
  else draw_monitors(root, changed);
}

void root_free(Root *root) {
  gdk_window_remove_filter(NULL, filter, root);
  g_signal_handlers_disconnect_by_data(gdk_display_get_default_screen(root->display), root);
  if (root->surface != NULL) cairo_surface_destroy(root->surface);
  /* Without a picture there is nothing to keep. */
  if (root->pixmap == None) XSetCloseDownMode(root->server, DestroyAll);
  XCloseDisplay(root->server);
  g_free(root->monitors);
  g_free(root);
}
