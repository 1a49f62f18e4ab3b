/*
 * What an image, a stream and a frame tell besides pixels; the file is Samples/GIFs/gallop.gif:
 *
 *     tables FILE
 */
/* For mincore. */
#define _GNU_SOURCE
#include "check.h"

#include <poll.h>
#include <string.h>
#include <sys/mman.h>

static uint8_t bytes[1 << 20];

static void images(const char *path) {
  gallop_image_info info = {.struct_size = sizeof info};
  gallop_extension extension = {.struct_size = sizeof extension};
  gallop_frame_info one = {.struct_size = sizeof one}, table[30];
  gallop_diagnostic diagnostic = {.struct_size = sizeof diagnostic};
  gallop_limits limits = {.struct_size = sizeof limits};
  gallop_open_options options = {.struct_size = sizeof options};
  uint8_t colors[256 * 4];
  char comment[64];
  size_t count;
  gallop_image *image;
  int i;
  CHECK_OK(gallop_image_open(path, NULL, &image));
  CHECK_OK(gallop_image_get_info(image, &info));
  CHECK(info.width == 480 && info.height == 270 && info.frame_count == 30 && info.plays == 0);
  CHECK(info.duration_ms == 900 && info.is_complete == 1 && info.palette_size == 128);
  CHECK(strcmp(info.version, "89a") == 0 && info.comment_count == 1 && info.diagnostic_count == 0);
  CHECK_OK(gallop_image_comment(image, 0, comment, sizeof comment, &count));
  CHECK(strcmp(comment, "A horse at a gallop. Made by Gallop.") == 0 && count == strlen(comment));
  CHECK_OK(gallop_image_comment(image, 0, comment, 8, &count));
  CHECK(strcmp(comment, "A horse") == 0 && count == 36);
  CHECK_OK(gallop_image_comment(image, 0, NULL, 0, &count));
  CHECK_STATUS(gallop_image_comment(image, 1, comment, sizeof comment, NULL), GALLOP_END);
  CHECK_OK(gallop_image_extension(image, 0, &extension));
  CHECK(strcmp(extension.identifier, "NETSCAPE2.0") == 0 && extension.byte_count == 19);
  CHECK_STATUS(gallop_image_extension(image, 1, &extension), GALLOP_END);
  memset(colors, 0, sizeof colors);
  CHECK_OK(gallop_image_palette(image, -1, GALLOP_RGBA, colors, 2, &count));
  CHECK(count == 128 && colors[3] == 255 && colors[7] == 255 && colors[8] == 0);
  CHECK_OK(gallop_image_palette(image, 0, GALLOP_RGBA, colors, 256, &count));
  CHECK(count == 0);
  CHECK_STATUS(gallop_image_palette(image, 30, GALLOP_RGBA, colors, 256, &count), GALLOP_NO_SUCH_FRAME);
  CHECK_OK(gallop_image_get_frames(image, 0, 30, table, sizeof table[0]));
  for (i = 0; i < 30; i++) {
    CHECK_OK(gallop_image_get_frame(image, i, &one));
    CHECK(memcmp(&one, &table[i], sizeof one) == 0 && one.index == i && one.delay_ms == 30);
  }
  CHECK(table[0].is_keyframe && table[0].required_frame == -1 && table[1].required_frame == 0);
  CHECK_STATUS(gallop_image_get_frames(image, 1, 30, table, sizeof table[0]), GALLOP_NO_SUCH_FRAME);
  CHECK_STATUS(gallop_image_get_frame(image, -1, &one), GALLOP_NO_SUCH_FRAME);
  CHECK_STATUS(gallop_image_diagnostic(image, 0, &diagnostic), GALLOP_END);
  CHECK_OK(gallop_image_release(image));
  CHECK_OK(gallop_limits_init(&limits, GALLOP_LIMITS_UNTRUSTED));
  CHECK(limits.canvas_pixels == 1 << 24);
  limits.claimed_pixels = 100;
  options.limits = &limits;
  CHECK_STATUS(gallop_image_open(path, &options, &image), GALLOP_CANVAS_TOO_LARGE);
  CHECK(image == NULL);
}

/* A file in pieces, with a decoder that goes along, and one that breaks off. */
static void streams(const char *path) {
  gallop_image_info info = {.struct_size = sizeof info};
  gallop_diagnostic diagnostic = {.struct_size = sizeof diagnostic};
  gallop_frame_view view = {.struct_size = sizeof view};
  gallop_stream *stream;
  gallop_image *image, *whole;
  gallop_decoder *decoder = NULL;
  gallop_frame *frame;
  FILE *file = fopen(path, "rb");
  size_t size, place;
  CHECK(file != NULL);
  size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  CHECK_OK(gallop_stream_new(NULL, &stream));
  CHECK_STATUS(gallop_stream_image(stream, &image), GALLOP_AGAIN);
  for (place = 0; place < size; place += 50000) {
    size_t piece = size - place < 50000 ? size - place : 50000;
    CHECK_OK(gallop_stream_feed(stream, bytes + place, piece));
    CHECK_OK(gallop_stream_image(stream, &image));
    if (decoder == NULL) CHECK_OK(gallop_decoder_new(image, NULL, &decoder));
    CHECK_OK(gallop_decoder_update(decoder, image));
    CHECK_OK(gallop_image_get_info(image, &info));
    CHECK_OK(gallop_decoder_frame(decoder, info.frame_count - 1, &frame, &view));
    CHECK_OK(gallop_frame_release(frame));
    CHECK_OK(gallop_image_release(image));
  }
  CHECK_OK(gallop_stream_finish(stream, &whole));
  CHECK_STATUS(gallop_stream_feed(stream, bytes, 1), GALLOP_INVALID_ARGUMENT);
  CHECK_OK(gallop_image_get_info(whole, &info));
  CHECK(info.frame_count == 30 && info.is_complete == 1);
  CHECK_OK(gallop_image_release(whole));
  CHECK_OK(gallop_stream_release(stream));
  CHECK_OK(gallop_decoder_release(decoder));
  CHECK_OK(gallop_image_from_bytes(bytes, 100000, NULL, &image));
  CHECK_OK(gallop_image_get_info(image, &info));
  CHECK(info.is_complete == 0 && info.diagnostic_count > 0);
  CHECK_OK(gallop_image_diagnostic(image, 0, &diagnostic));
  CHECK(strcmp(diagnostic.code, "truncatedFrame") == 0 && strlen(diagnostic.message) > 10);
  CHECK_OK(gallop_decoder_new(image, NULL, &decoder));
  CHECK_OK(gallop_decoder_frame(decoder, info.frame_count - 1, &frame, &view));
  CHECK(view.status == GALLOP_FRAME_TRUNCATED);
  CHECK_OK(gallop_frame_release(frame));
  CHECK_STATUS(gallop_decoder_diagnostic(decoder, 0, &diagnostic), GALLOP_END);
  CHECK_OK(gallop_decoder_release(decoder));
  CHECK_OK(gallop_image_release(image));
  CHECK_STATUS(gallop_image_from_bytes("nonsense", 8, NULL, &image), GALLOP_NOT_A_GIF);
  CHECK_STATUS(gallop_image_from_bytes(NULL, 8, NULL, &image), GALLOP_INVALID_ARGUMENT);
  CHECK_STATUS(gallop_image_from_bytes(bytes, 0, NULL, &image), GALLOP_EMPTY_FILE);
}

/* Every format at every size agrees with what the decoder makes in that format. */
static void formats(const char *path) {
  static uint8_t copy[480 * 270 * 4];
  int32_t format;
  uint32_t width;
  gallop_image *image;
  CHECK_OK(gallop_image_open(path, NULL, &image));
  for (width = 0; width <= 96; width += 48) {
    for (format = GALLOP_RGBA; format <= GALLOP_BGRA_PREMULTIPLIED; format++) {
      gallop_decoder_options options = {.struct_size = sizeof options, .width = width};
      gallop_frame_view straight = {.struct_size = sizeof straight}, wanted = {.struct_size = sizeof wanted};
      gallop_decoder *one, *other;
      gallop_frame *from, *to, *again;
      CHECK_OK(gallop_decoder_new(image, &options, &one));
      options.format = format;
      CHECK_OK(gallop_decoder_new(image, &options, &other));
      CHECK_OK(gallop_decoder_frame(one, 7, &from, &straight));
      CHECK_OK(gallop_decoder_frame(other, 7, &to, &wanted));
      CHECK(wanted.width == (width ? width : 480) && wanted.size == straight.size);
      CHECK_OK(gallop_frame_copy(from, format, copy, wanted.size, 0));
      CHECK(memcmp(copy, wanted.pixels, wanted.size) == 0);
      if (format >= GALLOP_RGBA_PREMULTIPLIED)
        CHECK_STATUS(gallop_frame_copy(to, GALLOP_RGBA, copy, wanted.size, 0), GALLOP_INVALID_ARGUMENT);
      /* The pixels stay where they are as long as one handle is left. */
      CHECK_OK(gallop_frame_retain(to, &again));
      CHECK_OK(gallop_frame_release(to));
      CHECK_OK(gallop_frame_get_view(again, &straight));
      CHECK(straight.pixels == wanted.pixels && memcmp(straight.pixels, copy, wanted.size) == 0);
      CHECK_OK(gallop_frame_release(again));
      CHECK_OK(gallop_frame_release(from));
      CHECK_OK(gallop_decoder_release(one));
      CHECK_OK(gallop_decoder_release(other));
    }
  }
  CHECK_OK(gallop_image_release(image));
}

/* Memory of any size, which is usable whole, and comes again after a release. */
static void memories(void) {
  static const size_t sizes[] = {0, 1, 100000, (4 << 20) - 1, 4 << 20, (64 << 20) + 1, 9 << 20};
  size_t place, round;
  for (round = 0; round < 3; round++) {
    gallop_memory *memories[sizeof sizes / sizeof *sizes];
    unsigned char *addresses[sizeof sizes / sizeof *sizes];
    for (place = 0; place < sizeof sizes / sizeof *sizes; place++) {
      void *address;
      CHECK_OK(gallop_memory_new(sizes[place], &address, &memories[place]));
      CHECK(address != NULL && (uintptr_t)address % 64 == 0);
      addresses[place] = address;
      memset(address, (int)place + 1, sizes[place]);
    }
    /* None lies in another. */
    for (place = 0; place < sizeof sizes / sizeof *sizes; place++) {
      size_t size = sizes[place], byte;
      for (byte = 0; byte < size; byte += size / 8 + 1) CHECK(addresses[place][byte] == place + 1);
      CHECK(size == 0 || addresses[place][size - 1] == place + 1);
      CHECK_OK(gallop_memory_release(memories[place]));
      CHECK_STATUS(gallop_memory_release(memories[place]), GALLOP_INVALID_HANDLE);
    }
    if (round == 1) CHECK_OK(gallop_memory_trim());
  }
}

/* Kilobytes that the system may take back without writing them anywhere, and those that are not in memory. */
static long reclaimable(long least) {
  char line[256];
  long resident = 0, lazy = 0;
  FILE *file = fopen("/proc/self/smaps_rollup", "r");
  if (file == NULL) return least;
  while (fgets(line, sizeof line, file) != NULL) {
    sscanf(line, "Rss: %ld", &resident);
    sscanf(line, "LazyFree: %ld", &lazy);
  }
  fclose(file);
  return lazy - resident;
}

/* Idle memory goes back to the system without another call. The limit of the whole test is the limit here, too. */
static void idle_memory(void) {
  enum { SIZE = 64 << 20 };
  gallop_memory *memory;
  unsigned char page;
  void *address;
  long before;
  CHECK_OK(gallop_memory_trim());
  CHECK_OK(gallop_memory_new(SIZE, &address, &memory));
  memset(address, 1, SIZE);
  before = reclaimable(0);
  CHECK_OK(gallop_memory_release(memory));
  while (reclaimable(before + SIZE / 1024) < before + SIZE / 1024 * 9 / 10) poll(NULL, 0, 20);
  /* It was offered, not unmapped. */
  CHECK(mincore(address, 4096, &page) == 0);
}

/* What no system has is an error, and so is a pointer that is missing. */
static void memory_errors(void) {
  gallop_memory *memory = (gallop_memory *)1;
  void *address = &memory;
  CHECK_STATUS(gallop_memory_new(SIZE_MAX, &address, &memory), GALLOP_OUT_OF_MEMORY);
  CHECK(memory == NULL);
  CHECK_STATUS(gallop_memory_new(SIZE_MAX / 2, &address, &memory), GALLOP_OUT_OF_MEMORY);
  CHECK_STATUS(gallop_memory_new((size_t)1 << 52, &address, &memory), GALLOP_OUT_OF_MEMORY);
  CHECK_STATUS(gallop_memory_new(1, NULL, &memory), GALLOP_INVALID_ARGUMENT);
  CHECK_STATUS(gallop_memory_new(1, &address, NULL), GALLOP_INVALID_ARGUMENT);
  CHECK_STATUS(gallop_memory_release(NULL), GALLOP_INVALID_HANDLE);
}

/* Frames that are kept stay as they were, in whatever memory they lie, also when some of them are released. */
static void kept_frames(const char *path) {
  enum { COUNT = 30 };
  gallop_image *image;
  gallop_decoder *decoder, *other;
  gallop_frame *frames[COUNT];
  gallop_frame_view views[COUNT], again = {.struct_size = sizeof again};
  int round, index;
  CHECK_OK(gallop_image_open(path, NULL, &image));
  CHECK_OK(gallop_decoder_new(image, NULL, &decoder));
  for (round = 0; round < 3; round++) {
    for (index = 0; index < COUNT; index++) {
      views[index] = again;
      CHECK_OK(gallop_decoder_frame(decoder, index, &frames[index], &views[index]));
      if (round == 1 && index % 3 == 2) {
        CHECK_OK(gallop_frame_release(frames[index]));
        frames[index] = NULL;
      }
    }
    CHECK_OK(gallop_decoder_new(image, NULL, &other));
    for (index = 0; index < COUNT; index++) {
      gallop_frame *frame;
      CHECK_OK(gallop_decoder_frame(other, index, &frame, &again));
      if (frames[index] != NULL) CHECK(memcmp(again.pixels, views[index].pixels, again.size) == 0);
      CHECK_OK(gallop_frame_release(frame));
    }
    CHECK_OK(gallop_decoder_release(other));
    for (index = 0; index < COUNT; index++)
      if (frames[index] != NULL) CHECK_OK(gallop_frame_release(frames[index]));
  }
  CHECK_OK(gallop_decoder_release(decoder));
  CHECK_OK(gallop_image_release(image));
}

/* Results in order, errors among them, and a window that fills. */
static void batches(const char *path) {
  gallop_batch_options options = {.struct_size = sizeof options, .jobs = 2, .window = 4, .frame_count = 2};
  gallop_batch_item item = {.struct_size = sizeof item};
  gallop_batch *batch;
  uint64_t tag;
  CHECK_OK(gallop_batch_new(&options, &batch));
  CHECK_STATUS(gallop_batch_next(batch, 0, &item), GALLOP_END);
  CHECK_OK(gallop_batch_add_path(batch, path, 0));
  CHECK_OK(gallop_batch_add_path(batch, "/nowhere.gif", 1));
  CHECK_OK(gallop_batch_add_bytes(batch, "nonsense", 8, 2));
  CHECK_OK(gallop_batch_add_path(batch, path, 3));
  CHECK_STATUS(gallop_batch_add_path(batch, path, 4), GALLOP_AGAIN);
  for (tag = 0; tag < 4; tag++) {
    CHECK_OK(gallop_batch_next(batch, -1, &item));
    CHECK(item.tag == tag);
    if (tag == 1) CHECK(item.status == GALLOP_UNREADABLE && strstr(item.message, "/nowhere.gif") != NULL);
    if (tag == 2) CHECK(item.status == GALLOP_NOT_A_GIF && item.image == NULL && item.frames == NULL);
    if (tag == 1 || tag == 2) continue;
    CHECK(item.status == GALLOP_OK && item.frame_count == 2 && item.width == 480 && item.frame_height == 270);
    CHECK(item.statuses[0] == GALLOP_FRAME_COMPLETE && item.statuses[1] == GALLOP_FRAME_COMPLETE);
    CHECK_OK(gallop_image_release(item.image));
    CHECK_OK(gallop_frame_release(item.frames));
  }
  CHECK_STATUS(gallop_batch_next(batch, -1, &item), GALLOP_END);
  CHECK_OK(gallop_batch_release(batch));
}

/* Frames chosen for each file, and frames in planes, in memory of their own. */
static void choices(const char *path) {
  const int64_t numbers[] = {4, -1, 4};
  const uint32_t area = 480 * 270;
  gallop_batch_options options = {
    .struct_size = sizeof options, .channels = GALLOP_CHANNELS_RGB, .is_planar = 1, .frame_count = -1};
  gallop_frame_choice list = {.struct_size = sizeof list, .indices = numbers, .count = 3};
  gallop_frame_choice backwards = {
    .struct_size = sizeof backwards, .first = INT64_MAX, .end = INT64_MIN, .step = -10};
  gallop_frame_choice behind = {.struct_size = sizeof behind, .first = 30, .end = 31};
  gallop_batch_item item = {.struct_size = sizeof item};
  gallop_batch *batch;
  options.channels = 9;
  CHECK_STATUS(gallop_batch_new(&options, &batch), GALLOP_INVALID_ARGUMENT);
  options.channels = GALLOP_CHANNELS_RGB;
  CHECK_OK(gallop_batch_new(&options, &batch));
  CHECK_OK(gallop_batch_choose(batch, &list));
  CHECK_OK(gallop_batch_add_path(batch, path, 0));
  CHECK_OK(gallop_batch_choose(batch, &backwards));
  CHECK_OK(gallop_batch_add_path(batch, path, 1));
  CHECK_OK(gallop_batch_choose(batch, &behind));
  CHECK_OK(gallop_batch_add_path(batch, path, 2));
  CHECK_OK(gallop_batch_choose(batch, NULL));
  CHECK_OK(gallop_batch_add_path(batch, path, 3));
  list.count = 0;
  CHECK_STATUS(gallop_batch_choose(batch, &list), GALLOP_INVALID_ARGUMENT);

  CHECK_OK(gallop_batch_next(batch, -1, &item));
  CHECK(item.status == GALLOP_OK && item.frames == NULL && item.memory != NULL && item.frame_count == 3);
  CHECK(item.indices[0] == 4 && item.indices[1] == 29 && item.indices[2] == 4);
  CHECK(memcmp(item.pixels, item.pixels + 2 * 3 * area, 3 * area) == 0);
  CHECK(memcmp(item.pixels, item.pixels + 3 * area, 3 * area) != 0);
  CHECK(item.statuses[2] == GALLOP_FRAME_COMPLETE);
  CHECK_OK(gallop_memory_release(item.memory));
  CHECK_OK(gallop_image_release(item.image));
  CHECK_OK(gallop_batch_next(batch, -1, &item));
  CHECK(item.frame_count == 3 && item.indices[0] == 29 && item.indices[1] == 19 && item.indices[2] == 9);
  CHECK_OK(gallop_memory_release(item.memory));
  CHECK_OK(gallop_image_release(item.image));
  CHECK_OK(gallop_batch_next(batch, -1, &item));
  CHECK(item.status == GALLOP_NO_SUCH_FRAME && item.memory == NULL && item.indices == NULL);
  CHECK_OK(gallop_image_release(item.image));
  CHECK_OK(gallop_batch_next(batch, -1, &item));
  CHECK(item.status == GALLOP_OK && item.frame_count == 0 && item.memory == NULL);
  CHECK_OK(gallop_image_release(item.image));
  CHECK_OK(gallop_batch_release(batch));
}

int main(int argc, char **argv) {
  if (argc != 2) return fprintf(stderr, "usage: tables FILE\n"), 64;
  images(argv[1]);
  streams(argv[1]);
  formats(argv[1]);
  batches(argv[1]);
  choices(argv[1]);
  memories();
  idle_memory();
  memory_errors();
  kept_frames(argv[1]);
  CHECK(gallop_handle_count() == 0);
  return 0;
}
