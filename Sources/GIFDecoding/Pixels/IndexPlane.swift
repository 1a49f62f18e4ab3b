/// The palette indices of one frame in stored order, reused from frame to frame.
///
/// In front stand the 256 single indices, which the LZW decoder copies literals from; behind, room for one string
/// that begins at the last pixel.
struct IndexPlane: Sendable {
  /// Bytes in front of the first index.
  static let lead = 256
  /// Bytes behind the last index: no string is longer than the number of codes.
  static let padding = 4096 + 16

  private var storage: [UInt8]
  /// How many indices the last decoding delivered.
  var filled = 0

  init() {
    storage = []
    storage.reserveCapacity(Self.lead + Self.padding)
    for literal in 0..<Self.lead { storage.append(UInt8(literal)) }
    storage.append(contentsOf: repeatElement(0, count: Self.padding))
  }

  /// Makes room for `count` indices.
  mutating func makeRoom(for count: Int) {
    filled = 0
    let missing = Self.lead + count + Self.padding - storage.count
    if missing > 0 { storage.append(contentsOf: repeatElement(0, count: missing)) }
  }

  /// The indices decoded so far.
  var indices: Span<UInt8> {
    @_lifetime(borrow self)
    get { storage.span.extracting(Self.lead..<Self.lead + filled) }
  }

  /// The whole storage, lead and padding included.
  var mutableBytes: MutableSpan<UInt8> {
    @_lifetime(&self)
    mutating get { storage.mutableSpan }
  }
}
