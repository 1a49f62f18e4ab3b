/* Frames in the caller's layouts: the same pixels as the decoder's own, within the bounds, and every misuse a status. */
#include "check.h"
#include <limits.h>
#include <stdint.h>
#include <string.h>

enum { BEYOND = 64, FILLED = 0xCD };

static uint8_t over(uint8_t color, uint8_t alpha, uint32_t background) {
  return (uint8_t)((color * alpha + background * (255 - alpha) + 127u) / 255);
}

/* What a target must hold of a pixel, from its four bytes. */
static uint8_t wanted(const uint8_t *pixel, int32_t channels, uint32_t channel, uint32_t background) {
  static const uint32_t weights[] = {19595, 38470, 7471};
  uint32_t i, sum = 0x8000;
  if (channels == GALLOP_CHANNELS_ALL) return pixel[channel];
  if (channels == GALLOP_CHANNELS_RGB) return over(pixel[channel], pixel[3], background >> (16 - 8 * channel) & 255);
  for (i = 0; i < 3; i++) sum += weights[i] * over(pixel[i], pixel[3], background >> (16 - 8 * i) & 255);
  return (uint8_t)(sum >> 16);
}

static void reads(gallop_image *image, uint32_t width, uint32_t height, int32_t channels, size_t gap, int is_planar) {
  gallop_decoder_options options = {.struct_size = sizeof options, .width = width, .height = height};
  gallop_decoder_info info = {.struct_size = sizeof info};
  gallop_frame_view view = {.struct_size = sizeof view};
  gallop_target target = {.struct_size = sizeof target, .channels = channels, .background = 0x10C8FF};
  gallop_decoder *decoder, *other;
  uint32_t x, y, channel, count = channels == GALLOP_CHANNELS_ALL ? 4 : channels == GALLOP_CHANNELS_RGB ? 3 : 1;
  uint8_t *pixels, *memory;
  size_t step, row, plane, size;
  int64_t i;
  CHECK_OK(gallop_decoder_new(image, &options, &decoder));
  CHECK_OK(gallop_decoder_new(image, &options, &other));
  CHECK_OK(gallop_decoder_get_info(decoder, &info));
  step = (is_planar ? 1 : count) + gap;
  row = info.width * step + gap;
  plane = is_planar ? info.height * row : 1;
  size = (info.height - 1) * row + (info.width - 1) * step + (count - 1) * plane + 1;
  target.size = size;
  target.row_stride = gap ? row : 0;
  target.pixel_stride = gap ? step : 0;
  target.plane_stride = is_planar ? plane : 0;
  pixels = malloc(info.frame_bytes);
  memory = malloc(size + BEYOND);
  CHECK(pixels != NULL && memory != NULL);
  memset(memory, FILLED, size + BEYOND);
  target.pixels = memory;
  for (i = 0; i < info.frame_count; i++) {
    target.flags = i % 2 ? GALLOP_READ_CHANGES : GALLOP_READ_UNCACHED;
    CHECK_OK(gallop_decoder_read(other, i, pixels, info.frame_bytes, 0, 0, NULL));
    CHECK_OK(gallop_decoder_read_to(decoder, i, &target, &view));
    CHECK(view.pixels == memory && view.size == size && view.index == i && view.width == info.width);
    for (y = 0; y < info.height; y++)
      for (x = 0; x < info.width; x++)
        for (channel = 0; channel < count; channel++) {
          const uint8_t *pixel = pixels + 4 * ((size_t)y * info.width + x);
          CHECK(memory[y * row + x * step + channel * plane] == wanted(pixel, channels, channel, target.background));
        }
  }
  if (gap && !is_planar) CHECK(memory[count] == FILLED);
  for (i = 0; i < BEYOND; i++) CHECK(memory[size + (size_t)i] == FILLED);
  target.size = size - 1;
  CHECK_STATUS(gallop_decoder_read_to(decoder, 0, &target, NULL), GALLOP_BUFFER_TOO_SMALL);
  free(pixels);
  free(memory);
  CHECK_OK(gallop_decoder_release(decoder));
  CHECK_OK(gallop_decoder_release(other));
}

static void misuses(gallop_image *image) {
  static uint8_t pixels[16];
  const gallop_target fine = {.struct_size = sizeof fine, .pixels = pixels, .size = sizeof pixels};
  gallop_decoder *decoder;
  gallop_target target = fine;
  CHECK_OK(gallop_decoder_new(image, NULL, &decoder));
  CHECK_STATUS(gallop_decoder_read_to(decoder, 0, NULL, NULL), GALLOP_INVALID_ARGUMENT);
  CHECK_STATUS(gallop_decoder_read_to(decoder, 0, &target, NULL), GALLOP_BUFFER_TOO_SMALL);
  target.struct_size = 0;
  CHECK_STATUS(gallop_decoder_read_to(decoder, 0, &target, NULL), GALLOP_INVALID_ARGUMENT);
  target = fine, target.pixels = NULL;
  CHECK_STATUS(gallop_decoder_read_to(decoder, 0, &target, NULL), GALLOP_INVALID_ARGUMENT);
  target = fine, target.channels = 3;
  CHECK_STATUS(gallop_decoder_read_to(decoder, 0, &target, NULL), GALLOP_INVALID_ARGUMENT);
  target = fine, target.background = 0x1000000;
  CHECK_STATUS(gallop_decoder_read_to(decoder, 0, &target, NULL), GALLOP_INVALID_ARGUMENT);
  target = fine, target.flags = 4;
  CHECK_STATUS(gallop_decoder_read_to(decoder, 0, &target, NULL), GALLOP_INVALID_ARGUMENT);
  /* Strides whose sums no number holds. */
  size_t *strides[] = {&target.row_stride, &target.pixel_stride, &target.plane_stride};
  for (int i = 0; i < 3; i++) {
    static const size_t large[] = {SIZE_MAX, (size_t)PTRDIFF_MAX, (size_t)PTRDIFF_MAX / 2, SIZE_MAX / 4};
    for (int j = 0; j < 4; j++) {
      target = fine;
      *strides[i] = large[j];
      gallop_status status = gallop_decoder_read_to(decoder, 0, &target, NULL);
      CHECK(status == GALLOP_INVALID_ARGUMENT || status == GALLOP_BUFFER_TOO_SMALL);
      target.size = SIZE_MAX;
      status = gallop_decoder_read_to(decoder, 0, &target, NULL);
      CHECK(status == GALLOP_INVALID_ARGUMENT || status == GALLOP_BUFFER_TOO_SMALL);
    }
  }
  CHECK_OK(gallop_decoder_release(decoder));
}

int main(int argc, char **argv) {
  gallop_image *image;
  if (argc != 2) return fprintf(stderr, "usage: targets FILE\n"), 64;
  CHECK_OK(gallop_image_open(argv[1], NULL, &image));
  for (int32_t channels = GALLOP_CHANNELS_ALL; channels <= GALLOP_CHANNELS_GRAY; channels++)
    for (int way = 0; way < 4; way++) {
      reads(image, 0, 0, channels, way & 1 ? 5 : 0, way & 2);
      reads(image, 37, 23, channels, way & 1 ? 5 : 0, way & 2);
      reads(image, 1, 1, channels, way & 1 ? 5 : 0, way & 2);
    }
  misuses(image);
  CHECK_OK(gallop_image_release(image));
  CHECK(gallop_handle_count() == 0);
  return 0;
}
