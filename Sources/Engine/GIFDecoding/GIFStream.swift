/// Indexes a GIF that arrives piece by piece; its image so far can be shown at any time.
///
///     var stream = GIFStream()
///     while let chunk = receive() {
///       try stream.append(chunk)
///       if let image = try stream.image { show(image) }
///     }
///     let image = try stream.finish()
///
/// As in browsers, the image so far has all complete frames and the beginning of the first one. The final
/// image is the same as if the file had been read at once, whatever the pieces. Each byte is read once. Bytes
/// that come after the end of the animation count, and take no memory.
public struct GIFStream: ~Copyable, Sendable {
  private let limits: DecodingLimits
  private var bytes: GrowingBytes
  private var reader: IndexReader
  /// How many bytes have come after the end of the animation: counted, and not held.
  package private(set) var passedBytes = 0
  /// Why there was no memory for bytes: those that follow would leave a hole.
  private var failure: GIFError?

  /// - Parameter reserve: reserves memory for large files; nil for heap blocks that double.
  package init(limits: DecodingLimits, reserve: MemoryReserver?) {
    self.limits = limits
    bytes = GrowingBytes(limit: limits.streamBytes, reserve: reserve)
    reader = IndexReader(limits: limits)
  }

  /// The number of bytes appended.
  public var byteCount: Int { bytes.count + passedBytes }

  /// The bytes that are held.
  package var storage: ByteStorage { bytes.storage }

  /// Takes the next bytes, any number.
  ///
  /// - Throws: ``GIFError`` as soon as it is certain that the file cannot be used or passes the limits;
  ///   further bytes then throw the same error.
  public mutating func append(_ chunk: Span<UInt8>) throws(GIFError) {
    guard chunk.count <= limits.streamBytes - byteCount else {
      throw GIFError(
        .inputTooLarge, value: Int64(byteCount) + Int64(chunk.count), limit: Int64(limits.streamBytes))
    }
    guard !reader.isFinished else {
      passedBytes += chunk.count
      return
    }
    if let failure { throw failure }
    do throws(GIFError) {
      try bytes.append(chunk)
    } catch {
      failure = error
      throw error
    }
    try reader.read(bytes.storage)
  }

  /// Takes the next bytes, any number; see ``append(_:)-(Span<UInt8>)``.
  public mutating func append(_ chunk: [UInt8]) throws(GIFError) { try append(chunk.span) }

  /// The image so far; nil until its size is known. ``GIFMetadata/isComplete`` is true after the regular end.
  ///
  /// Costs a copy of the list of frames when more bytes follow.
  public var image: GIFImage? {
    get throws(GIFError) {
      guard let index = try reader.soFar(bytes.storage) else { return nil }
      return GIFImage(storage: bytes.storage, index: index, limits: limits, passedBytes: passedBytes)
    }
  }

  /// Ends the file, wherever it breaks off, and returns the final image.
  public consuming func finish() throws(GIFError) -> GIFImage {
    let storage = bytes.storage
    let index = try reader.finish(storage, passedBytes: passedBytes)
    return GIFImage(storage: storage, index: index, limits: limits, passedBytes: passedBytes)
  }
}
