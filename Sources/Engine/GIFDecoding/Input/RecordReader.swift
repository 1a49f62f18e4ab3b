internal import CGiflib

/// Walks the records of a GIF with giflib, without decoding a pixel.
///
/// giflib decides where each record begins and ends, but for images; this type notes the places and leaves
/// all meaning to ``IndexBuilder``. Nothing of the file is copied or kept: giflib's own state is some 25 KB.
///
/// giflib reads through a cursor in the storage or the window that the reader keeps alive. All belong to the
/// reader alone, which is why it may go from thread to thread.
@safe struct RecordReader: ~Copyable, @unchecked Sendable {
  /// Holds what the cursor reads; nil for a file that is read through a window.
  private var storage: ByteStorage?
  private let window: FileWindow?
  private let extensionReach: Int
  private let handle: GiflibHandle
  /// By what the frames read so far are known again, where there is a window.
  private(set) var digests: [FrameDigest] = []

  /// Reads header, logical screen descriptor and global palette.
  init(_ storage: ByteStorage) throws(GIFError) {
    guard storage.count > 0 else { throw GIFError(.emptyFile) }
    try Self.checkSignature(storage.bytes)
    try unsafe self.init(InputCursor(start: storage.unsafeStart, count: storage.count), storage, nil)
  }

  /// The same for a file that is not in memory.
  ///
  /// - Parameter extensionReach: how many bytes of an extension are looked at when it has been read.
  init(_ window: FileWindow, extensionReach: Int) throws(GIFError) {
    window.cover(0..<Self.longestHeader)
    if let failure = window.failure { throw failure }
    guard window.source.knownEnd > 0 else { throw GIFError(.emptyFile) }
    try Self.checkSignature(window.bytes)
    try unsafe self.init(InputCursor(window), nil, window, extensionReach)
  }

  private init(
    _ input: InputCursor, _ storage: ByteStorage?, _ window: FileWindow?, _ extensionReach: Int = .max
  ) throws(GIFError) {
    handle = try unsafe GiflibHandle(input)
    self.storage = storage
    self.window = window
    self.extensionReach = extensionReach
  }

  private var gif: UnsafeMutablePointer<GifFileType> { unsafe handle.gif }
  private var cursor: UnsafeMutablePointer<InputCursor> { unsafe handle.cursor }

  private static let longestPalette = 3 * 256
  private static let longestHeader = 13 + longestPalette
  /// An image's descriptor, palette and code size.
  private static let longestImageHead = 10 + longestPalette + 1

  /// giflib asks only for `GIF`; browsers ask for one of the two exact versions. Checks the bytes there are.
  static func checkSignature(_ bytes: Span<UInt8>) throws(GIFError) {
    for position in 0..<min(6, bytes.count) {
      guard mayStand(bytes[position], at: position) else { throw GIFError(.notAGIF) }
    }
  }

  private static func mayStand(_ byte: UInt8, at position: Int) -> Bool {
    switch (position, UnicodeScalar(byte)) {
    case (0, "G"), (1, "I"), (2, "F"), (3, "8"), (4, "7"), (4, "9"), (5, "a"): true
    default: false
    }
  }

  /// Takes over more bytes of the same file.
  mutating func grow(to storage: ByteStorage) {
    self.storage = storage
    unsafe cursor.pointee.start = storage.unsafeStart
    unsafe cursor.pointee.count = storage.count
    unsafe cursor.pointee.end = storage.count
  }

  /// The bytes by their places in the file: those of the record read last, and maybe others.
  var bytes: ByteWindow {
    @_lifetime(borrow self)
    get {
      let (start, base, end) = unsafe (cursor.pointee.start, cursor.pointee.base, cursor.pointee.end)
      let span = unsafe Span<UInt8>(
        _unsafeStart: start.assumingMemoryBound(to: UInt8.self), count: end - base)
      return unsafe _overrideLifetime(
        ByteWindow(span, base: base, count: cursor.pointee.count), borrowing: self)
    }
  }

  /// Why a file that is not in memory could not be read on; what was read last is not to be trusted.
  var failure: GIFError? { window?.failure }

  /// The logical screen descriptor.
  var screen: LogicalScreen {
    let flags = bytes[10]
    return unsafe LogicalScreen(
      width: Int(gif.pointee.SWidth), height: Int(gif.pointee.SHeight),
      palette: PaletteLocation(flags: flags, offset: 13))
  }

  /// The next record; after `.trailer`, `.foreign` or `.endOfData` there is none.
  mutating func next() -> Record {
    let start = offset
    window?.begin(at: start)
    var type = UNDEFINED_RECORD_TYPE
    guard unsafe DGifGetRecordType(gif, &type) == GIF_OK else {
      return ranShort ? .endOfData(at: start) : .foreign(at: start)
    }
    switch type {
    case IMAGE_DESC_RECORD_TYPE: return imageRecord(at: start)
    case EXTENSION_RECORD_TYPE: return extensionRecord(at: start)
    case TERMINATE_RECORD_TYPE: return .trailer(at: start)
    default: return .foreign(at: start)
    }
  }

  /// How far the file has been read.
  var offset: Int { unsafe cursor.pointee.offset }
  private var ranShort: Bool { unsafe cursor.pointee.ranShort }

  /// giflib's `DGifGetImageHeader` would set up its decoder, clear 16 KB for it and copy the palette, for
  /// each frame more work than all the rest of its record. So images are read here.
  private mutating func imageRecord(at start: Int) -> Record {
    // With its descriptor a frame exists, whatever comes after (Chromium counts it).
    guard cover(start..<start + Self.longestImageHead), var image = ImageRecord(at: start, in: bytes) else {
      return .endOfData(at: start)
    }
    let first = image.data.lowerBound
    let palette = image.palette.flatMap { palette in
      window?.digest(of: palette.offset..<palette.offset + palette.byteCount)
    }
    window?.beginDigest(at: first)
    unsafe cursor.pointee.offset = first
    if image.hasCodes {
      image.isTruncated = !skipCodeBlocks()
    } else if image.codeSize != nil {
      image.isTruncated = false
    }
    image.data = first..<offset
    if let codes = window?.endDigest(at: offset) {
      digests.append(FrameDigest(offset: start, codes: codes, palette: palette ?? 0))
    }
    return .image(image)
  }

  /// Goes past the code blocks and their terminator; false where the file ends first.
  ///
  /// giflib copies each block, which takes several times as long.
  private mutating func skipCodeBlocks() -> Bool {
    // Swift 6.3.1 crashes where it compiles a mutating call through the property for ThreadSanitizer.
    let cursor = unsafe cursor
    while true {
      let (place, isWhole) = bytes.endOfBlocks(from: offset)
      unsafe cursor.pointee.offset = place
      if isWhole { return true }
      unsafe cursor.pointee.slide(wanted: 1)
      guard unsafe place >= cursor.pointee.end else { continue }
      unsafe cursor.pointee.offset = cursor.pointee.end
      unsafe cursor.pointee.ranShort = true
      return false
    }
  }

  private mutating func extensionRecord(at start: Int) -> Record {
    var label: Int32 = 0
    var block: UnsafeMutablePointer<GifByteType>?
    var isRead = unsafe DGifGetExtension(gif, &label, &block) == GIF_OK
    // Without a byte behind the label there is nothing to say about the extension.
    guard unsafe isRead || cursor.pointee.count > start + 2 else { return .endOfData(at: start) }
    // Row 6: a zero length right behind a loop extension's identifier does not end the extension.
    let isLoop = isRead && ExtensionRecord.isLoop(bytes[start + 1], blocks: start + 2, in: bytes)
    let swallowed = isLoop ? start + 15 : nil
    while isRead, unsafe block != nil || offset == swallowed {
      isRead = unsafe DGifGetExtensionNext(gif, &block) == GIF_OK
    }
    // A window that has left the record's beginning behind goes back to it.
    guard cover(start..<start + min(offset - start, extensionReach)) else { return .endOfData(at: start) }
    return .extension(
      ExtensionRecord(
        offset: start, label: bytes[start + 1], blocks: start + 2..<offset, isTruncated: !isRead))
  }

  /// Has the window, if there is one, hold these bytes; false where the file cannot be read on.
  private func cover(_ range: Range<Int>) -> Bool {
    guard let window else { return true }
    window.cover(range)
    unsafe cursor.pointee.follow(window)
    return window.failure == nil
  }
}

// MARK: - giflib's handle and input function

/// giflib's handle with the cursor it reads through, freed together.
///
/// A class, since other modules cannot see a `deinit` of a noncopyable struct where Swift is compiled as
/// Embedded.
@safe private final class GiflibHandle {
  let gif: UnsafeMutablePointer<GifFileType>
  let cursor: UnsafeMutablePointer<InputCursor>

  init(_ input: InputCursor) throws(GIFError) {
    let cursor = UnsafeMutablePointer<InputCursor>.allocate(capacity: 1)
    unsafe cursor.initialize(to: input)
    var fault: Int32 = 0
    guard let gif = unsafe DGifOpen(cursor, readFromCursor, &fault) else {
      unsafe cursor.deallocate()
      if fault == D_GIF_ERR_NOT_ENOUGH_MEM { throw GIFError(.outOfMemory) }
      throw GIFError(.truncatedHeader, offset: unsafe input.count)
    }
    unsafe self.gif = gif
    unsafe self.cursor = cursor
  }

  deinit {
    unsafe _ = DGifCloseFile(gif, nil)
    unsafe cursor.deallocate()
  }
}

/// What giflib reads from: a file of `count` bytes, of which those from `base` to `end` stand at `start`.
@unsafe private struct InputCursor {
  var start: UnsafeRawPointer
  var base = 0
  var end: Int
  var count: Int
  /// How many bytes of the file have been read.
  var offset = 0
  /// Whether more was asked for than there was. giflib cannot go on after that.
  var ranShort = false
  /// What slides over the file where it is not in memory. The reader holds it.
  private let window: UnretainedFileWindow?

  init(start: UnsafeRawPointer, count: Int) {
    unsafe self.start = start
    unsafe self.count = count
    unsafe end = count
    unsafe window = nil
  }

  init(_ window: FileWindow) {
    unsafe start = unsafe window.start
    unsafe base = window.base
    unsafe end = window.end
    unsafe count = window.source.knownEnd
    unsafe self.window = unsafe .passUnretained(window)
  }

  /// The window has been moved.
  mutating func follow(_ window: FileWindow) {
    unsafe start = unsafe window.start
    unsafe base = window.base
    unsafe end = window.end
    unsafe count = window.source.knownEnd
  }

  /// Where the next `wanted` bytes are not all in the window, moves it there.
  mutating func slide(wanted: Int) {
    guard let window = unsafe window?.takeUnretainedValue() else { return }
    unsafe window.slide(to: offset, wanted: wanted)
    unsafe follow(window)
  }
}

/// Copies at most what is left; giflib takes a short count for the end of the file.
private func readFromCursor(
  _ gif: UnsafeMutablePointer<GifFileType>?, _ target: UnsafeMutablePointer<GifByteType>?, _ wanted: Int32
) -> Int32 {
  guard let gif = unsafe gif, let target = unsafe target, wanted > 0,
    let cursor = unsafe gif.pointee.UserData?.assumingMemoryBound(to: InputCursor.self)
  else { return 0 }
  if unsafe cursor.pointee.offset + Int(wanted) > cursor.pointee.end {
    unsafe cursor.pointee.slide(wanted: Int(wanted))
  }
  let length = unsafe max(0, min(Int(wanted), cursor.pointee.end - cursor.pointee.offset))
  if length < wanted { unsafe cursor.pointee.ranShort = true }
  unsafe UnsafeMutableRawPointer(target).copyMemory(
    from: cursor.pointee.start + (cursor.pointee.offset - cursor.pointee.base), byteCount: length)
  unsafe cursor.pointee.offset += length
  return Int32(length)
}
