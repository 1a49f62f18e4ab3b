// The header as C++ sees it, and a decode with it:  header FILE
#include <gallop.h>

#include <cstdio>
#include <vector>

int main(int argc, char **argv) {
  if (argc != 2) return 64;
  gallop_image *image = nullptr;
  gallop_decoder *decoder = nullptr;
  gallop_decoder_info info = gallop_decoder_info();
  info.struct_size = sizeof info;
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
  gallop_decoder_release(decoder);
  gallop_image_release(image);
  return gallop_handle_count() == 0 ? 0 : 1;
}
