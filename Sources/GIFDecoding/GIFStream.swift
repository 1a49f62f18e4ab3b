/// A GIF that arrives piece by piece: give it bytes as they come, take the image as far as it is there.
///
///     var stream = GIFStream()
///     while let chunk = receive() {
///       try stream.append(chunk)
///       if let image = try stream.image { show(image) }
///     }
///     let image = try stream.finish()
///
/// As in browsers, the image so far has all frames that are whole and the beginning of the first one. What it ends
/// with is the same as if the file had been read at once, whatever the pieces. Each byte is read once.
public struct GIFStream: ~Copyable, Sendable {
  private let limits: DecodingLimits
  private var bytes: GrowingBytes
  private var reader: IndexReader

  /// - Parameter reserve: reserves memory for large files; nil for heap blocks that double.
  package init(limits: DecodingLimits, reserve: MemoryReserver?) {
    self.limits = limits
    bytes = GrowingBytes(limit: limits.streamBytes, reserve: reserve)
    reader = IndexReader(limits: limits)
  }

  /// How many bytes have come.
  public var byteCount: Int { bytes.count }

  /// Takes the next bytes, any number.
  ///
  /// - Throws: ``GIFError`` as soon as it is clear that the file cannot be used, or has more bytes than the limits
  ///   allow. Nothing can be appended after that.
  public mutating func append(_ chunk: Span<UInt8>) throws(GIFError) {
    guard chunk.count <= limits.streamBytes - bytes.count else {
      throw GIFError(
        .inputTooLarge, value: Int64(bytes.count) + Int64(chunk.count), limit: Int64(limits.streamBytes))
    }
    bytes.append(chunk)
    try reader.read(bytes.storage)
  }

  /// Takes the next bytes, any number; see ``append(_:)-(Span<UInt8>)``.
  public mutating func append(_ chunk: [UInt8]) throws(GIFError) { try append(chunk.span) }

  /// The image so far; nil while not even its size is known. Its ``GIFMetadata/isComplete`` tells whether the
  /// regular end has come.
  ///
  /// Costs a copy of the list of frames when more bytes follow.
  public var image: GIFImage? {
    get throws(GIFError) {
      guard let index = try reader.soFar(bytes.storage) else { return nil }
      return GIFImage(storage: bytes.storage, index: index, limits: limits)
    }
  }

  /// The final image: no more bytes will come, and the file may break off anywhere.
  public consuming func finish() throws(GIFError) -> GIFImage {
    let storage = bytes.storage
    return GIFImage(storage: storage, index: try reader.finish(storage), limits: limits)
  }
}
