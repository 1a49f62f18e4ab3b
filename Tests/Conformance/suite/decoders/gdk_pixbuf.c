/* What gdk-pixbuf shows: its animation iterator, moved on by each frame's own delay. */
#define GDK_PIXBUF_ENABLE_BACKEND
#include <gdk-pixbuf/gdk-pixbuf.h>
#include <stdlib.h>

#include "answer.h"

#define MOST_FRAMES 64

static void show(GdkPixbuf *picture, long milliseconds) {
  int width = gdk_pixbuf_get_width(picture), height = gdk_pixbuf_get_height(picture);
  GdkPixbuf *whole = gdk_pixbuf_get_has_alpha(picture) ? g_object_ref(picture) : gdk_pixbuf_add_alpha(picture, FALSE, 0, 0, 0);
  uint8_t *rgba = malloc((size_t)width * height * 4);
  for (int y = 0; y < height; y++)
    memcpy(rgba + (size_t)y * width * 4, gdk_pixbuf_read_pixels(whole) + (size_t)y * gdk_pixbuf_get_rowstride(whole), (size_t)width * 4);
  answer_frame(milliseconds, rgba, (size_t)width * height);
  free(rgba);
  g_object_unref(whole);
}

static void decode(const char *path) {
  GError *error = NULL;
  GdkPixbufAnimation *animation = gdk_pixbuf_animation_new_from_file(path, &error);
  if (!animation) {
    answer_error(error->message);
    g_error_free(error);
    return;
  }
  answer_size(gdk_pixbuf_animation_get_width(animation), gdk_pixbuf_animation_get_height(animation));
  if (gdk_pixbuf_animation_is_static_image(animation)) {
    show(gdk_pixbuf_animation_get_static_image(animation), -1);
  } else {
    GTimeVal now = {1000, 0};
    G_GNUC_BEGIN_IGNORE_DEPRECATIONS
    GdkPixbufAnimationIter *place = gdk_pixbuf_animation_get_iter(animation, &now);
    for (int index = 0; index < MOST_FRAMES; index++) {
      int delay = gdk_pixbuf_animation_iter_get_delay_time(place);
      show(gdk_pixbuf_animation_iter_get_pixbuf(place), delay);
      /* True for the last frame of the file, whether or not it still loads. */
      if (delay < 0 || gdk_pixbuf_animation_iter_on_currently_loading_frame(place)) break;
      g_time_val_add(&now, delay * 1000L);
      gdk_pixbuf_animation_iter_advance(place, &now);
    }
    G_GNUC_END_IGNORE_DEPRECATIONS
    g_object_unref(place);
  }
  g_object_unref(animation);
}

/* The loader prints what it finds wrong, amid the answers. */
static void ignore(const gchar *text) { (void)text; }

int main(int count, char **paths) {
  g_set_print_handler(ignore);
  for (int place = 1; place < count; place++) {
    answer_file(paths[place]);
    decode(paths[place]);
  }
  return 0;
}
