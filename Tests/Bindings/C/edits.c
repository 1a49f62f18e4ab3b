/*
 * Edits of a GIF in memory and in files, what is refused, and cancelled edits that go on:
 *
 *     edits FILE
 */
#define _GNU_SOURCE
#include "check.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static gallop_image *opened(const char *path) {
  gallop_image *image;
  CHECK_OK(gallop_image_open(path, NULL, &image));
  return image;
}

static gallop_image_info info_of(gallop_image *image) {
  gallop_image_info info = {.struct_size = sizeof info};
  CHECK_OK(gallop_image_get_info(image, &info));
  return info;
}

/* Whether two frames show the same. */
static int is_same(gallop_image *one, int64_t first, gallop_image *other, int64_t second) {
  gallop_decoder *decoders[2];
  gallop_frame *frames[2];
  gallop_frame_view views[2] = {{.struct_size = sizeof views[0]}, {.struct_size = sizeof views[1]}};
  int i, same;
  CHECK_OK(gallop_decoder_new(one, NULL, &decoders[0]));
  CHECK_OK(gallop_decoder_new(other, NULL, &decoders[1]));
  CHECK_OK(gallop_decoder_frame(decoders[0], first, &frames[0], &views[0]));
  CHECK_OK(gallop_decoder_frame(decoders[1], second, &frames[1], &views[1]));
  same = views[0].size == views[1].size && memcmp(views[0].pixels, views[1].pixels, views[0].size) == 0;
  for (i = 0; i < 2; i++) {
    CHECK_OK(gallop_frame_release(frames[i]));
    CHECK_OK(gallop_decoder_release(decoders[i]));
  }
  return same;
}

/* A file without a name. */
static int draft(void) {
  char name[] = "/tmp/edits-XXXXXX";
  int fd = mkstemp(name);
  CHECK(fd >= 0);
  unlink(name);
  return fd;
}

static void cut(gallop_image *image) {
  const int64_t frames[] = {4, 3, 9};
  gallop_edit edit = {.struct_size = sizeof edit};
  gallop_editor *editor;
  gallop_editor_info summary = {.struct_size = sizeof summary};
  gallop_image *output;
  const void *bytes, *again;
  char *stored;
  size_t size;
  int fd, i;
  edit.frames = frames;
  edit.frame_count = 3;
  edit.plays = 3;
  CHECK_OK(gallop_editor_new(&image, 1, &edit, &editor));
  CHECK_OK(gallop_editor_bytes(editor, &bytes, &size));
  CHECK_OK(gallop_editor_bytes(editor, &again, &size));
  CHECK(bytes == again);
  CHECK_OK(gallop_editor_get_info(editor, &summary));
  CHECK(summary.chosen_frames == 3 && summary.frame_count == 3 && summary.byte_count == (int64_t)size);
  CHECK_OK(gallop_image_from_bytes(bytes, size, NULL, &output));
  CHECK(info_of(output).frame_count == 3 && info_of(output).plays == 3);
  for (i = 0; i < 3; i++) CHECK(is_same(output, i, image, frames[i]));
  CHECK_OK(gallop_image_release(output));
  /* An edit goes to one place. */
  fd = draft();
  CHECK_STATUS(gallop_editor_write(editor, fd), GALLOP_INVALID_ARGUMENT);
  stored = malloc(size);
  memcpy(stored, bytes, size);
  CHECK_OK(gallop_editor_release(editor));

  CHECK_OK(gallop_editor_new(&image, 1, &edit, &editor));
  CHECK_OK(gallop_editor_write(editor, fd));
  CHECK_OK(gallop_editor_release(editor));
  {
    char *found = malloc(size + 1);
    CHECK(pread(fd, found, size + 1, 0) == (ssize_t)size && memcmp(found, stored, size) == 0);
    free(found);
  }
  free(stored);
  /* It is not empty any more. */
  CHECK_OK(gallop_editor_new(&image, 1, NULL, &editor));
  CHECK_STATUS(gallop_editor_write(editor, fd), GALLOP_INVALID_ARGUMENT);
  close(fd);
  CHECK_STATUS(gallop_editor_write(editor, fd), GALLOP_INVALID_ARGUMENT);
  /* What cannot be written to leaves the edit as it was. */
  fd = draft();
  CHECK_OK(gallop_editor_write(editor, fd));
  close(fd);
  CHECK_OK(gallop_editor_release(editor));
}

static void refusals(gallop_image *image) {
  gallop_editor *editor;
  gallop_image *images[2] = {image, NULL};
  const int64_t missing = 1000;
  gallop_edit edit = {.struct_size = sizeof edit};
  int pipes[2];
  CHECK_STATUS(gallop_editor_new(images, 2, NULL, &editor), GALLOP_INVALID_HANDLE);
  CHECK_STATUS(gallop_editor_new(images, 0, NULL, &editor), GALLOP_INVALID_ARGUMENT);
  CHECK_STATUS(gallop_editor_new(NULL, 1, NULL, &editor), GALLOP_INVALID_ARGUMENT);
  CHECK(editor == NULL);
  edit.frames = &missing;
  edit.frame_count = 1;
  CHECK_STATUS(gallop_editor_new(images, 1, &edit, &editor), GALLOP_NO_SUCH_FRAME);
  edit.frames = NULL;
  CHECK_STATUS(gallop_editor_new(images, 1, &edit, &editor), GALLOP_INVALID_ARGUMENT);
  edit.frame_count = 0;
  edit.order = 7;
  CHECK_STATUS(gallop_editor_new(images, 1, &edit, &editor), GALLOP_INVALID_ARGUMENT);
  edit.order = 0;
  edit.delay_ms = 15;
  CHECK_STATUS(gallop_editor_new(images, 1, &edit, &editor), GALLOP_INVALID_ARGUMENT);
  edit.delay_ms = INT64_MIN;
  CHECK_STATUS(gallop_editor_new(images, 1, &edit, &editor), GALLOP_INVALID_ARGUMENT);
  edit.delay_ms = INT64_MAX;
  CHECK_STATUS(gallop_editor_new(images, 1, &edit, &editor), GALLOP_INVALID_ARGUMENT);
  edit.delay_ms = 0;
  edit.step = -1;
  CHECK_STATUS(gallop_editor_new(images, 1, &edit, &editor), GALLOP_INVALID_ARGUMENT);
  edit.step = INT64_MAX;
  CHECK_OK(gallop_editor_new(images, 1, &edit, &editor));
  CHECK_OK(gallop_editor_release(editor));
  edit.step = 0;
  edit.rate = -1;
  CHECK_STATUS(gallop_editor_new(images, 1, &edit, &editor), GALLOP_INVALID_ARGUMENT);
  edit.rate = 0;
  edit.crop.x = -1;
  edit.crop.width = edit.crop.height = 4;
  CHECK_STATUS(gallop_editor_new(images, 1, &edit, &editor), GALLOP_INVALID_ARGUMENT);
  edit.crop.width = edit.crop.height = INT32_MAX;
  CHECK_STATUS(gallop_editor_new(images, 1, &edit, &editor), GALLOP_INVALID_ARGUMENT);
  edit.crop.x = edit.crop.width = edit.crop.height = 0;
  edit.canvas_width = 100000;
  edit.canvas_height = 10;
  CHECK_STATUS(gallop_editor_new(images, 1, &edit, &editor), GALLOP_CANVAS_TOO_LARGE);
  edit.canvas_width = 0;
  CHECK_STATUS(gallop_editor_new(images, 1, &edit, &editor), GALLOP_INVALID_ARGUMENT);
  edit.canvas_height = 0;
  edit.plays = -2;
  CHECK_STATUS(gallop_editor_new(images, 1, &edit, &editor), GALLOP_INVALID_ARGUMENT);
  edit.plays = 70000;
  CHECK_STATUS(gallop_editor_new(images, 1, &edit, &editor), GALLOP_INVALID_ARGUMENT);
  edit.plays = 0;
  edit.comment = "\xff";
  CHECK_STATUS(gallop_editor_new(images, 1, &edit, &editor), GALLOP_INVALID_ARGUMENT);
  edit.comment = "";
  CHECK_OK(gallop_editor_new(images, 1, &edit, &editor));
  CHECK(pipe(pipes) == 0);
  CHECK_STATUS(gallop_editor_write(editor, pipes[1]), GALLOP_INVALID_ARGUMENT);
  close(pipes[0]);
  close(pipes[1]);
  CHECK_STATUS(gallop_editor_bytes(editor, NULL, NULL), GALLOP_INVALID_ARGUMENT);
  CHECK_OK(gallop_editor_release(editor));
  CHECK_STATUS(gallop_editor_release(editor), GALLOP_INVALID_HANDLE);
}

/* A file that cannot grow is an error, and stays one. */
static void full_disk(gallop_image *image) {
  gallop_editor *editor;
  int fd = open("/dev/full", O_RDWR), file = draft();
  CHECK_OK(gallop_editor_new(&image, 1, NULL, &editor));
  CHECK_STATUS(gallop_editor_write(editor, fd), GALLOP_INVALID_ARGUMENT);
  close(fd);
  /* Open for reading only. */
  {
    char path[64];
    int reading;
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    reading = open(path, O_RDONLY);
    CHECK_STATUS(gallop_editor_write(editor, reading), GALLOP_UNREADABLE);
    CHECK_STATUS(gallop_editor_write(editor, reading), GALLOP_UNREADABLE);
    close(reading);
  }
  close(file);
  CHECK_OK(gallop_editor_release(editor));
}

/* The time of a call, in milliseconds, that is to be cancelled at many places: short at first, then longer. */
static int64_t patience(int call) { return call < 40 ? 1 : (int64_t)1 << (call - 40); }

/* A cancelled edit goes on where it ended. */
static void cancelled(gallop_image *image) {
  gallop_edit edit = {.struct_size = sizeof edit};
  gallop_editor *editor, *plain;
  const void *bytes, *wanted;
  /* So long that the output is opened on a thread. */
  enum { LENGTH = 1200000 };
  char *found, *comment = malloc(LENGTH + 1);
  size_t size, wanted_size;
  int calls, fd = draft();
  memset(comment, 'x', LENGTH);
  comment[LENGTH] = 0;
  CHECK_OK(gallop_cancel_new(&edit.cancel));
  edit.order = GALLOP_ORDER_BOUNCED;
  edit.comment = comment;
  CHECK_OK(gallop_editor_new(&image, 1, &edit, &editor));
  CHECK_OK(gallop_cancel_set(edit.cancel));
  CHECK_STATUS(gallop_editor_bytes(editor, &bytes, &size), GALLOP_CANCELLED);
  for (calls = 0;; calls++) {
    gallop_status status;
    CHECK_OK(gallop_cancel_after(edit.cancel, patience(calls)));
    status = gallop_editor_bytes(editor, &bytes, &size);
    if (status == GALLOP_OK) break;
    CHECK_STATUS(status, GALLOP_CANCELLED);
  }
  /* Into a file; also where all is written, and the check ends. */
  CHECK_OK(gallop_editor_new(&image, 1, &edit, &plain));
  for (calls = 0;; calls++) {
    gallop_status status;
    CHECK_OK(gallop_cancel_after(edit.cancel, patience(calls)));
    status = gallop_editor_write(plain, fd);
    if (status == GALLOP_OK) break;
    CHECK_STATUS(status, GALLOP_CANCELLED);
  }
  CHECK_OK(gallop_editor_release(plain));
  CHECK_OK(gallop_cancel_release(edit.cancel));
  edit.cancel = NULL;
  CHECK_OK(gallop_editor_new(&image, 1, &edit, &plain));
  CHECK_OK(gallop_editor_bytes(plain, &wanted, &wanted_size));
  CHECK(size == wanted_size && memcmp(bytes, wanted, size) == 0);
  found = malloc(wanted_size + 1);
  CHECK(pread(fd, found, wanted_size + 1, 0) == (ssize_t)wanted_size);
  CHECK(memcmp(found, wanted, wanted_size) == 0);
  free(found);
  free(comment);
  close(fd);
  CHECK_OK(gallop_editor_release(plain));
  CHECK_OK(gallop_editor_release(editor));
}

int main(int argc, char **argv) {
  gallop_image *image;
  if (argc != 2) return fprintf(stderr, "usage: edits FILE\n"), 64;
  image = opened(argv[1]);
  cut(image);
  refusals(image);
  full_disk(image);
  cancelled(image);
  CHECK_OK(gallop_image_release(image));
  CHECK(gallop_handle_count() == 0);
  return 0;
}
