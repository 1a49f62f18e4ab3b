#include "wallpaper.h"

#include <glib-unix.h>
#include <string.h>

/* Bytes of frames that are kept; one frame that plays is there in any case. */
#define BUDGET (16 << 20)

/* ---- Playing and resting ---- */

static gboolean is_finished(const Playing *playing) {
  gallop_player_info info = {.struct_size = sizeof info};
  return gallop_player_get_info(playing->player, &info) == GALLOP_OK && info.state == GALLOP_STATE_FINISHED;
}

static int32_t visibility(const Playing *playing) {
  return playing->reasons & ~(guint)PAUSES ? GALLOP_HIDDEN : GALLOP_VISIBLE;
}

void playing_rest(Playing *playing, guint reason, gboolean holds) {
  guint before = playing->reasons;
  playing->reasons = holds ? before | reason : before & ~reason;
  if (playing->reasons == before) return;
  g_debug("reasons to rest: %u", playing->reasons);
  if (playing->player == NULL) return;
  gallop_player_set_visibility(playing->player, visibility(playing));
  /* The last picture of a GIF that has come to its end stays. */
  if (((playing->reasons ^ before) & PAUSES) == 0 || is_finished(playing)) return;
  if (!(playing->reasons & PAUSES)) gallop_player_play(playing->player);
  else if (!(before & PAUSES)) gallop_player_pause(playing->player);
}

void playing_repeat(Playing *playing) {
  if (playing->player == NULL || playing->reasons & PAUSES || !is_finished(playing)) return;
  gallop_player_play(playing->player);
}

static void report_file(const Playing *playing, const char *fault) {
  char *path = printable(playing->path);
  char *text = printable(fault);
  report("%s: %s", path, text);
  g_free(text);
  g_free(path);
}

/* ---- Frames ---- */

static void add_change(GdkRectangle *sum, const gallop_rect *rect) {
  GdkRectangle changed = {rect->x, rect->y, rect->width, rect->height};
  if (changed.width <= 0 || changed.height <= 0) return;
  if (sum->width == 0) *sum = changed;
  else gdk_rectangle_union(sum, &changed, sum);
}

static void show_frame(Playing *playing, gallop_frame *frame, const GdkRectangle *changed) {
  gallop_frame_view view = {.struct_size = sizeof view};
  if (gallop_frame_get_view(frame, &view) != GALLOP_OK) return;
  if (pixels_take(&playing->picture, &view, changed)) changed = NULL;
  if (playing->picture.surface != NULL) playing->show(changed);
}

/* Takes the events that wait, and shows the newest frame with all that has changed up to it. */
static gboolean take_events(int fd, GIOCondition condition, gpointer data) {
  Playing *playing = data;
  gallop_event event = {.struct_size = sizeof event};
  gallop_frame *newest = NULL;
  gallop_frame *frame = NULL;
  GdkRectangle changed = {0, 0, 0, 0};
  (void)fd, (void)condition;
  while (gallop_player_next_event(playing->player, &event, &frame) == GALLOP_OK) {
    if (event.kind == GALLOP_EVENT_FAILED) report_file(playing, gallop_status_name(event.error));
    if (event.kind != GALLOP_EVENT_FRAME) continue;
    if (newest != NULL) gallop_frame_release(newest);
    newest = frame;
    add_change(&changed, &event.changed);
    if (event.dropped > 0) playing->is_new = TRUE;
  }
  if (newest == NULL) return G_SOURCE_CONTINUE;
  show_frame(playing, newest, playing->is_new ? NULL : &changed);
  playing->is_new = FALSE;
  gallop_frame_release(newest);
  return G_SOURCE_CONTINUE;
}

/* ---- Files ---- */

/* Shows the first frame of a large file while the rest is read. */
static void take_first_frame(gallop_frame *frame, void *user) {
  show_frame(user, frame, NULL);
  gallop_frame_release(frame);
}

static void release_player(Playing *playing) {
  /* The watch first: its descriptor is closed with the player. */
  g_clear_handle_id(&playing->watch, g_source_remove);
  if (playing->player != NULL) gallop_player_release(playing->player);
  playing->player = NULL;
}

/* Plays an image in place of the one before, whose picture stays until there is another. */
static gboolean play_image(Playing *playing, gallop_image *image) {
  gallop_player_options options = {.struct_size = sizeof options, .budget = playing->budget};
  gallop_player *player = NULL;
  int fd;
  options.visibility = visibility(playing);
  if (gallop_player_new(image, &options, &player) != GALLOP_OK) return FALSE;
  if (gallop_player_event_fd(player, &fd) != GALLOP_OK) {
    gallop_player_release(player);
    return FALSE;
  }
  release_player(playing);
  playing->player = player;
  playing->is_new = TRUE;
  playing->watch = g_unix_fd_add(fd, G_IO_IN, take_events, playing);
  if (playing->reasons & PAUSES) gallop_player_show_poster(player, -1);
  else gallop_player_play(player);
  return TRUE;
}

static void file_opened(gallop_image *image, const char *fault, void *user);

static void open_file(Playing *playing, const char *path) {
  FirstFrameCallback first = playing->picture.surface == NULL ? take_first_frame : NULL;
  g_free(playing->path);
  playing->path = g_strdup(path);
  playing->is_opening = TRUE;
  opening_begin(path, first, file_opened, playing);
}

static void open_listed(Playing *playing, int position) {
  playing->is_listed = TRUE;
  playing->position = position % playing->file_count;
  open_file(playing, playing->files[playing->position]);
}

static void file_opened(gallop_image *image, const char *fault, void *user) {
  Playing *playing = user;
  char *failure = g_strdup(fault);
  if (image != NULL) {
    if (!play_image(playing, image)) failure = g_strdup(gallop_last_message());
    gallop_image_release(image);
  }
  playing->is_opening = FALSE;
  if (failure != NULL) report_file(playing, failure);
  if (failure != NULL && playing->is_listed && ++playing->failures < playing->file_count) {
    open_listed(playing, playing->position + 1);
  } else {
    playing->failures = 0;
    playing->opened(failure);
  }
  g_free(failure);
}

gboolean playing_start(Playing *playing) {
  if (gallop_budget_new(BUDGET, &playing->budget) != GALLOP_OK) return FALSE;
  open_listed(playing, 0);
  return TRUE;
}

void playing_next(Playing *playing) { open_listed(playing, playing->position + 1); }

void playing_file(Playing *playing, const char *path) {
  playing->is_listed = FALSE;
  open_file(playing, path);
}

void playing_stop(Playing *playing) {
  release_player(playing);
  if (playing->picture.surface != NULL) cairo_surface_destroy(playing->picture.surface);
  if (playing->budget != NULL) gallop_budget_release(playing->budget);
  g_free(playing->path);
}
