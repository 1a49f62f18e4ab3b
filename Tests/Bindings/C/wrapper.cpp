// gallop.hpp: what it decodes is what gallop.h decodes, errors are exceptions, and every handle is released:  wrapper FILE
#include <gallop.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <type_traits>
#include <vector>

#define CHECK(condition) \
  ((condition) ? (void)0 : (std::fprintf(stderr, "wrapper.cpp:%d: %s\n", __LINE__, #condition), std::exit(1)))

static_assert(!std::is_copy_constructible_v<gallop::image> && std::is_nothrow_move_constructible_v<gallop::image>, "");
static_assert(std::is_copy_constructible_v<gallop::frame> && std::is_nothrow_move_assignable_v<gallop::player>, "");

static void decodes(const std::string &path) {
  gallop::image image(path);
  gallop::decoder decoder(image);
  std::vector<std::uint8_t> pixels(decoder.info().frame_bytes);
  std::int64_t count = 0;
  gallop::frame kept;
  for (const gallop::frame &frame : image.frames()) {
    decoder.read(count, pixels.data(), pixels.size());
    CHECK(frame.index() == count && frame.size() == pixels.size());
    CHECK(std::memcmp(frame.data(), pixels.data(), pixels.size()) == 0);
    CHECK(frame.delay().count() == image.frame_info(count).delay_ms);
    if (count++ == 3) kept = frame;
  }
  CHECK(count == image.frame_count() && count == 30);
  image.reset();
  // A frame outlives its image and its decoder; a copy shares the pixels.
  gallop::frame other = kept;
  CHECK(kept.index() == 3 && other.data() == kept.data() && other.get() != kept.get());
  gallop::frame moved = std::move(kept);
  CHECK(!kept && kept.data() == nullptr && moved.data() == other.data());
  moved = gallop::frame();
  CHECK(!moved && other.data()[3] == 255);
  // A handle that is given away may be taken.
  gallop::decoder taken(decoder.release());
  CHECK(!decoder && taken.frame(0).index() == 0);
  decoder = std::move(taken);

  gallop_target target = {};
  target.pixels = pixels.data();
  target.size = pixels.size();
  target.channels = GALLOP_CHANNELS_RGB;
  CHECK(decoder.read(3, target).index == 3 && pixels[0] == other.data()[0] && pixels[3] == other.data()[4]);
}

static void sizes(const std::string &path) {
  gallop::image image(path);
  gallop_decoder_options options = {};
  options.width = 48;
  int count = 0;
  for (const auto &frame : image.frames(options)) count += frame.width() == 48 && frame.height() == 27;
  CHECK(count == 30);
}

static void errors() {
  try {
    gallop::image image(std::string("/nowhere.gif"));
    CHECK(false);
  } catch (const gallop::error &error) {
    CHECK(error.status() == GALLOP_UNREADABLE && std::strstr(error.what(), "/nowhere.gif") != nullptr);
  }
  try {
    gallop::image::from_bytes("GIF89a", 6);
    CHECK(false);
  } catch (const gallop::error &error) {
    CHECK(std::string(error.code()) == "truncatedHeader" && error.offset() == 6 && error.frame() == -1);
  }
}

static void streams(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  gallop::stream stream;
  CHECK(!stream.image());
  stream.feed(bytes.data(), bytes.size() / 2);
  std::optional<gallop::image> half = stream.image();
  CHECK(half && half->frame_count() < 30);
  stream.feed(bytes.data() + bytes.size() / 2, bytes.size() - bytes.size() / 2);
  CHECK(stream.finish().frame_count() == 30);
}

static void plays(const std::string &path) {
  gallop_clock *clock = nullptr;
  gallop::check(gallop_clock_new(GALLOP_CLOCK_MANUAL, &clock));
  gallop::owned<gallop_clock, gallop_clock_release> owner(clock);
  gallop_player_options options = {};
  options.clock = clock;
  gallop::player player(gallop::image(path), options);
  auto ended = std::make_shared<int>(0);
  const std::uint64_t id = player.on_event([ended](const gallop_event &) { ++*ended; }, 1u << GALLOP_EVENT_STATE);
  CHECK(ended.use_count() == 2 && player.event_fd() >= 0);
  player.pause();
  player.seek(7);
  // The frame is decoded on another thread.
  for (bool is_shown = false; !is_shown;) {
    gallop_clock_tick(clock);
    while (auto next = player.next_event()) {
      const auto &[event, frame] = *next;
      is_shown |= event.kind == GALLOP_EVENT_FRAME && frame.index() == 7;
    }
  }
  CHECK(player.info().frame == 7 && player.frame().index() == 7);
  player.remove(id);
  // What a listener holds ends with it.
  CHECK(ended.use_count() == 1);
  try {
    player.seek(30);
    CHECK(false);
  } catch (const gallop::error &error) {
    CHECK(error.status() == GALLOP_NO_SUCH_FRAME);
  }
  try {
    player.on_event({});
    CHECK(false);
  } catch (const std::invalid_argument &) {
  }
  gallop::player moved = std::move(player);
  CHECK(!player && moved && moved.info().frame == 7);
}

static void cancels(const std::string &path) {
  gallop::cancel cancel;
  cancel.set();
  gallop_decoder_options options = {};
  options.cancel = cancel.get();
  gallop::image image(path);
  gallop::decoder decoder(image, options);
  try {
    decoder.frame(0);
    CHECK(false);
  } catch (const gallop::error &error) {
    CHECK(error.status() == GALLOP_CANCELLED);
  }
  cancel.clear();
  CHECK(decoder.frame(0).status() == GALLOP_FRAME_COMPLETE);
}

static void edits(const std::string &path) {
  const std::int64_t frames[] = {2, 1};
  gallop_edit edit = {};
  edit.frames = frames;
  edit.frame_count = 2;
  gallop::image image(path);
  gallop::editor editor(image, edit);
  const std::vector<std::uint8_t> bytes = editor.bytes();
  CHECK(editor.info().frame_count == 2);
  CHECK(gallop::image::from_bytes(bytes.data(), bytes.size()).frame_count() == 2);
  gallop::editor joined(std::vector<gallop_image *>{image.get(), image.get()});
  CHECK(joined.info().chosen_frames == 60);
}

int main(int argc, char **argv) {
  if (argc != 2) return 64;
  const std::string path = argv[1];
  decodes(path);
  sizes(path);
  errors();
  streams(path);
  plays(path);
  cancels(path);
  edits(path);
  CHECK(gallop_handle_count() == 0);
  return 0;
}
