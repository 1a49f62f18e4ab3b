/*
 * gallop.h - every frame and every delay of an animated GIF as a desktop browser shows them.
 *
 *     gallop_image *image;
 *     if (gallop_image_open("horse.gif", NULL, &image) != GALLOP_OK)
 *         return fprintf(stderr, "%s\n", gallop_last_message());
 *
 * Handles
 *     Every object is a handle: a number in a pointer's type, which neither side dereferences. NULL, a handle of
 *     another kind, a released one and a made-up one give GALLOP_INVALID_HANDLE, from any thread. Each handle that
 *     a function hands out is released once, by the release function of its kind. Objects keep what they need: an
 *     image may be released while its decoders, frames and players live. A function that fails sets *out to NULL.
 *
 * Statuses
 *     Functions return GALLOP_OK or, where they say so, a positive status that is no error. A negative status is an
 *     error: gallop_last_error and gallop_last_message tell more of the last one on the calling thread.
 *
 * Structs
 *     A struct begins with its size: set struct_size to sizeof the struct before the call, and all else to 0. The
 *     library reads and writes no byte beyond that size, so structs can grow. In options 0 and NULL mean the
 *     default, and a NULL instead of the whole struct means all defaults. A member named reserved keeps the next one
 *     at a multiple of 8 bytes: leave it 0, as it may get a meaning.
 *
 * Threads
 *     Every function may be called from any thread. Images, frames, cancels, players, groups, clocks and budgets may
 *     be used from several threads at once. A decoder, stream, batch or editor does one thing at a time: a call during
 *     another one answers GALLOP_BUSY, and nothing happens: no call waits for another thread's decoding. Give each
 *     thread one of its own, or share one under a lock. Any handle may be released during a call, which then comes to
 *     its end. Callbacks come on threads of the engine unless a function says otherwise; they may call
 *     every function, also the release of the object that calls them.
 *
 * Fork
 *     In the child everything without threads goes on: images, decoders, frames, streams, editors, cancels, and a new
 *     batch, which decodes in gallop_batch_next if the parent had one. A decoder, stream, batch or editor that another thread
 *     was using, and a player, group, clock, budget or batch made before the fork, answer GALLOP_FORKED. If the parent
 *     had any player, clock, group or budget, new ones answer so, too. Releasing is allowed, and frees what can be
 *     freed. The first fork of a process takes about a millisecond longer: the library gets ready for it.
 *
 * Pixels
 *     Four bytes each, rows from the top. Frames count from 0. Times are in milliseconds as the file has them, and in
 *     nanoseconds on clocks.
 */
#ifndef GALLOP_H
#define GALLOP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
/* What GALLOP_STRUCT declares. */
template <typename Struct>
inline Struct gallop_struct_of_size() {
  Struct made = Struct();
  made.struct_size = sizeof(Struct);
  return made;
}

extern "C" {
#endif

#if defined(__GNUC__)
#define GALLOP_API __attribute__((visibility("default")))
#else
#define GALLOP_API
#endif

/* The version of this header; gallop_version is that of the library. */
#define GALLOP_VERSION_MAJOR 0
#define GALLOP_VERSION_MINOR 1
#define GALLOP_VERSION_PATCH 0

/* Whether this header is of a version or a later one: #if GALLOP_VERSION_AT_LEAST(0, 2, 0). */
#define GALLOP_VERSION_AT_LEAST(major, minor, patch)                                                            \
  (GALLOP_VERSION_MAJOR > (major) ||                                                                            \
   (GALLOP_VERSION_MAJOR == (major) &&                                                                          \
    (GALLOP_VERSION_MINOR > (minor) || (GALLOP_VERSION_MINOR == (minor) && GALLOP_VERSION_PATCH >= (patch)))))

/*
 * Declares a struct of this header, all 0 but its size, in C and C++ without a warning:
 *     GALLOP_STRUCT(gallop_target, target);
 */
#ifdef __cplusplus
#define GALLOP_STRUCT(type, name) type name = gallop_struct_of_size<type>()
#else
#define GALLOP_STRUCT(type, name) type name = {.struct_size = sizeof(type)}
#endif

/* The library's version, such as "0.1.0". */
GALLOP_API const char *gallop_version(void);

/* ---- Statuses ------------------------------------------------------------------------------------------------- */

typedef int32_t gallop_status;

enum {
  GALLOP_OK = 0,
  /* No error: nothing follows. */
  GALLOP_END = 1,
  /* No error: nothing is there yet, or nothing more fits now. */
  GALLOP_AGAIN = 2,

  /* The handle is NULL, released, of another kind, or was never one. */
  GALLOP_INVALID_HANDLE = -1,
  /* An argument is NULL or out of its range. */
  GALLOP_INVALID_ARGUMENT = -2,
  /* There is no memory for the result. */
  GALLOP_OUT_OF_MEMORY = -3,
  /* The caller's memory is too small for the pixels; `value` has the bytes needed. */
  GALLOP_BUFFER_TOO_SMALL = -4,
  /* Another call uses the decoder, stream or batch. */
  GALLOP_BUSY = -5,
  /* The object needs threads that only the parent process has. */
  GALLOP_FORKED = -6,
  /* A gallop_cancel was set, or its time is over. */
  GALLOP_CANCELLED = -7,
  /* There are more handles than the library has numbers for, or the system gives no descriptor. */
  GALLOP_TOO_MANY = -8,

  /* The file cannot be opened or read; `value` has the errno. */
  GALLOP_UNREADABLE = -20,
  /* Another program has changed the file since it was opened. */
  GALLOP_FILE_CHANGED = -21,
  /* The path names a directory. */
  GALLOP_IS_DIRECTORY = -22,
  /* The path names a device or a socket. */
  GALLOP_NOT_A_FILE = -23,
  /* No program has opened the named pipe for writing. */
  GALLOP_NO_WRITER = -24,
  /* There are no bytes. */
  GALLOP_EMPTY_FILE = -25,
  /* The bytes do not begin with GIF87a or GIF89a. */
  GALLOP_NOT_A_GIF = -26,
  /* The file ends inside the header. */
  GALLOP_TRUNCATED_HEADER = -27,
  /* Neither the logical screen nor the first frame has an area. */
  GALLOP_ZERO_CANVAS = -28,
  /* The canvas, or the size asked for, has more pixels than the limit. */
  GALLOP_CANVAS_TOO_LARGE = -29,
  /* Decoding takes more bytes than the limit. */
  GALLOP_TOO_MANY_DECODED_BYTES = -30,
  /* There are more compressed bytes than the limit. */
  GALLOP_INPUT_TOO_LARGE = -31,
  /* A block before the first frame is so malformed that browsers show a broken image. */
  GALLOP_MALFORMED_BEFORE_FIRST_FRAME = -32,
  /* The file has no frame. */
  GALLOP_NO_FRAMES = -33,
  /* The frame does not exist. */
  GALLOP_NO_SUCH_FRAME = -34,

  /* A frame is damaged, or builds on a damaged one, and cannot be edited; `frame` says which. */
  GALLOP_FAILED_FRAME = -50,
  /* The canvases of the images differ in size, and the edit names none. */
  GALLOP_CANVAS_MISMATCH = -51,
  /* A frame would have to be written anew in more than 256 colours; `value` has how many. */
  GALLOP_TOO_MANY_COLORS = -52,
  /* The output of an edit does not show what was chosen: a fault of the library. */
  GALLOP_NOT_EXACT = -53,

  /* A library that the call needs is not installed, or too old; the message names it. */
  GALLOP_NO_LIBRARY = -60,

  /* A fault that this version of the header has no number for; the message names it. */
  GALLOP_OTHER_ERROR = -100
};

/* The status's name as `gallop info --json` prints it, such as "notAGIF"; "unknown" for other numbers. Never NULL. */
GALLOP_API const char *gallop_status_name(gallop_status status);

/* The last error of a thread. */
typedef struct gallop_error {
  size_t struct_size;
  gallop_status status;
  /* The frame concerned, or -1. */
  int32_t frame;
  /* The byte offset in the file, or -1. */
  int64_t offset;
  /* The offending number, by status, and the limit that it passes; 0 where has_value or has_limit is 0. */
  int64_t value;
  int64_t limit;
  int32_t has_value;
  int32_t has_limit;
  /* One sentence without a full stop, UTF-8. Valid until the next call on this thread that fails. Never NULL. */
  const char *message;
} gallop_error;

/* Tells about the last call on this thread that failed; status is GALLOP_OK if none has. */
GALLOP_API gallop_status gallop_last_error(gallop_error *error);

/* Its message alone; "" if no call has failed. Never NULL. */
GALLOP_API const char *gallop_last_message(void);

/* ---- Handles -------------------------------------------------------------------------------------------------- */

/* A GIF's index: its size, frames and delays. Immutable. */
typedef struct gallop_image gallop_image;
/* A GIF that arrives in pieces. */
typedef struct gallop_stream gallop_stream;
/* Decodes frames of an image. */
typedef struct gallop_decoder gallop_decoder;
/* The pixels of one frame. Immutable. */
typedef struct gallop_frame gallop_frame;
/* Ends calls from another thread. */
typedef struct gallop_cancel gallop_cancel;
/* Decodes many files with several threads. */
typedef struct gallop_batch gallop_batch;
/* Plays an image. */
typedef struct gallop_player gallop_player;
/* Keeps players in step. */
typedef struct gallop_group gallop_group;
/* The time of players. */
typedef struct gallop_clock gallop_clock;
/* The memory of players. */
typedef struct gallop_budget gallop_budget;
/* Memory for pixels. */
typedef struct gallop_memory gallop_memory;
/* Writes an edited GIF. */
typedef struct gallop_editor gallop_editor;

/* The number of handles that have not been released, of all kinds; for tests. */
GALLOP_API size_t gallop_handle_count(void);

/* ---- Cancelling ----------------------------------------------------------------------------------------------- */

/*
 * A flag that ends long calls with GALLOP_CANCELLED, within 100 ms at the default limits. Given to any number of
 * decoders, batches and calls. It is looked at before each frame that is decoded, also on the way to another one, and
 * every million pixels of a large frame. The same call made again continues with the frame at which the cancelled one
 * ended.
 */
GALLOP_API gallop_status gallop_cancel_new(gallop_cancel **out);
/* Ends the calls under way, and those to come. */
GALLOP_API gallop_status gallop_cancel_set(gallop_cancel *cancel);
/* Ends calls once this many milliseconds have passed; 0 or less at once. For programs that look for signals between. */
GALLOP_API gallop_status gallop_cancel_after(gallop_cancel *cancel, int64_t milliseconds);
/* Lets calls go on, as in a new cancel. */
GALLOP_API gallop_status gallop_cancel_reset(gallop_cancel *cancel);
GALLOP_API gallop_status gallop_cancel_release(gallop_cancel *cancel);

/* ---- Images --------------------------------------------------------------------------------------------------- */

/* What a file may claim, checked before memory is allocated; 0 means the default. */
typedef struct gallop_limits {
  size_t struct_size;
  /* Pixels of the largest canvas to decode, and of the largest frame of another size. Default 33,554,432. */
  int64_t canvas_pixels;
  /* Pixels of the largest canvas to index. Default 536,870,911. */
  int64_t claimed_pixels;
  /* Pixels of the largest rectangle of a frame; a larger frame is not drawn. Default 33,554,432. */
  int64_t frame_pixels;
  /* Bytes that one decoder holds. Default 512 MiB. */
  int64_t decoded_bytes;
  /* Frames; further ones are ignored, with a diagnostic. Default 131,072. */
  int64_t frame_count;
  /* The sum of all frames' rectangles in pixels; further frames are ignored, with a diagnostic. No default limit. */
  int64_t total_pixels;
  /* Comment bytes kept. Default 65,536. */
  int64_t comment_bytes;
  /* Bytes of a stream or a pipe, which are held in memory. Default 256 MiB. */
  int64_t stream_bytes;
} gallop_limits;

enum {
  /* The defaults above: every plausible GIF. */
  GALLOP_LIMITS_DEFAULT = 0,
  /* For files from strangers: 16.7 million pixels, 128 MiB a decoder, 64 MiB of input, 1,073 million pixels a play. */
  GALLOP_LIMITS_UNTRUSTED = 1
};

/* Fills in the limits of a preset. */
GALLOP_API gallop_status gallop_limits_init(gallop_limits *limits, int32_t preset);

enum {
  /* Frames that build on a damaged one show nothing until an independent one, as in Chromium. */
  GALLOP_DAMAGE_CHROMIUM = 0,
  /* They are drawn over what there is of the damaged one. */
  GALLOP_DAMAGE_RESILIENT = 1
};

typedef struct gallop_open_options {
  size_t struct_size;
  const gallop_limits *limits;
  /* GALLOP_DAMAGE_... */
  int32_t damage;
  int32_t reserved;
  /* Ends the reading of a pipe. */
  gallop_cancel *cancel;
} gallop_open_options;

/*
 * Opens a file and reads its records, without decoding a pixel. Files up to 1 MiB are read into memory; a larger one
 * stays open on disk, and if another program changes it, its frames fail with GALLOP_FILE_CHANGED. The path is a
 * string of bytes as the system has it, and need not be UTF-8.
 */
GALLOP_API gallop_status gallop_image_open(
  const char *path, const gallop_open_options *options, gallop_image **out);
/* Reads a GIF in memory; copies the bytes. */
GALLOP_API gallop_status gallop_image_from_bytes(
  const void *bytes, size_t size, const gallop_open_options *options, gallop_image **out);
GALLOP_API gallop_status gallop_image_release(gallop_image *image);

typedef struct gallop_image_info {
  size_t struct_size;
  /* The canvas: the logical screen, grown to hold the first frame. */
  uint32_t width;
  uint32_t height;
  int64_t frame_count;
  /* Total plays; 0 for without end. */
  int64_t plays;
  /* One play, with the delays that browsers use. */
  int64_t duration_ms;
  /* Bytes of the file. */
  int64_t byte_count;
  /* 0 where the file breaks off, and while it still loads. */
  int32_t is_complete;
  /* Colours of the global palette, 2 to 256; 0 without one. */
  int32_t palette_size;
  int32_t background_index;
  /* Numbers of what gallop_image_comment, gallop_image_extension and gallop_image_diagnostic give. */
  int32_t comment_count;
  int32_t extension_count;
  int32_t diagnostic_count;
  /* "87a" or "89a", as far as the file is right. */
  char version[4];
  /* GALLOP_DAMAGE_... */
  int32_t damage;
} gallop_image_info;

GALLOP_API gallop_status gallop_image_get_info(gallop_image *image, gallop_image_info *info);

/* The treatment of a frame's rectangle when its time is over. */
enum { GALLOP_DISPOSAL_KEEP = 0, GALLOP_DISPOSAL_BACKGROUND = 1, GALLOP_DISPOSAL_PREVIOUS = 2 };

typedef struct gallop_rect {
  int32_t x;
  int32_t y;
  int32_t width;
  int32_t height;
} gallop_rect;

/* What the index knows of a frame. */
typedef struct gallop_frame_info {
  size_t struct_size;
  int64_t index;
  /* As stored: it may be empty, and may reach beyond the canvas. */
  gallop_rect rect;
  /* Where the frame may differ from the one before it, both undamaged; within the canvas. */
  gallop_rect changed;
  /* How long browsers show the frame: 10 ms or less as 100. */
  int64_t delay_ms;
  /* The delay as stored. */
  int64_t raw_delay_ms;
  /* GALLOP_DISPOSAL_... */
  int32_t disposal;
  /* -1 without one. */
  int32_t transparent_index;
  /* Colours of the frame's own palette; 0 if it uses the global one. */
  int32_t palette_size;
  int32_t is_interlaced;
  /* 1 if the frame needs no other one. */
  int32_t is_keyframe;
  /* 1 if the file ends inside the frame. */
  int32_t is_truncated;
  /* The earlier frame that this one is drawn on, or -1. */
  int64_t required_frame;
  /* Where the frame begins in the file, and the bytes of its LZW data. */
  int64_t offset;
  int64_t compressed_bytes;
} gallop_frame_info;

GALLOP_API gallop_status gallop_image_get_frame(gallop_image *image, int64_t index, gallop_frame_info *info);

/*
 * Fills in `count` elements of an array, from frame `first` on. struct_size is the size of one element, and is written
 * into each.
 */
GALLOP_API gallop_status gallop_image_get_frames(
  gallop_image *image, int64_t first, int64_t count, gallop_frame_info *infos, size_t struct_size);

/*
 * Copies the bytes of a comment, and a 0 after them, as far as they fit into `capacity`; *length is the number of all
 * bytes without the 0. Comments may hold any bytes. GALLOP_END if there is no such comment. `buffer` may be NULL if
 * `capacity` is 0.
 */
GALLOP_API gallop_status gallop_image_comment(
  gallop_image *image, int32_t index, char *buffer, size_t capacity, size_t *length);

/* An application extension. */
typedef struct gallop_extension {
  size_t struct_size;
  /* Where it begins in the file, and its bytes there. */
  int64_t offset;
  int64_t byte_count;
  /* The identifier and the authentication code, such as "NETSCAPE2.0", and a 0. */
  char identifier[12];
  int32_t reserved;
} gallop_extension;

/* GALLOP_END if there is no such extension. */
GALLOP_API gallop_status gallop_image_extension(
  gallop_image *image, int32_t index, gallop_extension *extension);

/* The order of a pixel's four bytes in memory. Premultiplied: colours are multiplied by alpha. */
enum {
  GALLOP_RGBA = 0,
  GALLOP_BGRA = 1,
  GALLOP_RGBA_PREMULTIPLIED = 2,
  GALLOP_BGRA_PREMULTIPLIED = 3
};

/*
 * Copies the colours of the global palette (frame -1) or of a frame's own one, four bytes each, as far as they fit
 * into `capacity` colours; *count is the number of all, 0 without a palette.
 */
GALLOP_API gallop_status gallop_image_palette(
  gallop_image *image, int64_t frame, int32_t format, uint8_t *colors, size_t capacity, size_t *count);

/* A fault of the file, treated as browsers do. */
typedef struct gallop_diagnostic {
  size_t struct_size;
  /* The frame concerned, or -1. */
  int64_t frame;
  /* The byte offset in the file. */
  int64_t offset;
  /* The kind as `gallop info --json` prints it, such as "truncatedFrame". Valid as long as the library is loaded. */
  const char *code;
  /* The fault and its consequence in one sentence. Valid as long as the library is loaded. */
  const char *message;
} gallop_diagnostic;

/*
 * The faults found while the records were read. Damage inside a frame shows only when it is decoded: see
 * gallop_decoder_diagnostic. GALLOP_END if there is no such diagnostic.
 */
GALLOP_API gallop_status gallop_image_diagnostic(
  gallop_image *image, int32_t index, gallop_diagnostic *diagnostic);

/* ---- Streams -------------------------------------------------------------------------------------------------- */

/* Begins a GIF that arrives in pieces; `cancel` of the options has no effect. */
GALLOP_API gallop_status gallop_stream_new(const gallop_open_options *options, gallop_stream **out);
/* Takes the next bytes, any number. Once a fault is certain, this and all further calls give it. */
GALLOP_API gallop_status gallop_stream_feed(gallop_stream *stream, const void *bytes, size_t size);
/*
 * The image so far: all whole frames, and the first one as far as it has come. GALLOP_AGAIN until its size is known.
 * Give it to gallop_decoder_update and gallop_player_update.
 */
GALLOP_API gallop_status gallop_stream_image(gallop_stream *stream, gallop_image **out);
/* Ends the file wherever it breaks off, and gives the final image. The stream takes no more bytes. */
GALLOP_API gallop_status gallop_stream_finish(gallop_stream *stream, gallop_image **out);
GALLOP_API gallop_status gallop_stream_release(gallop_stream *stream);

/* ---- Decoding ------------------------------------------------------------------------------------------------- */

enum {
  /* Exactly width x height. A side of 0 follows from the other one and the shape of the canvas. */
  GALLOP_FIT_STRETCH = 0,
  /* The largest size of the canvas's shape within width x height, never larger than the canvas. */
  GALLOP_FIT_CONTAIN = 1
};

typedef struct gallop_decoder_options {
  size_t struct_size;
  /* GALLOP_RGBA, ... */
  int32_t format;
  /* GALLOP_FIT_... */
  int32_t fit;
  /* The size of the frames, by area averaging; both 0 for that of the canvas. */
  uint32_t width;
  uint32_t height;
  /*
   * Bytes of canvases kept so that frames out of order cost few decodings. 0: none until a frame out of order, but for
   * the first one read, takes several decodings, then up to 32 MiB; -1: none ever.
   */
  int64_t checkpoint_bytes;
  /* Ends this decoder's calls. */
  gallop_cancel *cancel;
} gallop_decoder_options;

/* How a frame's decoding ended. */
enum {
  GALLOP_FRAME_COMPLETE = 0,
  /* The file ends inside the frame; what is there shows. */
  GALLOP_FRAME_TRUNCATED = 1,
  /* The frame's data is damaged; what is there shows. */
  GALLOP_FRAME_FAILED = 2,
  /* A frame that this one builds on failed; it is transparent. */
  GALLOP_FRAME_BLANK = 3
};

/* A decoded frame: the whole canvas while the frame shows. */
typedef struct gallop_frame_view {
  size_t struct_size;
  /* The first pixel. Of a gallop_frame: never changed, and at this address until the frame is released. */
  const uint8_t *pixels;
  /* Bytes from one row to the next, and of all pixels. */
  size_t stride;
  size_t size;
  uint32_t width;
  uint32_t height;
  /* GALLOP_RGBA, ... */
  int32_t format;
  /* GALLOP_FRAME_... */
  int32_t status;
  int64_t index;
  /* How long browsers show it. */
  int64_t delay_ms;
  /* Where it may differ from frame index - 1, in pixels of this frame. */
  gallop_rect changed;
} gallop_frame_view;

/* Makes a decoder; decodes nothing yet. */
GALLOP_API gallop_status gallop_decoder_new(
  gallop_image *image, const gallop_decoder_options *options, gallop_decoder **out);

typedef struct gallop_decoder_info {
  size_t struct_size;
  /* The size of the frames. */
  uint32_t width;
  uint32_t height;
  /* width * height * 4. */
  size_t frame_bytes;
  int64_t frame_count;
  /* Decodings so far, steps on the way to other frames included. */
  int64_t decoded_frames;
  int32_t format;
  /* The number of what gallop_decoder_diagnostic gives. */
  int32_t diagnostic_count;
} gallop_decoder_info;

GALLOP_API gallop_status gallop_decoder_get_info(gallop_decoder *decoder, gallop_decoder_info *info);

enum {
  /*
   * The memory holds the frame that this decoder read last: only what differs from it is written. Without effect on
   * the first frame read.
   */
  GALLOP_READ_CHANGES = 1,
  /*
   * The memory is larger than the processor's caches and is not read soon, as an array of all frames: pixels are
   * written past the caches, which takes less time.
   */
  GALLOP_READ_UNCACHED = 2
};

/*
 * Decodes a frame into the caller's memory: rows of `stride` bytes (0: width * 4), in `size` bytes. In order each
 * frame costs one decoding; bytes between the rows stay as they are. `flags` is a sum of GALLOP_READ_...;
 * `view` may be NULL. On any error the memory is as before.
 */
GALLOP_API gallop_status gallop_decoder_read(
  gallop_decoder *decoder, int64_t index, void *pixels, size_t size, size_t stride, uint32_t flags,
  gallop_frame_view *view);

/* What is written of each pixel. */
enum {
  /* Its four bytes in the decoder's format. */
  GALLOP_CHANNELS_ALL = 0,
  /* Three bytes in the order of that format, over a background. */
  GALLOP_CHANNELS_RGB = 1,
  /* One byte, the brightness over a background: 0.299 red + 0.587 green + 0.114 blue. */
  GALLOP_CHANNELS_GRAY = 2
};

/* Memory of the caller for a frame, in any layout. */
typedef struct gallop_target {
  size_t struct_size;
  void *pixels;
  /* Bytes from `pixels` on. */
  size_t size;
  /* Bytes from row to row; 0: without gaps. */
  size_t row_stride;
  /* Bytes from pixel to pixel; 0: the number of channels, or 1 in planes. */
  size_t pixel_stride;
  /* Bytes from a channel of a pixel to the next: height * width for planes; 0: 1, next to each other. */
  size_t plane_stride;
  /* GALLOP_CHANNELS_... */
  int32_t channels;
  /* Behind what is transparent where alpha is not written: 0xRRGGBB. */
  uint32_t background;
  /* A sum of GALLOP_READ_... */
  uint32_t flags;
} gallop_target;

/*
 * gallop_decoder_read in the target's layout: for what takes three channels, planes or gray, without a second pass over
 * the pixels. `view` may be NULL; its stride is the rows'. Bytes between pixels stay as they are.
 */
GALLOP_API gallop_status gallop_decoder_read_to(
  gallop_decoder *decoder, int64_t index, const gallop_target *target, gallop_frame_view *view);

/*
 * Decodes a frame into memory of the library, without a copy. The next frame costs the least once this one has been
 * released: it is then drawn in the same memory. `view` may be NULL.
 */
GALLOP_API gallop_status gallop_decoder_frame(
  gallop_decoder *decoder, int64_t index, gallop_frame **out, gallop_frame_view *view);

/* Continues with a later image of the same stream; frames decoded stay. */
GALLOP_API gallop_status gallop_decoder_update(gallop_decoder *decoder, gallop_image *image);

/* The damage found in frames decoded so far, one a frame, in the order of decoding. GALLOP_END after the last one. */
GALLOP_API gallop_status gallop_decoder_diagnostic(
  gallop_decoder *decoder, int32_t index, gallop_diagnostic *diagnostic);

GALLOP_API gallop_status gallop_decoder_release(gallop_decoder *decoder);

/* ---- Frames --------------------------------------------------------------------------------------------------- */

GALLOP_API gallop_status gallop_frame_get_view(gallop_frame *frame, gallop_frame_view *view);
/* A second handle of the same pixels, released by itself. */
GALLOP_API gallop_status gallop_frame_retain(gallop_frame *frame, gallop_frame **out);
/* Copies the pixels in any format; see gallop_decoder_read. Alpha cannot be divided out of premultiplied pixels. */
GALLOP_API gallop_status gallop_frame_copy(
  gallop_frame *frame, int32_t format, void *pixels, size_t size, size_t stride);
GALLOP_API gallop_status gallop_frame_release(gallop_frame *frame);

/* ---- Memory --------------------------------------------------------------------------------------------------- */

/*
 * Memory for what gallop_decoder_read writes: from 4 MiB on in huge pages where the system has them, and recycled.
 * Fresh memory takes longer than decoding into it, so released memory is kept for the next request, of the library's
 * own frames, too: up to a quarter of the machine's memory, or of what its control groups allow. Once it and its
 * neighbours lie idle for a second or two the system may take it back whenever it needs it (MADV_FREE); what requests
 * leave over for 10 to 20 seconds is unmapped. A forked child does both at its releases. The bytes are not cleared.
 * GALLOP_OUT_OF_MEMORY if there are not as many.
 */
GALLOP_API gallop_status gallop_memory_new(size_t size, void **address, gallop_memory **out);
/* The address is no longer valid. */
GALLOP_API gallop_status gallop_memory_release(gallop_memory *memory);
/* Gives all memory that is kept for later requests back to the system. */
GALLOP_API gallop_status gallop_memory_trim(void);

/* ---- Many files ----------------------------------------------------------------------------------------------- */

typedef struct gallop_batch_options {
  size_t struct_size;
  const gallop_limits *limits;
  /* GALLOP_DAMAGE_..., GALLOP_RGBA..., GALLOP_FIT_... */
  int32_t damage;
  int32_t format;
  int32_t fit;
  /* Threads, 1 to 1,024; 0 for the number of processors. */
  int32_t jobs;
  uint32_t width;
  uint32_t height;
  /* Files added and not yet returned, 1 to 65,536; 0 for eight times the jobs and one. */
  int32_t window;
  int32_t reserved;
  /*
   * Frames to decode, from first_frame on, as far as there are as many; frame_count 0 for all that follow, -1 for none: the
   * index alone. A GIF that does not have the first one is GALLOP_NO_SUCH_FRAME, or GALLOP_NO_FRAMES.
   */
  int64_t first_frame;
  int64_t frame_count;
  /* Pixel bytes that one file's frames may take; more is GALLOP_TOO_MANY_DECODED_BYTES. 0: 1 GiB. */
  int64_t item_bytes;
  /*
   * Pixel bytes that may wait for gallop_batch_next; 0: 256 MiB. Threads begin no other file while more wait. While the
   * caller waits for a file that takes long, item_bytes more may wait behind it. So the pixels of a batch take at most
   * both, and one file's for each thread.
   */
  int64_t waiting_bytes;
  gallop_cancel *cancel;
  /* GALLOP_CHANNELS_...; the background is behind what is transparent where alpha is not written: 0xRRGGBB. */
  int32_t channels;
  /* Not 0: each channel of a frame is a plane, one behind the other. */
  int32_t is_planar;
  uint32_t background;
  uint32_t reserved2;
} gallop_batch_options;

/* Makes a batch: results come in the order in which the files were added. */
GALLOP_API gallop_status gallop_batch_new(const gallop_batch_options *options, gallop_batch **out);

/* Which frames of a file: every step-th of a part, or those of a list. */
typedef struct gallop_frame_choice {
  size_t struct_size;
  /*
   * From `first` to before `end`. Numbers below 0 count from the end: -1 is the last frame. What lies outside of the file is
   * left out, as of slices in Python: INT64_MAX is behind all frames, INT64_MIN before them.
   */
  int64_t first;
  int64_t end;
  /* Below 0: backwards; 0: 1. */
  int64_t step;
  /* Not NULL: these frames instead, in this order, as often as they are named. Copied. */
  const int64_t *indices;
  size_t count;
} gallop_frame_choice;

/*
 * Chooses the frames of the files that are added from now on, in the place of first_frame and frame_count; NULL chooses those
 * again. A file that has none of the part, or not all of the list, is GALLOP_NO_SUCH_FRAME, or GALLOP_NO_FRAMES.
 */
GALLOP_API gallop_status gallop_batch_choose(gallop_batch *batch, const gallop_frame_choice *choice);

/*
 * Adds a file by its path, bytes (copied), or an image. `tag` comes back with the result. GALLOP_AGAIN if the window
 * is full: take a result first.
 */
GALLOP_API gallop_status gallop_batch_add_path(gallop_batch *batch, const char *path, uint64_t tag);
GALLOP_API gallop_status gallop_batch_add_bytes(
  gallop_batch *batch, const void *bytes, size_t size, uint64_t tag);
GALLOP_API gallop_status gallop_batch_add_image(gallop_batch *batch, gallop_image *image, uint64_t tag);

/* A file's result. */
typedef struct gallop_batch_item {
  size_t struct_size;
  uint64_t tag;
  /* GALLOP_OK, or why this file cannot be used, with what gallop_error has; the batch goes on. */
  gallop_status status;
  int32_t error_frame;
  int64_t error_offset;
  int64_t error_value;
  int64_t error_limit;
  /* The sentence for the error; NULL without one. Valid until the next call of gallop_batch_next for this batch. */
  const char *message;
  /* The image, to be released by the caller; NULL if it cannot be opened. */
  gallop_image *image;
  /*
   * All frames one below another, to be released by the caller: rows of all frames follow each other without gaps, and
   * the view's height is frame_count times frame_height. NULL without frames, and where `memory` has them.
   */
  gallop_frame *frames;
  int64_t frame_count;
  uint32_t width;
  uint32_t frame_height;
  /* The first byte of the first frame; as long as `frames` or `memory` lives. */
  const uint8_t *pixels;
  /* The GALLOP_FRAME_... of each frame, frame_count of them; as long as `frames` or `memory` lives. */
  const uint8_t *statuses;
  /* The damage found in the frames: see gallop_batch_diagnostic. */
  int32_t diagnostic_count;
  int32_t reserved;
  /* The number of each frame; as long as `frames` or `memory` lives. */
  const int64_t *indices;
  /* The frames where the options ask for other channels, or for planes, to be released by the caller; otherwise NULL. */
  gallop_memory *memory;
} gallop_batch_item;

/*
 * Gives the oldest result, and waits for it up to `timeout_ms` milliseconds (less than 0: without end). GALLOP_AGAIN
 * if it is not ready by then, GALLOP_END if no file is under way.
 */
GALLOP_API gallop_status gallop_batch_next(gallop_batch *batch, int64_t timeout_ms, gallop_batch_item *item);

/* The damage in the frames of the result given last. GALLOP_END after the last one. */
GALLOP_API gallop_status gallop_batch_diagnostic(
  gallop_batch *batch, int32_t index, gallop_diagnostic *diagnostic);

/* Drops what has not been returned. */
GALLOP_API gallop_status gallop_batch_release(gallop_batch *batch);

/* ---- Editing -------------------------------------------------------------------------------------------------- */

/* The direction in which frames are written. */
enum {
  GALLOP_ORDER_FORWARD = 0,
  /* From the last to the first. */
  GALLOP_ORDER_REVERSED = 1,
  /* Forward, then backward without the two frames at the ends. */
  GALLOP_ORDER_BOUNCED = 2
};

/* What is to become of the frames. The members apply in this order; frames count from 0 through all images. */
typedef struct gallop_edit {
  size_t struct_size;
  /* The canvas of the output, in whose middle each image stands; both 0 for that of the images. */
  uint32_t canvas_width;
  uint32_t canvas_height;
  /* The part of the canvas to keep; all 0 for the whole. */
  gallop_rect crop;
  /* 1: left and right, or top and bottom, change places. Then quarter turns, clockwise. */
  int32_t flips_columns;
  int32_t flips_rows;
  int32_t quarter_turns;
  /* GALLOP_ORDER_... */
  int32_t order;
  /* The frames to keep, in this order, also more than once; NULL for all. */
  const int64_t *frames;
  size_t frame_count;
  /* Keeps every step-th frame, beginning with the first; the others' delays are added to it. 0 means 1. */
  int64_t step;
  /* The factor by which the animation becomes faster, from 0.001 to 1000; 0 means 1. */
  double rate;
  /* The delay of every frame and of the last one, 20 to 655,350 in steps of 10; 0 for their own. */
  int64_t delay_ms;
  int64_t last_delay_ms;
  /* Total plays; 0 for those of the first image, -1 for without end. */
  int64_t plays;
  /* 1: damaged frames are left out, with what builds on them. Otherwise they are an error. */
  int32_t skips_failed_frames;
  /* 1: neighbours that show the same become one frame with their delays added. */
  int32_t merges_stills;
  /* 1: comments and application data of the first image are left out. */
  int32_t strips_metadata;
  /* 1: the same pictures in as few bytes as can be found. Takes several times as long. */
  int32_t makes_smaller;
  /* A comment to add, UTF-8, or NULL. */
  const char *comment;
  /* Ends the calls of the editor with GALLOP_CANCELLED. Made again, such a call goes on. */
  gallop_cancel *cancel;
} gallop_edit;

/*
 * Plans an edit of images, one behind the other. Frames are copied as they are compressed wherever they then show the same;
 * others are written anew, without a colour changed. `edit` NULL copies all.
 *
 *     const int64_t frames[] = {10, 11, 12};
 *     GALLOP_STRUCT(gallop_edit, edit);
 *     edit.frames = frames;
 *     edit.frame_count = 3;
 *     if (gallop_editor_new(&image, 1, &edit, &editor) != GALLOP_OK || gallop_editor_write(editor, fd) != GALLOP_OK)
 *         fprintf(stderr, "%s\n", gallop_last_message());
 *
 * Errors: GALLOP_NO_SUCH_FRAME, GALLOP_NO_FRAMES, GALLOP_CANVAS_MISMATCH, GALLOP_CANVAS_TOO_LARGE, and GALLOP_INVALID_ARGUMENT
 * for a delay, rate or part of the canvas that cannot be.
 */
GALLOP_API gallop_status gallop_editor_new(
  gallop_image *const *images, size_t count, const gallop_edit *edit, gallop_editor **out);
/*
 * Writes the GIF to an empty file that is open for reading and writing, and compares it with what was chosen: each pixel, each
 * delay, the plays. After an error the file is to be removed. Neither input nor output is held in memory. The
 * descriptor stays the caller's.
 *
 * Errors: GALLOP_FAILED_FRAME, GALLOP_TOO_MANY_COLORS, GALLOP_UNREADABLE, GALLOP_NOT_EXACT, GALLOP_OUT_OF_MEMORY.
 */
GALLOP_API gallop_status gallop_editor_write(gallop_editor *editor, int fd);
/* The same in memory, which is valid until the editor is released. */
GALLOP_API gallop_status gallop_editor_bytes(gallop_editor *editor, const void **bytes, size_t *size);

/* What was written so far. */
typedef struct gallop_editor_info {
  size_t struct_size;
  /* The frames that are chosen; fewer are written where stills are merged. */
  int64_t chosen_frames;
  /* The frames of the output, and those that were copied. */
  int64_t frame_count;
  int64_t copied_frames;
  /* Bytes of the output. */
  int64_t byte_count;
} gallop_editor_info;

GALLOP_API gallop_status gallop_editor_get_info(gallop_editor *editor, gallop_editor_info *info);
GALLOP_API gallop_status gallop_editor_release(gallop_editor *editor);

/* ---- Flashes -------------------------------------------------------------------------------------------------- */

/* How a GIF is seen, as far as flashes depend on it. */
typedef struct gallop_flash_options {
  size_t struct_size;
  /* The size at which it is shown, in CSS pixels; both 0 for that of the canvas. */
  uint32_t width;
  uint32_t height;
  /* The playback rate, 0.05 to 20; 0 means 1. */
  double rate;
  /* Ends the call with GALLOP_CANCELLED. */
  gallop_cancel *cancel;
  /* 1: not all frames are known, so what passes so far is GALLOP_FLASHES_UNKNOWN. */
  int32_t is_partial;
  /* 1: the verdict is all that is wanted. What fails is then not measured, and mostly costs a few decodings at most: the
   * report has no worst second, safe rate or safe size. */
  int32_t is_verdict_only;
} gallop_flash_options;

enum {
  /* At most three flashes in any second, or too small an area. */
  GALLOP_FLASHES_PASSES = 0,
  /* More than three flashes in a second, in more than a quarter of a field of 10 degrees; a player whose field is
   * shared fails for less. */
  GALLOP_FLASHES_FAILS = 1,
  /* What was read passes; the rest is not there yet, or a limit leaves it out. */
  GALLOP_FLASHES_UNKNOWN = 2
};

/* The second with the most flashes that a large enough area has. All 0 where they pass, and with `is_verdict_only`. */
typedef struct gallop_flash_peak {
  /* A flash is two opposing changes, so there may be a half. */
  double flashes_per_second;
  /* When it begins, in a play; the frame with its first change, and that whose change makes them so many, maybe in a later play. */
  int64_t start_ms;
  int64_t first_frame;
  int64_t last_frame;
  /* The greatest part of a field of 10 degrees that has flashed so often with that frame. */
  double field_share;
} gallop_flash_peak;

/* Whether a GIF in a loop flashes more than WCAG 2.2 allows (2.3.1). */
typedef struct gallop_flash_report {
  size_t struct_size;
  /* GALLOP_FLASHES_... */
  int32_t result;
  /* 0: the number, the time and the area of the changes prove it, without a picture. */
  int32_t is_decoded;
  gallop_flash_peak general;
  /* Flashes to or from a saturated red. */
  gallop_flash_peak red;
  /* Where it fails: the greatest rate at which the same size passes. 0 if none does, with `is_partial`, with
   * `is_verdict_only`, and where a limit leaves frames out. */
  double safe_rate;
  /* Where it fails: the greatest size of the same shape up to which each passes at the same rate. 0 if none does, and
   * where there is no rate for one of the other reasons. */
  uint32_t safe_width;
  uint32_t safe_height;
} gallop_flash_report;

/*
 * Whether an image flashes too much. Most cost no picture, or one decoding of each frame; to measure a failure takes dozens
 * of them. What is transparent may show white or black. It informs, and certifies nothing. `options` NULL: full size,
 * normal speed.
 */
GALLOP_API gallop_status gallop_image_flashes(
  gallop_image *image, const gallop_flash_options *options, gallop_flash_report *report);

/* ---- Stills and WebP ------------------------------------------------------------------------------------------ */

/*
 * The frame that stands for an image in a list: the first that is not nearly blank. Looks at as many frames as take some
 * hundred milliseconds. `cancel` may be NULL.
 */
GALLOP_API gallop_status gallop_image_poster(gallop_image *image, gallop_cancel *cancel, int64_t *index);

/* How a WebP is made of an image. */
typedef struct gallop_webp_options {
  size_t struct_size;
  /* The size of the pictures, by area averaging; both 0 for that of the canvas. */
  uint32_t width;
  uint32_t height;
  /* The frames that it shows, in this order; NULL for all. */
  const int64_t *frames;
  size_t frame_count;
  /* Pictures a second at the most: others are left out, and those before them show for their time. 0 for all. */
  double most_per_second;
  /* 1: lossy, with a quality of 0 to 100. */
  int32_t is_lossy;
  float quality;
  /* Ends the call with GALLOP_CANCELLED. */
  gallop_cancel *cancel;
} gallop_webp_options;

/*
 * Makes an animated WebP by libwebp: every picture for as long as browsers show the frame, to the millisecond, as many plays,
 * transparency. One frame gives a still. The bytes are the caller's, who releases them with free(). `options` NULL: lossless.
 *
 *     GALLOP_STRUCT(gallop_webp_options, options);
 *     options.width = 320;
 *     options.height = 180;
 *     options.is_lossy = 1;
 *     options.quality = 75;
 *     if (gallop_image_webp(image, &options, &bytes, &size) == GALLOP_OK)
 *         fwrite(bytes, 1, size, file);
 *
 * Errors: GALLOP_NO_LIBRARY where libwebp.so.7 or libwebpmux.so.3 is not there; GALLOP_CANVAS_TOO_LARGE for more than 16,383
 * pixels a side; GALLOP_INVALID_ARGUMENT for more than 24 days; GALLOP_NO_SUCH_FRAME, GALLOP_NO_FRAMES.
 */
GALLOP_API gallop_status gallop_image_webp(
  gallop_image *image, const gallop_webp_options *options, void **bytes, size_t *size);

/* ---- Clocks --------------------------------------------------------------------------------------------------- */

enum {
  /* The system's monotonic time; the program calls gallop_clock_tick, as at each refresh of a screen. */
  GALLOP_CLOCK_DRIVEN = 0,
  /* Time stands but for gallop_clock_advance; for tests and for rendering faster or slower than real time. */
  GALLOP_CLOCK_MANUAL = 1
};

/*
 * Makes a clock without a thread. Players without a clock of their own share one of the process, which has a thread
 * and needs no ticks. On a clock without a thread callbacks come on the thread that ticks or commands; decoding still
 * has threads, and a frame that comes later than its tick may be shown on one of those.
 */
GALLOP_API gallop_status gallop_clock_new(int32_t kind, gallop_clock **out);
/* Shows what is due. */
GALLOP_API gallop_status gallop_clock_tick(gallop_clock *clock);
/* Moves a manual clock on, and shows what is due then. */
GALLOP_API gallop_status gallop_clock_advance(gallop_clock *clock, int64_t nanoseconds);
/* The time now, and when something is due next: *deadline_ns is INT64_MAX if nothing is. Either may be NULL. */
GALLOP_API gallop_status gallop_clock_get_time(gallop_clock *clock, int64_t *now_ns, int64_t *deadline_ns);
GALLOP_API gallop_status gallop_clock_release(gallop_clock *clock);

/* ---- Budgets -------------------------------------------------------------------------------------------------- */

/* A budget of its own; players without one share that of the process. `limit` in bytes; 0 for the default. */
GALLOP_API gallop_status gallop_budget_new(int64_t limit, gallop_budget **out);
/* A handle of the process's budget: 256 MiB, or an eighth of the memory where that is less. */
GALLOP_API gallop_status gallop_budget_shared(gallop_budget **out);
/* Takes effect before the call returns, except for what is being decoded. */
GALLOP_API gallop_status gallop_budget_set_limit(gallop_budget *budget, int64_t limit);
/* Whether the machine's memory pressure shrinks the budget; on for the shared one, off for others. */
GALLOP_API gallop_status gallop_budget_follow_pressure(gallop_budget *budget, int32_t follows);

/* How short memory is. */
enum { GALLOP_PRESSURE_NORMAL = 0, GALLOP_PRESSURE_WARNING = 1, GALLOP_PRESSURE_CRITICAL = 2 };

/* Has every budget that follows pressure act as if the machine had reported this level. */
GALLOP_API gallop_status gallop_simulate_pressure(int32_t level);

typedef struct gallop_budget_info {
  size_t struct_size;
  int64_t limit;
  /* All bytes held, and their parts: frames, decoders, compressed bytes. */
  int64_t held_bytes;
  int64_t frame_bytes;
  int64_t decoder_bytes;
  int64_t compressed_bytes;
  /* What the animations that play cannot do without: held even beyond the limit. */
  int64_t floor_bytes;
  int64_t peak_bytes;
  int64_t animation_count;
  /* GALLOP_PRESSURE_... */
  int32_t pressure;
  int32_t follows_pressure;
  int32_t is_over_limit;
  int32_t reserved;
} gallop_budget_info;

GALLOP_API gallop_status gallop_budget_get_info(gallop_budget *budget, gallop_budget_info *info);

typedef void (*gallop_budget_callback)(const gallop_budget_info *info, void *user);
/* Frees the user data of a callback: called once, after the last call, on any thread. */
typedef void (*gallop_destroy)(void *user);

/*
 * Calls `callback` when what the animations cannot do without passes the limit, and when it is within it again; at
 * once if it passes the limit now. Lasts until the handle is released. `destroy` may be NULL.
 */
GALLOP_API gallop_status gallop_budget_on_limit(
  gallop_budget *budget, gallop_budget_callback callback, void *user, gallop_destroy destroy);
GALLOP_API gallop_status gallop_budget_release(gallop_budget *budget);

/* ---- Players -------------------------------------------------------------------------------------------------- */

enum { GALLOP_MODE_FORWARD = 0, GALLOP_MODE_REVERSE = 1, GALLOP_MODE_BOUNCE = 2 };
enum {
  GALLOP_STATE_STOPPED = 0,
  GALLOP_STATE_PLAYING = 1,
  GALLOP_STATE_PAUSED = 2,
  GALLOP_STATE_FINISHED = 3,
  GALLOP_STATE_FAILED = 4
};
/* Which delays count. */
enum {
  /* As browsers: 10 ms or less as 100. */
  GALLOP_DELAY_BROWSER = 0,
  GALLOP_DELAY_ENCODED = 1,
  /* As stored, and never shorter than delay_ms. */
  GALLOP_DELAY_MINIMUM = 2,
  /* delay_ms for every frame. */
  GALLOP_DELAY_CONSTANT = 3
};
/* What becomes of late frames. */
enum {
  /* They are skipped; the total time stays. */
  GALLOP_LATE_SKIP = 0,
  /* At most late_count of them are shown, each for half its time. */
  GALLOP_LATE_CATCH_UP = 1,
  /* Time waits for each. */
  GALLOP_LATE_WAIT = 2
};
/* What becomes of a gap in the clock of more than five minutes. */
enum { GALLOP_SUSPENSION_RESUME = 0, GALLOP_SUSPENSION_KEEP_SCHEDULE = 1 };
enum {
  GALLOP_MOTION_FULL = 0,
  /* A part of the speed, 0.05 to 1. */
  GALLOP_MOTION_SLOW = 1,
  GALLOP_MOTION_FIRST_FRAME = 2
};
/* Whether other players show fewer frames first when decoding cannot keep up. */
enum { GALLOP_PRIORITY_HIGH = 0, GALLOP_PRIORITY_LOW = 1 };
enum {
  GALLOP_VISIBLE = 0,
  /* Soon in sight: the frame at the playhead and those read ahead are decoded; nothing is shown. */
  GALLOP_NEAR = 1,
  /* Keeps its schedule; shows, decodes and reports nothing. */
  GALLOP_HIDDEN = 2
};
/* What becomes of a GIF that flashes more than WCAG 2.2 allows: see gallop_image_flashes. */
enum {
  /* Plays; nothing is judged. */
  GALLOP_FLASH_POLICY_ALLOW = 0,
  /* Plays, and reports the verdict. */
  GALLOP_FLASH_POLICY_WARN = 1,
  /* Stands while the verdict is unknown, and where it fails. */
  GALLOP_FLASH_POLICY_HOLD = 2,
  /* Stands while the verdict is unknown, and plays at the greatest rate that passes where it fails. */
  GALLOP_FLASH_POLICY_SLOW = 3
};
/* The verdict on a player's GIF as it is shown, and what became of it. */
enum {
  /* Nothing is judged: `allow`; or what should only warn cannot be judged. */
  GALLOP_FLASH_STATE_UNJUDGED = 0,
  /* An image that loads has no verdict before it is complete. */
  GALLOP_FLASH_STATE_JUDGING = 1,
  GALLOP_FLASH_STATE_PASSES = 2,
  /* It fails, and plays all the same. */
  GALLOP_FLASH_STATE_WARNED = 3,
  /* It fails, and plays at a lower rate. */
  GALLOP_FLASH_STATE_SLOWED = 4,
  /* It does not play: it fails, or cannot be judged. */
  GALLOP_FLASH_STATE_HELD = 5
};
/* What is decoded beyond the read-ahead while there is room. */
enum {
  GALLOP_PRELOAD_NONE = 0,
  /* `preload_amount` frames. */
  GALLOP_PRELOAD_FRAMES = 1,
  /* What is played within `preload_amount` milliseconds. */
  GALLOP_PRELOAD_TIME = 2,
  GALLOP_PRELOAD_ALL = 3
};

typedef struct gallop_player_options {
  size_t struct_size;
  /* GALLOP_DELAY_... */
  int32_t delay;
  /* GALLOP_MODE_... */
  int32_t mode;
  int64_t delay_ms;
  /* Total plays; 0 for what the file says, -1 for without end. */
  int64_t plays;
  /* The frames to play; range_count 0 for all. */
  int64_t range_first;
  int64_t range_count;
  /* 0.05 to 20; 0 means 1. */
  double rate;
  /* GALLOP_LATE_..., GALLOP_SUSPENSION_..., GALLOP_MOTION_..., GALLOP_PRIORITY_... */
  int32_t late;
  int32_t late_count;
  int32_t suspension;
  int32_t motion;
  /* For GALLOP_MOTION_SLOW. */
  double motion_part;
  int32_t priority;
  /* 1 if more of the image follows: see gallop_player_update. */
  int32_t is_loading;
  /* The size of the frames; both 0 for that of the canvas. */
  uint32_t width;
  uint32_t height;
  /* GALLOP_FIT_... */
  int32_t fit;
  /* How far ahead frames are decoded: 0 for 250 ms and at most 8 frames. */
  int32_t read_ahead_frames;
  int64_t read_ahead_ms;
  /* GALLOP_PRELOAD_... */
  int32_t preload;
  /* GALLOP_VISIBLE, GALLOP_NEAR or GALLOP_HIDDEN: a player that begins hidden begins once it is visible. */
  int32_t visibility;
  int64_t preload_amount;
  /* NULL for those of the process. */
  gallop_budget *budget;
  gallop_clock *clock;
  /* GALLOP_FLASH_POLICY_... */
  int32_t flash_policy;
  /* 1 if GIFs of its size play beside it, as in a grid: they count together. */
  int32_t shares_field;
  /* The size at which the frames are shown in CSS pixels, for the verdict on flashes; both 0 for their own. */
  uint32_t shown_width;
  uint32_t shown_height;
} gallop_player_options;

/* Makes a player; it shows nothing before the first command. Its frames are GALLOP_RGBA. */
GALLOP_API gallop_status gallop_player_new(
  gallop_image *image, const gallop_player_options *options, gallop_player **out);
/*
 * Stops and frees the player. No callback begins after that; one that runs on another thread comes to its end.
 */
GALLOP_API gallop_status gallop_player_release(gallop_player *player);

/* Starts, goes on after a pause, or starts over after the end. */
GALLOP_API gallop_status gallop_player_play(gallop_player *player);
/* Holds the frame; the rest of its time is kept. */
GALLOP_API gallop_status gallop_player_pause(gallop_player *player);
/* Goes back to the start and shows the first frame. */
GALLOP_API gallop_status gallop_player_stop(gallop_player *player);
/* Plays from the start. */
GALLOP_API gallop_status gallop_player_restart(gallop_player *player);
/*
 * Out of range, a quantity such as a rate, a time, a number of steps or of bytes is clipped to the nearest possible one.
 * What is not there is refused, and nothing changes: GALLOP_NO_SUCH_FRAME with the frame and the number of frames.
 */

/* Goes to a frame of the present loop. GALLOP_NO_SUCH_FRAME if it is not played. */
GALLOP_API gallop_status gallop_player_seek_frame(gallop_player *player, int64_t index);
/* Goes to a media time, counted from the start of the first loop; at most to the last frame. */
GALLOP_API gallop_status gallop_player_seek_time(gallop_player *player, int64_t nanoseconds);
/* Goes to a time within the present loop. */
GALLOP_API gallop_status gallop_player_seek_in_loop(gallop_player *player, int64_t nanoseconds);
/* Pauses and shows the frame this many steps on, or back if negative; at most the last one or the first. */
GALLOP_API gallop_status gallop_player_step(gallop_player *player, int64_t count);
/* Shows a frame without playing, if nothing has been played since the start or the last stop; -1: the first one. */
GALLOP_API gallop_status gallop_player_show_poster(gallop_player *player, int64_t index);

/* Clipped to 0.05 to 20; a change makes no jump. */
GALLOP_API gallop_status gallop_player_set_rate(gallop_player *player, double rate);
/* GALLOP_MODE_...; a change makes no jump. */
GALLOP_API gallop_status gallop_player_set_mode(gallop_player *player, int32_t mode);
/* The frames to play, clipped to those of the image; count 0 for all. GALLOP_NO_SUCH_FRAME if none of them is there. */
GALLOP_API gallop_status gallop_player_set_range(gallop_player *player, int64_t first, int64_t count);
/* GALLOP_MOTION_..., and the part of the speed for GALLOP_MOTION_SLOW. */
GALLOP_API gallop_status gallop_player_set_motion(gallop_player *player, int32_t motion, double part);
/*
 * GALLOP_VISIBLE, GALLOP_NEAR or GALLOP_HIDDEN. A hidden player leaves the picture of its frame to the budget. One that
 * becomes visible reports the frame to be seen, with GALLOP_CAUSE_APPEAR.
 */
GALLOP_API gallop_status gallop_player_set_visibility(gallop_player *player, int32_t visibility);
/* GALLOP_PRIORITY_... */
GALLOP_API gallop_status gallop_player_set_priority(gallop_player *player, int32_t priority);
/* GALLOP_FLASH_POLICY_...: a program whose user asks to play a GIF that is held sets GALLOP_FLASH_POLICY_WARN. */
GALLOP_API gallop_status gallop_player_set_flash_policy(gallop_player *player, int32_t policy);
/* The size at which the frames are shown in CSS pixels; both 0 for their own. */
GALLOP_API gallop_status gallop_player_set_shown_size(gallop_player *player, uint32_t width, uint32_t height);
/* Whether GIFs of its size play beside it. */
GALLOP_API gallop_status gallop_player_set_shares_field(gallop_player *player, int32_t shares_field);

/* What a player does about flashes. */
typedef struct gallop_player_flashes {
  size_t struct_size;
  /* GALLOP_FLASH_POLICY_... and GALLOP_FLASH_STATE_... */
  int32_t policy;
  int32_t state;
  int32_t shares_field;
  /* 1 if `report` has the verdict: of a GIF that fails. */
  int32_t has_report;
  /* Both 0 for the frames' own. */
  uint32_t shown_width;
  uint32_t shown_height;
  /* That of a GIF that is slowed; 0 for others. */
  double rate;
  gallop_flash_report report;
} gallop_player_flashes;
GALLOP_API gallop_status gallop_player_get_flashes(gallop_player *player, gallop_player_flashes *flashes);

/* GALLOP_PRELOAD_..., and frames or milliseconds. */
GALLOP_API gallop_status gallop_player_preload(gallop_player *player, int32_t preload, int64_t amount);

/*
 * Holds the time while the user drags a handle; only the newest target is decoded and shown. Without it the next two are
 * GALLOP_INVALID_ARGUMENT.
 */
GALLOP_API gallop_status gallop_player_begin_scrubbing(gallop_player *player);
GALLOP_API gallop_status gallop_player_scrub_frame(gallop_player *player, int64_t index);
GALLOP_API gallop_status gallop_player_scrub_time(gallop_player *player, int64_t nanoseconds);
/* Goes on from the last target if it was playing before. */
GALLOP_API gallop_status gallop_player_end_scrubbing(gallop_player *player);

/*
 * Takes more of an image that loads, from the same stream. GALLOP_END if the player ignores it: it has fewer frames,
 * or the player's image is complete, or the player has failed.
 */
GALLOP_API gallop_status gallop_player_update(gallop_player *player, gallop_image *image, int32_t is_complete);

/* What a player is and does. */
typedef struct gallop_player_info {
  size_t struct_size;
  /* The player's number in this process, as in its events. */
  uint64_t id;
  /* GALLOP_STATE_... */
  int32_t state;
  /* Why it has failed, if the state is GALLOP_STATE_FAILED; otherwise GALLOP_OK. */
  gallop_status error;
  /* The frame shown last, or -1. */
  int64_t frame;
  int64_t frame_count;
  /* Media time since the start of the first loop, and of the present one. */
  int64_t position_ns;
  int64_t position_in_loop_ns;
  /* One loop as it is played, as far as is known. */
  int64_t duration_ns;
  /* The part of the loop that is over, 0 to 1. */
  double progress;
  double rate;
  /* Plays that are not over, the present one included; -1 if without end or not known yet. */
  int64_t plays_left;
  int64_t range_first;
  int64_t range_count;
  int32_t mode;
  int32_t motion;
  double motion_part;
  int32_t visibility;
  int32_t priority;
  /* GALLOP_BUFFERING_... */
  int32_t buffering;
  int32_t is_complete;
  int32_t is_scrubbing;
  int32_t reserved;
} gallop_player_info;

/* What playback waits for. */
enum { GALLOP_BUFFERING_NONE = 0, GALLOP_BUFFERING_SOURCE = 1, GALLOP_BUFFERING_DECODER = 2 };

GALLOP_API gallop_status gallop_player_get_info(gallop_player *player, gallop_player_info *info);

/*
 * The frame shown last. GALLOP_AGAIN before the first one, and for a hidden player whose frame the budget has evicted:
 * it shows the frame to be seen, with an event, once it is visible. `view` may be NULL.
 */
GALLOP_API gallop_status gallop_player_frame(
  gallop_player *player, gallop_frame **out, gallop_frame_view *view);

/* A state to save and to restore later, also in another process. */
typedef struct gallop_snapshot {
  size_t struct_size;
  /* GALLOP_STATE_... */
  int32_t state;
  /* GALLOP_MODE_... */
  int32_t mode;
  int64_t frame;
  /* How long the frame has been due, in media time. */
  int64_t elapsed_ns;
  /* The number of the loop, from 0: as many were completed before. */
  int64_t loop;
  /* The frames to play; range_count 0 for all. */
  int64_t range_first;
  int64_t range_count;
  /* 0 means 1. */
  double rate;
  /* Whether it stands on the way back of a bounce. */
  int32_t is_returning;
  int32_t reserved;
} gallop_snapshot;

GALLOP_API gallop_status gallop_player_save(gallop_player *player, gallop_snapshot *snapshot);
/* If its frame is not played, the loop starts over. */
GALLOP_API gallop_status gallop_player_restore(gallop_player *player, const gallop_snapshot *snapshot);

/* What a player's frames cost and gained. */
typedef struct gallop_player_statistics {
  size_t struct_size;
  /* Lookups that found their frame, and frames that were looked for before they were there. */
  int64_t hits;
  int64_t misses;
  /* Decodings, finished frames made, finished frames given up. */
  int64_t decoded_frames;
  int64_t composed_frames;
  int64_t evictions;
  /* Frames and bytes held now, and the most bytes at any time. */
  int64_t resident_frames;
  int64_t resident_bytes;
  int64_t peak_bytes;
} gallop_player_statistics;

GALLOP_API gallop_status gallop_player_get_statistics(
  gallop_player *player, gallop_player_statistics *statistics);

/* ---- Events --------------------------------------------------------------------------------------------------- */

enum {
  /* Another frame is visible: once for each change, in order, never for a frame that was due but missing. */
  GALLOP_EVENT_FRAME = 1,
  /* A loop is over. */
  GALLOP_EVENT_LOOP = 2,
  /* All plays are over. */
  GALLOP_EVENT_FINISHED = 3,
  /* The state has changed. */
  GALLOP_EVENT_STATE = 4,
  /* Playback has begun to wait, or goes on. */
  GALLOP_EVENT_BUFFERING = 5,
  /* No frame can be made. */
  GALLOP_EVENT_FAILED = 6,
  /* There is a verdict on flashes, or playback follows another one: gallop_player_get_flashes has it. */
  GALLOP_EVENT_FLASHES = 7
};

/* Why a frame is shown. */
enum {
  GALLOP_CAUSE_PLAY = 0,
  GALLOP_CAUSE_LOOP = 1,
  GALLOP_CAUSE_SEEK = 2,
  GALLOP_CAUSE_STEP = 3,
  GALLOP_CAUSE_RESTART = 4,
  /* The player has become visible: the frame to be seen now, also if it is the one shown last. */
  GALLOP_CAUSE_APPEAR = 5
};

typedef struct gallop_event {
  size_t struct_size;
  /* GALLOP_EVENT_... */
  int32_t kind;
  /* GALLOP_CAUSE_..., of a frame. */
  int32_t cause;
  /* The player's number: gallop_player_info has it. */
  uint64_t player;
  /* Of a frame: itself, and how many are known; is_complete tells whether those are all. Also of buffering. */
  int64_t frame_index;
  int64_t frame_count;
  int32_t is_complete;
  /* GALLOP_STATE_..., of a change of state; GALLOP_FLASH_STATE_..., of flashes. */
  int32_t state;
  /* Loops completed: before the frame, whose loop has this number, or with this loop. */
  int64_t loop;
  /* Loops left, of a loop; -1 without end. */
  int64_t loops_left;
  /* When the frame was due and when it was shown, on the clock; and in media time. */
  int64_t scheduled_ns;
  int64_t shown_ns;
  int64_t media_ns;
  int64_t lateness_ns;
  /* Frames that were due since the one shown before, and are not shown. */
  int64_t skipped_frames;
  /* Where the frame may differ from the one shown before. */
  gallop_rect changed;
  /* GALLOP_BUFFERING_... */
  int32_t buffering;
  /* Of a failure. */
  gallop_status error;
  /* Frame changes that the queue has dropped since the event before this one; 0 in callbacks. */
  int64_t dropped;
  /*
   * The frame, of a frame change. In a callback it is released by the library when the callback returns: retain it to
   * keep it. From gallop_player_next_event it is what *frame has.
   */
  gallop_frame *frame;
} gallop_event;

typedef void (*gallop_event_callback)(const gallop_event *event, void *user);

/*
 * Calls `callback` for every event whose bit (1u << kind) is in `kinds`; 0 for all. Calls come one at a time, in
 * order, on the thread of the change: the clock's, a decoding thread, or that of the caller of a command. A callback
 * that takes longer than 8 ms three times in a row moves to a thread of its own. Lasts until gallop_player_remove with
 * *id, or until the player ends. `destroy` and `id` may be NULL.
 */
GALLOP_API gallop_status gallop_player_on_event(
  gallop_player *player, uint32_t kinds, gallop_event_callback callback, void *user, gallop_destroy destroy,
  uint64_t *id);
/* No call begins after this; one under way on another thread comes to its end. Then `destroy` is called. */
GALLOP_API gallop_status gallop_player_remove(gallop_player *player, uint64_t id);

/*
 * A file descriptor that is readable exactly while events wait; for poll, epoll, libuv, GLib, asyncio. Events are
 * collected from the first call on: up to 64 frame changes, of which the oldest is dropped first, and all others. The
 * descriptor belongs to the player: neither read nor close it. It is closed when the player is released.
 */
GALLOP_API gallop_status gallop_player_event_fd(gallop_player *player, int *fd);
/*
 * Takes the oldest event; GALLOP_AGAIN if none waits. With `frame` not NULL a frame change gives its frame, to be
 * released by the caller. Of those that wait only the newest 4 changes keep their pixels: *frame is NULL for older ones,
 * and gallop_player_frame has the frame that is visible.
 */
GALLOP_API gallop_status gallop_player_next_event(
  gallop_player *player, gallop_event *event, gallop_frame **frame);

/* ---- Groups --------------------------------------------------------------------------------------------------- */

/* Makes a group: its players start at the same instant and stay in step. `clock` NULL for that of the process. */
GALLOP_API gallop_status gallop_group_new(gallop_clock *clock, gallop_group **out);
/*
 * Adds a player, whose media time is ahead of the group's by `offset_ns`. The group does not keep it alive.
 * GALLOP_INVALID_ARGUMENT for a player on another clock.
 */
GALLOP_API gallop_status gallop_group_add(gallop_group *group, gallop_player *player, int64_t offset_ns);
/* The player goes on by itself. */
GALLOP_API gallop_status gallop_group_remove(gallop_group *group, gallop_player *player);
GALLOP_API gallop_status gallop_group_play(gallop_group *group);
GALLOP_API gallop_status gallop_group_pause(gallop_group *group);
GALLOP_API gallop_status gallop_group_seek(gallop_group *group, int64_t nanoseconds);
GALLOP_API gallop_status gallop_group_set_rate(gallop_group *group, double rate);
GALLOP_API gallop_status gallop_group_set_motion(gallop_group *group, int32_t motion, double part);

typedef struct gallop_group_info {
  size_t struct_size;
  int64_t position_ns;
  double rate;
  int32_t is_playing;
  int32_t player_count;
} gallop_group_info;

GALLOP_API gallop_status gallop_group_get_info(gallop_group *group, gallop_group_info *info);
GALLOP_API gallop_status gallop_group_release(gallop_group *group);

#ifdef __cplusplus
}
#endif

#endif
