/* Prints answers in the suite's format: see README.md. */
#ifndef ANSWER_H
#define ANSWER_H

#include <stdint.h>
#include <stdio.h>

static inline void answer_file(const char *path) { printf("file %s\n", path); }

static inline void answer_size(unsigned width, unsigned height) { printf("size %u %u\n", width, height); }

/* `count` as stored in the loop extension; -1 where there is none. */
static inline void answer_loop(long count) {
  if (count == 0) printf("plays forever\n");
  else printf("plays %ld\n", count < 0 ? 1 : count + 1);
}

/* Larger pictures are left out: the suite has them only where browsers show none, and in digits they fill the memory. */
#define MOST_PIXELS ((size_t)1 << 22)

/* A frame of straight-alpha RGBA; a negative delay is unknown. */
static inline void answer_frame(long milliseconds, const uint8_t *rgba, size_t pixels) {
  static const char digits[] = "0123456789abcdef";
  if (milliseconds < 0) fputs("frame - ", stdout);
  else printf("frame %ld ", milliseconds);
  if (pixels > MOST_PIXELS) {
    puts("none");
    return;
  }
  fputs("rgba ", stdout);
  for (size_t place = 0; place < pixels * 4; place++) {
    putchar(digits[rgba[place] >> 4]);
    putchar(digits[rgba[place] & 15]);
  }
  putchar('\n');
}

/* In one line, whatever the message has in it. */
static inline void answer_error(const char *message) {
  fputs("error ", stdout);
  for (const char *letter = message ? message : "unknown"; *letter; letter++) putchar(*letter < ' ' ? ' ' : *letter);
  putchar('\n');
}

#endif
