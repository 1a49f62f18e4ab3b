/* Times giflib on a GIF: every row of every frame through DGifGetLine into one line buffer. Palette indices only:
 * no colours, no canvas, no disposal. From the bytes in memory, opening and allocations included.
 *
 *   giflib_lines REPEATS FILE     prints {"milliseconds": the best run, "frames": N}
 *   giflib_lines --version        prints the version of giflib's header
 */
#include <gif_lib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct bytes {
  unsigned char *start;
  size_t count, position;
};

static int read_bytes(GifFileType *gif, GifByteType *target, int wanted) {
  struct bytes *file = gif->UserData;
  size_t rest = file->count - file->position;
  size_t count = (size_t)wanted < rest ? (size_t)wanted : rest;
  memcpy(target, file->start + file->position, count);
  file->position += count;
  return (int)count;
}

static int load(const char *path, struct bytes *file) {
  FILE *stream = fopen(path, "rb");
  if (!stream) return 0;
  size_t room = 0, got = 0;
  do {
    file->count += got;
    if (file->count == room) {
      room = room ? room * 2 : 1 << 16;
      unsigned char *larger = realloc(file->start, room);
      if (!larger) break;
      file->start = larger;
    }
    got = fread(file->start + file->count, 1, room - file->count, stream);
  } while (got > 0);
  int is_whole = feof(stream) && !ferror(stream);
  fclose(stream);
  return is_whole;
}

static int skip_extension(GifFileType *gif) {
  int code;
  GifByteType *block;
  if (DGifGetExtension(gif, &code, &block) == GIF_ERROR) return GIF_ERROR;
  while (block)
    if (DGifGetExtensionNext(gif, &block) == GIF_ERROR) return GIF_ERROR;
  return GIF_OK;
}

/* The line grows to the widest frame met, and serves all of them. */
struct line {
  GifPixelType *pixels;
  int width;
};

static int decode_frame(GifFileType *gif, struct line *line) {
  if (DGifGetImageDesc(gif) == GIF_ERROR) return GIF_ERROR;
  int width = gif->Image.Width, height = gif->Image.Height;
  if (width > line->width) {
    GifPixelType *wider = realloc(line->pixels, (size_t)width);
    if (!wider) return GIF_ERROR;
    line->pixels = wider;
    line->width = width;
  }
  for (int row = 0; row < height; row++)
    if (DGifGetLine(gif, line->pixels, width) == GIF_ERROR) return GIF_ERROR;
  return GIF_OK;
}

/* The number of frames, or -1 with giflib's error. */
static int decode(struct bytes *file, int *error) {
  file->position = 0;
  GifFileType *gif = DGifOpen(file, read_bytes, error);
  if (!gif) return -1;
  struct line line = {0};
  int frames = 0, state = GIF_OK;
  GifRecordType record = UNDEFINED_RECORD_TYPE;
  while (state == GIF_OK && record != TERMINATE_RECORD_TYPE) {
    state = DGifGetRecordType(gif, &record);
    if (state == GIF_ERROR) break;
    if (record == IMAGE_DESC_RECORD_TYPE) {
      state = decode_frame(gif, &line);
      frames += state == GIF_OK;
    } else if (record == EXTENSION_RECORD_TYPE) {
      state = skip_extension(gif);
    }
  }
  *error = gif->Error;
  int ignored;
  DGifCloseFile(gif, &ignored);
  free(line.pixels);
  return state == GIF_OK ? frames : -1;
}

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

int main(int count, char **arguments) {
  if (count == 2 && strcmp(arguments[1], "--version") == 0)
    return printf("%d.%d.%d\n", GIFLIB_MAJOR, GIFLIB_MINOR, GIFLIB_RELEASE) < 0;
  long repeats = count == 3 ? strtol(arguments[1], NULL, 10) : 0;
  if (repeats < 1) {
    fprintf(stderr, "usage: giflib_lines REPEATS FILE\n");
    return 64;
  }
  struct bytes file = {0};
  if (!load(arguments[2], &file)) {
    fprintf(stderr, "cannot be read\n");
    return 1;
  }
  double best = 0;
  int frames = 0;
  for (long run = 0; run < repeats; run++) {
    int error = 0;
    double start = milliseconds();
    frames = decode(&file, &error);
    double took = milliseconds() - start;
    if (frames < 0) {
      const char *text = GifErrorString(error);
      fprintf(stderr, "giflib: %s\n", text ? text : "fails");
      return 1;
    }
    if (run == 0 || took < best) best = took;
  }
  free(file.start);
  return printf("{\"milliseconds\": %.6f, \"frames\": %d}\n", best, frames) < 0;
}
