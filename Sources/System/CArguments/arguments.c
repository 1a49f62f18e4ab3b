// The arguments of the process, as the system hands them over.
//
// Swift's CommandLine reads /proc/self/cmdline, which a chroot may not have.

#include "CArguments.h"

#include <features.h>
#include <stddef.h>

static int count;
static char **arguments;

#ifdef __GLIBC__
// glibc calls constructors with the parameters of main; other C libraries call them with none.
__attribute__((constructor)) static void keep_arguments(int argc, char **argv) {
  count = argc;
  arguments = argv;
}
#endif

int gallop_argument_count(void) { return count; }

const char *gallop_argument(int place) {
  return place >= 0 && place < count ? arguments[place] : NULL;
}
