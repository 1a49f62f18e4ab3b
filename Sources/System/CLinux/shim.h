// What Swift's Glibc module leaves out of Linux: event counters, files in memory, and paths that are only named.
#include <malloc.h>
#include <sys/eventfd.h>

// As <sys/mman.h> declares them with _GNU_SOURCE.
int memfd_create(const char *name, unsigned int flags);
enum { gallop_memfd_close_on_exec = 1 };

// As <fcntl.h> declares it with _GNU_SOURCE.
enum { gallop_open_path_only = 010000000 };
