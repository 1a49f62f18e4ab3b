/// The palette indices of one frame in stored order, reused from frame to frame.
struct IndexPlane: Sendable {
  /// Bytes behind the last index: the longest string, and what is written beyond it in whole chunks.
  static let padding = 4096 + 32

  private var storage: [UInt8] = []
  /// How many indices the last decoding delivered.
  var filled = 0

  /// How many indices there is room for.
  var capacity: Int { max(0, storage.count - Self.padding) }

  /// Makes room for `count` indices. What is there is lost.
  mutating func makeRoom(for count: Int) {
    filled = 0
    guard count + Self.padding > storage.count else { return }
    // The old memory first, so that the new may be the same.
    storage = []
    storage = Array(repeating: 0, count: count + Self.padding)
  }

  /// Puts indices at a place for which room was made.
  mutating func copy(_ indices: Span<UInt8>, to place: Int) {
    var target = storage.mutableSpan
    precondition(place >= 0 && indices.count <= target.count - place)
    for offset in indices.indices { target[place + offset] = indices[offset] }
  }

  /// A copy without room for more.
  func compacted() -> IndexPlane {
    var copy = IndexPlane()
    copy.storage = Array(storage[..<filled])
    copy.filled = filled
    return copy
  }

  /// The indices decoded so far.
  var indices: Span<UInt8> {
    @_lifetime(borrow self)
    get { storage.span.extracting(0..<filled) }
  }

  /// The whole storage, for the LZW kernel: ``capacity`` and the padding behind it. Null only before room was made.
  mutating func withUnsafeStorage<Result>(_ body: (UnsafeMutableRawPointer) -> Result) -> Result {
    unsafe storage.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { preconditionFailure("room was made before decoding") }
      return unsafe body(base)
    }
  }
}
