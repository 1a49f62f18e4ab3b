/* Plays GIFs as the background of the desktop:  wallpaper [--fit cover|contain|stretch] FILE.gif ...
 *
 * On Wayland with wlr-layer-shell (sway, Hyprland, KDE, ...) each monitor has a surface below all windows; on X11 it is
 * the background of the root window. All monitors show one player's frames, which are decoded once. It rests while
 * nobody sees it, while a window is fullscreen (X11), on battery, and on command: SIGUSR1, or lines on a socket, which
 * are `pause`, `play`, `next`, `file PATH` and `quit`, and are answered by `ok` or `error: REASON`.
 *
 *     make wallpaper
 */
#include "wallpaper.h"

#include <gdk/gdkwayland.h>
#include <gdk/gdkx.h>
#include <getopt.h>
#include <glib-unix.h>
#include <gtk-layer-shell/gtk-layer-shell.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Microseconds without a draw after which nobody sees the picture. */
#define UNSEEN G_USEC_PER_SEC
#define USAGE 64

static struct {
  GMainLoop *loop;
  int status;
  const char *socket_path;
  gboolean plays_on_battery;
  Playing playing;
  /* One of both. */
  Layers *layers;
  Root *root;
  /* Since when a frame has been queued that no monitor has drawn; 0 if none is. */
  gint64 waiting_since;
  Control *control;
  /* Waits for a file to be opened; NULL if nobody does. */
  Caller *asking;
} app;

char *printable(const char *text) {
  GString *result = g_string_new(NULL);
  const char *end = text + strlen(text);
  while (text < end) {
    gunichar character = g_utf8_get_char_validated(text, end - text);
    gboolean is_valid = character != (gunichar)-1 && character != (gunichar)-2;
    int length = is_valid ? g_utf8_next_char(text) - text : 1;
    if (is_valid && g_unichar_isprint(character)) {
      g_string_append_len(result, text, length);
    } else {
      int i;
      for (i = 0; i < length; i++) g_string_append_printf(result, "\\x%02x", (guint8)text[i]);
    }
    text += length;
  }
  return g_string_free(result, FALSE);
}

void report(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("wallpaper: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
}

void give_up(const char *reason) {
  report("%s", reason);
  if (app.socket_path != NULL && app.control != NULL) unlink(app.socket_path);
  _exit(1);
}

static void quit(int status) {
  app.status = status;
  g_main_loop_quit(app.loop);
}

/* ---- Showing ---- */

/* A monitor has been drawn, so somebody sees it. */
static void drawn(void *user) {
  (void)user;
  app.waiting_since = 0;
  playing_rest(&app.playing, REASON_COVERED, FALSE);
}

static void show(const GdkRectangle *changed) {
  gint64 now = g_get_monotonic_time();
  if (app.root != NULL) {
    root_show(app.root, changed);
    return;
  }
  layers_show(app.layers, changed);
  /* A compositor asks for no frame of a surface that is covered, and GTK then draws none. */
  if (app.waiting_since == 0) app.waiting_since = now;
  else if (now - app.waiting_since > UNSEEN) playing_rest(&app.playing, REASON_COVERED, TRUE);
}

static void battery_changed(gboolean is_on_battery, void *user) {
  (void)user;
  playing_rest(&app.playing, REASON_BATTERY, is_on_battery);
}

static void fullscreen_changed(gboolean is_covered, void *user) {
  (void)user;
  playing_rest(&app.playing, REASON_FULLSCREEN, is_covered);
}

static void opened(const char *fault) {
  Caller *asking = app.asking;
  app.asking = NULL;
  if (asking != NULL) control_answer(asking, fault);
  /* At the start, without any file to show. */
  if (fault != NULL && app.playing.player == NULL) quit(1);
}

/* ---- Commands ---- */

static gboolean toggle(gpointer data) {
  (void)data;
  playing_rest(&app.playing, REASON_USER, !(app.playing.reasons & REASON_USER));
  return G_SOURCE_CONTINUE;
}

static gboolean terminate(gpointer data) {
  (void)data;
  quit(0);
  return G_SOURCE_CONTINUE;
}

static void carry_out(Caller *caller, const char *line, void *user) {
  gboolean is_next = strcmp(line, "next") == 0;
  gboolean is_file = g_str_has_prefix(line, "file ") && line[5] != '\0';
  const char *fault = NULL;
  (void)user;
  if ((is_next || is_file) && !app.playing.is_opening) {
    app.asking = caller;
    if (is_next) playing_next(&app.playing);
    else playing_file(&app.playing, line + 5);
    return;
  }
  if (is_next || is_file) {
    fault = "another file is being opened";
  } else if (strcmp(line, "pause") == 0) {
    playing_rest(&app.playing, REASON_USER, TRUE);
  } else if (strcmp(line, "play") == 0) {
    playing_rest(&app.playing, REASON_USER, FALSE);
    playing_repeat(&app.playing);
  } else if (strcmp(line, "quit") == 0) {
    quit(0);
  } else {
    fault = "the commands are pause, play, next, file PATH and quit";
  }
  control_answer(caller, fault);
}

/* ---- The program ---- */

static int usage(FILE *file, int status) {
  fputs("usage: wallpaper [--fit cover|contain|stretch] [--background #RRGGBB] [--socket PATH]\n"
        "                 [--on-battery pause|play] FILE.gif ...\n", file);
  return status;
}

static gboolean read_color(const char *text, guint32 *color) {
  char *end;
  if (text[0] != '#' || strspn(text + 1, "0123456789abcdefABCDEF") != 6 || text[7] != '\0') return FALSE;
  *color = (guint32)g_ascii_strtoull(text + 1, &end, 16);
  return TRUE;
}

/* The place of a word in a list, or -1. */
static int place_of(const char *word, const char *const *words) {
  int i;
  for (i = 0; words[i] != NULL; i++) {
    if (strcmp(word, words[i]) == 0) return i;
  }
  return -1;
}

static gboolean read_option(int option, const char *value) {
  static const char *const fits[] = {"cover", "contain", "stretch", NULL};
  static const char *const habits[] = {"pause", "play", NULL};
  int place = 0;
  switch (option) {
    case 'f':
      place = place_of(value, fits);
      app.playing.picture.fit = (Fit)place;
      break;
    case 'b': return read_color(value, &app.playing.picture.background);
    case 's':
      app.socket_path = value;
      break;
    case 'o':
      place = place_of(value, habits);
      app.plays_on_battery = place == 1;
      break;
    default: return FALSE;
  }
  return place >= 0;
}

/* What draws: layers of Wayland, or the root window of X11. */
static gboolean find_screen(void) {
  GdkDisplay *display = gdk_display_get_default();
  if (GDK_IS_X11_DISPLAY(display)) {
    app.root = root_new(display, &app.playing.picture, fullscreen_changed, NULL);
    if (app.root == NULL) report("the X server takes no second connection");
    return app.root != NULL;
  }
  if (!GDK_IS_WAYLAND_DISPLAY(display) || !gtk_layer_is_supported()) {
    report("this desktop has no layer for a background (wlr-layer-shell)");
    return FALSE;
  }
  app.layers = layers_new(display, &app.playing.picture, drawn, NULL);
  return TRUE;
}

static gboolean start(void) {
  char *fault = NULL;
  /* Nothing here is to be read aloud, and the bridge takes time. Before the first thread, as it must be. */
  g_setenv("NO_AT_BRIDGE", "1", TRUE);
  app.loop = g_main_loop_new(NULL, FALSE);
  g_unix_signal_add(SIGTERM, terminate, NULL);
  g_unix_signal_add(SIGINT, terminate, NULL);
  g_unix_signal_add(SIGHUP, terminate, NULL);
  g_unix_signal_add(SIGUSR1, toggle, NULL);
  app.playing.show = show;
  app.playing.opened = opened;
  /* The file is read while GTK starts. */
  if (!playing_start(&app.playing)) {
    report("%s", gallop_last_message());
    return FALSE;
  }
  if (!gtk_init_check(NULL, NULL)) {
    report("there is no display");
    return FALSE;
  }
  if (!find_screen()) return FALSE;
  if (app.socket_path != NULL) {
    app.control = control_new(app.socket_path, carry_out, NULL, &fault);
    if (app.control == NULL) {
      char *path = printable(app.socket_path);
      report("%s: %s", path, fault);
      g_free(path);
      g_free(fault);
      return FALSE;
    }
  }
  if (!app.plays_on_battery) power_watch(battery_changed, NULL);
  return TRUE;
}

static void stop(void) {
  if (app.control != NULL) control_free(app.control);
  if (app.layers != NULL) layers_free(app.layers);
  if (app.root != NULL) root_free(app.root);
  playing_stop(&app.playing);
}

int main(int argc, char **argv) {
  static const struct option options[] = {
    {"fit", required_argument, NULL, 'f'},
    {"background", required_argument, NULL, 'b'},
    {"socket", required_argument, NULL, 's'},
    {"on-battery", required_argument, NULL, 'o'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
  };
  int option;
  while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
    if (option == 'h') return usage(stdout, 0);
    if (option == '?') return usage(stderr, USAGE);
    if (!read_option(option, optarg)) {
      char *value = printable(optarg);
      report("%s is no value of this option", value);
      g_free(value);
      return usage(stderr, USAGE);
    }
  }
  app.playing.files = argv + optind;
  app.playing.file_count = argc - optind;
  if (app.playing.file_count == 0) return usage(stderr, USAGE);
  if (start()) g_main_loop_run(app.loop);
  else app.status = 1;
  stop();
  return app.status;
}
