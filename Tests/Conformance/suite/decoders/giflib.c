/* What a program shows that reads with giflib as its documentation says: DGifSlurp, and then each image laid over the
   ones before it. giflib itself composes nothing. Where DGifSlurp fails, the images that were whole count. */
#include <gif_lib.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"

static long loop_count(const ExtensionBlock *blocks, int count, long found) {
  for (int place = 0; place + 1 < count; place++) {
    const ExtensionBlock *name = &blocks[place], *data = &blocks[place + 1];
    if (name->Function == APPLICATION_EXT_FUNC_CODE && name->ByteCount == 11 &&
        (!memcmp(name->Bytes, "NETSCAPE2.0", 11) || !memcmp(name->Bytes, "ANIMEXTS1.0", 11)) &&
        data->ByteCount == 3 && data->Bytes[0] == 1)
      found = data->Bytes[1] | data->Bytes[2] << 8;
  }
  return found;
}

static void fill(uint8_t *canvas, int width, int height, GifImageDesc at, const uint8_t *source) {
  for (int y = at.Top; y < at.Top + at.Height && y < height; y++)
    for (int x = at.Left; x < at.Left + at.Width && x < width; x++) {
      uint8_t *pixel = canvas + 4 * ((size_t)y * width + x);
      if (source) memcpy(pixel, source + (pixel - canvas), 4);
      else memset(pixel, 0, 4);
    }
}

static void draw(uint8_t *canvas, int width, int height, const SavedImage *image, const ColorMapObject *colours, int clear) {
  GifImageDesc at = image->ImageDesc;
  for (int y = 0; y < at.Height && y + at.Top < height; y++)
    for (int x = 0; x < at.Width && x + at.Left < width; x++) {
      int index = image->RasterBits[(size_t)y * at.Width + x];
      if (index == clear) continue;
      uint8_t *pixel = canvas + 4 * ((size_t)(y + at.Top) * width + x + at.Left);
      GifColorType colour = {0, 0, 0};
      if (colours && index < colours->ColorCount) colour = colours->Colors[index];
      pixel[0] = colour.Red, pixel[1] = colour.Green, pixel[2] = colour.Blue, pixel[3] = 255;
    }
}

static void decode(const char *path) {
  int error = 0;
  GifFileType *file = DGifOpenFileName(path, &error);
  if (!file) {
    answer_error(GifErrorString(error));
    return;
  }
  int failed = DGifSlurp(file) != GIF_OK;
  /* The last image of a failed read has memory that was never written. */
  int count = failed ? file->ImageCount - 1 : file->ImageCount;
  int width = file->SWidth, height = file->SHeight;
  size_t pixels = (size_t)width * height;
  if (count > 0 && pixels > 0 && pixels < 1 << 24) {
    uint8_t *canvas = calloc(pixels, 4), *saved = calloc(pixels, 4);
    long loops = loop_count(file->ExtensionBlocks, file->ExtensionBlockCount, -1);
    for (int index = 0; index < count; index++)
      loops = loop_count(file->SavedImages[index].ExtensionBlocks, file->SavedImages[index].ExtensionBlockCount, loops);
    answer_size(width, height);
    answer_loop(loop_count(file->ExtensionBlocks, file->ExtensionBlockCount, loops));
    for (int index = 0; index < count; index++) {
      const SavedImage *image = &file->SavedImages[index];
      GraphicsControlBlock control = {DISPOSAL_UNSPECIFIED, false, 0, NO_TRANSPARENT_COLOR};
      DGifSavedExtensionToGCB(file, index, &control);
      if (control.DisposalMode == DISPOSE_PREVIOUS) memcpy(saved, canvas, pixels * 4);
      draw(canvas, width, height, image, image->ImageDesc.ColorMap ? image->ImageDesc.ColorMap : file->SColorMap,
           control.TransparentColor);
      answer_frame(control.DelayTime * 10L, canvas, pixels);
      if (control.DisposalMode == DISPOSE_BACKGROUND) fill(canvas, width, height, image->ImageDesc, NULL);
      if (control.DisposalMode == DISPOSE_PREVIOUS) fill(canvas, width, height, image->ImageDesc, saved);
    }
    free(canvas);
    free(saved);
  }
  if (failed) answer_error(file->Error ? GifErrorString(file->Error) : "DGifSlurp fails");
  DGifCloseFile(file, &error);
}

int main(int count, char **paths) {
  for (int place = 1; place < count; place++) {
    answer_file(paths[place]);
    decode(paths[place]);
  }
  return 0;
}
