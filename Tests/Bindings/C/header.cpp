// The header as C++ sees it, and a decode with it:  header FILE
#include <gallop.h>

#include <cstdio>
#include <vector>

static_assert(GALLOP_VERSION_AT_LEAST(GALLOP_VERSION_MAJOR, GALLOP_VERSION_MINOR, GALLOP_VERSION_PATCH), "this one");
static_assert(GALLOP_VERSION_AT_LEAST(0, 0, 9) && GALLOP_VERSION_AT_LEAST(0, 1, 0), "earlier ones");
static_assert(!GALLOP_VERSION_AT_LEAST(GALLOP_VERSION_MAJOR + 1, 0, 0), "a later one");
static_assert(!GALLOP_VERSION_AT_LEAST(GALLOP_VERSION_MAJOR, GALLOP_VERSION_MINOR, GALLOP_VERSION_PATCH + 1), "a later one");

int main(int argc, char **argv) {
  if (argc != 2) return 64;
  gallop_image *image = nullptr;
  gallop_decoder *decoder = nullptr;
  GALLOP_STRUCT(gallop_decoder_info, info);
  GALLOP_STRUCT(gallop_target, target);
  if (gallop_image_open(argv[1], nullptr, &image) != GALLOP_OK ||
      gallop_decoder_new(image, nullptr, &decoder) != GALLOP_OK ||
      gallop_decoder_get_info(decoder, &info) != GALLOP_OK) {
    std::fprintf(stderr, "header: %s\n", gallop_last_message());
    return 1;
  }
  std::vector<unsigned char> pixels(info.frame_bytes);
  for (int64_t i = 0; i < info.frame_count; i++)
    if (gallop_decoder_read(decoder, i, pixels.data(), pixels.size(), 0, GALLOP_READ_CHANGES, nullptr) != GALLOP_OK)
      return 1;
  target.pixels = pixels.data();
  target.size = pixels.size();
  target.channels = GALLOP_CHANNELS_RGB;
  if (gallop_decoder_read_to(decoder, 0, &target, nullptr) != GALLOP_OK) return 1;
  gallop_decoder_release(decoder);
  gallop_image_release(image);
  return gallop_handle_count() == 0 ? 0 : 1;
}
