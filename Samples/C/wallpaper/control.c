/* accept4 */
#define _GNU_SOURCE
#include "wallpaper.h"

#include <errno.h>
#include <glib-unix.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* Connections at a time; more wait until one ends. */
#define MOST 16

struct Control {
  char *path;
  int socket;
  /* Watches the socket; 0 while there are as many callers as may be. */
  guint watch;
  CommandCallback command;
  void *user;
  GPtrArray *callers;
};

struct Caller {
  Control *control;
  int socket;
  /* Watches the socket; 0 while a command waits for its answer. */
  guint watch;
  gboolean is_waiting;
  /* Lines are being carried out: an answer is not a late one. */
  gboolean is_running;
  gboolean is_over;
  size_t length;
  char bytes[5000];
};

static gboolean can_accept(int fd, GIOCondition condition, gpointer data);
static gboolean can_read(int fd, GIOCondition condition, gpointer data);

static void watch_socket(Control *control) {
  if (control->watch == 0) control->watch = g_unix_fd_add(control->socket, G_IO_IN, can_accept, control);
}

static void free_caller(gpointer data) {
  Caller *caller = data;
  g_clear_handle_id(&caller->watch, g_source_remove);
  close(caller->socket);
  g_free(caller);
}

static void end_caller(Caller *caller) {
  Control *control = caller->control;
  g_ptr_array_remove_fast(control->callers, caller);
  watch_socket(control);
}

/* A peer that does not read its answers is not waited for. */
static void send_line(Caller *caller, const char *fault) {
  char *text = fault != NULL ? printable(fault) : NULL;
  char *line = text != NULL ? g_strdup_printf("error: %s\n", text) : g_strdup("ok\n");
  size_t length = strlen(line);
  if (send(caller->socket, line, length, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)length) {
    caller->is_over = TRUE;
  }
  g_free(line);
  g_free(text);
}

/* Carries out the lines that are there, up to a command that is not answered at once. */
static void run_lines(Caller *caller) {
  char *end;
  caller->is_running = TRUE;
  while (!caller->is_over && !caller->is_waiting &&
         (end = memchr(caller->bytes, '\n', caller->length)) != NULL) {
    size_t length = (size_t)(end - caller->bytes);
    char *line = g_strndup(caller->bytes, length);
    caller->length -= length + 1;
    memmove(caller->bytes, end + 1, caller->length);
    if (g_str_has_suffix(line, "\r")) line[strlen(line) - 1] = '\0';
    caller->is_waiting = TRUE;
    caller->control->command(caller, line, caller->control->user);
    g_free(line);
  }
  caller->is_running = FALSE;
  if (caller->is_over || caller->is_waiting || caller->length < sizeof caller->bytes) return;
  send_line(caller, "the line is too long");
  caller->is_over = TRUE;
}

static gboolean can_read(int fd, GIOCondition condition, gpointer data) {
  Caller *caller = data;
  ssize_t count = read(fd, caller->bytes + caller->length, sizeof caller->bytes - caller->length);
  (void)condition;
  if (count > 0) {
    caller->length += (size_t)count;
    run_lines(caller);
  } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
    caller->is_over = TRUE;
  }
  if (!caller->is_over && !caller->is_waiting) return G_SOURCE_CONTINUE;
  caller->watch = 0;
  if (caller->is_over) end_caller(caller);
  return G_SOURCE_REMOVE;
}

void control_answer(Caller *caller, const char *fault) {
  send_line(caller, fault);
  caller->is_waiting = FALSE;
  if (caller->is_running) return;
  run_lines(caller);
  if (caller->is_over) {
    end_caller(caller);
  } else if (!caller->is_waiting) {
    caller->watch = g_unix_fd_add(caller->socket, G_IO_IN, can_read, caller);
  }
}

static gboolean can_accept(int fd, GIOCondition condition, gpointer data) {
  Control *control = data;
  int socket = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  Caller *caller;
  (void)condition;
  if (socket < 0) return G_SOURCE_CONTINUE;
  caller = g_new0(Caller, 1);
  caller->control = control;
  caller->socket = socket;
  caller->watch = g_unix_fd_add(socket, G_IO_IN, can_read, caller);
  g_ptr_array_add(control->callers, caller);
  if (control->callers->len < MOST) return G_SOURCE_CONTINUE;
  control->watch = 0;
  return G_SOURCE_REMOVE;
}

/* Whether a socket's file is left over from a program that has ended. */
static gboolean is_left_over(const struct sockaddr_un *address) {
  struct stat facts;
  gboolean is_refused;
  int probe;
  if (lstat(address->sun_path, &facts) != 0 || !S_ISSOCK(facts.st_mode)) return FALSE;
  probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  is_refused = connect(probe, (const struct sockaddr *)address, sizeof *address) != 0 && errno == ECONNREFUSED;
  close(probe);
  return is_refused;
}

/* Only the user may connect. */
static int bind_private(int socket, const struct sockaddr_un *address) {
  mode_t mask = umask(0177);
  int result = bind(socket, (const struct sockaddr *)address, sizeof *address);
  umask(mask);
  return result;
}

Control *control_new(const char *path, CommandCallback command, void *user, char **fault) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  Control *control;
  int listener, result;
  if (g_strlcpy(address.sun_path, path, sizeof address.sun_path) >= sizeof address.sun_path) {
    *fault = g_strdup("the path is too long for a socket");
    return NULL;
  }
  listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  result = listener < 0 ? -1 : bind_private(listener, &address);
  if (result != 0 && errno == EADDRINUSE && is_left_over(&address)) {
    unlink(path);
    result = bind_private(listener, &address);
  }
  if (result != 0 || listen(listener, MOST) != 0) {
    *fault = g_strdup(g_strerror(errno));
    if (listener >= 0) close(listener);
    return NULL;
  }
  control = g_new0(Control, 1);
  *control = (Control){.path = g_strdup(path), .socket = listener, .command = command, .user = user};
  control->callers = g_ptr_array_new_with_free_func(free_caller);
  watch_socket(control);
  return control;
}

void control_free(Control *control) {
  g_ptr_array_unref(control->callers);
  g_clear_handle_id(&control->watch, g_source_remove);
  close(control->socket);
  unlink(control->path);
  g_free(control->path);
  g_free(control);
}
