#include "gallop-paintable.h"

#include <gio/gio.h>
#include <glib-unix.h>

struct _GallopPaintable {
  GObject parent_instance;
  gallop_player *player;
  gallop_image_info info;
  /* The frame shown; NULL before the first one. */
  GdkTexture *texture;
  /* Watches the descriptor of the player's events. */
  guint watch;
};

static void release_frame(gpointer frame) { gallop_frame_release(frame); }

/* Takes the events that wait. The texture has the frame's own memory, without a copy. */
static gboolean take_events(int fd, GIOCondition condition, gpointer data) {
  GallopPaintable *self = data;
  gallop_event event = {.struct_size = sizeof event};
  gallop_frame_view view = {.struct_size = sizeof view};
  gallop_frame *frame;
  (void)fd;
  (void)condition;
  while (gallop_player_next_event(self->player, &event, NULL) == GALLOP_OK) continue;
  if (gallop_player_frame(self->player, &frame, &view) != GALLOP_OK) return G_SOURCE_CONTINUE;
  GBytes *bytes = g_bytes_new_with_free_func(view.pixels, view.size, release_frame, frame);
  g_clear_object(&self->texture);
  self->texture = gdk_memory_texture_new((int)view.width, (int)view.height, GDK_MEMORY_R8G8B8A8, bytes, view.stride);
  g_bytes_unref(bytes);
  gdk_paintable_invalidate_contents(GDK_PAINTABLE(self));
  return G_SOURCE_CONTINUE;
}

static void snapshot(GdkPaintable *paintable, GdkSnapshot *snapshot, double width, double height) {
  GallopPaintable *self = GALLOP_PAINTABLE(paintable);
  if (self->texture != NULL) gdk_paintable_snapshot(GDK_PAINTABLE(self->texture), snapshot, width, height);
}

static GdkPaintable *get_current_image(GdkPaintable *paintable) {
  GallopPaintable *self = GALLOP_PAINTABLE(paintable);
  if (self->texture != NULL) return g_object_ref(GDK_PAINTABLE(self->texture));
  return gdk_paintable_new_empty((int)self->info.width, (int)self->info.height);
}

static GdkPaintableFlags get_flags(GdkPaintable *paintable) {
  (void)paintable;
  return GDK_PAINTABLE_STATIC_SIZE;
}

static int get_intrinsic_width(GdkPaintable *paintable) { return (int)GALLOP_PAINTABLE(paintable)->info.width; }

static int get_intrinsic_height(GdkPaintable *paintable) { return (int)GALLOP_PAINTABLE(paintable)->info.height; }

static void paintable_init(GdkPaintableInterface *interface) {
  interface->snapshot = snapshot;
  interface->get_current_image = get_current_image;
  interface->get_flags = get_flags;
  interface->get_intrinsic_width = get_intrinsic_width;
  interface->get_intrinsic_height = get_intrinsic_height;
}

G_DEFINE_TYPE_WITH_CODE(GallopPaintable, gallop_paintable, G_TYPE_OBJECT,
                        G_IMPLEMENT_INTERFACE(GDK_TYPE_PAINTABLE, paintable_init))

static void dispose(GObject *object) {
  GallopPaintable *self = GALLOP_PAINTABLE(object);
  /* The watch first: its descriptor is closed with the player. */
  g_clear_handle_id(&self->watch, g_source_remove);
  if (self->player != NULL) gallop_player_release(self->player);
  self->player = NULL;
  g_clear_object(&self->texture);
  G_OBJECT_CLASS(gallop_paintable_parent_class)->dispose(object);
}

static void gallop_paintable_class_init(GallopPaintableClass *class) { G_OBJECT_CLASS(class)->dispose = dispose; }

static void gallop_paintable_init(GallopPaintable *self) { (void)self; }

GallopPaintable *gallop_paintable_new_for_path(const char *path, GError **error) {
  GallopPaintable *self = g_object_new(GALLOP_TYPE_PAINTABLE, NULL);
  gallop_image *image = NULL;
  int fd;
  self->info.struct_size = sizeof self->info;
  if (gallop_image_open(path, NULL, &image) == GALLOP_OK && gallop_image_get_info(image, &self->info) == GALLOP_OK &&
      gallop_player_new(image, NULL, &self->player) == GALLOP_OK &&
      gallop_player_event_fd(self->player, &fd) == GALLOP_OK) {
    gallop_image_release(image);
    self->watch = g_unix_fd_add(fd, G_IO_IN, take_events, self);
    gallop_player_play(self->player);
    return self;
  }
  g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_FAILED, gallop_last_message());
  if (image != NULL) gallop_image_release(image);
  g_object_unref(self);
  return NULL;
}

gallop_player *gallop_paintable_get_player(GallopPaintable *self) { return self->player; }
