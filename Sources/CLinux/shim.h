// What Swift's Glibc module leaves out of Linux: event counters, and files in memory.
#include <sys/eventfd.h>

// As <sys/mman.h> declares them with _GNU_SOURCE.
int memfd_create(const char *name, unsigned int flags);
enum { gallop_memfd_close_on_exec = 1 };
