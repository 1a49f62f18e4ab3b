/*
 * Players on a manual clock, so that no test waits for real time: events by descriptor and by callback, commands,
 * groups, budgets, cancelling.
 *
 *     events FILE
 */
#define _GNU_SOURCE
#include "check.h"

#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <string.h>

/* A player on a clock of its own, with its events. */
struct stage {
  gallop_image *image;
  gallop_image_info info;
  gallop_clock *clock;
  gallop_player *player;
  int fd;
};

static void set_up(struct stage *stage, const char *path, gallop_player_options options) {
  memset(stage, 0, sizeof *stage);
  stage->info.struct_size = sizeof stage->info;
  CHECK_OK(gallop_image_open(path, NULL, &stage->image));
  CHECK_OK(gallop_image_get_info(stage->image, &stage->info));
  CHECK_OK(gallop_clock_new(GALLOP_CLOCK_MANUAL, &stage->clock));
  options.struct_size = sizeof options;
  options.clock = stage->clock;
  CHECK_OK(gallop_player_new(stage->image, &options, &stage->player));
  CHECK_OK(gallop_player_event_fd(stage->player, &stage->fd));
}

static void take_down(struct stage *stage) {
  CHECK_OK(gallop_player_release(stage->player));
  CHECK_OK(gallop_clock_release(stage->clock));
  CHECK_OK(gallop_image_release(stage->image));
  CHECK(gallop_handle_count() == 0);
}

static int is_readable(int fd, int timeout) {
  struct pollfd request = {fd, POLLIN, 0};
  return poll(&request, 1, timeout) == 1 && (request.revents & POLLIN) != 0;
}

/* Waits until an event of a kind comes, and takes those before it. */
static gallop_event await_event(const struct stage *stage, int kind, gallop_frame **frame) {
  gallop_event event = {.struct_size = sizeof event};
  gallop_frame *taken;
  for (;;) {
    while (!is_readable(stage->fd, -1)) continue;
    CHECK_OK(gallop_player_next_event(stage->player, &event, frame != NULL ? &taken : NULL));
    if (event.kind != kind) continue;
    if (frame != NULL) *frame = taken;
    return event;
  }
}

/* Each frame once, in order, with its own delay and pixels; the descriptor is readable exactly while events wait. */
static void plays_in_order(const char *path) {
  gallop_player_options options = {0};
  struct stage stage;
  gallop_event event;
  gallop_frame *frame, *expected;
  gallop_frame_view view = {.struct_size = sizeof view}, wanted = {.struct_size = sizeof wanted};
  gallop_decoder *decoder;
  gallop_frame_info info = {.struct_size = sizeof info};
  int64_t i, media = 0;
  options.late = GALLOP_LATE_WAIT;
  options.plays = 2;
  set_up(&stage, path, options);
  CHECK_OK(gallop_decoder_new(stage.image, NULL, &decoder));
  CHECK(!is_readable(stage.fd, 0));
  CHECK_OK(gallop_player_play(stage.player));
  for (i = 0; i < 2 * stage.info.frame_count; i++) {
    int64_t index = i % stage.info.frame_count;
    event = await_event(&stage, GALLOP_EVENT_FRAME, &frame);
    CHECK(event.frame_index == index && event.frame_count == stage.info.frame_count && event.dropped == 0);
    CHECK(event.loop == i / stage.info.frame_count && event.media_ns == media && event.skipped_frames == 0);
    CHECK(event.cause == (i > 0 && index == 0 ? GALLOP_CAUSE_LOOP : GALLOP_CAUSE_PLAY));
    CHECK_OK(gallop_image_get_frame(stage.image, index, &info));
    CHECK_OK(gallop_frame_get_view(frame, &view));
    CHECK_OK(gallop_decoder_frame(decoder, index, &expected, &wanted));
    CHECK(view.size == wanted.size && memcmp(view.pixels, wanted.pixels, view.size) == 0);
    CHECK(view.delay_ms == info.delay_ms && view.index == index);
    CHECK(memcmp(&event.changed, &info.changed, sizeof info.changed) == 0);
    CHECK_OK(gallop_frame_release(expected));
    CHECK_OK(gallop_frame_release(frame));
    media += info.delay_ms * 1000000;
    CHECK_OK(gallop_clock_advance(stage.clock, info.delay_ms * 1000000));
  }
  await_event(&stage, GALLOP_EVENT_FINISHED, NULL);
  event = await_event(&stage, GALLOP_EVENT_STATE, NULL);
  CHECK(event.state == GALLOP_STATE_FINISHED);
  CHECK(!is_readable(stage.fd, 0));
  event.struct_size = sizeof event;
  CHECK_STATUS(gallop_player_next_event(stage.player, &event, NULL), GALLOP_AGAIN);
  CHECK_OK(gallop_decoder_release(decoder));
  take_down(&stage);
}

struct tally {
  int64_t frames;
  int destroys;
};

static void count_frame(const gallop_event *event, void *user) {
  CHECK(event->kind == GALLOP_EVENT_FRAME && event->frame != NULL && event->struct_size == sizeof *event);
  __atomic_add_fetch(&((struct tally *)user)->frames, 1, __ATOMIC_SEQ_CST);
}

static void count_destroy(void *user) { ((struct tally *)user)->destroys++; }

/* A program that does not read loses the oldest changes, and is told how many; callbacks come as they are. */
static void overflows(const char *path) {
  gallop_player_options options = {0};
  struct stage stage;
  struct tally tally = {0, 0};
  gallop_event event = {.struct_size = sizeof event};
  gallop_frame *frame;
  gallop_player_info info = {.struct_size = sizeof info};
  int64_t i, taken = 0, dropped = 0, with_pixels = 0;
  uint64_t id;
  options.late = GALLOP_LATE_WAIT;
  options.plays = -1;
  options.preload = GALLOP_PRELOAD_ALL;
  set_up(&stage, path, options);
  CHECK_OK(gallop_player_on_event(stage.player, 1u << GALLOP_EVENT_FRAME, count_frame, &tally, count_destroy, &id));
  CHECK_OK(gallop_player_play(stage.player));
  for (i = 1; i <= 200; i++) {
    while (__atomic_load_n(&tally.frames, __ATOMIC_SEQ_CST) < i) sched_yield();
    if (i < 200) CHECK_OK(gallop_clock_advance(stage.clock, INT64_C(30000000)));
  }
  CHECK_OK(gallop_player_remove(stage.player, id));
  CHECK(tally.destroys == 1);
  CHECK_STATUS(gallop_player_remove(stage.player, id), GALLOP_INVALID_ARGUMENT);
  while (gallop_player_next_event(stage.player, &event, &frame) == GALLOP_OK) {
    dropped += event.dropped;
    if (event.kind != GALLOP_EVENT_FRAME) continue;
    taken++;
    if (frame != NULL) with_pixels += gallop_frame_release(frame) == GALLOP_OK;
  }
  CHECK(taken == 64 && taken + dropped == 200 && with_pixels == 4);
  CHECK(!is_readable(stage.fd, 0));
  CHECK_OK(gallop_player_get_info(stage.player, &info));
  CHECK(info.state == GALLOP_STATE_PLAYING && info.frame == 199 % stage.info.frame_count);
  take_down(&stage);
}

/* A quantity is clipped; what is not there is refused, and nothing changes. */
static void out_of_range(struct stage *stage) {
  gallop_player_info info = {.struct_size = sizeof info};
  gallop_player_options options = {.struct_size = sizeof options};
  gallop_error error = {.struct_size = sizeof error};
  gallop_player *player;
  gallop_budget *budget;
  gallop_budget_info held = {.struct_size = sizeof held};
  CHECK_OK(gallop_player_set_range(stage->player, 2, 6));
  CHECK_STATUS(gallop_player_set_range(stage->player, stage->info.frame_count, 3), GALLOP_NO_SUCH_FRAME);
  CHECK_STATUS(gallop_player_seek_frame(stage->player, 8), GALLOP_NO_SUCH_FRAME);
  CHECK_OK(gallop_last_error(&error));
  CHECK(error.value == 8 && error.limit == stage->info.frame_count);
  CHECK_STATUS(gallop_player_seek_frame(stage->player, INT64_MIN), GALLOP_NO_SUCH_FRAME);
  CHECK_STATUS(gallop_player_show_poster(stage->player, stage->info.frame_count), GALLOP_NO_SUCH_FRAME);
  CHECK_STATUS(gallop_player_scrub_frame(stage->player, 3), GALLOP_INVALID_ARGUMENT);
  CHECK_STATUS(gallop_player_scrub_time(stage->player, 3), GALLOP_INVALID_ARGUMENT);
  CHECK_STATUS(gallop_player_set_rate(stage->player, (double)NAN), GALLOP_INVALID_ARGUMENT);
  CHECK_OK(gallop_player_get_info(stage->player, &info));
  CHECK(info.range_first == 2 && info.range_count == 6 && info.rate == 2);
  CHECK_OK(gallop_player_set_range(stage->player, 2, INT64_MAX - 2));
  CHECK_OK(gallop_player_set_rate(stage->player, 1000));
  CHECK_OK(gallop_player_seek_time(stage->player, INT64_MAX));
  CHECK_OK(gallop_player_step(stage->player, INT64_MIN));
  CHECK_OK(gallop_player_get_info(stage->player, &info));
  CHECK(info.range_first == 2 && info.range_count == stage->info.frame_count - 2 && info.rate == 20);
  CHECK(info.position_ns == 0);
  options.range_first = stage->info.frame_count;
  options.range_count = 1;
  CHECK_STATUS(gallop_player_new(stage->image, &options, &player), GALLOP_NO_SUCH_FRAME);
  CHECK_OK(gallop_budget_new(-5, &budget));
  CHECK_OK(gallop_budget_get_info(budget, &held));
  CHECK(held.limit == 0);
  CHECK_OK(gallop_budget_set_limit(budget, INT64_MIN));
  CHECK_OK(gallop_budget_release(budget));
}

/* Commands do what they say. */
static void commands(const char *path) {
  gallop_player_options options = {0};
  struct stage stage;
  gallop_event event;
  gallop_player_info info = {.struct_size = sizeof info};
  gallop_snapshot saved = {.struct_size = sizeof saved};
  gallop_frame *frame;
  gallop_frame_view view = {.struct_size = sizeof view};
  gallop_player_statistics statistics = {.struct_size = sizeof statistics};
  options.width = 48;
  options.fit = GALLOP_FIT_CONTAIN;
  set_up(&stage, path, options);
  CHECK_STATUS(gallop_player_frame(stage.player, &frame, NULL), GALLOP_AGAIN);
  CHECK_OK(gallop_player_show_poster(stage.player, -1));
  event = await_event(&stage, GALLOP_EVENT_FRAME, NULL);
  CHECK(event.frame_index == 0 && event.cause == GALLOP_CAUSE_SEEK);
  CHECK_OK(gallop_player_step(stage.player, 2));
  event = await_event(&stage, GALLOP_EVENT_FRAME, NULL);
  CHECK(event.frame_index == 2 && event.cause == GALLOP_CAUSE_STEP);
  CHECK_OK(gallop_player_seek_frame(stage.player, 5));
  CHECK(await_event(&stage, GALLOP_EVENT_FRAME, NULL).frame_index == 5);
  CHECK_OK(gallop_player_frame(stage.player, &frame, &view));
  CHECK(view.width == 48 && view.index == 5 && view.format == GALLOP_RGBA);
  CHECK_OK(gallop_frame_release(frame));
  CHECK_OK(gallop_player_set_mode(stage.player, GALLOP_MODE_REVERSE));
  CHECK_OK(gallop_player_set_rate(stage.player, 2));
  CHECK_OK(gallop_player_set_range(stage.player, 2, 6));
  CHECK_OK(gallop_player_save(stage.player, &saved));
  CHECK(saved.mode == GALLOP_MODE_REVERSE && saved.rate == 2 && saved.range_first == 2 && saved.range_count == 6);
  CHECK_OK(gallop_player_play(stage.player));
  CHECK_OK(gallop_clock_advance(stage.clock, 15000000));
  CHECK(await_event(&stage, GALLOP_EVENT_FRAME, NULL).frame_index == 4);
  CHECK_OK(gallop_player_begin_scrubbing(stage.player));
  CHECK_OK(gallop_player_scrub_frame(stage.player, 7));
  CHECK(await_event(&stage, GALLOP_EVENT_FRAME, NULL).frame_index == 7);
  CHECK_OK(gallop_player_get_info(stage.player, &info));
  CHECK(info.is_scrubbing == 1 && info.mode == GALLOP_MODE_REVERSE && info.rate == 2 && info.frame == 7);
  CHECK_OK(gallop_player_end_scrubbing(stage.player));
  CHECK_OK(gallop_player_restore(stage.player, &saved));
  CHECK(await_event(&stage, GALLOP_EVENT_FRAME, NULL).frame_index == 5);
  CHECK_OK(gallop_player_set_motion(stage.player, GALLOP_MOTION_SLOW, 0.5));
  CHECK_OK(gallop_player_set_visibility(stage.player, GALLOP_HIDDEN));
  CHECK_OK(gallop_player_set_priority(stage.player, GALLOP_PRIORITY_LOW));
  CHECK_OK(gallop_player_get_info(stage.player, &info));
  CHECK(info.motion == GALLOP_MOTION_SLOW && info.motion_part == 0.5 && info.visibility == GALLOP_HIDDEN);
  CHECK(info.priority == GALLOP_PRIORITY_LOW && info.error == GALLOP_OK && info.is_complete == 1);
  CHECK_OK(gallop_player_set_visibility(stage.player, GALLOP_VISIBLE));
  event = await_event(&stage, GALLOP_EVENT_FRAME, NULL);
  CHECK(event.frame_index == 5 && event.cause == GALLOP_CAUSE_APPEAR && event.changed.width == 48);
  CHECK_STATUS(gallop_player_set_mode(stage.player, 77), GALLOP_INVALID_ARGUMENT);
  CHECK_STATUS(gallop_player_set_range(stage.player, -1, 3), GALLOP_INVALID_ARGUMENT);
  out_of_range(&stage);
  CHECK_OK(gallop_player_get_statistics(stage.player, &statistics));
  CHECK(statistics.decoded_frames > 0 && statistics.hits > 0);
  take_down(&stage);
}

/* A player that begins hidden begins to play once it is visible. */
static void begins_hidden(const char *path) {
  gallop_player_options options = {0};
  struct stage stage;
  gallop_event event;
  gallop_player_info info = {.struct_size = sizeof info};
  options.visibility = GALLOP_HIDDEN;
  set_up(&stage, path, options);
  CHECK_OK(gallop_player_play(stage.player));
  CHECK_OK(gallop_clock_advance(stage.clock, 1000000000));
  CHECK_OK(gallop_player_get_info(stage.player, &info));
  CHECK(info.state == GALLOP_STATE_PLAYING && info.visibility == GALLOP_HIDDEN && info.position_ns == 0);
  CHECK_OK(gallop_player_set_visibility(stage.player, GALLOP_VISIBLE));
  event = await_event(&stage, GALLOP_EVENT_FRAME, NULL);
  CHECK(event.frame_index == 0 && event.cause == GALLOP_CAUSE_PLAY);
  options.visibility = 3;
  options.struct_size = sizeof options;
  CHECK_STATUS(gallop_player_new(stage.image, &options, &(gallop_player *){NULL}), GALLOP_INVALID_ARGUMENT);
  take_down(&stage);
}

/* Two players of a group show the same frame at the same instant. */
static void groups(const char *path) {
  gallop_player_options options = {0};
  struct stage stage;
  gallop_player *other;
  gallop_group *group, *elsewhere;
  gallop_group_info info = {.struct_size = sizeof info};
  gallop_event one, two = {.struct_size = sizeof two};
  struct stage second;
  int64_t deadline;
  int i;
  options.late = GALLOP_LATE_WAIT;
  set_up(&stage, path, options);
  options.struct_size = sizeof options;
  options.clock = stage.clock;
  CHECK_OK(gallop_player_new(stage.image, &options, &other));
  second = stage;
  second.player = other;
  CHECK_OK(gallop_player_event_fd(other, &second.fd));
  CHECK_OK(gallop_group_new(stage.clock, &group));
  CHECK_OK(gallop_group_new(NULL, &elsewhere));
  CHECK_STATUS(gallop_group_add(elsewhere, other, 0), GALLOP_INVALID_ARGUMENT);
  CHECK_OK(gallop_group_add(group, stage.player, 0));
  CHECK_OK(gallop_group_add(group, other, 0));
  CHECK_OK(gallop_group_play(group));
  /* The group starts once both have shown their first frames: nothing is due before that. */
  for (deadline = INT64_MAX; deadline == INT64_MAX; sched_yield())
    CHECK_OK(gallop_clock_get_time(stage.clock, NULL, &deadline));
  for (i = 0; i < 10; i++) {
    one = await_event(&stage, GALLOP_EVENT_FRAME, NULL);
    two = await_event(&second, GALLOP_EVENT_FRAME, NULL);
    CHECK(one.frame_index == i && two.frame_index == i && one.player != two.player);
    CHECK_OK(gallop_clock_advance(stage.clock, 30000000));
  }
  CHECK_OK(gallop_group_pause(group));
  CHECK_OK(gallop_group_get_info(group, &info));
  CHECK(info.player_count == 2 && info.is_playing == 0);
  CHECK_OK(gallop_group_remove(group, other));
  CHECK_OK(gallop_group_set_rate(group, 3));
  CHECK_OK(gallop_group_seek(group, 90000000));
  CHECK_OK(gallop_group_get_info(group, &info));
  CHECK(info.player_count == 1 && info.rate == 3 && info.position_ns == 90000000);
  CHECK_OK(gallop_player_release(other));
  CHECK_OK(gallop_group_release(elsewhere));
  CHECK_OK(gallop_group_release(group));
  take_down(&stage);
}

struct limit {
  int over;
  int destroys;
};

static void note_limit(const gallop_budget_info *info, void *user) {
  CHECK(info->struct_size == sizeof *info);
  if (info->is_over_limit) ((struct limit *)user)->over++;
}

static void destroy_limit(void *user) { ((struct limit *)user)->destroys++; }

/* A budget of its own is shrunk, and tells when players need more. */
static void budgets(const char *path) {
  gallop_player_options options = {0};
  gallop_budget_info info = {.struct_size = sizeof info};
  gallop_budget *budget, *shared;
  struct limit limit = {0, 0};
  struct stage stage;
  CHECK_OK(gallop_budget_new(32 << 20, &budget));
  CHECK_OK(gallop_budget_shared(&shared));
  CHECK_OK(gallop_budget_get_info(shared, &info));
  CHECK(info.limit > 0 && info.follows_pressure == 1);
  CHECK_OK(gallop_budget_on_limit(budget, note_limit, &limit, destroy_limit));
  options.budget = budget;
  set_up(&stage, path, options);
  CHECK_OK(gallop_player_play(stage.player));
  await_event(&stage, GALLOP_EVENT_FRAME, NULL);
  CHECK_OK(gallop_budget_get_info(budget, &info));
  CHECK(info.limit == 32 << 20 && info.held_bytes > 0 && info.animation_count == 1 && !info.is_over_limit);
  CHECK(limit.over == 0);
  CHECK_OK(gallop_budget_set_limit(budget, 1000));
  CHECK_OK(gallop_budget_get_info(budget, &info));
  CHECK(info.limit == 1000 && info.floor_bytes > 1000 && limit.over == 1);
  CHECK_OK(gallop_budget_follow_pressure(budget, 1));
  CHECK_OK(gallop_simulate_pressure(GALLOP_PRESSURE_CRITICAL));
  CHECK_OK(gallop_budget_get_info(budget, &info));
  CHECK(info.pressure == GALLOP_PRESSURE_CRITICAL && info.follows_pressure == 1);
  CHECK_OK(gallop_simulate_pressure(GALLOP_PRESSURE_NORMAL));
  CHECK_STATUS(gallop_simulate_pressure(9), GALLOP_INVALID_ARGUMENT);
  CHECK_OK(gallop_budget_release(budget));
  CHECK(limit.destroys == 1);
  CHECK_OK(gallop_budget_release(shared));
  take_down(&stage);
}

struct long_decode {
  gallop_decoder *decoder;
  sem_t begun;
};

static void *decode_without_end(void *user) {
  struct long_decode *own = user;
  gallop_status status = GALLOP_OK;
  gallop_frame *frame;
  int64_t i;
  for (i = 0; status == GALLOP_OK; i++) {
    status = gallop_decoder_frame(own->decoder, i % 2 ? 29 : 3, &frame, NULL);
    if (status == GALLOP_OK) gallop_frame_release(frame);
    if (i == 3) sem_post(&own->begun);
  }
  CHECK_STATUS(status, GALLOP_CANCELLED);
  return NULL;
}

/* A cancel ends a call on another thread, and leaves the caller's memory alone. */
static void cancels(const char *path) {
  gallop_decoder_options options = {.struct_size = sizeof options};
  gallop_image *image;
  struct long_decode own;
  gallop_cancel *cancel;
  pthread_t thread;
  uint8_t *pixels;
  gallop_decoder_info info = {.struct_size = sizeof info};
  CHECK_OK(gallop_image_open(path, NULL, &image));
  CHECK_OK(gallop_cancel_new(&cancel));
  options.cancel = cancel;
  options.checkpoint_bytes = -1;
  CHECK_OK(gallop_decoder_new(image, &options, &own.decoder));
  CHECK_OK(gallop_decoder_get_info(own.decoder, &info));
  sem_init(&own.begun, 0, 0);
  CHECK(pthread_create(&thread, NULL, decode_without_end, &own) == 0);
  while (sem_wait(&own.begun) != 0) continue;
  CHECK_OK(gallop_cancel_set(cancel));
  CHECK(pthread_join(thread, NULL) == 0);
  /* A decoder that has not begun: one that has may stand at the very frame, for which nothing is to be done. */
  CHECK_OK(gallop_decoder_release(own.decoder));
  CHECK_OK(gallop_decoder_new(image, &options, &own.decoder));
  pixels = malloc(info.frame_bytes);
  CHECK(pixels != NULL);
  memset(pixels, 0xCD, info.frame_bytes);
  CHECK_STATUS(gallop_decoder_read(own.decoder, 20, pixels, info.frame_bytes, 0, 0, NULL), GALLOP_CANCELLED);
  CHECK(pixels[0] == 0xCD && memcmp(pixels, pixels + 1, info.frame_bytes - 1) == 0);
  CHECK_OK(gallop_cancel_reset(cancel));
  CHECK_OK(gallop_cancel_after(cancel, 1000000));
  CHECK_OK(gallop_decoder_read(own.decoder, 20, pixels, info.frame_bytes, 0, 0, NULL));
  CHECK_STATUS(gallop_decoder_read(own.decoder, 20, pixels, info.frame_bytes - 1, 0, 0, NULL),
               GALLOP_BUFFER_TOO_SMALL);
  CHECK_STATUS(gallop_decoder_read(own.decoder, 20, pixels, info.frame_bytes, 3, 0, NULL),
               GALLOP_INVALID_ARGUMENT);
  CHECK_STATUS(gallop_decoder_read(own.decoder, 1000, pixels, info.frame_bytes, 0, 0, NULL),
               GALLOP_NO_SUCH_FRAME);
  free(pixels);
  CHECK_OK(gallop_decoder_release(own.decoder));
  CHECK_OK(gallop_cancel_release(cancel));
  CHECK_OK(gallop_image_release(image));
  sem_destroy(&own.begun);
  CHECK(gallop_handle_count() == 0);
}

int main(int argc, char **argv) {
  if (argc != 2) return fprintf(stderr, "usage: events FILE\n"), 64;
  plays_in_order(argv[1]);
  overflows(argv[1]);
  commands(argv[1]);
  begins_hidden(argv[1]);
  groups(argv[1]);
  budgets(argv[1]);
  cancels(argv[1]);
  return 0;
}
