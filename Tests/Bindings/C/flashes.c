/*
 * The flashes of two GIFs that the test makes, and of one that has none:
 *
 *     flashes FILE
 */
#include "check.h"

#include <math.h>
#include <string.h>

/* A pixel that is black and white in turn, `count` times for 50 ms each. */
static gallop_image *blinking(int count) {
  static const uint8_t head[] = {'G', 'I', 'F', '8', '9', 'a', 1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255};
  static const uint8_t frames[2][20] = {
    {0x21, 0xF9, 4, 4, 5, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2},
    {0x21, 0xF9, 4, 4, 5, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2}};
  static const uint8_t codes[2][3] = {{0x44, 0x01, 0}, {0x4C, 0x01, 0}};
  uint8_t bytes[1024];
  size_t size = sizeof head;
  gallop_image *image;
  int i;
  memcpy(bytes, head, size);
  for (i = 0; i < count; i++) {
    memcpy(bytes + size, frames[i % 2], sizeof frames[0]);
    size += sizeof frames[0];
    memcpy(bytes + size, codes[i % 2], sizeof codes[0]);
    size += sizeof codes[0];
  }
  bytes[size++] = 0x3B;
  CHECK_OK(gallop_image_from_bytes(bytes, size, NULL, &image));
  return image;
}

static void judge(gallop_image *image) {
  gallop_flash_options options = {.struct_size = sizeof options, .width = 400, .height = 300};
  gallop_flash_report report = {.struct_size = sizeof report};
  CHECK_OK(gallop_image_flashes(image, &options, &report));
  CHECK(report.result == GALLOP_FLASHES_FAILS && report.is_decoded);
  CHECK(report.general.flashes_per_second == 10 && report.general.field_share == 1);
  CHECK(report.red.flashes_per_second == 0);
  /* Seven changes take 300 ms of the file. */
  CHECK(fabs(report.safe_rate - 0.3) < 1e-9);
  CHECK(report.safe_width * report.safe_height <= 21824 && report.safe_width > 160);
  options.rate = report.safe_rate;
  CHECK_OK(gallop_image_flashes(image, &options, &report));
  CHECK(report.result == GALLOP_FLASHES_PASSES && report.safe_rate == 0);
  options.is_partial = 1;
  CHECK_OK(gallop_image_flashes(image, &options, &report));
  CHECK(report.result == GALLOP_FLASHES_UNKNOWN);
  options.rate = 1;
  CHECK_OK(gallop_image_flashes(image, &options, &report));
  CHECK(report.result == GALLOP_FLASHES_FAILS);
}

static void refusals(gallop_image *image) {
  gallop_flash_options options = {.struct_size = sizeof options, .width = 400};
  gallop_flash_report report = {.struct_size = sizeof report};
  CHECK_STATUS(gallop_image_flashes(image, &options, &report), GALLOP_INVALID_ARGUMENT);
  options.height = 300;
  options.rate = -1;
  CHECK_STATUS(gallop_image_flashes(image, &options, &report), GALLOP_INVALID_ARGUMENT);
  options.rate = NAN;
  CHECK_STATUS(gallop_image_flashes(image, &options, &report), GALLOP_INVALID_ARGUMENT);
  options.rate = 0;
  CHECK_STATUS(gallop_image_flashes(image, &options, NULL), GALLOP_INVALID_ARGUMENT);
  CHECK_STATUS(gallop_image_flashes(NULL, &options, &report), GALLOP_INVALID_HANDLE);
  CHECK_OK(gallop_cancel_new(&options.cancel));
  CHECK_OK(gallop_cancel_set(options.cancel));
  CHECK_STATUS(gallop_image_flashes(image, &options, &report), GALLOP_CANCELLED);
  CHECK_OK(gallop_cancel_release(options.cancel));
}

int main(int argc, char **argv) {
  gallop_image *image = blinking(4), *file;
  gallop_flash_report report = {.struct_size = sizeof report};
  CHECK(argc == 2);
  judge(image);
  refusals(image);
  /* A pixel is too small, whatever it does. */
  CHECK_OK(gallop_image_flashes(image, NULL, &report));
  CHECK(report.result == GALLOP_FLASHES_PASSES && !report.is_decoded);
  CHECK_OK(gallop_image_release(image));
  CHECK_OK(gallop_image_open(argv[1], NULL, &file));
  CHECK_OK(gallop_image_flashes(file, NULL, &report));
  CHECK_OK(gallop_image_release(file));
  CHECK(gallop_handle_count() == 0);
  return 0;
}
