/*
 * Loads the library at run time, uses it, and unloads it while a player plays:
 *
 *     loading LIBRARY FILE
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <gallop.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A function of the library; C forbids the plain conversion of its address. */
#define FIND(library, name, type)                                                    \
  type name##_function;                                                              \
  do {                                                                               \
    void *address = dlsym(library, #name);                                           \
    if (address == NULL) return fprintf(stderr, "loading: %s\n", dlerror()), 1;      \
    memcpy(&name##_function, &address, sizeof address);                              \
  } while (0)

typedef gallop_status (*open_image)(const char *, const gallop_open_options *, gallop_image **);
typedef gallop_status (*new_player)(gallop_image *, const gallop_player_options *, gallop_player **);
typedef gallop_status (*play)(gallop_player *);
typedef gallop_status (*release_image)(gallop_image *);

int main(int argc, char **argv) {
  int i;
  if (argc != 3) return fprintf(stderr, "usage: loading LIBRARY FILE\n"), 64;
  for (i = 0; i < 20; i++) {
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    gallop_image *image;
    gallop_player *player;
    if (library == NULL) return fprintf(stderr, "loading: %s\n", dlerror()), 1;
    {
      FIND(library, gallop_image_open, open_image);
      FIND(library, gallop_player_new, new_player);
      FIND(library, gallop_player_play, play);
      FIND(library, gallop_image_release, release_image);
      if (gallop_image_open_function(argv[2], NULL, &image) != GALLOP_OK ||
          gallop_player_new_function(image, NULL, &player) != GALLOP_OK ||
          gallop_player_play_function(player) != GALLOP_OK || gallop_image_release_function(image) != GALLOP_OK)
        return fprintf(stderr, "loading: a call failed\n"), 1;
    }
    if (dlclose(library) != 0) return fprintf(stderr, "loading: %s\n", dlerror()), 1;
  }
  return 0;
}
