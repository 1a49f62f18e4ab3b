// The kernel's interfaces with which a process gives up what it does not need: Landlock and filters of system calls.
//
// `syscall` and `prctl` take any number of arguments, which Swift cannot call. What Landlock knows is declared here, so that
// older headers will do: an older kernel says by its version what it lacks.
#pragma once

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

// The same numbers on all architectures.
enum {
  gallop_call_landlock_create = 444,
  gallop_call_landlock_add = 445,
  gallop_call_landlock_restrict = 446,
};

// struct landlock_ruleset_attr; older kernels take its beginning.
struct gallop_landlock_rules {
  uint64_t file_access;
  uint64_t net_access;
  uint64_t scopes;
};

// The version of Landlock that the kernel has; negative without it.
static inline int gallop_landlock_version(void) {
  return (int)syscall(gallop_call_landlock_create, NULL, (size_t)0, 1u);
}

// A descriptor of rules, of which the kernel reads `size` bytes; negative if it refuses.
static inline int gallop_landlock_create(const struct gallop_landlock_rules *rules, size_t size) {
  return (int)syscall(gallop_call_landlock_create, rules, size, 0u);
}

// Allows what a mask has for a file, or for all that is in a folder; negative if the kernel refuses.
static inline int gallop_landlock_allow(int rules, int path, uint64_t access) {
  struct {
    uint64_t access;
    int32_t path;
  } __attribute__((packed)) rule = {access, path};
  return (int)syscall(gallop_call_landlock_add, rules, 1u, &rule, 0u);
}

// Restricts the calling thread, and those that it starts from now on.
static inline int gallop_landlock_restrict(int rules) { return (int)syscall(gallop_call_landlock_restrict, rules, 0u); }

// Whether a file lies on a file system of Plan 9 (v9fs), whose files get new identities whenever they are opened.
static inline int gallop_is_on_plan9(const char *path) {
  struct statfs system;
  return statfs(path, &system) == 0 && system.f_type == 0x01021997;
}

// Gives up what setuid programs and the like would gain. Both of the others need this.
static inline int gallop_renounce_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1ul, 0ul, 0ul, 0ul); }

// Whether the kernel takes filters of system calls that refuse with an error: zero if it does.
static inline int gallop_seccomp_probe(void) {
  uint32_t action = SECCOMP_RET_ERRNO;
  return (int)syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0u, &action);
}

// Adds a filter to all threads of the process. The kernel copies and checks the program.
static inline int gallop_seccomp_add(const struct sock_filter *program, unsigned short count) {
  struct sock_fprog whole = {count, (struct sock_filter *)program};
  return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &whole);
}
