/* What the parts of the program share. Everything but opening.c's thread runs on the main thread. */
#ifndef WALLPAPER_H
#define WALLPAPER_H

#define G_LOG_DOMAIN "wallpaper"

#include <gallop.h>
#include <gtk/gtk.h>

/* ---- pixels.c: the pixels ---- */

/* As object-fit in CSS. */
typedef enum Fit { FIT_COVER, FIT_CONTAIN, FIT_STRETCH } Fit;

typedef struct Pixels {
  /* The frame over the background, in its own size; NULL before the first one. */
  cairo_surface_t *surface;
  int width;
  int height;
  Fit fit;
  /* 0xRRGGBB */
  guint32 background;
} Pixels;

/* Takes the changed part of a frame. TRUE if the size is another one than before, and so all of the frame was taken. */
gboolean pixels_take(Pixels *picture, const gallop_frame_view *view, const GdkRectangle *changed);
/* Draws on a screen of this size, as far as the clip goes. */
void pixels_draw(const Pixels *picture, cairo_t *cairo, int width, int height);
/* What a change of the picture changes on a screen of this size; NULL for all of it. FALSE if that is nothing. */
gboolean pixels_damage(
  const Pixels *picture, const GdkRectangle *changed, int width, int height, GdkRectangle *damage);

/* ---- layers.c: Wayland, one surface a monitor ---- */

typedef struct Layers Layers;

/* `drawn` is called after a monitor has been drawn. Surfaces are made when there is a picture. */
Layers *layers_new(GdkDisplay *display, const Pixels *picture, void (*drawn)(void *user), void *user);
void layers_show(Layers *layers, const GdkRectangle *changed);
void layers_free(Layers *layers);

/* ---- root.c: the background of an X11 session ---- */

typedef struct Root Root;

/* `covered` is called when the active window becomes fullscreen, and when it no longer is. NULL without a server. */
Root *root_new(
  GdkDisplay *display, const Pixels *picture, void (*covered)(gboolean is_covered, void *user), void *user);
void root_show(Root *root, const GdkRectangle *changed);
/* The background stays. */
void root_free(Root *root);

/* ---- opening.c: files, on a thread ---- */

/* Exactly one of both is NULL. The image belongs to the receiver. */
typedef void (*OpenedCallback)(gallop_image *image, const char *fault, void *user);
/* The first frame of a large file, before the rest has been read. It belongs to the receiver. */
typedef void (*FirstFrameCallback)(gallop_frame *frame, void *user);

/* `first` may be NULL. */
void opening_begin(const char *path, FirstFrameCallback first, OpenedCallback opened, void *user);

/* ---- control.c: commands on a socket ---- */

typedef struct Control Control;
typedef struct Caller Caller;

/* Answers each command once with control_answer, at once or later. */
typedef void (*CommandCallback)(Caller *caller, const char *line, void *user);

/* NULL with *fault, to be freed. */
Control *control_new(const char *path, CommandCallback command, void *user, char **fault);
/* `fault` NULL: ok. */
void control_answer(Caller *caller, const char *fault);
/* Removes the socket's file. */
void control_free(Control *control);

/* ---- power.c: UPower ---- */

/* Calls `changed` when the machine goes on battery, and when it no longer is; never where there is no UPower. */
void power_watch(void (*changed)(gboolean is_on_battery, void *user), void *user);

/* ---- playing.c: the player, its files, and why it rests ---- */

/* Why it rests. It plays when no reason is left. */
enum {
  REASON_USER = 1,
  REASON_BATTERY = 2,
  REASON_COVERED = 4,
  REASON_FULLSCREEN = 8,
  /* These hold the frame; during the others time goes on, and nothing is decoded. */
  PAUSES = REASON_USER | REASON_BATTERY
};

typedef struct Playing {
  /* What is shown, and what shows it: `changed` NULL for all of it. */
  Pixels picture;
  void (*show)(const GdkRectangle *changed);
  /* A file is open, or with a fault none is. */
  void (*opened)(const char *fault);
  /* What `next` goes round. */
  char **files;
  int file_count;
  /* The rest is 0 at the start. */
  guint reasons;
  gallop_budget *budget;
  /* NULL before the first file is open. */
  gallop_player *player;
  /* Watches the descriptor of the player's events. */
  guint watch;
  /* The next frame is the first of its player: all of it is new. */
  gboolean is_new;
  /* The file that is being opened or shown. */
  char *path;
  gboolean is_opening;
  /* It is files[position], and `failures` files before it could not be opened; or it was asked for by its path. */
  gboolean is_listed;
  int position;
  int failures;
} Playing;

/* Opens the first file that can be opened. FALSE without memory. */
gboolean playing_start(Playing *playing);
/* The next file that can be opened; not while another one is being opened. */
void playing_next(Playing *playing);
void playing_file(Playing *playing, const char *path);
/* Adds or takes away a reason to rest. */
void playing_rest(Playing *playing, guint reason, gboolean holds);
/* Starts over, if it has come to its end and may play. */
void playing_repeat(Playing *playing);
void playing_stop(Playing *playing);

/* ---- wallpaper.c ---- */

/* Text in which nothing moves a terminal's cursor or hides what follows; to be freed. */
char *printable(const char *text);
/* One line on standard error. */
void report(const char *format, ...) G_GNUC_PRINTF(1, 2);
/* Ends the program where nothing can go on: it reports why, and removes the socket's file. */
void give_up(const char *reason) G_GNUC_NORETURN;

#endif
