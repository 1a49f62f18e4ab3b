/// Builds the index from bytes that may still be arriving: each byte is read once, each record when it is
/// whole.
///
/// Time is proportional to the bytes and sub-blocks that are new; pixels are not decoded.
struct IndexReader: ~Copyable, Sendable {
  private let limits: DecodingLimits
  /// Nil until the header has arrived whole.
  private var opened: OpenedFile?

  init(limits: DecodingLimits) { self.limits = limits }

  /// Reads what is whole in the bytes so far, which begin with those of every call before.
  mutating func read(_ storage: ByteStorage) throws(GIFError) {
    if opened == nil {
      try RecordReader.checkSignature(storage.bytes)
      guard let length = RecordFraming.headerLength(storage.bytes), length <= storage.count else { return }
      opened = try open(storage)
    }
    opened?.reader.grow(to: storage)
    while opened?.hasWholeRecord(storage) == true { try opened?.readRecord() }
  }

  /// Whether the animation has come to its end, so that no further byte changes anything.
  var isFinished: Bool { opened?.wantsRecord(upTo: .max) == false }

  /// Reads the rest, whole or not: no more bytes will come.
  ///
  /// - Parameters:
  ///   - count: reading stops after this many frames.
  ///   - passedBytes: how many bytes followed those of the storage.
  consuming func finish(
    _ storage: ByteStorage, firstFrames count: Int = .max, passedBytes: Int = 0
  ) throws(GIFError) -> AnimationIndex {
    if opened == nil { opened = try open(storage) }
    opened?.reader.grow(to: storage)
    while opened?.wantsRecord(upTo: count) == true { try opened?.readRecord() }
    guard let builder = opened?.builder else { throw GIFError(.truncatedHeader, offset: storage.count) }
    return try builder.finish(byteCount: storage.count + passedBytes)
  }

  /// The index of what has been read; nil while there is no canvas.
  func soFar(_ storage: ByteStorage) throws(GIFError) -> AnimationIndex? {
    try opened?.soFar(storage) ?? nil
  }

  /// Reads a file that stays where it is, in a window that slides over it.
  ///
  /// - Parameter expected: the number of frames that is likely.
  static func read(
    _ window: FileWindow, limits: DecodingLimits, firstFrames count: Int = .max,
    expectedFrames expected: Int = 0
  ) throws(GIFError) -> (index: AnimationIndex, file: StoredFile) {
    var opened = try OpenedFile(
      RecordReader(window, extensionReach: IndexBuilder.extensionReach(limits)), limits: limits)
    let head = try window.copy(0..<opened.reader.offset)
    try opened.builder.makeRoom(frames: expected)
    while opened.wantsRecord(upTo: count) { try opened.readRecord() }
    let index = try opened.builder.finish(byteCount: window.source.count)
    return (index, try StoredFile(window.source, head: head, digests: opened.reader.digests))
  }

  private func open(_ storage: ByteStorage) throws(GIFError) -> OpenedFile {
    try OpenedFile(RecordReader(storage), limits: limits)
  }
}

/// A file whose header has been read.
///
/// Not private: Swift 6.3.1 crashes where it destroys a private noncopyable type inside a client's optimised
/// code. See Tests/ClientPackage.
struct OpenedFile: ~Copyable, Sendable {
  var reader: RecordReader
  var builder: IndexBuilder
  var framing: RecordFraming

  init(_ reader: consuming RecordReader, limits: DecodingLimits) throws(GIFError) {
    builder = try IndexBuilder(screen: reader.screen, limits: limits)
    framing = RecordFraming(start: reader.offset)
    self.reader = reader
  }

  mutating func hasWholeRecord(_ storage: ByteStorage) -> Bool {
    !builder.isFinished && framing.isWhole(storage.bytes)
  }

  /// Whether the file goes on and fewer than `count` frames are known.
  func wantsRecord(upTo count: Int) -> Bool { !builder.isFinished && builder.frameCount < count }

  mutating func readRecord() throws(GIFError) {
    let record = reader.next()
    if let failure = reader.failure { throw failure }
    try Self.consume(record, from: reader, into: &builder)
    framing.begin(at: reader.offset)
  }

  private static func consume(
    _ record: Record, from reader: borrowing RecordReader, into builder: inout IndexBuilder
  ) throws(GIFError) {
    try builder.consume(record, bytes: reader.bytes)
  }

  func soFar(_ storage: ByteStorage) throws(GIFError) -> AnimationIndex? {
    try builder.soFar(partialImage: framing.partialImage(storage.bytes))
  }
}
