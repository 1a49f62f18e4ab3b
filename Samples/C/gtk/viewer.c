/* Shows GIFs side by side; a click pauses one or lets it go on:  viewer FILE.gif ...
 *
 *     cc viewer.c gallop-paintable.c $(pkg-config --cflags --libs gallop gtk4) -o viewer
 */
#include "gallop-paintable.h"

#include <gtk/gtk.h>

static void clicked(GtkGestureClick *click, int presses, double x, double y, gpointer data) {
  gallop_player *player = gallop_paintable_get_player(data);
  gallop_player_info info = {.struct_size = sizeof info};
  (void)click, (void)presses, (void)x, (void)y;
  if (gallop_player_get_info(player, &info) != GALLOP_OK) return;
  if (info.state == GALLOP_STATE_PLAYING) gallop_player_pause(player);
  else gallop_player_play(player);
}

static GtkWidget *make_picture(const char *path) {
  GError *error = NULL;
  GallopPaintable *paintable = gallop_paintable_new_for_path(path, &error);
  GtkWidget *picture;
  GtkGesture *click;
  if (paintable == NULL) {
    /* In its own cell, in lines: a long sentence must not take the room of the other pictures. */
    GtkWidget *label = gtk_label_new(error->message);
    gtk_label_set_wrap(GTK_LABEL(label), TRUE);
    gtk_label_set_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
    gtk_label_set_max_width_chars(GTK_LABEL(label), 24);
    gtk_widget_set_hexpand(label, TRUE);
    g_printerr("viewer: %s\n", error->message);
    g_error_free(error);
    return label;
  }
  picture = gtk_picture_new_for_paintable(GDK_PAINTABLE(paintable));
  click = gtk_gesture_click_new();
  g_signal_connect(click, "pressed", G_CALLBACK(clicked), paintable);
  gtk_widget_add_controller(picture, GTK_EVENT_CONTROLLER(click));
  gtk_widget_set_hexpand(picture, TRUE);
  gtk_widget_set_vexpand(picture, TRUE);
  /* The picture holds it from here on. */
  g_object_unref(paintable);
  return picture;
}

static void open_files(GtkApplication *application, GFile **files, int count, const char *hint, gpointer data) {
  GtkWidget *window = gtk_application_window_new(application);
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
  int i;
  (void)hint, (void)data;
  for (i = 0; i < count; i++) {
    char *path = g_file_get_path(files[i]);
    if (path != NULL) gtk_box_append(GTK_BOX(box), make_picture(path));
    g_free(path);
  }
  gtk_window_set_title(GTK_WINDOW(window), "Gallop");
  gtk_window_set_default_size(GTK_WINDOW(window), 720, 300);
  gtk_window_set_child(GTK_WINDOW(window), box);
  gtk_window_present(GTK_WINDOW(window));
}

int main(int argc, char **argv) {
  GtkApplication *application = gtk_application_new(NULL, G_APPLICATION_HANDLES_OPEN | G_APPLICATION_NON_UNIQUE);
  int status;
  if (argc < 2) return g_printerr("usage: viewer FILE.gif ...\n"), 64;
  g_signal_connect(application, "open", G_CALLBACK(open_files), NULL);
  status = g_application_run(G_APPLICATION(application), argc, argv);
  g_object_unref(application);
  return status;
}
