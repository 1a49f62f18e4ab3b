// What giflib and Swift's runtime refer to, and the module never does: without these the page would have to import it.

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// giflib can read files; here it gets its bytes through a function.
FILE *fopen(const char *path, const char *mode) { return NULL; }
FILE *fdopen(int descriptor, const char *mode) { return NULL; }
int fclose(FILE *file) { return EOF; }
int open(const char *path, int flags, ...) { return -1; }
int close(int descriptor) { return -1; }
long read(int descriptor, void *buffer, size_t count) { return -1; }
size_t fread(void *buffer, size_t size, size_t count, FILE *file) { return 0; }

// The seed of hashed collections. What is hashed are small numbers of our own and, in edits, at most some thousand
// palettes: a fixed one does.
void arc4random_buf(void *buffer, size_t count) {
  for (size_t i = 0; i < count; i++) ((uint8_t *)buffer)[i] = (uint8_t)(i * 37 + 11);
}
