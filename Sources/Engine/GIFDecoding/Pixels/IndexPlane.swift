/// Memory for palette indices in stored order: those of one frame, behind those of frames before it that are
/// kept.
struct IndexPlane: Sendable {
  /// Bytes behind the last index: the longest string, and what is written beyond it in whole chunks.
  static let padding = 4096 + 40

  private var block: Block?
  /// Where the frame's indices begin; those before belong to the frames that are kept.
  private var start = 0
  /// How many indices the last decoding delivered.
  var filled = 0

  /// The memory itself. Copies of a plane share it until one of them makes room.
  ///
  /// Its bound: `memory` is taken and released with the block. It is not cleared: of what is here, only
  /// indices that were decoded are read (``filled``). Only a plane that alone has the block writes to it.
  @safe private final class Block: @unchecked Sendable {
    let memory: SystemMemory

    init?(byteCount: Int) {
      guard let memory = SystemMemory(byteCount: byteCount) else { return nil }
      self.memory = memory
    }

    deinit { memory.release() }

    var bytes: UnsafeMutableRawBufferPointer {
      unsafe UnsafeMutableRawBufferPointer(start: memory.start, count: memory.byteCount)
    }
  }

  /// How many indices of the frame there is room for.
  var capacity: Int { max(0, heldBytes - Self.padding - start) }

  var heldBytes: Int { block?.memory.byteCount ?? 0 }

  /// Makes room for `count` indices of the frame. What was there of it is lost.
  ///
  /// - Throws: ``GIFError/Code/outOfMemory``; frames that are kept stay.
  mutating func makeRoom(for count: Int) throws(GIFError) {
    filled = 0
    let size = start + count + Self.padding
    guard size > heldBytes || !isKnownUniquelyReferenced(&block) else { return }
    // Without frames to keep the old memory goes first, so that the new may be the same.
    if start == 0 { block = nil }
    // Planes of many frames grow by these: twice the size, or each frame would be copied again and again.
    let room = start == 0 ? size : max(size, start * 2)
    guard let larger = Block(byteCount: room) else { throw GIFError(.outOfMemory, value: Int64(room)) }
    if let block, start > 0 {
      unsafe larger.bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: block.bytes[..<start]))
    }
    block = larger
  }

  /// Keeps the frame's indices; the next frame's go behind them. Returns where they are, for
  /// ``subscript(_:)``.
  mutating func keep() -> Range<Int> {
    let place = start..<start + filled
    (start, filled) = (place.upperBound, 0)
    return place
  }

  /// Discards all frames that are kept; the memory stays.
  mutating func removeAll() { (start, filled) = (0, 0) }

  /// Puts indices at a place for which room was made.
  mutating func copy(_ indices: Span<UInt8>, to place: Int) {
    precondition(place >= 0 && indices.count <= capacity - place)
    unsafe withUnsafeStorage { target in
      unsafe indices.withUnsafeBytes {
        unsafe UnsafeMutableRawBufferPointer(start: target + place, count: indices.count).copyMemory(from: $0)
      }
    }
  }

  /// A copy without room for more; nil where the system has no memory.
  func compacted() -> IndexPlane? {
    guard let copied = Block(byteCount: filled) else { return nil }
    unsafe indices.withUnsafeBytes { unsafe copied.bytes.copyMemory(from: $0) }
    var copy = IndexPlane()
    (copy.block, copy.filled) = (copied, filled)
    return copy
  }

  /// The memory, bounds-checked.
  private var storage: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      guard let block else { return Span() }
      let span = unsafe Span<UInt8>(_unsafeBytes: UnsafeRawBufferPointer(block.bytes))
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// The frame's indices decoded so far.
  var indices: Span<UInt8> {
    @_lifetime(borrow self)
    get { storage.extracting(start..<start + filled) }
  }

  /// The indices of a frame that is kept: see ``keep()``.
  subscript(place: Range<Int>) -> Span<UInt8> {
    @_lifetime(borrow self)
    get { storage.extracting(place) }
  }

  /// The frame's memory, for the LZW kernel: ``capacity`` and the padding behind it.
  mutating func withUnsafeStorage<Result>(_ body: (UnsafeMutableRawPointer) -> Result) -> Result {
    guard isKnownUniquelyReferenced(&block), let memory = block?.memory,
      start <= memory.byteCount - Self.padding
    else {
      preconditionFailure("room was made before decoding")
    }
    return unsafe body(memory.start + start)
  }
}
