internal import CGiflib

/// Walks the records of a GIF with giflib, without decoding a pixel.
///
/// giflib decides where each record and each sub-block begins and ends; this type notes the places and leaves
/// all meaning to ``IndexBuilder``. Nothing of the file is copied or kept: giflib's own state is some 25 KB.
///
/// The handle is giflib's, freed with the reader; giflib reads through a cursor in the storage that the reader
/// keeps alive. Both belong to the reader alone, which is why it may go from thread to thread.
@safe struct RecordReader: ~Copyable, @unchecked Sendable {
  private var storage: ByteStorage
  private let gif: UnsafeMutablePointer<GifFileType>
  private let cursor: UnsafeMutablePointer<InputCursor>

  /// Reads header, logical screen descriptor and global palette.
  init(_ storage: ByteStorage) throws(GIFError) {
    guard storage.count > 0 else { throw GIFError(.emptyFile) }
    try Self.checkSignature(storage.bytes)
    let cursor = UnsafeMutablePointer<InputCursor>.allocate(capacity: 1)
    unsafe cursor.initialize(to: InputCursor(start: storage.unsafeStart, count: storage.count))
    var fault: Int32 = 0
    guard let gif = unsafe DGifOpen(cursor, readFromCursor, &fault) else {
      unsafe cursor.deallocate()
      if fault == D_GIF_ERR_NOT_ENOUGH_MEM { throw GIFError(.outOfMemory) }
      throw GIFError(.truncatedHeader, offset: storage.count)
    }
    self.storage = storage
    unsafe self.gif = gif
    unsafe self.cursor = cursor
  }

  deinit {
    unsafe _ = DGifCloseFile(gif, nil)
    unsafe cursor.deallocate()
  }

  /// giflib asks only for `GIF`; browsers ask for one of the two exact versions. Checks the bytes there are.
  static func checkSignature(_ bytes: Span<UInt8>) throws(GIFError) {
    for (position, choices) in ["G", "I", "F", "8", "79", "a"].enumerated() where position < bytes.count {
      guard choices.utf8.contains(bytes[position]) else { throw GIFError(.notAGIF) }
    }
  }

  /// Takes over more bytes of the same file.
  mutating func grow(to storage: ByteStorage) {
    self.storage = storage
    unsafe cursor.pointee.start = storage.unsafeStart
    unsafe cursor.pointee.count = storage.count
  }

  /// The logical screen descriptor.
  var screen: LogicalScreen {
    let flags = storage.bytes[10]
    return unsafe LogicalScreen(
      width: Int(gif.pointee.SWidth), height: Int(gif.pointee.SHeight),
      palette: PaletteLocation(flags: flags, offset: 13))
  }

  /// The next record; after `.trailer`, `.foreign` or `.endOfData` there is none.
  mutating func next() -> Record {
    let start = offset
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

  /// giflib's `DGifGetImageHeader` would set up its decoder, clear 16 KB for it and copy the palette, for each frame
  /// more work than all the rest of its record. So the descriptor is read here, and giflib goes on with the code blocks.
  private mutating func imageRecord(at start: Int) -> Record {
    // With its descriptor a frame exists, whatever comes after (Chromium counts it).
    guard var image = ImageRecord(at: start, in: storage.bytes) else { return .endOfData(at: start) }
    let first = image.data.lowerBound
    unsafe cursor.pointee.offset = first
    if image.hasCodes {
      image.isTruncated = !skipCodeBlocks()
    } else if image.codeSize != nil {
      image.isTruncated = false
    }
    image.data = first..<offset
    return .image(image)
  }

  /// Reads the code blocks past their terminator; false where the file ends first.
  private mutating func skipCodeBlocks() -> Bool {
    var block: UnsafeMutablePointer<GifByteType>?
    repeat {
      guard unsafe DGifGetCodeNext(gif, &block) == GIF_OK else { return false }
    } while unsafe block != nil
    return true
  }

  private mutating func extensionRecord(at start: Int) -> Record {
    var label: Int32 = 0
    var block: UnsafeMutablePointer<GifByteType>?
    var isRead = unsafe DGifGetExtension(gif, &label, &block) == GIF_OK
    // Without a byte behind the label there is nothing to say about the extension.
    guard isRead || storage.count > start + 2 else { return .endOfData(at: start) }
    let bytes = storage.bytes
    // Row 6: a zero length right behind a loop extension's identifier does not end the extension.
    let swallowed = ExtensionRecord.isLoop(bytes[start + 1], blocks: start + 2, in: bytes) ? start + 15 : nil
    while isRead, unsafe block != nil || offset == swallowed {
      isRead = unsafe DGifGetExtensionNext(gif, &block) == GIF_OK
    }
    return .extension(
      ExtensionRecord(
        offset: start, label: bytes[start + 1], blocks: start + 2..<offset, isTruncated: !isRead))
  }
}

// MARK: - giflib's input function

/// What giflib reads from: `count` bytes from `start`, `offset` of them read.
@unsafe private struct InputCursor {
  var start: UnsafeRawPointer
  var count: Int
  var offset = 0
  /// Whether more was asked for than there was. giflib cannot go on after that.
  var ranShort = false

  init(start: UnsafeRawPointer, count: Int) {
    unsafe self.start = start
    unsafe self.count = count
  }
}

/// Copies at most what is left; giflib takes a short count for the end of the file.
private func readFromCursor(
  _ gif: UnsafeMutablePointer<GifFileType>?, _ target: UnsafeMutablePointer<GifByteType>?, _ wanted: Int32
) -> Int32 {
  guard let gif = unsafe gif, let target = unsafe target, wanted > 0,
    let cursor = unsafe gif.pointee.UserData?.assumingMemoryBound(to: InputCursor.self)
  else { return 0 }
  let length = unsafe min(Int(wanted), cursor.pointee.count - cursor.pointee.offset)
  if length < wanted { unsafe cursor.pointee.ranShort = true }
  unsafe UnsafeMutableRawPointer(target).copyMemory(
    from: cursor.pointee.start + cursor.pointee.offset, byteCount: length)
  unsafe cursor.pointee.offset += length
  return Int32(length)
}
