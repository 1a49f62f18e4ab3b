/* Writes every frame of a GIF as a PAM image:  decode FILE.gif [WIDTH]
 *
 *     cc decode.c $(pkg-config --cflags --libs gallop) -o decode
 */
#include <gallop.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  gallop_decoder_options options = {.struct_size = sizeof options};
  gallop_image_info info = {.struct_size = sizeof info};
  gallop_frame_view view = {.struct_size = sizeof view};
  gallop_image *image = NULL;
  gallop_decoder *decoder = NULL;
  gallop_frame *frame = NULL;
  int64_t i;

  if (argc < 2) return fprintf(stderr, "usage: decode FILE.gif [WIDTH]\n"), 64;
  if (argc > 2) options.width = (uint32_t)atoi(argv[2]);
  if (gallop_image_open(argv[1], NULL, &image) != GALLOP_OK ||
      gallop_image_get_info(image, &info) != GALLOP_OK ||
      gallop_decoder_new(image, &options, &decoder) != GALLOP_OK)
    return fprintf(stderr, "decode: %s\n", gallop_last_message()), 1;
  for (i = 0; i < info.frame_count; i++) {
    char name[32];
    FILE *file;
    if (gallop_decoder_frame(decoder, i, &frame, &view) != GALLOP_OK)
      return fprintf(stderr, "decode: %s\n", gallop_last_message()), 1;
    snprintf(name, sizeof name, "frame-%04" PRId64 ".pam", i);
    if ((file = fopen(name, "wb")) == NULL) return perror(name), 1;
    fprintf(file, "P7\nWIDTH %" PRIu32 "\nHEIGHT %" PRIu32 "\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n",
            view.width, view.height);
    fwrite(view.pixels, 1, view.size, file);
    if (fclose(file) != 0) return perror(name), 1;
    printf("%s %" PRId64 " ms\n", name, view.delay_ms);
    gallop_frame_release(frame);
  }
  gallop_decoder_release(decoder);
  gallop_image_release(image);
  return 0;
}
