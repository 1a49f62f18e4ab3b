#include "wallpaper.h"

#include <math.h>
#include <string.h>

/* Where the picture lies on a screen. */
typedef struct Placement {
  double x;
  double y;
  double scale_x;
  double scale_y;
} Placement;

static Placement place(const Pixels *picture, int width, int height) {
  Placement at = {.scale_x = (double)width / picture->width, .scale_y = (double)height / picture->height};
  if (picture->fit == FIT_COVER) at.scale_x = at.scale_y = MAX(at.scale_x, at.scale_y);
  if (picture->fit == FIT_CONTAIN) at.scale_x = at.scale_y = MIN(at.scale_x, at.scale_y);
  /* At whole pixels, so that a picture in its own size stays sharp. */
  at.x = round((width - picture->width * at.scale_x) / 2);
  at.y = round((height - picture->height * at.scale_y) / 2);
  return at;
}

static void take_row(guint32 *to, const guint8 *from, int count, guint32 background) {
  int i;
  for (i = 0; i < count; i++) {
    guint32 pixel;
    memcpy(&pixel, from + 4 * (size_t)i, 4);
    pixel = GUINT32_FROM_LE(pixel);
    /* What is transparent has no other alpha than 0. Shifts, and no swap of bytes: compilers do several at a time. */
    to[i] = pixel >> 24 == 0 ? background : 0xff000000u | (pixel & 0xff) << 16 | (pixel & 0xff00) | (pixel >> 16 & 0xff);
  }
}

gboolean pixels_take(Pixels *picture, const gallop_frame_view *view, const GdkRectangle *changed) {
  GdkRectangle part = {0, 0, (int)view->width, (int)view->height};
  gboolean is_new = picture->surface == NULL || picture->width != part.width || picture->height != part.height;
  guint8 *pixels;
  size_t stride;
  int y;
  if (is_new) {
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, part.width, part.height);
    if (cairo_surface_status(surface) != CAIRO_STATUS_SUCCESS) {
      report("no memory for %d x %d pixels", part.width, part.height);
      cairo_surface_destroy(surface);
      return FALSE;
    }
    if (picture->surface != NULL) cairo_surface_destroy(picture->surface);
    picture->surface = surface;
    picture->width = part.width;
    picture->height = part.height;
  } else if (changed != NULL && !gdk_rectangle_intersect(&part, changed, &part)) {
    return FALSE;
  }
  cairo_surface_flush(picture->surface);
  pixels = cairo_image_surface_get_data(picture->surface);
  stride = (size_t)cairo_image_surface_get_stride(picture->surface);
  for (y = part.y; y < part.y + part.height; y++) {
    guint32 *to = (guint32 *)(void *)(pixels + (size_t)y * stride) + part.x;
    const guint8 *from = view->pixels + (size_t)y * view->stride + 4 * (size_t)part.x;
    take_row(to, from, part.width, 0xff000000u | picture->background);
  }
  cairo_surface_mark_dirty_rectangle(picture->surface, part.x, part.y, part.width, part.height);
  return is_new;
}

void pixels_draw(const Pixels *picture, cairo_t *cairo, int width, int height) {
  guint32 color = picture->background;
  Placement at;
  cairo_set_operator(cairo, CAIRO_OPERATOR_SOURCE);
  if (picture->surface == NULL || picture->fit == FIT_CONTAIN) {
    cairo_set_source_rgb(cairo, (color >> 16) / 255.0, (color >> 8 & 255) / 255.0, (color & 255) / 255.0);
    cairo_paint(cairo);
  }
  if (picture->surface == NULL) return;
  at = place(picture, width, height);
  cairo_set_operator(cairo, CAIRO_OPERATOR_OVER);
  cairo_translate(cairo, at.x, at.y);
  cairo_scale(cairo, at.scale_x, at.scale_y);
  cairo_set_source_surface(cairo, picture->surface, 0, 0);
  /* Without a border that fades into what is beside the picture. */
  cairo_pattern_set_extend(cairo_get_source(cairo), CAIRO_EXTEND_PAD);
  if (at.scale_x == 1 && at.scale_y == 1) cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_NEAREST);
  if (picture->fit == FIT_CONTAIN) {
    cairo_rectangle(cairo, 0, 0, picture->width, picture->height);
    cairo_fill(cairo);
  } else {
    cairo_paint(cairo);
  }
}

gboolean pixels_damage(
  const Pixels *picture, const GdkRectangle *changed, int width, int height, GdkRectangle *damage) {
  GdkRectangle screen = {0, 0, width, height};
  GdkRectangle part;
  Placement at;
  double near_x, near_y;
  if (changed == NULL || picture->surface == NULL) {
    *damage = screen;
    return width > 0 && height > 0;
  }
  if (changed->width <= 0 || changed->height <= 0) return FALSE;
  at = place(picture, width, height);
  /* Scaling blends neighbours: a pixel of the picture, and two of the screen. */
  near_x = at.scale_x == 1 ? 0 : at.scale_x + 2;
  near_y = at.scale_y == 1 ? 0 : at.scale_y + 2;
  part.x = (int)floor(at.x + changed->x * at.scale_x - near_x);
  part.y = (int)floor(at.y + changed->y * at.scale_y - near_y);
  part.width = (int)ceil(at.x + (changed->x + changed->width) * at.scale_x + near_x) - part.x;
  part.height = (int)ceil(at.y + (changed->y + changed->height) * at.scale_y + near_y) - part.y;
  return gdk_rectangle_intersect(&screen, &part, damage);
}
