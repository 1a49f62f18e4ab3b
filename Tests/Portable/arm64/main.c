// Writes the canvases of a GIF to standard output, as `gallop decode --format rgba` does:  decode FILE
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

bool decode_gif(const uint8_t *bytes, long count, void (*write)(const void *, long));

static void write_pixels(const void *pixels, long count) { fwrite(pixels, 1, (size_t)count, stdout); }

int main(int argc, char **argv) {
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (file == NULL || fseek(file, 0, SEEK_END) != 0) return 1;
  const long count = ftell(file);
  rewind(file);
  uint8_t *bytes = malloc((size_t)count);
  if (bytes == NULL || fread(bytes, 1, (size_t)count, file) != (size_t)count) return 1;
  return decode_gif(bytes, count, write_pixels) && fflush(stdout) == 0 ? 0 : 1;
}
