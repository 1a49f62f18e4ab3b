/* A GdkPaintable that plays a GIF: for GtkPicture, GtkImage, and whatever else draws paintables. */
#ifndef GALLOP_PAINTABLE_H
#define GALLOP_PAINTABLE_H

#include <gallop.h>
#include <gdk/gdk.h>

G_BEGIN_DECLS

#define GALLOP_TYPE_PAINTABLE (gallop_paintable_get_type())
G_DECLARE_FINAL_TYPE(GallopPaintable, gallop_paintable, GALLOP, PAINTABLE, GObject)

/* Opens a GIF and plays it; NULL with `error` where that cannot be done. Used on the main thread. */
GallopPaintable *gallop_paintable_new_for_path(const char *path, GError **error);

/* The player, for its commands; it belongs to the paintable. */
gallop_player *gallop_paintable_get_player(GallopPaintable *self);

G_END_DECLS

#endif
