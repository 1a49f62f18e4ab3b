/*
 * gallop.hpp - gallop.h for C++17 and later: handles that release themselves, exceptions, ranges of frames.
 *
 *     gallop::image horse("horse.gif");
 *     for (const gallop::frame &frame : horse.frames())
 *         show(frame.data(), frame.width(), frame.height(), frame.delay());
 *
 * Every class holds one handle. Objects move and do not copy; frames copy, and share their pixels. get() gives the handle for
 * any function of gallop.h, release() gives it away, and a constructor of each class takes one. What gallop.h says of threads and forks
 * holds here, too. A function that fails throws gallop::error, but for those of events, whose callbacks must not throw.
 */
#ifndef GALLOP_HPP
#define GALLOP_HPP

#include <gallop.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>
#if __cplusplus >= 202002L
#include <span>
#endif

namespace gallop {

/* A call that failed: what() is the library's sentence. */
class error : public std::runtime_error {
public:
  explicit error(gallop_status status) : std::runtime_error(gallop_last_message()), status_(status) {
    GALLOP_STRUCT(gallop_error, found);
    if (gallop_last_error(&found) == GALLOP_OK) {
      frame_ = found.frame;
      offset_ = found.offset;
    }
  }
  gallop_status status() const noexcept { return status_; }
  /* The word for the status, such as "notAGIF". */
  const char *code() const noexcept { return gallop_status_name(status_); }
  /* The frame and the byte offset concerned, or -1. */
  std::int64_t frame() const noexcept { return frame_; }
  std::int64_t offset() const noexcept { return offset_; }

private:
  gallop_status status_;
  std::int64_t frame_ = -1, offset_ = -1;
};

/* Throws where a status is an error; otherwise returns it. */
inline gallop_status check(gallop_status status) {
  if (status < 0) throw error(status);
  return status;
}

/* A handle that releases itself. */
template <typename Handle, gallop_status (*Release)(Handle *)>
class owned {
public:
  owned() noexcept = default;
  explicit owned(Handle *handle) noexcept : handle_(handle) {}
  owned(owned &&other) noexcept : handle_(other.release()) {}
  owned &operator=(owned &&other) noexcept {
    if (this != &other) reset(other.release());
    return *this;
  }
  owned(const owned &) = delete;
  owned &operator=(const owned &) = delete;
  ~owned() { reset(); }

  Handle *get() const noexcept { return handle_; }
  explicit operator bool() const noexcept { return handle_ != nullptr; }
  /* Gives the handle away: the caller releases it. */
  [[nodiscard]] Handle *release() noexcept { return std::exchange(handle_, nullptr); }
  void reset(Handle *handle = nullptr) noexcept {
    if (handle_ != nullptr) Release(handle_);
    handle_ = handle;
  }

private:
  Handle *handle_ = nullptr;
};

/* A flag that ends calls from another thread. */
class cancel : public owned<gallop_cancel, gallop_cancel_release> {
public:
  using owned::owned;
  cancel() : owned(made()) {}
  void set() { check(gallop_cancel_set(get())); }
  /* Lets calls go on, as in a new one: gallop_cancel_reset. */
  void clear() { check(gallop_cancel_reset(get())); }

private:
  static gallop_cancel *made() {
    gallop_cancel *out = nullptr;
    check(gallop_cancel_new(&out));
    return out;
  }
};

/* The pixels of a frame: immutable, four bytes each, rows from the top. */
class frame {
public:
  frame() = default;
  /* Takes over a handle and what the library says of it. */
  frame(gallop_frame *handle, const gallop_frame_view &view) noexcept : handle_(handle), view_(view) {}
  /* Another owner of the same pixels. */
  frame(const frame &other) : view_(other.view_) {
    gallop_frame *out = nullptr;
    if (other.handle_) check(gallop_frame_retain(other.handle_.get(), &out));
    handle_.reset(out);
  }
  frame &operator=(const frame &other) {
    if (this != &other) *this = frame(other);
    return *this;
  }
  frame(frame &&other) noexcept
    : handle_(std::move(other.handle_)), view_(std::exchange(other.view_, gallop_frame_view{})) {}
  frame &operator=(frame &&other) noexcept {
    handle_ = std::move(other.handle_);
    view_ = std::exchange(other.view_, gallop_frame_view{});
    return *this;
  }

  gallop_frame *get() const noexcept { return handle_.get(); }
  explicit operator bool() const noexcept { return static_cast<bool>(handle_); }
  const gallop_frame_view &view() const noexcept { return view_; }
  std::int64_t index() const noexcept { return view_.index; }
  std::uint32_t width() const noexcept { return view_.width; }
  std::uint32_t height() const noexcept { return view_.height; }
  /* Bytes from one row to the next, and of all pixels. */
  std::size_t stride() const noexcept { return view_.stride; }
  std::size_t size() const noexcept { return view_.size; }
  const std::uint8_t *data() const noexcept { return view_.pixels; }
  /* GALLOP_FRAME_... */
  std::int32_t status() const noexcept { return view_.status; }
  /* How long browsers show it. */
  std::chrono::milliseconds delay() const noexcept { return std::chrono::milliseconds(view_.delay_ms); }
#if __cplusplus >= 202002L
  std::span<const std::uint8_t> bytes() const noexcept { return {view_.pixels, view_.size}; }
#endif

private:
  owned<gallop_frame, gallop_frame_release> handle_;
  gallop_frame_view view_{};
};

class image;

/* Decodes frames, in order the fastest. One thread at a time may use it. */
class decoder : public owned<gallop_decoder, gallop_decoder_release> {
public:
  using owned::owned;
  explicit decoder(const image &image);
  /* The options' struct_size is set here. */
  decoder(const image &image, gallop_decoder_options options);

  gallop_decoder_info info() const {
    GALLOP_STRUCT(gallop_decoder_info, found);
    check(gallop_decoder_get_info(get(), &found));
    return found;
  }
  /* A frame in memory of the library, without a copy. */
  gallop::frame frame(std::int64_t index) {
    GALLOP_STRUCT(gallop_frame_view, view);
    gallop_frame *out = nullptr;
    check(gallop_decoder_frame(get(), index, &out, &view));
    return gallop::frame(out, view);
  }
  /* Decodes into memory of the caller's: see gallop_decoder_read. */
  gallop_frame_view read(
    std::int64_t index, void *pixels, std::size_t size, std::size_t stride = 0, std::uint32_t flags = 0) {
    GALLOP_STRUCT(gallop_frame_view, view);
    check(gallop_decoder_read(get(), index, pixels, size, stride, flags, &view));
    return view;
  }
#if __cplusplus >= 202002L
  gallop_frame_view read(std::int64_t index, std::span<std::uint8_t> pixels, std::uint32_t flags = 0) {
    return read(index, pixels.data(), pixels.size(), 0, flags);
  }
#endif
  /* The same in the target's layout. Its struct_size is set here. */
  gallop_frame_view read(std::int64_t index, gallop_target target) {
    GALLOP_STRUCT(gallop_frame_view, view);
    target.struct_size = sizeof target;
    check(gallop_decoder_read_to(get(), index, &target, &view));
    return view;
  }
};

/* All frames one after another, for a range-based loop: the one in hand is in memory. */
class frame_range {
public:
  class iterator {
  public:
    /* Of C++20: what it gives lives until the next step. */
    using iterator_concept = std::input_iterator_tag;
    using value_type = frame;
    using difference_type = std::ptrdiff_t;

    iterator() = default;
    iterator(decoder *decoder, std::int64_t count) : decoder_(decoder), count_(count) { load(); }
    const frame &operator*() const { return frame_; }
    const frame *operator->() const { return &frame_; }
    iterator &operator++() {
      index_++;
      load();
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const iterator &one, const iterator &other) { return one.is_over() == other.is_over(); }
    friend bool operator!=(const iterator &one, const iterator &other) { return !(one == other); }

  private:
    decoder *decoder_ = nullptr;
    std::int64_t index_ = 0, count_ = 0;
    frame frame_;
    bool is_over() const { return index_ >= count_; }
    void load() {
      // The next frame costs the least once this one has been released.
      frame_ = frame();
      if (!is_over()) frame_ = decoder_->frame(index_);
    }
  };

  explicit frame_range(decoder decoder) : decoder_(std::move(decoder)) {}
  iterator begin() { return iterator(&decoder_, decoder_.info().frame_count); }
  iterator end() { return {}; }

private:
  decoder decoder_;
};

/* A GIF's index: its size, frames and delays. Immutable. */
class image : public owned<gallop_image, gallop_image_release> {
public:
  using owned::owned;
  /* Opens a file. The options' struct_size is set here. */
  explicit image(const std::string &path, gallop_open_options options = {}) {
    gallop_image *out = nullptr;
    options.struct_size = sizeof options;
    check(gallop_image_open(path.c_str(), &options, &out));
    reset(out);
  }
  /* Reads a GIF in memory; copies the bytes. */
  static image from_bytes(const void *bytes, std::size_t size, gallop_open_options options = {}) {
    gallop_image *out = nullptr;
    options.struct_size = sizeof options;
    check(gallop_image_from_bytes(bytes, size, &options, &out));
    return image(out);
  }

  gallop_image_info info() const {
    GALLOP_STRUCT(gallop_image_info, found);
    check(gallop_image_get_info(get(), &found));
    return found;
  }
  std::int64_t frame_count() const { return info().frame_count; }
  /* Whether it flashes too much: see gallop_image_flashes. The options' struct_size is set here. */
  gallop_flash_report flashes(gallop_flash_options options = {}) const {
    GALLOP_STRUCT(gallop_flash_report, found);
    options.struct_size = sizeof options;
    check(gallop_image_flashes(get(), &options, &found));
    return found;
  }
  /* The frame that stands for it in a list: the first that is not nearly blank. */
  std::int64_t poster() const {
    std::int64_t index = 0;
    check(gallop_image_poster(get(), nullptr, &index));
    return index;
  }
  /* The file of an animated WebP: see gallop_image_webp. The options' struct_size is set here. */
  std::vector<unsigned char> webp(gallop_webp_options options = {}) const {
    options.struct_size = sizeof options;
    void *bytes = nullptr;
    std::size_t size = 0;
    check(gallop_image_webp(get(), &options, &bytes, &size));
    std::unique_ptr<void, void (*)(void *)> owned(bytes, std::free);
    const unsigned char *first = static_cast<const unsigned char *>(bytes);
    return std::vector<unsigned char>(first, first + size);
  }
  /* What the index knows of a frame. */
  gallop_frame_info frame_info(std::int64_t index) const {
    GALLOP_STRUCT(gallop_frame_info, found);
    check(gallop_image_get_frame(get(), index, &found));
    return found;
  }
  frame_range frames() const { return frame_range(decoder(*this)); }
  frame_range frames(gallop_decoder_options options) const { return frame_range(decoder(*this, options)); }
};

inline decoder::decoder(const image &image) : decoder(image, gallop_decoder_options{}) {}
inline decoder::decoder(const image &image, gallop_decoder_options options) {
  gallop_decoder *out = nullptr;
  options.struct_size = sizeof options;
  check(gallop_decoder_new(image.get(), &options, &out));
  reset(out);
}

/* Writes a GIF of the frames of one image, or of several joined: see gallop_editor_new. One thread at a time may use it. */
class editor : public owned<gallop_editor, gallop_editor_release> {
public:
  using owned::owned;
  /* The edit's struct_size is set here. */
  explicit editor(const image &image, gallop_edit edit = {}) : editor(std::vector<gallop_image *>{image.get()}, edit) {}
  explicit editor(const std::vector<gallop_image *> &images, gallop_edit edit = {}) {
    gallop_editor *out = nullptr;
    edit.struct_size = sizeof edit;
    check(gallop_editor_new(images.data(), images.size(), &edit, &out));
    reset(out);
  }
  /* Writes the GIF to an empty file that is open for reading and writing. */
  void write(int fd) { check(gallop_editor_write(get(), fd)); }
  std::vector<std::uint8_t> bytes() {
    const void *found = nullptr;
    std::size_t size = 0;
    check(gallop_editor_bytes(get(), &found, &size));
    const std::uint8_t *first = static_cast<const std::uint8_t *>(found);
    return {first, first + size};
  }
  gallop_editor_info info() const {
    GALLOP_STRUCT(gallop_editor_info, found);
    check(gallop_editor_get_info(get(), &found));
    return found;
  }
};

/* A GIF that arrives in pieces. */
class stream : public owned<gallop_stream, gallop_stream_release> {
public:
  using owned::owned;
  explicit stream(gallop_open_options options = {}) {
    gallop_stream *out = nullptr;
    options.struct_size = sizeof options;
    check(gallop_stream_new(&options, &out));
    reset(out);
  }
  void feed(const void *bytes, std::size_t size) { check(gallop_stream_feed(get(), bytes, size)); }
  /* The image so far; nothing until its size is known. */
  std::optional<gallop::image> image() {
    gallop_image *out = nullptr;
    if (check(gallop_stream_image(get(), &out)) == GALLOP_AGAIN) return std::nullopt;
    return gallop::image(out);
  }
  gallop::image finish() {
    gallop_image *out = nullptr;
    check(gallop_stream_finish(get(), &out));
    return gallop::image(out);
  }
};

/* Plays an image. Functions of gallop.h that are not here take get(). */
class player : public owned<gallop_player, gallop_player_release> {
public:
  using owned::owned;
  /* The options' struct_size is set here. */
  explicit player(const image &image, gallop_player_options options = {}) {
    gallop_player *out = nullptr;
    options.struct_size = sizeof options;
    check(gallop_player_new(image.get(), &options, &out));
    reset(out);
  }
  void play() { check(gallop_player_play(get())); }
  void pause() { check(gallop_player_pause(get())); }
  void stop() { check(gallop_player_stop(get())); }
  void seek(std::int64_t frame) { check(gallop_player_seek_frame(get(), frame)); }
  void seek(std::chrono::nanoseconds time) { check(gallop_player_seek_time(get(), time.count())); }
  void step(std::int64_t count) { check(gallop_player_step(get(), count)); }
  void set_rate(double rate) { check(gallop_player_set_rate(get(), rate)); }
  void set_flash_policy(std::int32_t policy) { check(gallop_player_set_flash_policy(get(), policy)); }
  void set_shown_size(std::uint32_t width, std::uint32_t height) {
    check(gallop_player_set_shown_size(get(), width, height));
  }
  void set_shares_field(bool shares_field) { check(gallop_player_set_shares_field(get(), shares_field)); }
  gallop_player_flashes flashes() const {
    GALLOP_STRUCT(gallop_player_flashes, found);
    check(gallop_player_get_flashes(get(), &found));
    return found;
  }
  void set_visibility(std::int32_t visibility) { check(gallop_player_set_visibility(get(), visibility)); }

  gallop_player_info info() const {
    GALLOP_STRUCT(gallop_player_info, found);
    check(gallop_player_get_info(get(), &found));
    return found;
  }
  /* The frame shown last; empty before the first one. */
  gallop::frame frame() const {
    GALLOP_STRUCT(gallop_frame_view, view);
    gallop_frame *out = nullptr;
    if (check(gallop_player_frame(get(), &out, &view)) == GALLOP_AGAIN) return {};
    return gallop::frame(out, view);
  }
  /*
   * Calls `listener` for every event whose bit is in `kinds`, 0 for all, on the thread of the change; it must not throw.
   * Returns the number for remove().
   */
  std::uint64_t on_event(std::function<void(const gallop_event &)> listener, std::uint32_t kinds = 0) {
    using function = std::function<void(const gallop_event &)>;
    if (!listener) throw std::invalid_argument("a listener is needed");
    auto kept = std::make_unique<function>(std::move(listener));
    std::uint64_t id = 0;
    check(gallop_player_on_event(
      get(), kinds,
      [](const gallop_event *event, void *user) noexcept { (*static_cast<function *>(user))(*event); }, kept.get(),
      [](void *user) { delete static_cast<function *>(user); }, &id));
    // The library ends it from here on.
    static_cast<void>(kept.release());
    return id;
  }
  void remove(std::uint64_t listener) { check(gallop_player_remove(get(), listener)); }
  /* A descriptor that is readable exactly while events wait. */
  int event_fd() const {
    int fd = -1;
    check(gallop_player_event_fd(get(), &fd));
    return fd;
  }
  /* The oldest event that waits, and the frame of a frame change. */
  std::optional<std::pair<gallop_event, gallop::frame>> next_event() {
    GALLOP_STRUCT(gallop_event, event);
    gallop_frame *out = nullptr;
    if (check(gallop_player_next_event(get(), &event, &out)) == GALLOP_AGAIN) return std::nullopt;
    gallop::owned<gallop_frame, gallop_frame_release> owner(out);
    GALLOP_STRUCT(gallop_frame_view, view);
    if (owner) check(gallop_frame_get_view(owner.get(), &view));
    return std::pair(event, gallop::frame(owner.release(), view));
  }
};

}  // namespace gallop

#endif
