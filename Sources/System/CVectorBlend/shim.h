// Palette indices to pixels, 64 at a time, with instructions that Swift's vectors do not reach: a table of 256 bytes that
// lies in registers (AVX-512 VBMI: AMD since Zen 4, Intel's servers since Ice Lake). On other processors, and for small
// frames, BlendKernel.swift draws.
//
// What bounds every access: each function states how many indices and pixels it touches. Steps of fewer than 64 are
// masked, and what a mask leaves out is neither read nor written.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  // Bytes of a colour table, in which the three channels lie one behind the other.
  vector_blend_table_bytes = 3 * 256,
};

#if defined(__x86_64__)
#include <immintrin.h>

#define VECTOR_BLEND __attribute__((target("avx512f,avx512bw,avx512vbmi"))) static inline

// Whether this processor has the instructions, and the system keeps their registers.
static inline bool vector_blend_is_available(void) {
  return __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512bw");
}

// Writes the lower three bytes of 256 colours to `table`; the fourth is alpha, 255 but in pixels that are cleared.
VECTOR_BLEND void vector_blend_prepare(const uint32_t *colors, uint8_t *table) {
  for (int start = 0; start < 256; start += 16) {
    const __m512i words = _mm512_loadu_si512(colors + start);
    _mm_storeu_si128((__m128i *)(table + start), _mm512_cvtepi32_epi8(words));
    _mm_storeu_si128((__m128i *)(table + 256 + start), _mm512_cvtepi32_epi8(_mm512_srli_epi32(words, 8)));
    _mm_storeu_si128((__m128i *)(table + 512 + start), _mm512_cvtepi32_epi8(_mm512_srli_epi32(words, 16)));
  }
}

// One channel of the table, in registers.
struct vector_blend_channel {
  __m512i first, second, third, fourth;
};

VECTOR_BLEND struct vector_blend_channel vector_blend_channel(const uint8_t *table) {
  return (struct vector_blend_channel){
      _mm512_loadu_si512(table), _mm512_loadu_si512(table + 64), _mm512_loadu_si512(table + 128),
      _mm512_loadu_si512(table + 192)};
}

// What all steps of a row have in common.
struct vector_blend_row {
  struct vector_blend_channel red, green, blue;
  // The index whose pixels are cleared, and its alpha: 0, or 255 where none is cleared.
  __m512i cleared, alpha;
  __m512i order;
};

VECTOR_BLEND struct vector_blend_row vector_blend_row(const uint8_t *table, int cleared) {
  return (struct vector_blend_row){
      vector_blend_channel(table), vector_blend_channel(table + 256), vector_blend_channel(table + 512),
      _mm512_set1_epi8((char)cleared), _mm512_set1_epi8(cleared < 0 ? -1 : 0),
      // Four indices at a time change places, so that the pixels come out in order.
      _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15)};
}

// A channel's bytes for 64 indices; `high` has a bit for each index of 128 and more.
VECTOR_BLEND __m512i vector_blend_look_up(struct vector_blend_channel in, __m512i indices, __mmask64 high) {
  const __m512i below = _mm512_permutex2var_epi8(in.first, indices, in.second);
  return _mm512_mask_mov_epi8(below, high, _mm512_permutex2var_epi8(in.third, indices, in.fourth));
}

// 64 pixels.
struct vector_blend_pixels {
  __m512i from_0, from_16, from_32, from_48;
};

VECTOR_BLEND struct vector_blend_pixels vector_blend_colors(const struct vector_blend_row *row, __m512i indices) {
  const __m512i ordered = _mm512_permutexvar_epi32(row->order, indices);
  const __mmask64 high = _mm512_movepi8_mask(ordered);
  const __m512i red = vector_blend_look_up(row->red, ordered, high);
  const __m512i green = vector_blend_look_up(row->green, ordered, high);
  const __m512i blue = vector_blend_look_up(row->blue, ordered, high);
  const __mmask64 shown = _mm512_cmpneq_epu8_mask(ordered, row->cleared);
  const __m512i alpha = _mm512_or_si512(row->alpha, _mm512_movm_epi8(shown));
  const __m512i low = _mm512_unpacklo_epi8(red, green), low_end = _mm512_unpacklo_epi8(blue, alpha);
  const __m512i top = _mm512_unpackhi_epi8(red, green), top_end = _mm512_unpackhi_epi8(blue, alpha);
  return (struct vector_blend_pixels){
      _mm512_unpacklo_epi16(low, low_end), _mm512_unpackhi_epi16(low, low_end),
      _mm512_unpacklo_epi16(top, top_end), _mm512_unpackhi_epi16(top, top_end)};
}

// Writes the pixels of 64 indices that have a bit in `drawn`.
VECTOR_BLEND void vector_blend_step(
    const struct vector_blend_row *row, __m512i indices, __mmask64 drawn, uint32_t *pixels) {
  const struct vector_blend_pixels colors = vector_blend_colors(row, indices);
  if (drawn == ~0ull) {
    _mm512_storeu_si512(pixels, colors.from_0);
    _mm512_storeu_si512(pixels + 16, colors.from_16);
    _mm512_storeu_si512(pixels + 32, colors.from_32);
    _mm512_storeu_si512(pixels + 48, colors.from_48);
  } else {
    _mm512_mask_storeu_epi32(pixels, (__mmask16)drawn, colors.from_0);
    _mm512_mask_storeu_epi32(pixels + 16, (__mmask16)(drawn >> 16), colors.from_16);
    _mm512_mask_storeu_epi32(pixels + 32, (__mmask16)(drawn >> 32), colors.from_32);
    _mm512_mask_storeu_epi32(pixels + 48, (__mmask16)(drawn >> 48), colors.from_48);
  }
}

// The lowest `count` bits, 0 to 64.
VECTOR_BLEND __mmask64 vector_blend_first(size_t count) { return count < 64 ? ~(~0ull << count) : ~0ull; }

// The indices that are wanted and drawn; all that are wanted where `kept` is -1.
VECTOR_BLEND __mmask64 vector_blend_drawn(__mmask64 wanted, __m512i indices, int kept) {
  if (kept < 0) return wanted;
  return _mm512_mask_cmpneq_epu8_mask(wanted, indices, _mm512_set1_epi8((char)kept));
}

// How many indices at a row's start are not drawn: all of them, or a multiple of 64.
VECTOR_BLEND size_t vector_blend_hidden(const uint8_t *indices, size_t count, int kept) {
  size_t hidden = 0;
  for (; count - hidden >= 64; hidden += 64) {
    if (vector_blend_drawn(~0ull, _mm512_loadu_si512(indices + hidden), kept)) return hidden;
  }
  const __mmask64 rest = vector_blend_first(count - hidden);
  return vector_blend_drawn(rest, _mm512_maskz_loadu_epi8(rest, indices + hidden), kept) ? hidden : count;
}

// Writes `count` indices as pixels. Those of the index `kept` stay as they are; those of `cleared`, whose colour is 0,
// become 0. -1 is no index.
VECTOR_BLEND void vector_blend(
    const uint8_t *indices, const uint8_t *table, uint32_t *pixels, size_t count, int kept, int cleared) {
  // Many rows are wholly transparent, and need no table.
  const size_t hidden = vector_blend_hidden(indices, count, kept);
  indices += hidden, pixels += hidden, count -= hidden;
  if (count == 0) return;
  const struct vector_blend_row row = vector_blend_row(table, cleared);
  // The first step of a long row ends with a line of the cache: stores across lines take twice as long.
  size_t step = count < 256 ? 0 : -((uintptr_t)pixels >> 2) & 15;
  while (true) {
    if (step > 0) {
      const __mmask64 wanted = vector_blend_first(step);
      const __m512i found = _mm512_maskz_loadu_epi8(wanted, indices);
      vector_blend_step(&row, found, vector_blend_drawn(wanted, found, kept), pixels);
      indices += step, pixels += step, count -= step;
    }
    for (; count >= 64; indices += 64, pixels += 64, count -= 64) {
      const __m512i found = _mm512_loadu_si512(indices);
      const __mmask64 drawn = vector_blend_drawn(~0ull, found, kept);
      if (drawn) vector_blend_step(&row, found, drawn, pixels);
    }
    if (count == 0) return;
    step = count;
  }
}

// Writes those of 16 pixels that have a bit in `drawn`; returns whether one of them becomes another.
VECTOR_BLEND uint64_t vector_blend_change(uint32_t *pixels, __mmask16 drawn, __m512i colors) {
  const __m512i older = _mm512_maskz_loadu_epi32(drawn, pixels);
  const __mmask16 changed = _mm512_mask_cmpneq_epu32_mask(drawn, older, colors);
  _mm512_mask_storeu_epi32(pixels, changed, colors);
  return changed != 0;
}

// The same from column `x` of a row on. Returns the blocks in which a pixel has become another one: a bit for each block
// of two to the power of `shift` pixels, at least 16.
VECTOR_BLEND uint64_t vector_blend_noting(
    const uint8_t *indices, const uint8_t *table, uint32_t *pixels, size_t count, int kept, size_t x,
    unsigned shift) {
  const size_t hidden = vector_blend_hidden(indices, count, kept);
  indices += hidden, pixels += hidden, count -= hidden, x += hidden;
  uint64_t blocks = 0;
  if (count == 0) return blocks;
  const struct vector_blend_row row = vector_blend_row(table, -1);
  // The first step ends where a block may: the 16 pixels of each later store lie in one.
  size_t step = -x & 15;
  if (step == 0) step = 64;
  while (count > 0) {
    if (step > count) step = count;
    const __mmask64 wanted = vector_blend_first(step);
    const __m512i found = _mm512_maskz_loadu_epi8(wanted, indices);
    const __mmask64 drawn = vector_blend_drawn(wanted, found, kept);
    if (drawn) {
      const struct vector_blend_pixels colors = vector_blend_colors(&row, found);
      blocks |= vector_blend_change(pixels, (__mmask16)drawn, colors.from_0) << (x >> shift);
      // Of what lies behind the row no bit is set.
      blocks |= vector_blend_change(pixels + 16, (__mmask16)(drawn >> 16), colors.from_16) << ((x + 16) >> shift & 63);
      blocks |= vector_blend_change(pixels + 32, (__mmask16)(drawn >> 32), colors.from_32) << ((x + 32) >> shift & 63);
      blocks |= vector_blend_change(pixels + 48, (__mmask16)(drawn >> 48), colors.from_48) << ((x + 48) >> shift & 63);
    }
    indices += step, pixels += step, count -= step, x += step;
    step = 64;
  }
  return blocks;
}
#else
static inline bool vector_blend_is_available(void) { return false; }
static inline void vector_blend_prepare(const uint32_t *colors, uint8_t *table) {}
static inline void vector_blend(
    const uint8_t *indices, const uint8_t *table, uint32_t *pixels, size_t count, int kept, int cleared) {}
static inline uint64_t vector_blend_noting(
    const uint8_t *indices, const uint8_t *table, uint32_t *pixels, size_t count, int kept, size_t x,
    unsigned shift) {
  return 0;
}
#endif
