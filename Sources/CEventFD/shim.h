// Linux's event counters, which Swift's Glibc module leaves out.
#include <sys/eventfd.h>
