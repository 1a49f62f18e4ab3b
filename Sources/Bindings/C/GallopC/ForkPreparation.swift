internal import CGallop
internal import CLinux
internal import Gallop
internal import Glibc

/// Uses once, before the first fork, what a child may use.
///
/// Swift's runtime makes the metadata of generic types, and the values of global constants, at their first
/// use and under locks of its own. A child waits for ever where a thread of the parent holds such a lock at
/// the fork. After this all first uses are over, and the runtime answers without a lock.
///
/// Measured by processes that fork once while four threads use the library for the first time: without this
/// 3 of 46 children wait for ever, in the lock of the runtime's table of generic types, and of 46 none with
/// it. A flag that ends each call of a child would not do: children are to decode.
enum ForkPreparation {
  /// Runs once in a process. A child has the outcome of its parent.
  static func run() { _ = whole }

  private static let whole: Void = ThreadError.withoutTrace {
    unsafe sample.withUnsafeBytes { bytes in
      unsafe useImage { unsafe gallop_image_from_bytes(bytes.baseAddress, bytes.count, $0, $1) }
      unsafe useStream(bytes)
      unsafe useFile(bytes)
      unsafe useBatch(bytes)
    }
    useFaults()
    usePages()
  }

  /// Memory of whole pages, which the sample's pictures are too small for.
  private static func usePages() {
    let memories = (0..<2).map { _ in SystemMemory(byteCount: SystemMemory.leastPages) }
    for memory in memories { memory?.release() }
    SystemMemory.trim()
  }

  /// A GIF of 3 x 3 pixels: a comment, an endless loop, an interlaced frame with transparency, so many frames
  /// that build on each other that a decoder keeps a canvas on the way, and one that breaks off.
  private static let sample: [UInt8] = {
    var bytes = Array("GIF89a".utf8) + [3, 0, 3, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
    bytes += [0x21, 0xFE, 1, 0x61, 0]
    bytes += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
    bytes += [0x21, 0xF9, 4, 0x0D, 1, 0, 1, 0]
    bytes += [0x2C, 0, 0, 0, 0, 3, 0, 3, 0, 0x40, 2, 3, 0x84, 0x6F, 0x05, 0]
    // Side by side in turn: one in the place of the frame before it would not build on that.
    for index in 0..<built { bytes += [0x2C, UInt8(index % 2), 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 0x01, 0] }
    bytes += [0x21, 0xF9, 4, 0x08, 1, 0, 0, 0]
    bytes += [0x2C, 1, 0, 1, 0, 2, 0, 2, 0, 0x80, 0, 0, 255, 0, 255, 0, 2, 2, 0x84, 0x51]
    return bytes
  }()

  /// How many frames of the sample build on others: more than lie between two kept canvases.
  private static let built = CheckpointPolicy().interval + 4

  // MARK: Images

  private typealias Opening = (
    UnsafePointer<gallop_open_options>, UnsafeMutablePointer<OpaquePointer?>
  ) -> gallop_status

  private static func useImage(_ open: Opening) {
    var (cancel, image): (OpaquePointer?, OpaquePointer?)
    unsafe _ = gallop_cancel_new(&cancel)
    var limits = sized(gallop_limits())
    unsafe _ = gallop_limits_init(&limits, Int32(GALLOP_LIMITS_DEFAULT))
    unsafe withUnsafePointer(to: &limits) { limits in
      var options = unsafe sized(gallop_open_options())
      unsafe options.limits = limits
      unsafe options.cancel = cancel
      unsafe _ = open(&options, &image)
    }
    unsafe readTables(of: image)
    for format in [GALLOP_RGBA, GALLOP_BGRA_PREMULTIPLIED] {
      for side in [0, 2, 5] { unsafe decode(image, format: format, side: side, cancel) }
    }
    unsafe edit(image, cancel)
    unsafe judge(image, cancel)
    var poster: Int64 = 0
    unsafe _ = gallop_image_poster(image, cancel, &poster)
    unsafe _ = gallop_image_release(image)
    unsafe _ = gallop_cancel_release(cancel)
  }

  /// Cuts, turns and joins, in memory and in a file.
  private static func edit(_ image: OpaquePointer?, _ cancel: OpaquePointer?) {
    let file = unsafe memfd_create("gallop", UInt32(gallop_memfd_close_on_exec))
    defer { close(file) }
    for order in [GALLOP_ORDER_FORWARD, GALLOP_ORDER_REVERSED] {
      var options = unsafe sized(gallop_edit())
      unsafe options.order = Int32(order)
      unsafe options.quarter_turns = Int32(order)
      unsafe options.skips_failed_frames = 1
      unsafe options.merges_stills = Int32(order)
      unsafe options.makes_smaller = Int32(order)
      unsafe options.cancel = cancel
      var editor: OpaquePointer?
      let images = unsafe [image, image]
      unsafe _ = gallop_editor_new(images, 2, &options, &editor)
      var (bytes, size): (UnsafeRawPointer?, Int) = (nil, 0)
      if order == GALLOP_ORDER_FORWARD {
        unsafe _ = gallop_editor_write(editor, file)
      } else {
        unsafe _ = gallop_editor_bytes(editor, &bytes, &size)
      }
      var info = sized(gallop_editor_info())
      unsafe _ = gallop_editor_get_info(editor, &info)
      unsafe _ = gallop_editor_release(editor)
    }
  }

  /// Looks for flashes: in the index alone, then in the pictures.
  private static func judge(_ image: OpaquePointer?, _ cancel: OpaquePointer?) {
    for side: UInt32 in [0, 4096] {
      var options = unsafe sized(gallop_flash_options())
      unsafe (options.width, options.height, options.cancel) = (side, side, cancel)
      var report = sized(gallop_flash_report())
      unsafe _ = gallop_image_flashes(image, &options, &report)
    }
  }

  private static func readTables(of image: OpaquePointer?) {
    var info = sized(gallop_image_info())
    unsafe _ = gallop_image_get_info(image, &info)
    var frame = sized(gallop_frame_info())
    unsafe _ = gallop_image_get_frame(image, 0, &frame)
    unsafe _ = gallop_image_get_frames(image, 0, 1, &frame, MemoryLayout<gallop_frame_info>.size)
    var length = 0
    unsafe _ = gallop_image_comment(image, 0, nil, 0, &length)
    var found = sized(gallop_extension())
    unsafe _ = gallop_image_extension(image, 0, &found)
    var colors = [UInt8](repeating: 0, count: 1024)
    unsafe _ = gallop_image_palette(image, 0, Int32(GALLOP_RGBA), &colors, colors.count, &length)
    var diagnostic = unsafe sized(gallop_diagnostic())
    unsafe _ = gallop_image_diagnostic(image, 0, &diagnostic)
  }

  private static func decode(_ image: OpaquePointer?, format: Int, side: Int, _ cancel: OpaquePointer?) {
    var options = unsafe sized(gallop_decoder_options())
    unsafe options.format = Int32(format)
    unsafe options.width = UInt32(side)
    unsafe options.cancel = cancel
    var (decoder, frame, second): (OpaquePointer?, OpaquePointer?, OpaquePointer?)
    unsafe _ = gallop_decoder_new(image, &options, &decoder)
    var info = sized(gallop_decoder_info())
    unsafe _ = gallop_decoder_get_info(decoder, &info)
    var view = unsafe sized(gallop_frame_view())
    var pixels = [UInt8](repeating: 0, count: 5 * 5 * 4)
    unsafe _ = gallop_decoder_read(decoder, 1, &pixels, pixels.count, 0, UInt32(GALLOP_READ_CHANGES), &view)
    // Out of order, back to a kept canvas, the one that breaks off, and one that does not exist.
    for index in [0, 1, built, built - 1, built + 1, built + 2].map(Int64.init) {
      unsafe _ = gallop_decoder_frame(decoder, index, &frame, &view)
      unsafe _ = gallop_frame_get_view(frame, &view)
      unsafe _ = gallop_frame_retain(frame, &second)
      unsafe _ = gallop_frame_copy(frame, Int32(GALLOP_BGRA), &pixels, pixels.count, 0)
      unsafe _ = gallop_frame_release(second)
      unsafe _ = gallop_frame_release(frame)
    }
    var diagnostic = unsafe sized(gallop_diagnostic())
    unsafe _ = gallop_decoder_diagnostic(decoder, 0, &diagnostic)
    unsafe _ = gallop_decoder_update(decoder, image)
    unsafe _ = gallop_decoder_release(decoder)
  }

  private static func useStream(_ bytes: UnsafeRawBufferPointer) {
    var (stream, image): (OpaquePointer?, OpaquePointer?)
    unsafe _ = gallop_stream_new(nil, &stream)
    unsafe _ = gallop_stream_feed(stream, bytes.baseAddress, bytes.count / 2)
    unsafe _ = gallop_stream_image(stream, &image)
    unsafe _ = gallop_image_release(image)
    unsafe _ = gallop_stream_feed(stream, bytes.baseAddress.map { unsafe $0 + bytes.count / 2 }, 1)
    unsafe _ = gallop_stream_finish(stream, &image)
    unsafe _ = gallop_image_release(image)
    unsafe _ = gallop_stream_release(stream)
  }

  /// Opens a file in memory that is large enough to be read piece by piece.
  private static func useFile(_ bytes: UnsafeRawBufferPointer) {
    let file = unsafe memfd_create("gallop", UInt32(gallop_memfd_close_on_exec))
    guard file >= 0 else { return }
    defer { close(file) }
    guard unsafe write(file, bytes.baseAddress, bytes.count) == bytes.count, ftruncate(file, 2 << 20) == 0
    else { return }
    unsafe useImage { unsafe gallop_image_open("/proc/self/fd/\(file)", $0, $1) }
  }

  // MARK: Batches, faults

  /// Without threads, and not through `gallop_batch_new`: that makes a child's batches work without threads,
  /// too.
  private static func useBatch(_ bytes: UnsafeRawBufferPointer) {
    var batch: OpaquePointer?
    guard let object = try? unsafe BatchObject(gallop_batch_options(), hasThreads: false) else { return }
    unsafe batch = try? Handles.add(object)
    unsafe _ = gallop_batch_choose(batch, nil)
    unsafe _ = gallop_batch_add_bytes(batch, bytes.baseAddress, bytes.count, 1)
    unsafe _ = gallop_batch_add_path(batch, "/dev/null", 2)
    var item = unsafe sized(gallop_batch_item())
    while unsafe gallop_batch_next(batch, -1, &item) == Status.ok.rawValue {
      unsafe _ = gallop_frame_release(item.frames)
      unsafe _ = gallop_image_release(item.image)
      var diagnostic = unsafe sized(gallop_diagnostic())
      unsafe _ = gallop_batch_diagnostic(batch, 0, &diagnostic)
    }
    unsafe _ = gallop_batch_release(batch)
  }

  private static func useFaults() {
    var (image, memory): (OpaquePointer?, OpaquePointer?)
    var address: UnsafeMutableRawPointer?
    unsafe _ = gallop_image_open("/dev/null/none", nil, &image)
    unsafe _ = gallop_image_release(image)
    unsafe _ = gallop_player_play(image)
    unsafe _ = gallop_group_play(image)
    unsafe _ = gallop_clock_tick(image)
    unsafe _ = gallop_budget_release(image)
    var error = unsafe sized(gallop_error())
    unsafe _ = gallop_last_error(&error)
    unsafe _ = gallop_last_message()
    unsafe _ = gallop_version()
    unsafe _ = gallop_status_name(Status.ok.rawValue)
    _ = gallop_handle_count()
    // Mapped, recycled and given back, without a thread, which would have first uses of its own at the fork.
    let mayStartThread = ProcessState.shared.withMemory { state in
      defer { state.mayStartThread = false }
      return state.mayStartThread
    }
    unsafe _ = gallop_memory_new(PictureMemory.leastMapped, &address, &memory)
    unsafe _ = gallop_memory_release(memory)
    RecycledMemory.sweep()
    _ = gallop_memory_trim()
    ProcessState.shared.withMemory { $0.mayStartThread = mayStartThread }
  }

  /// A struct of C that begins with its size.
  private static func sized<Struct: BitwiseCopyable>(_ value: Struct) -> Struct {
    var value = value
    unsafe withUnsafeMutableBytes(of: &value) {
      unsafe $0.storeBytes(of: MemoryLayout<Struct>.size, as: Int.self)
    }
    return value
  }
}
