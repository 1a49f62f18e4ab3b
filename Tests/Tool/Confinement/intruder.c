// Stands for a decoder that a file has taken over: loaded in front of giflib, it tries from inside DGifOpen what the
// process should no longer be able to do, and prints what it gets.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <gif_lib.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void tell(const char *what, long result) {
  char line[256];
  const int count = snprintf(line, sizeof line, "%s: %s\n", what, result < 0 ? strerror(errno) : "granted");
  (void)!write(STDERR_FILENO, line, (size_t)count);
}

static const char *path(const char *variable) {
  const char *value = getenv(variable);
  return value ? value : "";
}

static void try_all(void) {
  struct rlimit limits;
  tell("read a file", open(path("INTRUDER_FILE"), O_RDONLY));
  tell("read beside the input", open(path("INTRUDER_NEIGHBOUR"), O_RDONLY));
  tell("list a folder", open(path("INTRUDER_FOLDER"), O_RDONLY | O_DIRECTORY));
  tell("write a file", open(path("INTRUDER_NEW"), O_WRONLY | O_CREAT, 0600));
  tell("overwrite a file", open(path("INTRUDER_FILE"), O_WRONLY | O_TRUNC));
  tell("make a folder", mkdir(path("INTRUDER_NEW"), 0700));
  tell("open a socket", socket(AF_INET, SOCK_STREAM, 0));
  tell("open a local socket", socket(AF_UNIX, SOCK_STREAM, 0));
  tell("open a ring", syscall(425, 4u, NULL));
  char *const arguments[] = {"true", NULL};
  const pid_t child = fork();
  tell("start a process", child);
  if (child == 0) _exit(0);
  if (child > 0) waitpid(child, NULL, 0);
  tell("read its parent", syscall(SYS_process_vm_readv, getppid(), NULL, 0ul, NULL, 0ul, 0ul));
  char letter = 'x';
  errno = 0;
  tell("type into a terminal", ioctl(STDIN_FILENO, TIOCSTI, &letter) < 0 && errno == EPERM ? -1 : 0);
  tell("signal its parent", kill(getppid(), 0));
  tell("change a mode", chmod(path("INTRUDER_FILE"), 0644));
  tell("change times", utimensat(AT_FDCWD, path("INTRUDER_FILE"), NULL, 0));
  tell("share memory", shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600));
  tell("limit its parent", prlimit(getppid(), RLIMIT_NOFILE, NULL, &limits));
  // The last one, as it does not return if it is granted.
  tell("start a program", execv("/bin/true", arguments));
}

GifFileType *DGifOpen(void *user, InputFunc read, int *error) {
  static int has_tried;
  if (!has_tried++) try_all();
  GifFileType *(*open_gif)(void *, InputFunc, int *);
  *(void **)&open_gif = dlsym(RTLD_NEXT, "DGifOpen");
  return open_gif(user, read, error);
}
