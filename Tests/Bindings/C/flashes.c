/*
 * The flashes of two GIFs that the test makes, and of one that has none:
 *
 *     flashes FILE
 */
#include "check.h"

#include <math.h>
#include <poll.h>
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
  gallop_flash_report verdict = {.struct_size = sizeof verdict};
  options.is_verdict_only = 1;
  CHECK_OK(gallop_image_flashes(image, &options, &verdict));
  CHECK(verdict.result == GALLOP_FLASHES_FAILS && verdict.is_decoded);
  CHECK(verdict.general.flashes_per_second == 0 && verdict.safe_rate == 0 && verdict.safe_width == 0);
  options.is_verdict_only = 0;
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
  // A second of the viewer would hold any number of plays.
  options.rate = 1e9;
  CHECK_STATUS(gallop_image_flashes(image, &options, &report), GALLOP_INVALID_ARGUMENT);
  options.rate = 0;
  CHECK_STATUS(gallop_image_flashes(image, &options, NULL), GALLOP_INVALID_ARGUMENT);
  CHECK_STATUS(gallop_image_flashes(NULL, &options, &report), GALLOP_INVALID_HANDLE);
  CHECK_OK(gallop_cancel_new(&options.cancel));
  CHECK_OK(gallop_cancel_set(options.cancel));
  CHECK_STATUS(gallop_image_flashes(image, &options, &report), GALLOP_CANCELLED);
  CHECK_OK(gallop_cancel_release(options.cancel));
}

/* A player that is shown at 400 x 300 holds what fails, until its user wants it to play. */
static void plays(gallop_image *image) {
  gallop_player_options options = {.struct_size = sizeof options, .shown_width = 400, .shown_height = 300};
  gallop_player_flashes flashes = {.struct_size = sizeof flashes};
  gallop_event event = {.struct_size = sizeof event};
  gallop_player *player;
  int fd;
  CHECK_OK(gallop_clock_new(GALLOP_CLOCK_MANUAL, &options.clock));
  options.flash_policy = 4;
  CHECK_STATUS(gallop_player_new(image, &options, &player), GALLOP_INVALID_ARGUMENT);
  options.flash_policy = GALLOP_FLASH_POLICY_HOLD;
  CHECK_OK(gallop_player_new(image, &options, &player));
  CHECK_OK(gallop_player_event_fd(player, &fd));
  CHECK_OK(gallop_player_play(player));
  do {
    struct pollfd request = {fd, POLLIN, 0};
    CHECK(poll(&request, 1, -1) == 1);
    CHECK_OK(gallop_player_next_event(player, &event, NULL));
  } while (event.kind != GALLOP_EVENT_FLASHES || event.state == GALLOP_FLASH_STATE_JUDGING);
  CHECK(event.state == GALLOP_FLASH_STATE_HELD);
  CHECK_OK(gallop_player_get_flashes(player, &flashes));
  CHECK(flashes.policy == GALLOP_FLASH_POLICY_HOLD && flashes.state == GALLOP_FLASH_STATE_HELD);
  CHECK(flashes.shown_width == 400 && flashes.shown_height == 300 && !flashes.shares_field && flashes.rate == 0);
  CHECK(flashes.has_report && flashes.report.result == GALLOP_FLASHES_FAILS && flashes.report.safe_width > 160);
  CHECK_OK(gallop_player_set_shares_field(player, 1));
  CHECK_OK(gallop_player_set_flash_policy(player, GALLOP_FLASH_POLICY_ALLOW));
  CHECK_OK(gallop_player_get_flashes(player, &flashes));
  CHECK(flashes.state == GALLOP_FLASH_STATE_UNJUDGED && flashes.shares_field == 1 && !flashes.has_report);
  CHECK_OK(gallop_player_set_shares_field(player, 0));
  CHECK_OK(gallop_player_set_shown_size(player, 0, 0));
  CHECK_OK(gallop_player_set_flash_policy(player, GALLOP_FLASH_POLICY_SLOW));
  CHECK_OK(gallop_player_get_flashes(player, &flashes));
  /* A pixel is too small, whatever it does. */
  CHECK(flashes.state == GALLOP_FLASH_STATE_PASSES && flashes.shown_width == 0);
  CHECK_STATUS(gallop_player_set_shown_size(player, 400, 0), GALLOP_INVALID_ARGUMENT);
  CHECK_STATUS(gallop_player_set_flash_policy(player, -1), GALLOP_INVALID_ARGUMENT);
  CHECK_OK(gallop_player_release(player));
  CHECK_OK(gallop_clock_release(options.clock));
}

int main(int argc, char **argv) {
  gallop_image *image = blinking(4), *file;
  gallop_flash_report report = {.struct_size = sizeof report};
  CHECK(argc == 2);
  judge(image);
  refusals(image);
  plays(image);
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
