/// Builds the index from bytes that may still be arriving: each byte is read once, each record when it is whole.
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
    while opened?.hasWholeRecord(storage) == true { try opened?.readRecord(storage) }
  }

  /// Reads the rest, whole or not: no more bytes will come.
  consuming func finish(_ storage: ByteStorage) throws(GIFError) -> AnimationIndex {
    if opened == nil { opened = try open(storage) }
    opened?.reader.grow(to: storage)
    while opened?.builder.isFinished == false { try opened?.readRecord(storage) }
    guard let builder = opened?.builder else { throw GIFError(.truncatedHeader, offset: storage.count) }
    return try builder.finish(byteCount: storage.count)
  }

  /// The index of what has been read; nil while there is no canvas.
  func soFar(_ storage: ByteStorage) throws(GIFError) -> AnimationIndex? {
    try opened?.soFar(storage) ?? nil
  }

  private func open(_ storage: ByteStorage) throws(GIFError) -> OpenedFile {
    let reader = try RecordReader(storage)
    let builder = try IndexBuilder(screen: reader.screen, limits: limits)
    let framing = RecordFraming(start: reader.offset)
    return OpenedFile(reader: reader, builder: builder, framing: framing)
  }
}

/// A file whose header has been read.
///
/// Not private: Swift 6.3.1 crashes where it destroys a private noncopyable type inside a client's optimised code. See
/// Tests/ClientPackage.
struct OpenedFile: ~Copyable, Sendable {
  var reader: RecordReader
  var builder: IndexBuilder
  var framing: RecordFraming

  mutating func hasWholeRecord(_ storage: ByteStorage) -> Bool {
    !builder.isFinished && framing.isWhole(storage.bytes)
  }

  mutating func readRecord(_ storage: ByteStorage) throws(GIFError) {
    try builder.consume(reader.next(), bytes: storage.bytes)
    framing.begin(at: reader.offset)
  }

  func soFar(_ storage: ByteStorage) throws(GIFError) -> AnimationIndex? {
    try builder.soFar(partialImage: framing.partialImage(storage.bytes))
  }
}
