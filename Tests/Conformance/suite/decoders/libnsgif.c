/* What libnsgif shows: the frames that it wants displayed, each decoded in order. Its loop count does not distinguish
   one play from none stated, so that it is not compared. */
#include <stddef.h>

#include <libnsgif.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"

static void *create(int width, int height) {
  return (long long)width * height > 1 << 24 ? NULL : calloc((size_t)width * height + 1, 4);
}
static unsigned char *buffer(void *bitmap) { return bitmap; }

static void decode(unsigned char *data, size_t size) {
  gif_bitmap_callback_vt calls = {.bitmap_create = create, .bitmap_destroy = free, .bitmap_get_buffer = buffer};
  gif_animation gif;
  gif_create(&gif, &calls);
  gif_result result;
  do result = gif_initialise(&gif, size, data);
  while (result == GIF_WORKING);
  if (gif.frame_count > 0) {
    answer_size(gif.width, gif.height);
    for (unsigned index = 0; index < gif.frame_count; index++) {
      if (!gif.frames[index].display) continue;
      gif_decode_frame(&gif, index);
      if (gif.frame_image) answer_frame(gif.frames[index].frame_delay * 10L, gif.frame_image, (size_t)gif.width * gif.height);
    }
  }
  if (result != GIF_OK) printf("error %d\n", result);
  gif_finalise(&gif);
}

int main(int count, char **paths) {
  for (int place = 1; place < count; place++) {
    answer_file(paths[place]);
    FILE *file = fopen(paths[place], "rb");
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    /* The library reads some bytes ahead. */
    unsigned char *data = calloc(size + 16, 1);
    if (fread(data, 1, size, file) == size) decode(data, size);
    fclose(file);
    free(data);
  }
  return 0;
}
