#include "wallpaper.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* From this size on the first frame is worth a look before the whole file has been read. */
#define LARGE (4 << 20)
/* A first frame with more bytes than this comes with the rest. */
#define LONGEST (32 << 20)

typedef struct Opening {
  char *path;
  FirstFrameCallback first;
  OpenedCallback opened;
  void *user;
  gallop_image *image;
  char *fault;
} Opening;

typedef struct FirstFrame {
  gallop_frame *frame;
  FirstFrameCallback callback;
  void *user;
} FirstFrame;

static gboolean deliver_first(gpointer data) {
  FirstFrame *first = data;
  first->callback(first->frame, first->user);
  g_free(first);
  return G_SOURCE_REMOVE;
}

static gboolean deliver(gpointer data) {
  Opening *opening = data;
  opening->opened(opening->image, opening->fault, opening->user);
  g_free(opening->fault);
  g_free(opening->path);
  g_free(opening);
  return G_SOURCE_REMOVE;
}

/* The image of the first bytes once it has a whole frame. */
static gallop_image *feed(gallop_stream *stream, const void *bytes, size_t count) {
  gallop_frame_info info = {.struct_size = sizeof info};
  gallop_image *image = NULL;
  if (gallop_stream_feed(stream, bytes, count) != GALLOP_OK) return NULL;
  if (gallop_stream_image(stream, &image) != GALLOP_OK) return NULL;
  if (gallop_image_get_frame(image, 0, &info) == GALLOP_OK && !info.is_truncated) return image;
  gallop_image_release(image);
  return NULL;
}

static gallop_frame *read_first_frame(int file) {
  gallop_stream *stream = NULL;
  gallop_image *image = NULL;
  gallop_decoder *decoder = NULL;
  gallop_frame *frame = NULL;
  size_t size = 1 << 18;
  char *bytes = g_malloc(size);
  ssize_t count = 1;
  size_t total = 0;
  if (gallop_stream_new(NULL, &stream) == GALLOP_OK) {
    while (image == NULL && total < LONGEST && (count = read(file, bytes, size)) > 0) {
      image = feed(stream, bytes, (size_t)count);
      total += (size_t)count;
    }
  }
  if (image != NULL && gallop_decoder_new(image, NULL, &decoder) == GALLOP_OK) {
    gallop_decoder_frame(decoder, 0, &frame, NULL);
    gallop_decoder_release(decoder);
  }
  if (image != NULL) gallop_image_release(image);
  if (stream != NULL) gallop_stream_release(stream);
  g_free(bytes);
  return frame;
}

static void look_at_first_frame(const Opening *opening) {
  int file = open(opening->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat facts;
  gallop_frame *frame = NULL;
  FirstFrame *first;
  if (file < 0) return;
  if (fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size >= LARGE) frame = read_first_frame(file);
  close(file);
  if (frame == NULL) return;
  first = g_new(FirstFrame, 1);
  *first = (FirstFrame){frame, opening->first, opening->user};
  g_idle_add_full(G_PRIORITY_DEFAULT, deliver_first, first, NULL);
}

static gpointer run(gpointer data) {
  Opening *opening = data;
  if (opening->first != NULL) look_at_first_frame(opening);
  if (gallop_image_open(opening->path, NULL, &opening->image) != GALLOP_OK) {
    opening->fault = g_strdup(gallop_last_message());
  }
  g_idle_add_full(G_PRIORITY_DEFAULT, deliver, opening, NULL);
  return NULL;
}

void opening_begin(const char *path, FirstFrameCallback first, OpenedCallback opened, void *user) {
  Opening *opening = g_new0(Opening, 1);
  *opening = (Opening){.path = g_strdup(path), .first = first, .opened = opened, .user = user};
  g_thread_unref(g_thread_new("opening", run, opening));
}
