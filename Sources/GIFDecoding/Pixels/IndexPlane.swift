/// Memory for palette indices in stored order: those of one frame, behind those of frames before it that are kept.
struct IndexPlane: Sendable {
  /// Bytes behind the last index: the longest string, and what is written beyond it in whole chunks.
  static let padding = 4096 + 40

  private var storage: [UInt8] = []
  /// Where the frame's indices begin; those before belong to the frames that are kept.
  private var start = 0
  /// How many indices the last decoding delivered.
  var filled = 0

  /// How many indices of the frame there is room for.
  var capacity: Int { max(0, storage.count - Self.padding - start) }

  /// Bytes of memory held.
  var heldBytes: Int { storage.count }

  /// Makes room for `count` indices of the frame. What was there of it is lost.
  mutating func makeRoom(for count: Int) {
    filled = 0
    let size = start + count + Self.padding
    guard size > storage.count else { return }
    guard start > 0 else {
      // The old memory first, so that the new may be the same.
      storage = []
      // Not cleared: of what is here, only indices that were decoded are read (``filled``).
      storage = unsafe Array(unsafeUninitializedCapacity: size) { $1 = size }
      return
    }
    storage.append(contentsOf: repeatElement(0, count: size - storage.count))
  }

  /// Keeps the frame's indices; the next frame's go behind them. Returns where they are, for ``subscript(_:)``.
  mutating func keep() -> Range<Int> {
    let place = start..<start + filled
    (start, filled) = (place.upperBound, 0)
    return place
  }

  /// Discards all frames that are kept; the memory stays.
  mutating func removeAll() { (start, filled) = (0, 0) }

  /// Puts indices at a place for which room was made.
  mutating func copy(_ indices: Span<UInt8>, to place: Int) {
    let first = start + place
    var target = storage.mutableSpan
    precondition(place >= 0 && indices.count <= target.count - first)
    for offset in indices.indices { target[first + offset] = indices[offset] }
  }

  /// A copy without room for more.
  func compacted() -> IndexPlane {
    var copy = IndexPlane()
    copy.storage = Array(storage[start..<start + filled])
    copy.filled = filled
    return copy
  }

  /// The frame's indices decoded so far.
  var indices: Span<UInt8> {
    @_lifetime(borrow self)
    get { storage.span.extracting(start..<start + filled) }
  }

  /// The indices of a frame that is kept: see ``keep()``.
  subscript(place: Range<Int>) -> Span<UInt8> {
    @_lifetime(borrow self)
    get { storage.span.extracting(place) }
  }

  /// The frame's memory, for the LZW kernel: ``capacity`` and the padding behind it. Null only before room was made.
  mutating func withUnsafeStorage<Result>(_ body: (UnsafeMutableRawPointer) -> Result) -> Result {
    let start = start
    return unsafe storage.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress, start <= bytes.count - Self.padding else {
        preconditionFailure("room was made before decoding")
      }
      return unsafe body(base + start)
    }
  }
}
