/*
 * The poster and the WebP of a file:
 *
 *     stills FILE
 */
#include "check.h"

#include <string.h>

static uint32_t number(const unsigned char *bytes, int count) {
  uint32_t value = 0;
  while (count-- > 0) value = value << 8 | bytes[count];
  return value;
}

/* The canvas of a WebP that is animated. */
static void check_webp(const unsigned char *bytes, size_t size, uint32_t width, uint32_t height) {
  CHECK(size > 30 && memcmp(bytes, "RIFF", 4) == 0 && memcmp(bytes + 8, "WEBPVP8X", 8) == 0);
  CHECK(number(bytes + 4, 4) + 8 == size);
  CHECK(number(bytes + 24, 3) + 1 == width && number(bytes + 27, 3) + 1 == height);
}

static void posters(gallop_image *image, gallop_cancel *cancel) {
  int64_t index = -1;
  CHECK_OK(gallop_image_poster(image, NULL, &index));
  /* Frame 0 is nearly blank. */
  CHECK(index == 1);
  CHECK_STATUS(gallop_image_poster(image, NULL, NULL), GALLOP_INVALID_ARGUMENT);
  CHECK_STATUS(gallop_image_poster(NULL, NULL, &index), GALLOP_INVALID_HANDLE);
  CHECK_STATUS(gallop_image_poster(image, cancel, &index), GALLOP_CANCELLED);
}

static void webps(gallop_image *image, gallop_cancel *cancel) {
  static const int64_t frames[] = {0, 2, 1};
  static const int64_t missing[] = {0, 100000};
  gallop_image_info info = {.struct_size = sizeof info};
  gallop_webp_options options = {.struct_size = sizeof options, .width = 32, .height = 18, .frames = frames, .frame_count = 3};
  void *bytes = &info;
  size_t whole, small;
  CHECK_OK(gallop_image_get_info(image, &info));
  CHECK_OK(gallop_image_webp(image, NULL, &bytes, &whole));
  check_webp(bytes, whole, info.width, info.height);
  free(bytes);
  CHECK_OK(gallop_image_webp(image, &options, &bytes, &small));
  check_webp(bytes, small, 32, 18);
  CHECK(small < whole);
  free(bytes);
  options.is_lossy = 1;
  options.quality = 30;
  options.most_per_second = 5;
  CHECK_OK(gallop_image_webp(image, &options, &bytes, &small));
  free(bytes);
  options.quality = 101;
  CHECK_STATUS(gallop_image_webp(image, &options, &bytes, &small), GALLOP_INVALID_ARGUMENT);
  CHECK(bytes == NULL && small == 0);
  options.quality = 50;
  options.most_per_second = -1;
  CHECK_STATUS(gallop_image_webp(image, &options, &bytes, &small), GALLOP_INVALID_ARGUMENT);
  options.most_per_second = 0;
  options.width = 0;
  CHECK_STATUS(gallop_image_webp(image, &options, &bytes, &small), GALLOP_INVALID_ARGUMENT);
  options.width = 20000;
  CHECK_STATUS(gallop_image_webp(image, &options, &bytes, &small), GALLOP_CANVAS_TOO_LARGE);
  options.width = 32;
  options.frames = missing;
  options.frame_count = 2;
  CHECK_STATUS(gallop_image_webp(image, &options, &bytes, &small), GALLOP_NO_SUCH_FRAME);
  options.frames = NULL;
  CHECK_STATUS(gallop_image_webp(image, &options, &bytes, &small), GALLOP_INVALID_ARGUMENT);
  options.frame_count = 0;
  options.cancel = cancel;
  CHECK_STATUS(gallop_image_webp(image, &options, &bytes, &small), GALLOP_CANCELLED);
  CHECK_STATUS(gallop_image_webp(image, NULL, NULL, &small), GALLOP_INVALID_ARGUMENT);
  CHECK_STATUS(gallop_image_webp(NULL, NULL, &bytes, &small), GALLOP_INVALID_HANDLE);
}

int main(int count, char **arguments) {
  gallop_image *image;
  gallop_cancel *cancel;
  CHECK(count == 2);
  CHECK_OK(gallop_image_open(arguments[1], NULL, &image));
  CHECK_OK(gallop_cancel_new(&cancel));
  CHECK_OK(gallop_cancel_set(cancel));
  posters(image, cancel);
  webps(image, cancel);
  CHECK_OK(gallop_cancel_release(cancel));
  CHECK_OK(gallop_image_release(image));
  puts("ok");
  return 0;
}
