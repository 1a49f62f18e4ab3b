// Stores that leave the processor's caches alone, which Swift has no way to say.
#include <stddef.h>
#include <string.h>

typedef long long uncached_lane __attribute__((vector_size(16), may_alias));
typedef long long uncached_source __attribute__((vector_size(16), aligned(1), may_alias));

// Copies `count` bytes that do not overlap. A plain copy first reads the lines that it overwrites: for a target that no
// cache holds this is a third of the traffic.
// Measured on arrays of all frames of eight GIFs in Python, by processor time on a busy machine: with memcpy it takes 1.14
// times as long, and 1.23 times on the six that are large; page faults are the same.
static inline void copy_uncached(void *restrict to, const void *restrict from, size_t count) {
  enum { line = 64, lane = sizeof(uncached_lane), least = 1024 };
  char *target = to;
  const char *source = from;
  if (count >= least) {
    size_t head = -(size_t)target & (line - 1);
    memcpy(target, source, head);
    target += head, source += head, count -= head;
    for (; count >= line; target += line, source += line, count -= line) {
      for (size_t place = 0; place < line; place += lane) {
        uncached_lane bytes = *(const uncached_source *)(source + place);
        __builtin_nontemporal_store(bytes, (uncached_lane *)(target + place));
      }
    }
#if defined(__x86_64__) || defined(__i386__)
    // These stores are not ordered with later ones, such as those that tell another thread of the pixels.
    __builtin_ia32_sfence();
#endif
  }
  memcpy(target, source, count);
}
