/* How near two processors are to each other now, and what their memory takes.
 *
 * On a virtual machine both change while programs run: the host may put its processors side by side or far apart. Near
 * processors pass cache lines quickly and share one way to memory; distant ones do neither.
 *
 *   processors     prints {"line": nanoseconds, "one": GB/s, "two": GB/s}; exit status 1 without a second processor
 *
 * line: what a cache line takes from one processor to the other. one, two: what one thread and two store past the
 * caches.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { trips = 200, batches = 50, bytes = 16 << 20, fills = 3 };

/* Odd while the second thread has the line; negative at the end. */
static _Alignas(128) atomic_long line;
static cpu_set_t allowed;

static double seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Keeps the calling thread on the first or the second of the processors that the process may use. */
static int pin(int wanted) {
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
    if (!CPU_ISSET(cpu, &allowed) || wanted-- > 0) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    return pthread_setaffinity_np(pthread_self(), sizeof one, &one);
  }
  return -1;
}

static void *answer(void *unused) {
  pin(1);
  for (;;) {
    long value = atomic_load(&line);
    if (value < 0) return unused;
    if (value & 1) atomic_store(&line, value + 1);
  }
}

/* The best of many batches, since the host interrupts some. */
static double line_nanoseconds(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, answer, NULL) != 0) return -1;
  double best = 1e9;
  for (int batch = 0; batch < batches; batch++) {
    double begin = seconds();
    for (int trip = 0; trip < trips; trip++) {
      long value = atomic_load(&line);
      atomic_store(&line, value + 1);
      while (atomic_load(&line) != value + 2) {}
    }
    double taken = (seconds() - begin) * 1e9 / (2 * trips);
    if (taken < best) best = taken;
  }
  atomic_store(&line, -1);
  pthread_join(thread, NULL);
  return best;
}

static void fill(char *target) {
#ifdef __SSE2__
  const __m128i ones = _mm_set1_epi8(1);
  for (size_t offset = 0; offset < bytes; offset += 16) _mm_stream_si128((__m128i *)(target + offset), ones);
  _mm_sfence();
#else
  memset(target, 1, bytes);
#endif
}

static pthread_barrier_t start;

static void *fill_often(void *target) {
  pthread_barrier_wait(&start);
  for (int turn = 0; turn < fills; turn++) fill(target);
  return NULL;
}

static double gigabytes_a_second(char *memory, int threads) {
  pthread_t thread;
  pthread_barrier_init(&start, NULL, (unsigned)threads);
  if (threads > 1 && pthread_create(&thread, NULL, fill_often, memory + bytes) != 0) return -1;
  double begin = seconds();
  fill_often(memory);
  if (threads > 1) pthread_join(thread, NULL);
  return (double)threads * fills * bytes / (seconds() - begin) * 1e-9;
}

int main(void) {
  char *memory = aligned_alloc(4096, 2 * bytes);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || CPU_COUNT(&allowed) < 2 || memory == NULL) return 1;
  memset(memory, 0, 2 * bytes);
  pin(0);
  double nanoseconds = line_nanoseconds();
  sched_setaffinity(0, sizeof allowed, &allowed);
  double one = gigabytes_a_second(memory, 1), two = gigabytes_a_second(memory, 2);
  if (nanoseconds < 0 || two < 0) return 1;
  printf("{\"line\": %.0f, \"one\": %.1f, \"two\": %.1f}\n", nanoseconds, one, two);
  return 0;
}
