/* memfd_create */
#define _GNU_SOURCE
#include "wallpaper.h"

#include <gdk/gdkwayland.h>
#include <gtk-layer-shell/gtk-layer-shell.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* One is shown, one is drawn; a compositor may hold a third for a moment. */
#define BUFFERS 3

struct Layers {
  GdkDisplay *display;
  struct wl_shm *memory;
  const Pixels *picture;
  void (*drawn)(void *user);
  void *user;
  /* Of Layer, one a monitor; empty before the first picture. */
  GPtrArray *all;
  gboolean is_shown;
};

/* Memory that the compositor reads. */
typedef struct Buffer {
  struct wl_buffer *buffer;
  cairo_surface_t *surface;
  void *bytes;
  size_t size;
  int width;
  int height;
  gboolean is_busy;
  /* Where the picture has changed since it was drawn here. */
  cairo_region_t *stale;
} Buffer;

/*
 * GTK has a window for each monitor and draws its first picture, and those after a change of its size. The others go to
 * the compositor in buffers of its own: GTK would take new memory for each, and copy all that has not changed.
 */
typedef struct Layer {
  Layers *layers;
  GdkMonitor *monitor;
  /* NULL once the compositor has closed it. */
  GtkWidget *window;
  /* GTK has drawn it: the compositor has said which size it has. */
  gboolean is_drawn;
  /* Comes when the compositor wants another frame. */
  struct wl_callback *frame;
  Buffer buffers[BUFFERS];
  /* Where the picture has changed since the compositor was given one. */
  cairo_region_t *damage;
} Layer;

static void paint(Layer *layer);

/* ---- Buffers ---- */

static void buffer_released(void *data, struct wl_buffer *released) {
  Buffer *buffer = data;
  (void)released;
  buffer->is_busy = FALSE;
}

static void free_buffer(Buffer *buffer) {
  if (buffer->buffer == NULL) return;
  wl_buffer_destroy(buffer->buffer);
  cairo_surface_destroy(buffer->surface);
  cairo_region_destroy(buffer->stale);
  munmap(buffer->bytes, buffer->size);
  memset(buffer, 0, sizeof *buffer);
}

static gboolean make_buffer(Layers *layers, Buffer *buffer, int width, int height) {
  static const struct wl_buffer_listener listener = {.release = buffer_released};
  int stride = cairo_format_stride_for_width(CAIRO_FORMAT_RGB24, width);
  size_t size = (size_t)stride * (size_t)height;
  int file = memfd_create("wallpaper", MFD_CLOEXEC);
  void *bytes = MAP_FAILED;
  struct wl_shm_pool *pool;
  if (file >= 0 && size <= G_MAXINT32 && ftruncate(file, (off_t)size) == 0) {
    bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  if (bytes != MAP_FAILED) {
    pool = wl_shm_create_pool(layers->memory, file, (int32_t)size);
    buffer->buffer = wl_shm_pool_create_buffer(pool, 0, width, height, stride, WL_SHM_FORMAT_XRGB8888);
    wl_shm_pool_destroy(pool);
    wl_buffer_add_listener(buffer->buffer, &listener, buffer);
    buffer->surface = cairo_image_surface_create_for_data(bytes, CAIRO_FORMAT_RGB24, width, height, stride);
    buffer->stale = cairo_region_create_rectangle(&(GdkRectangle){0, 0, width, height});
    buffer->bytes = bytes;
    buffer->size = size;
    buffer->width = width;
    buffer->height = height;
  }
  if (file >= 0) close(file);
  return bytes != MAP_FAILED;
}

/* One of this size that the compositor does not read; NULL if there is none now. */
static Buffer *free_one(Layer *layer, int width, int height) {
  int i;
  for (i = 0; i < BUFFERS; i++) {
    Buffer *buffer = &layer->buffers[i];
    if (buffer->is_busy) continue;
    if (buffer->width != width || buffer->height != height) free_buffer(buffer);
    if (buffer->buffer != NULL || make_buffer(layer->layers, buffer, width, height)) return buffer;
  }
  return NULL;
}

/* ---- Drawing ---- */

/* The size of a layer in the monitor's pixels. */
static void pixel_size(const Layer *layer, int *width, int *height) {
  int scale = gtk_widget_get_scale_factor(layer->window);
  *width = gtk_widget_get_allocated_width(layer->window) * scale;
  *height = gtk_widget_get_allocated_height(layer->window) * scale;
}

static void frame_done(void *data, struct wl_callback *frame, uint32_t time) {
  Layer *layer = data;
  (void)time;
  wl_callback_destroy(frame);
  layer->frame = NULL;
  layer->layers->drawn(layer->layers->user);
  paint(layer);
}

/* Gives the compositor what has changed, unless it is yet to ask for a frame. */
static void paint(Layer *layer) {
  static const struct wl_callback_listener listener = {.done = frame_done};
  GdkWindow *window = layer->window != NULL ? gtk_widget_get_window(layer->window) : NULL;
  struct wl_surface *surface;
  Buffer *buffer;
  cairo_t *cairo;
  int width, height, i;
  if (window == NULL || layer->frame != NULL || cairo_region_is_empty(layer->damage)) return;
  pixel_size(layer, &width, &height);
  surface = gdk_wayland_window_get_wl_surface(window);
  buffer = surface != NULL ? free_one(layer, width, height) : NULL;
  if (buffer == NULL) return;
  cairo = cairo_create(buffer->surface);
  for (i = 0; i < cairo_region_num_rectangles(buffer->stale); i++) {
    GdkRectangle part;
    cairo_region_get_rectangle(buffer->stale, i, &part);
    cairo_rectangle(cairo, part.x, part.y, part.width, part.height);
  }
  cairo_clip(cairo);
  pixels_draw(layer->layers->picture, cairo, width, height);
  cairo_destroy(cairo);
  cairo_surface_flush(buffer->surface);
  cairo_region_subtract(buffer->stale, buffer->stale);
  wl_surface_attach(surface, buffer->buffer, 0, 0);
  buffer->is_busy = TRUE;
  for (i = 0; i < cairo_region_num_rectangles(layer->damage); i++) {
    GdkRectangle part;
    cairo_region_get_rectangle(layer->damage, i, &part);
    if (wl_surface_get_version(surface) >= WL_SURFACE_DAMAGE_BUFFER_SINCE_VERSION) {
      wl_surface_damage_buffer(surface, part.x, part.y, part.width, part.height);
    } else {
      wl_surface_damage(surface, 0, 0, width, height);
    }
  }
  cairo_region_subtract(layer->damage, layer->damage);
  layer->frame = wl_surface_frame(surface);
  wl_callback_add_listener(layer->frame, &listener, layer);
  wl_surface_commit(surface);
}

static gboolean draw(GtkWidget *window, cairo_t *cairo, gpointer data) {
  Layer *layer = data;
  int scale = gtk_widget_get_scale_factor(window);
  int width, height;
  pixel_size(layer, &width, &height);
  cairo_scale(cairo, 1.0 / scale, 1.0 / scale);
  pixels_draw(layer->layers->picture, cairo, width, height);
  /* The compositor is given GTK's buffer now, and the next one of those here has another picture. */
  cairo_region_union_rectangle(layer->damage, &(GdkRectangle){0, 0, width, height});
  layer->is_drawn = TRUE;
  layer->layers->drawn(layer->layers->user);
  return TRUE;
}

/* The compositor need not draw what is behind it. */
static void set_opaque(GtkWidget *window, GdkRectangle *allocation, gpointer data) {
  GdkWindow *surface = gtk_widget_get_window(window);
  cairo_region_t *region;
  (void)data;
  if (surface == NULL) return;
  region = cairo_region_create_rectangle(&(GdkRectangle){0, 0, allocation->width, allocation->height});
  gdk_window_set_opaque_region(surface, region);
  cairo_region_destroy(region);
}

static void free_layer(gpointer data) {
  Layer *layer = data;
  int i;
  if (layer->frame != NULL) wl_callback_destroy(layer->frame);
  if (layer->window != NULL) gtk_widget_destroy(layer->window);
  for (i = 0; i < BUFFERS; i++) free_buffer(&layer->buffers[i]);
  cairo_region_destroy(layer->damage);
  g_object_unref(layer->monitor);
  g_free(layer);
}

static void add_monitor(Layers *layers, GdkMonitor *monitor) {
  Layer *layer = g_new0(Layer, 1);
  cairo_region_t *nothing = cairo_region_create();
  GtkWindow *window;
  int edge;
  layer->layers = layers;
  layer->monitor = g_object_ref(monitor);
  layer->damage = cairo_region_create();
  layer->window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
  window = GTK_WINDOW(layer->window);
  gtk_layer_init_for_window(window);
  gtk_layer_set_namespace(window, "wallpaper");
  gtk_layer_set_layer(window, GTK_LAYER_SHELL_LAYER_BACKGROUND);
  gtk_layer_set_monitor(window, monitor);
  for (edge = 0; edge < GTK_LAYER_SHELL_EDGE_ENTRY_NUMBER; edge++) gtk_layer_set_anchor(window, edge, TRUE);
  gtk_layer_set_exclusive_zone(window, -1);
  gtk_layer_set_keyboard_mode(window, GTK_LAYER_SHELL_KEYBOARD_MODE_NONE);
  gtk_widget_set_app_paintable(layer->window, TRUE);
  gtk_widget_input_shape_combine_region(layer->window, nothing);
  g_signal_connect(window, "draw", G_CALLBACK(draw), layer);
  g_signal_connect(window, "size-allocate", G_CALLBACK(set_opaque), NULL);
  g_signal_connect(window, "destroy", G_CALLBACK(gtk_widget_destroyed), &layer->window);
  g_ptr_array_add(layers->all, layer);
  gtk_widget_show(layer->window);
  cairo_region_destroy(nothing);
}

static void monitor_added(GdkDisplay *display, GdkMonitor *monitor, gpointer data) {
  Layers *layers = data;
  (void)display;
  if (layers->is_shown) add_monitor(layers, monitor);
}

static void monitor_removed(GdkDisplay *display, GdkMonitor *monitor, gpointer data) {
  Layers *layers = data;
  guint i;
  (void)display;
  for (i = layers->all->len; i-- > 0;) {
    Layer *layer = layers->all->pdata[i];
    if (layer->monitor == monitor) g_ptr_array_remove_index(layers->all, i);
  }
}

static void global_found(
  void *data, struct wl_registry *registry, uint32_t name, const char *interface, uint32_t version) {
  Layers *layers = data;
  (void)version;
  if (strcmp(interface, wl_shm_interface.name) == 0) {
    layers->memory = wl_registry_bind(registry, name, &wl_shm_interface, 1);
  }
}

static void global_removed(void *data, struct wl_registry *registry, uint32_t name) {
  (void)data, (void)registry, (void)name;
}

Layers *layers_new(GdkDisplay *display, const Pixels *picture, void (*drawn)(void *user), void *user) {
  static const struct wl_registry_listener listener = {.global = global_found, .global_remove = global_removed};
  struct wl_display *server = gdk_wayland_display_get_wl_display(display);
  struct wl_registry *registry = wl_display_get_registry(server);
  Layers *layers = g_new0(Layers, 1);
  *layers = (Layers){.display = display, .picture = picture, .drawn = drawn, .user = user};
  wl_registry_add_listener(registry, &listener, layers);
  wl_display_roundtrip(server);
  wl_registry_destroy(registry);
  layers->all = g_ptr_array_new_with_free_func(free_layer);
  g_signal_connect(display, "monitor-added", G_CALLBACK(monitor_added), layers);
  g_signal_connect(display, "monitor-removed", G_CALLBACK(monitor_removed), layers);
  return layers;
}

static void change(Layer *layer, const GdkRectangle *changed) {
  int width, height, i;
  GdkRectangle damage;
  if (layer->window == NULL) return;
  pixel_size(layer, &width, &height);
  if (!pixels_damage(layer->layers->picture, changed, width, height, &damage)) return;
  cairo_region_union_rectangle(layer->damage, &damage);
  for (i = 0; i < BUFFERS; i++) {
    if (layer->buffers[i].buffer != NULL) cairo_region_union_rectangle(layer->buffers[i].stale, &damage);
  }
  if (layer->is_drawn) paint(layer);
}

void layers_show(Layers *layers, const GdkRectangle *changed) {
  int i;
  if (layers->is_shown) {
    for (i = 0; i < (int)layers->all->len; i++) change(layers->all->pdata[i], changed);
    return;
  }
  layers->is_shown = TRUE;
  for (i = 0; i < gdk_display_get_n_monitors(layers->display); i++) {
    add_monitor(layers, gdk_display_get_monitor(layers->display, i));
  }
}

void layers_free(Layers *layers) {
  g_signal_handlers_disconnect_by_data(layers->display, layers);
  g_ptr_array_unref(layers->all);
  if (layers->memory != NULL) wl_shm_destroy(layers->memory);
  g_free(layers);
}
