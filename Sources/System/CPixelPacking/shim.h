// Pixels of four bytes written as three, as planes or as brightness, sixteen at a time. In C for shuffles of bytes where the
// processor has them, which Swift has no way to ask for; its compiler leaves such loops without vectors, too.
//
// What bounds every access: `count` pixels are read, and the bytes that each function names are written. No input overlaps an
// output.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Three channels of a background, or their weights, in the order of a pixel's bytes.
struct pixel_packing_channels {
  uint32_t first, second, third;
};

typedef uint32_t pixel_packing_words __attribute__((vector_size(64)));
typedef uint8_t pixel_packing_bytes __attribute__((vector_size(16)));

enum { pixel_packing_step = 16 };

// The number that a pixel's bytes make, the first one lowest.
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define PIXEL_PACKING_WORDS(words) \
  ((words) >> 24 | ((words) >> 8 & 0xff00) | ((words) << 8 & 0xff0000) | (words) << 24)
#else
#define PIXEL_PACKING_WORDS(words) (words)
#endif

// A nearest number to x / 255, for x below 65,536.
#define PIXEL_PACKING_DIVIDE(x) (((x) + 127) * 0x8081u >> 23)

// A channel of pixels over that of a background; `factor` is alpha, or 255 where it is multiplied in already.
#define PIXEL_PACKING_MIX(words, shift, factor, rest, background) \
  PIXEL_PACKING_DIVIDE(((words) >> (shift) & 255) * (factor) + (rest) * (background))

#define PIXEL_PACKING_BRIGHTNESS(words, weights)                                      \
  ((((words) & 255) * (weights).first + ((words) >> 8 & 255) * (weights).second +     \
    ((words) >> 16 & 255) * (weights).third + 0x8000) >> 16)

// Pixels over a background, opaque.
#define PIXEL_PACKING_OVER(words, factor, rest, background)                                                \
  (PIXEL_PACKING_MIX(words, 0, factor, rest, (background).first) |                                         \
   PIXEL_PACKING_MIX(words, 8, factor, rest, (background).second) << 8 |                                   \
   PIXEL_PACKING_MIX(words, 16, factor, rest, (background).third) << 16 | 255u << 24)

// Whether all pixels are opaque.
static inline bool pixels_are_opaque(const uint32_t *pixels, size_t count) {
  uint32_t all = UINT32_MAX;
  size_t i = 0;
  if (count >= pixel_packing_step) {
    pixel_packing_words words, seen;
    memcpy(&seen, pixels, sizeof seen);
    for (i = pixel_packing_step; i + pixel_packing_step <= count; i += pixel_packing_step) {
      memcpy(&words, pixels + i, sizeof words);
      seen &= words;
    }
    for (int lane = 0; lane < pixel_packing_step; lane++) all &= seen[lane];
  }
  for (; i < count; i++) all &= pixels[i];
  return PIXEL_PACKING_WORDS(all) >> 24 == 255;
}

// Lays pixels over a background; writes as many words.
static inline void pixels_over(
    const uint32_t *pixels, size_t count, struct pixel_packing_channels background, bool is_premultiplied,
    uint32_t *out) {
  size_t i = 0;
  for (; i + pixel_packing_step <= count; i += pixel_packing_step) {
    pixel_packing_words words;
    memcpy(&words, pixels + i, sizeof words);
    words = PIXEL_PACKING_WORDS(words);
    pixel_packing_words rest = 255 - (words >> 24), factor = is_premultiplied ? rest * 0 + 255 : words >> 24;
    words = PIXEL_PACKING_OVER(words, factor, rest, background);
    words = PIXEL_PACKING_WORDS(words);
    memcpy(out + i, &words, sizeof words);
  }
  for (; i < count; i++) {
    uint32_t word = PIXEL_PACKING_WORDS(pixels[i]), rest = 255 - (word >> 24);
    uint32_t factor = is_premultiplied ? 255 : word >> 24;
    word = PIXEL_PACKING_OVER(word, factor, rest, background);
    out[i] = PIXEL_PACKING_WORDS(word);
  }
}

// Four pixels are stored as 16 bytes, of which the last four are those of the next ones: two must follow.
#define PIXELS_PACK_THREE(name, attributes)                                                                   \
  attributes static inline void name(const uint32_t *pixels, size_t count, uint8_t *out) {                    \
    size_t i = 0;                                                                                             \
    for (; i + 6 <= count; i += 4) {                                                                          \
      pixel_packing_bytes bytes;                                                                              \
      memcpy(&bytes, pixels + i, sizeof bytes);                                                               \
      bytes = __builtin_shufflevector(bytes, bytes, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);  \
      memcpy(out + 3 * i, &bytes, sizeof bytes);                                                              \
    }                                                                                                         \
    for (; i < count; i++) memcpy(out + 3 * i, pixels + i, 3);                                                \
  }

PIXELS_PACK_THREE(pixels_pack_three_anywhere, )
#if defined(__x86_64__)
PIXELS_PACK_THREE(pixels_pack_three_ssse3, __attribute__((target("ssse3"))))
#endif

// Writes the first three bytes of each pixel, next to each other: 3 * count bytes.
static inline void pixels_pack_three(const uint32_t *pixels, size_t count, uint8_t *out) {
#if defined(__x86_64__)
  // The shuffle is one instruction there.
  if (__builtin_cpu_supports("ssse3")) {
    pixels_pack_three_ssse3(pixels, count, out);
    return;
  }
#endif
  pixels_pack_three_anywhere(pixels, count, out);
}

// Writes one channel of each pixel, `stride` bytes apart.
static inline void pixels_pack_channel(
    const uint32_t *pixels, size_t count, uint32_t shift, size_t stride, uint8_t *out) {
  size_t i = 0;
  if (stride == 1) {
    for (; i + pixel_packing_step <= count; i += pixel_packing_step) {
      pixel_packing_words words;
      memcpy(&words, pixels + i, sizeof words);
      pixel_packing_bytes bytes = __builtin_convertvector(PIXEL_PACKING_WORDS(words) >> shift & 255, pixel_packing_bytes);
      memcpy(out + i, &bytes, sizeof bytes);
    }
  }
  for (; i < count; i++) out[i * stride] = (uint8_t)(PIXEL_PACKING_WORDS(pixels[i]) >> shift);
}

// Writes the brightness of each pixel, `stride` bytes apart. The weights sum to 65,536.
static inline void pixels_pack_brightness(
    const uint32_t *pixels, size_t count, struct pixel_packing_channels weights, size_t stride, uint8_t *out) {
  size_t i = 0;
  if (stride == 1) {
    for (; i + pixel_packing_step <= count; i += pixel_packing_step) {
      pixel_packing_words words;
      memcpy(&words, pixels + i, sizeof words);
      words = PIXEL_PACKING_WORDS(words);
      words = PIXEL_PACKING_BRIGHTNESS(words, weights);
      pixel_packing_bytes bytes = __builtin_convertvector(words, pixel_packing_bytes);
      memcpy(out + i, &bytes, sizeof bytes);
    }
  }
  for (; i < count; i++) {
    uint32_t word = PIXEL_PACKING_WORDS(pixels[i]);
    out[i * stride] = (uint8_t)PIXEL_PACKING_BRIGHTNESS(word, weights);
  }
}
