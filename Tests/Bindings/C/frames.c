/*
 * Reads GIFs through the installed library, and prints what conformance.py asks `gallop` for:
 *
 *     frames info --json FILE                          size, plays and delays of the index
 *     frames decode --format rgba --output - FILE      every canvas, one after another
 *     frames decode --format null FILE                 decodes and discards
 *
 * `--piece-bytes N` feeds the file to a stream, this many bytes at a time. `--way read|changes|frame|batch` chooses the
 * functions that decode; by default they take turns, frame by frame.
 */
#include <errno.h>
#include <gallop.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const char *what) {
  fprintf(stderr, "frames: %s: %s\n", what, gallop_last_message());
  return 1;
}

/* Opens a file at once, or through a stream. */
static gallop_status open_image(const char *path, size_t piece, gallop_image **image) {
  gallop_stream *stream;
  gallop_status status;
  char buffer[4096];
  size_t length;
  FILE *file;
  if (piece == 0) return gallop_image_open(path, NULL, image);
  *image = NULL;
  status = gallop_stream_new(NULL, &stream);
  if (status != GALLOP_OK) return status;
  file = fopen(path, "rb");
  if (file == NULL) exit((perror(path), 1));
  while ((length = fread(buffer, 1, piece < sizeof buffer ? piece : sizeof buffer, file)) > 0) {
    status = gallop_stream_feed(stream, buffer, length);
    if (status != GALLOP_OK) break;
  }
  fclose(file);
  if (status == GALLOP_OK) status = gallop_stream_finish(stream, image);
  gallop_stream_release(stream);
  return status;
}

static int print_info(gallop_image *image) {
  gallop_image_info info = {.struct_size = sizeof info};
  gallop_frame_info *frames;
  int64_t i;
  if (gallop_image_get_info(image, &info) != GALLOP_OK) return fail("info");
  frames = calloc((size_t)info.frame_count + 1, sizeof *frames);
  if (frames == NULL) return 1;
  if (gallop_image_get_frames(image, 0, info.frame_count, frames, sizeof *frames) != GALLOP_OK)
    return fail("frames");
  printf("{\"width\":%" PRIu32 ",\"height\":%" PRIu32 ",\"frameCount\":%" PRId64 ",\"plays\":", info.width,
         info.height, info.frame_count);
  if (info.plays == 0) printf("\"forever\"");
  else printf("%" PRId64, info.plays);
  printf(",\"isComplete\":%s,\"diagnostics\":%d,\"frames\":[", info.is_complete ? "true" : "false",
         (int)info.diagnostic_count);
  for (i = 0; i < info.frame_count; i++)
    printf("%s{\"rawDelayMs\":%" PRId64 ",\"delayMs\":%" PRId64 "}", i > 0 ? "," : "", frames[i].raw_delay_ms,
           frames[i].delay_ms);
  printf("]}\n");
  free(frames);
  return 0;
}

static int put(const void *pixels, size_t size, int is_silent) {
  if (is_silent || fwrite(pixels, 1, size, stdout) == size) return 0;
  return fprintf(stderr, "frames: output: %s\n", strerror(errno)), 1;
}

/* All frames at once, by a batch. */
static int decode_batch(gallop_image *image, int is_silent) {
  gallop_batch_options options = {.struct_size = sizeof options};
  gallop_batch_item item = {.struct_size = sizeof item};
  gallop_batch *batch;
  int outcome = 0;
  options.jobs = 2;
  options.item_bytes = INT64_C(1) << 34;
  if (gallop_batch_new(&options, &batch) != GALLOP_OK) return fail("batch");
  if (gallop_batch_add_image(batch, image, 7) != GALLOP_OK) return fail("batch, add");
  if (gallop_batch_next(batch, -1, &item) != GALLOP_OK) return fail("batch, next");
  if (item.status != GALLOP_OK) outcome = (fprintf(stderr, "frames: %s\n", item.message), 1);
  else if (item.frame_count > 0)
    outcome = put(item.pixels, (size_t)item.frame_count * item.width * item.frame_height * 4, is_silent);
  gallop_image_release(item.image);
  if (item.frames != NULL) gallop_frame_release(item.frames);
  gallop_batch_release(batch);
  return outcome;
}

static int decode(gallop_image *image, const char *way, int is_silent) {
  gallop_decoder_info info = {.struct_size = sizeof info};
  gallop_frame_view view = {.struct_size = sizeof view};
  gallop_decoder *decoder;
  gallop_frame *frame;
  uint8_t *pixels;
  static const uint32_t flags[] = {GALLOP_READ_UNCACHED, GALLOP_READ_CHANGES};
  int64_t i;
  int outcome = 0;
  if (way != NULL && strcmp(way, "batch") == 0) return decode_batch(image, is_silent);
  if (gallop_decoder_new(image, NULL, &decoder) != GALLOP_OK) return fail("decoder");
  if (gallop_decoder_get_info(decoder, &info) != GALLOP_OK) return fail("decoder, info");
  pixels = malloc(info.frame_bytes);
  if (pixels == NULL) return 1;
  for (i = 0; i < info.frame_count && outcome == 0; i++) {
    int turn = way == NULL ? (int)(i % 3) : strcmp(way, "frame") == 0 ? 2 : strcmp(way, "changes") == 0;
    if (turn == 2) {
      if (gallop_decoder_frame(decoder, i, &frame, &view) != GALLOP_OK) return fail("frame");
      outcome = put(view.pixels, view.size, is_silent);
      gallop_frame_release(frame);
    } else {
      if (gallop_decoder_read(decoder, i, pixels, info.frame_bytes, 0, flags[turn], &view) != GALLOP_OK)
        return fail("read");
      outcome = put(pixels, info.frame_bytes, is_silent);
    }
  }
  free(pixels);
  gallop_decoder_release(decoder);
  return outcome;
}

int main(int argc, char **argv) {
  const char *way = NULL, *path = NULL, *format = "null";
  size_t piece = 0;
  gallop_image *image;
  int i, outcome;
  if (argc < 3) return fprintf(stderr, "usage: frames info|decode FILE\n"), 64;
  for (i = 2; i < argc; i++) {
    if (strcmp(argv[i], "--json") == 0) continue;
    else if (strcmp(argv[i], "--format") == 0) format = argv[++i];
    else if (strcmp(argv[i], "--output") == 0) i++;
    else if (strcmp(argv[i], "--way") == 0) way = argv[++i];
    else if (strcmp(argv[i], "--piece-bytes") == 0) piece = (size_t)atol(argv[++i]);
    else path = argv[i];
  }
  if (path == NULL) return 64;
  if (open_image(path, piece, &image) != GALLOP_OK) return fail("open");
  if (strcmp(argv[1], "info") == 0) outcome = print_info(image);
  else outcome = decode(image, way, strcmp(format, "rgba") != 0);
  gallop_image_release(image);
  return outcome;
}
