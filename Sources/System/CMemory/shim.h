// Memory that the system may refuse, and gets back at once. Swift's own allocation ends the program where it is refused.
//
// One Swift file alone uses this header, so its one lock is the lock of the process.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#if defined(__wasm__)

// A module for the web has neither pages nor threads; the file that uses this header is another one there.
static inline void *memory_map(size_t size, size_t headroom, bool isWritten) {
  return (void)size, (void)headroom, (void)isWritten, NULL;
}
static inline void memory_unmap(void *start, size_t size) { (void)start, (void)size; }
static inline bool memory_is_limited(void) { return false; }
static inline long memory_page_size(void) { return 1 << 16; }
static inline bool memory_prepare_heap(size_t reserve) { return (void)reserve, true; }
static inline void memory_trim_heap(size_t reserve) { (void)reserve; }
static inline long memory_milliseconds(void) { return 0; }
static inline bool memory_try_lock(void) { return false; }
static inline void memory_unlock(void) {}

#else

#if defined(__GLIBC__)
#include <malloc.h>
#endif
#include <limits.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static inline long memory_page_size(void) { return sysconf(_SC_PAGESIZE); }

// Time since the system's start, to some milliseconds: reading it takes a few nanoseconds.
static inline long memory_milliseconds(void) {
#if defined(CLOCK_MONOTONIC_COARSE)
  const clockid_t clock = CLOCK_MONOTONIC_COARSE;
#else
  const clockid_t clock = CLOCK_MONOTONIC;
#endif
  struct timespec now;
  return clock_gettime(clock, &now) == 0 ? now.tv_sec * 1000 + now.tv_nsec / 1000000 : 0;
}

// When the process's limits were read, times 2, plus whether there is one: two calls of the system for each picture would
// show in the processor's time.
static _Atomic long memory_limits = -1;

// Whether the process's address space, or its data, has a limit, now or some milliseconds ago.
static inline bool memory_is_limited(void) {
  long time = memory_milliseconds(), known = memory_limits;
  if (known >= 0 && known / 2 == time) return known & 1;
  struct rlimit space, data;
  bool is_limited = (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY)
      || (getrlimit(RLIMIT_DATA, &data) == 0 && data.rlim_cur != RLIM_INFINITY);
  memory_limits = time * 2 + is_limited;
  return is_limited;
}

#if defined(__GLIBC__)
// Declared by the system only to programs that ask for its extensions.
extern int pthread_setattr_default_np(const pthread_attr_t *);
#endif

// Under a limit, has all threads use one heap, as a heap for each takes 64 MB of addresses, which count; has that heap keep
// `reserve` bytes of addresses more than it needs now; and gives threads of libraries stacks of 1 MB, not of 8. False where
// the system refuses the heap's addresses, or as many again for libraries.
static inline bool memory_prepare_heap(size_t reserve) {
#if defined(__GLIBC__)
  if (!memory_is_limited()) return true;
  pthread_attr_t stacks;
  if (pthread_attr_init(&stacks) == 0) {
    if (pthread_attr_setstacksize(&stacks, 1 << 20) == 0) pthread_setattr_default_np(&stacks);
    pthread_attr_destroy(&stacks);
  }
  mallopt(M_ARENA_MAX, 1);
  // What is released at the heap's end stays there.
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
  mallopt(M_MMAP_THRESHOLD, (int)reserve * 2);
  void *end = malloc(reserve);
  // What glibc begins with.
  mallopt(M_MMAP_THRESHOLD, 128 << 10);
  void *rest = mmap(NULL, reserve, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (rest != MAP_FAILED) munmap(rest, reserve);
  free(end);
  return end != NULL && rest != MAP_FAILED;
#else
  return (void)reserve, true;
#endif
}

// Gives back what the heap keeps free; under a limit but for `reserve` bytes.
static inline void memory_trim_heap(size_t reserve) {
#if defined(__GLIBC__)
  malloc_trim(memory_is_limited() ? reserve : 0);
#else
  (void)reserve;
#endif
}

// Maps `size` bytes of zeros, whole pages; NULL where the system refuses them. Under a limit of the process it refuses them,
// too, where `headroom` bytes would not be left: allocations that are never refused need them. Where the caller writes all
// of it, the pages come at once: the processor stops for each one otherwise.
static inline void *memory_map(size_t size, size_t headroom, bool isWritten) {
  bool is_limited = memory_is_limited();
  size_t whole = size + (is_limited ? headroom : 0);
  if (whole < size) return NULL;
  int flags = MAP_PRIVATE | MAP_ANONYMOUS;
#if defined(MAP_POPULATE)
  if (isWritten && !is_limited) flags |= MAP_POPULATE;
#endif
  char *start = mmap(NULL, whole, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (start == MAP_FAILED) return NULL;
  if (whole > size) munmap(start + size, whole - size);
  return start;
}

// Gives pages back. A process has some 65,000 notes of mapped ranges: where none is left for the two sides of a hole, the
// addresses stay taken, and only the pages go.
static inline void memory_unmap(void *start, size_t size) {
  if (munmap(start, size) != 0) madvise(start, size, MADV_DONTNEED);
}

// The lock of the spare pages. Never waited for, so that no fork has to know of it: where it is held, as for ever in a
// child that was forked meanwhile, there are no spare pages.
static pthread_mutex_t memory_lock = PTHREAD_MUTEX_INITIALIZER;
static inline bool memory_try_lock(void) { return pthread_mutex_trylock(&memory_lock) == 0; }
static inline void memory_unlock(void) { pthread_mutex_unlock(&memory_lock); }

#endif
