/*
 * Uses the library wrongly, from many threads, across fork and up to the exit: nothing may crash, hang or leak a handle.
 *
 *     abuse handles COUNT FILE | structs FILE | threads COUNT FILE | fork COUNT FILE | callback FILE | exit FILE
 */
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A generator of the program's own, so that each run does the same. */
static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

/* Every kind of use of a number that is no handle. */
static void expect_invalid(void *number) {
  uint8_t pixels[4];
  gallop_image_info image = {.struct_size = sizeof image};
  gallop_frame_view view = {.struct_size = sizeof view};
  gallop_player_info player = {.struct_size = sizeof player};
  gallop_budget_info budget = {.struct_size = sizeof budget};
  gallop_batch_item item = {.struct_size = sizeof item};
  gallop_event event = {.struct_size = sizeof event};
  gallop_frame *frame;
  gallop_image *other;
  CHECK_STATUS(gallop_image_get_info((gallop_image *)number, &image), GALLOP_INVALID_HANDLE);
  CHECK_STATUS(gallop_stream_feed((gallop_stream *)number, pixels, 1), GALLOP_INVALID_HANDLE);
  CHECK_STATUS(gallop_stream_finish((gallop_stream *)number, &other), GALLOP_INVALID_HANDLE);
  CHECK_STATUS(gallop_decoder_read((gallop_decoder *)number, 0, pixels, 4, 0, 0, NULL), GALLOP_INVALID_HANDLE);
  CHECK_STATUS(gallop_decoder_frame((gallop_decoder *)number, 0, &frame, NULL), GALLOP_INVALID_HANDLE);
  CHECK(frame == NULL);
  CHECK_STATUS(gallop_frame_get_view((gallop_frame *)number, &view), GALLOP_INVALID_HANDLE);
  CHECK_STATUS(gallop_cancel_set((gallop_cancel *)number), GALLOP_INVALID_HANDLE);
  CHECK_STATUS(gallop_batch_next((gallop_batch *)number, 0, &item), GALLOP_INVALID_HANDLE);
  CHECK_STATUS(gallop_player_play((gallop_player *)number), GALLOP_INVALID_HANDLE);
  CHECK_STATUS(gallop_player_get_info((gallop_player *)number, &player), GALLOP_INVALID_HANDLE);
  CHECK_STATUS(gallop_player_next_event((gallop_player *)number, &event, NULL), GALLOP_INVALID_HANDLE);
  CHECK_STATUS(gallop_group_play((gallop_group *)number), GALLOP_INVALID_HANDLE);
  CHECK_STATUS(gallop_clock_tick((gallop_clock *)number), GALLOP_INVALID_HANDLE);
  CHECK_STATUS(gallop_budget_get_info((gallop_budget *)number, &budget), GALLOP_INVALID_HANDLE);
  CHECK_STATUS(gallop_image_release((gallop_image *)number), GALLOP_INVALID_HANDLE);
  CHECK_STATUS(gallop_frame_release((gallop_frame *)number), GALLOP_INVALID_HANDLE);
  CHECK_STATUS(gallop_player_release((gallop_player *)number), GALLOP_INVALID_HANDLE);
  CHECK_STATUS(gallop_cancel_release((gallop_cancel *)number), GALLOP_INVALID_HANDLE);
  CHECK_STATUS(gallop_memory_release((gallop_memory *)number), GALLOP_INVALID_HANDLE);
}

static int handles(long count, const char *path) {
  gallop_image *image;
  gallop_decoder *decoder;
  gallop_error error = {.struct_size = sizeof error};
  uint64_t random = 88172645463325252u;
  long i;
  CHECK_OK(gallop_image_open(path, NULL, &image));
  CHECK_OK(gallop_decoder_new(image, NULL, &decoder));
  expect_invalid(NULL);
  for (i = 0; i < count; i++) expect_invalid((void *)(uintptr_t)next_random(&random));
  /* Numbers that differ from a handle in one bit; of another kind; and addresses. */
  for (i = 0; i < 64; i++) {
    void *near = (void *)((uintptr_t)image ^ (uintptr_t)1 << i);
    CHECK_STATUS(gallop_image_release((gallop_image *)near), GALLOP_INVALID_HANDLE);
  }
  expect_invalid(&random);
  CHECK_STATUS(gallop_decoder_release((gallop_decoder *)image), GALLOP_INVALID_HANDLE);
  CHECK_STATUS(gallop_player_play((gallop_player *)decoder), GALLOP_INVALID_HANDLE);
  CHECK_OK(gallop_last_error(&error));
  CHECK(error.status == GALLOP_INVALID_HANDLE && strstr(error.message, "player") != NULL);
  /* Released twice, and used after. */
  CHECK_OK(gallop_image_release(image));
  CHECK_OK(gallop_decoder_release(decoder));
  expect_invalid(image);
  expect_invalid(decoder);
  CHECK(gallop_handle_count() == 0);
  return 0;
}

static int structs(const char *path) {
  struct {
    gallop_image_info info;
    uint8_t guard[64];
  } info;
  struct {
    gallop_decoder_options options;
    uint8_t newer[16];
  } newer;
  gallop_image *image;
  gallop_decoder *decoder;
  gallop_error error = {.struct_size = sizeof error};
  size_t size, i;
  CHECK_OK(gallop_image_open(path, NULL, &image));
  /* Nothing is written beyond the size of an older struct, or of this one. */
  for (size = sizeof(size_t); size <= sizeof info; size++) {
    memset(&info, 0xAB, sizeof info);
    info.info.struct_size = size;
    CHECK_OK(gallop_image_get_info(image, &info.info));
    CHECK(info.info.struct_size == size);
    for (i = size < sizeof info.info ? size : sizeof info.info; i < sizeof info; i++)
      CHECK(((uint8_t *)&info)[i] == 0xAB);
  }
  info.info.struct_size = 0;
  CHECK_STATUS(gallop_image_get_info(image, &info.info), GALLOP_INVALID_ARGUMENT);
  info.info.struct_size = (size_t)-1;
  CHECK_STATUS(gallop_image_get_info(image, &info.info), GALLOP_INVALID_ARGUMENT);
  CHECK_STATUS(gallop_image_get_info(image, NULL), GALLOP_INVALID_ARGUMENT);
  CHECK_STATUS(gallop_image_open(path, NULL, NULL), GALLOP_INVALID_ARGUMENT);
  CHECK_STATUS(gallop_image_open(NULL, NULL, &image + 0), GALLOP_INVALID_ARGUMENT);
  CHECK(image == NULL);
  CHECK_OK(gallop_image_open(path, NULL, &image));
  /* A newer program's struct is taken if it asks for nothing new. */
  memset(&newer, 0, sizeof newer);
  newer.options.struct_size = sizeof newer;
  CHECK_OK(gallop_decoder_new(image, &newer.options, &decoder));
  CHECK_OK(gallop_decoder_release(decoder));
  newer.newer[9] = 1;
  CHECK_STATUS(gallop_decoder_new(image, &newer.options, &decoder), GALLOP_INVALID_ARGUMENT);
  newer.newer[9] = 0;
  newer.options.format = 99;
  CHECK_STATUS(gallop_decoder_new(image, &newer.options, &decoder), GALLOP_INVALID_ARGUMENT);
  CHECK_STATUS(gallop_image_open("/nowhere/a.gif", NULL, &image + 0), GALLOP_UNREADABLE);
  CHECK_OK(gallop_last_error(&error));
  CHECK(error.has_value && error.value == ENOENT && strstr(error.message, "/nowhere/a.gif") != NULL);
  CHECK(strcmp(gallop_status_name(GALLOP_NOT_A_GIF), "notAGIF") == 0);
  CHECK(strcmp(gallop_status_name(-12345), "unknown") == 0);
  return 0;
}

/* ---- Threads ---- */

enum { PLACES = 24, THREADS = 8 };

static struct {
  pthread_mutex_t lock;
  void *numbers[PLACES];
} shared = {PTHREAD_MUTEX_INITIALIZER, {NULL}};

static const char *shared_path;
static long shared_count;

static void *any_number(uint64_t *random, void *replacement) {
  void *number;
  size_t place = next_random(random) % PLACES;
  pthread_mutex_lock(&shared.lock);
  number = shared.numbers[place];
  if (replacement != NULL) shared.numbers[place] = replacement;
  pthread_mutex_unlock(&shared.lock);
  return number;
}

/* Releases a number as whatever it is; another thread may have done so. */
static void release_any(void *number) {
  if (gallop_image_release(number) == GALLOP_OK) return;
  if (gallop_decoder_release(number) == GALLOP_OK) return;
  if (gallop_frame_release(number) == GALLOP_OK) return;
  if (gallop_player_release(number) == GALLOP_OK) return;
  if (gallop_batch_release(number) == GALLOP_OK) return;
  gallop_stream_release(number);
}

static void *misuse(void *seed) {
  uint64_t random = (uint64_t)(uintptr_t)seed * 2654435761u + 1;
  long i;
  for (i = 0; i < shared_count; i++) {
    void *number = any_number(&random, NULL), *made = NULL;
    gallop_frame_view view = {.struct_size = sizeof view};
    gallop_batch_item item = {.struct_size = sizeof item};
    gallop_event event = {.struct_size = sizeof event};
    int fd;
    switch (next_random(&random) % 14) {
    case 0: gallop_image_open(shared_path, NULL, (gallop_image **)&made); break;
    case 1: gallop_decoder_new(number, NULL, (gallop_decoder **)&made); break;
    case 2:
    case 3: gallop_decoder_frame(number, (int64_t)(next_random(&random) % 5), (gallop_frame **)&made, &view); break;
    case 4: gallop_player_new(number, NULL, (gallop_player **)&made); break;
    case 5: gallop_player_play(number); break;
    case 6:
      gallop_player_event_fd(number, &fd);
      gallop_player_next_event(number, &event, (gallop_frame **)&made);
      break;
    case 7: gallop_frame_retain(number, (gallop_frame **)&made); break;
    case 8: gallop_batch_new(NULL, (gallop_batch **)&made); break;
    case 9:
      gallop_batch_choose(number, NULL);
      gallop_batch_add_path(number, shared_path, 1);
      break;
    case 10:
      if (gallop_batch_next(number, 1, &item) == GALLOP_OK) {
        gallop_frame_release(item.frames);
        made = item.image;
      }
      break;
    case 11: gallop_stream_new(NULL, (gallop_stream **)&made); break;
    case 12: gallop_player_seek_frame(number, 2); break;
    default: release_any(number);
    }
    if (made != NULL) release_any(any_number(&random, made));
  }
  return NULL;
}

static int threads(long count, const char *path) {
  pthread_t all[THREADS];
  size_t i;
  shared_path = path;
  shared_count = count;
  for (i = 0; i < THREADS; i++) CHECK(pthread_create(&all[i], NULL, misuse, (void *)(i + 1)) == 0);
  for (i = 0; i < THREADS; i++) CHECK(pthread_join(all[i], NULL) == 0);
  for (i = 0; i < PLACES; i++) release_any(shared.numbers[i]);
  CHECK(gallop_handle_count() == 0);
  return 0;
}

/* ---- Fork ---- */

static int is_over;

static void *open_without_end(void *unused) {
  gallop_image *image;
  gallop_decoder *decoder;
  gallop_frame *frame;
  (void)unused;
  while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED)) {
    CHECK_OK(gallop_image_open(shared_path, NULL, &image));
    CHECK_OK(gallop_decoder_new(image, NULL, &decoder));
    CHECK_OK(gallop_decoder_frame(decoder, 0, &frame, NULL));
    gallop_frame_release(frame);
    gallop_decoder_release(decoder);
    gallop_image_release(image);
  }
  return NULL;
}

struct parent {
  gallop_image *image;
  gallop_decoder *decoder;
  gallop_player *player;
  gallop_group *group;
  gallop_batch *batch;
  gallop_budget *budget;
};

/* What goes on in a child, and what says that it cannot. */
static void live_as_child(const struct parent *had) {
  gallop_image *image;
  gallop_decoder *decoder;
  gallop_frame *frame;
  gallop_player *player;
  gallop_group *group;
  gallop_batch *batch;
  gallop_batch_item item = {.struct_size = sizeof item};
  gallop_player_info info = {.struct_size = sizeof info};
  gallop_budget_info budget = {.struct_size = sizeof budget};
  CHECK_OK(gallop_decoder_frame(had->decoder, 1, &frame, NULL));
  CHECK_OK(gallop_frame_release(frame));
  CHECK_OK(gallop_image_open(shared_path, NULL, &image));
  CHECK_OK(gallop_decoder_new(image, NULL, &decoder));
  CHECK_OK(gallop_decoder_frame(decoder, 2, &frame, NULL));
  CHECK_OK(gallop_frame_release(frame));
  CHECK_OK(gallop_decoder_release(decoder));
  CHECK_STATUS(gallop_player_play(had->player), GALLOP_FORKED);
  CHECK_STATUS(gallop_player_get_info(had->player, &info), GALLOP_FORKED);
  CHECK_STATUS(gallop_group_play(had->group), GALLOP_FORKED);
  CHECK_STATUS(gallop_budget_get_info(had->budget, &budget), GALLOP_FORKED);
  CHECK_STATUS(gallop_batch_next(had->batch, 0, &item), GALLOP_FORKED);
  CHECK_STATUS(gallop_player_new(image, NULL, &player), GALLOP_FORKED);
  CHECK_STATUS(gallop_group_new(NULL, &group), GALLOP_FORKED);
  CHECK_OK(gallop_batch_new(NULL, &batch));
  CHECK_OK(gallop_batch_add_path(batch, shared_path, 5));
  CHECK_OK(gallop_batch_next(batch, -1, &item));
  CHECK(item.status == GALLOP_OK && item.tag == 5 && item.frames != NULL);
  CHECK_STATUS(gallop_batch_next(batch, -1, &item), GALLOP_END);
  CHECK_OK(gallop_player_release(had->player));
  CHECK_OK(gallop_group_release(had->group));
  CHECK_OK(gallop_budget_release(had->budget));
  CHECK_OK(gallop_batch_release(had->batch));
  CHECK_OK(gallop_decoder_release(had->decoder));
  CHECK_OK(gallop_image_release(had->image));
}

static int forks(long count, const char *path) {
  struct parent own;
  gallop_image *none;
  pthread_t thread;
  long i;
  shared_path = path;
  CHECK_OK(gallop_image_open(path, NULL, &own.image));
  CHECK_OK(gallop_decoder_new(own.image, NULL, &own.decoder));
  CHECK_OK(gallop_player_new(own.image, NULL, &own.player));
  CHECK_OK(gallop_group_new(NULL, &own.group));
  CHECK_OK(gallop_group_add(own.group, own.player, 0));
  CHECK_OK(gallop_group_play(own.group));
  CHECK_OK(gallop_batch_new(NULL, &own.batch));
  CHECK_OK(gallop_batch_add_path(own.batch, path, 1));
  CHECK_OK(gallop_budget_shared(&own.budget));
  CHECK(pthread_create(&thread, NULL, open_without_end, NULL) == 0);
  /* A fork leaves the thread's last error as it is. */
  CHECK_STATUS(gallop_image_open("no such file", NULL, &none), GALLOP_UNREADABLE);
  for (i = 0; i < count; i++) {
    int status = 0;
    pid_t child = fork();
    CHECK(child >= 0);
    CHECK(strstr(gallop_last_message(), "no such file") != NULL);
    if (child == 0) {
      /* Ends a child that hangs. */
      alarm(60);
      live_as_child(&own);
      exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  __atomic_store_n(&is_over, 1, __ATOMIC_RELAXED);
  CHECK(pthread_join(thread, NULL) == 0);
  /* The parent has noticed nothing. */
  CHECK_OK(gallop_player_pause(own.player));
  CHECK_OK(gallop_player_release(own.player));
  CHECK_OK(gallop_group_release(own.group));
  CHECK_OK(gallop_batch_release(own.batch));
  CHECK_OK(gallop_budget_release(own.budget));
  CHECK_OK(gallop_decoder_release(own.decoder));
  CHECK_OK(gallop_image_release(own.image));
  CHECK(gallop_handle_count() == 0);
  return 0;
}

/* ---- Callbacks, exit ---- */

struct own_end {
  gallop_player *player;
  int calls;
  int destroys;
  sem_t over;
};

static void end_player(const gallop_event *event, void *user) {
  struct own_end *own = user;
  gallop_frame *kept;
  own->calls++;
  CHECK(own->destroys == 0);
  if (event->kind != GALLOP_EVENT_FRAME) return;
  CHECK_OK(gallop_frame_retain(event->frame, &kept));
  CHECK_OK(gallop_player_release(own->player));
  CHECK_STATUS(gallop_player_release(own->player), GALLOP_INVALID_HANDLE);
  CHECK_OK(gallop_frame_release(kept));
}

static void destroy_own(void *user) {
  struct own_end *own = user;
  own->destroys++;
  sem_post(&own->over);
}

/* A player that is released in its own callback. */
static int callback(const char *path) {
  gallop_image *image;
  int i;
  CHECK_OK(gallop_image_open(path, NULL, &image));
  for (i = 0; i < 20; i++) {
    struct own_end own = {NULL, 0, 0, {{0}}};
    sem_init(&own.over, 0, 0);
    CHECK_OK(gallop_player_new(image, NULL, &own.player));
    CHECK_OK(gallop_player_on_event(own.player, 0, end_player, &own, destroy_own, NULL));
    gallop_player_play(own.player);
    while (sem_wait(&own.over) != 0) CHECK(errno == EINTR);
    CHECK(own.destroys == 1 && own.calls >= 1);
    sem_destroy(&own.over);
  }
  CHECK_OK(gallop_image_release(image));
  CHECK(gallop_handle_count() == 0);
  return 0;
}

static void count_call(const gallop_event *event, void *user) {
  (void)event;
  __atomic_add_fetch((int *)user, 1, __ATOMIC_RELAXED);
}

/* Leaves main while players play and call. */
static int leave(const char *path) {
  static int calls;
  gallop_player_options options = {.struct_size = sizeof options};
  gallop_image *image;
  gallop_player *player;
  int i;
  options.delay = GALLOP_DELAY_CONSTANT;
  options.delay_ms = 1;
  options.plays = -1;
  CHECK_OK(gallop_image_open(path, NULL, &image));
  for (i = 0; i < 8; i++) {
    CHECK_OK(gallop_player_new(image, &options, &player));
    CHECK_OK(gallop_player_on_event(player, 0, count_call, &calls, NULL, NULL));
    CHECK_OK(gallop_player_play(player));
  }
  while (__atomic_load_n(&calls, __ATOMIC_RELAXED) < 50) sched_yield();
  return 0;
}

int main(int argc, char **argv) {
  const char *part = argc > 1 ? argv[1] : "";
  if (argc == 4 && strcmp(part, "handles") == 0) return handles(atol(argv[2]), argv[3]);
  if (argc == 4 && strcmp(part, "threads") == 0) return threads(atol(argv[2]), argv[3]);
  if (argc == 4 && strcmp(part, "fork") == 0) return forks(atol(argv[2]), argv[3]);
  if (argc == 3 && strcmp(part, "structs") == 0) return structs(argv[2]);
  if (argc == 3 && strcmp(part, "callback") == 0) return callback(argv[2]);
  if (argc == 3 && strcmp(part, "exit") == 0) return leave(argv[2]);
  fprintf(stderr, "usage: abuse handles|threads|fork COUNT FILE, or structs|callback|exit FILE\n");
  return 64;
}
