/// Memory for pixels, one word each, at an address that never changes while a copy of the value lives.
///
/// Copies share the memory; a change of one copy leaves the others as they are, as with an array. An array's address
/// counts only for the length of a closure, and C programs keep frames.
///
/// Its bound: `words` has `count` initialised words, and is allocated and freed with its block, or belongs to an owner
/// that the block retains. A change needs a block that no other value has.
@safe package struct PixelMemory: @unchecked Sendable {
  /// The memory itself, and what the canvas that it comes from has to know of it.
  @safe final class Block: @unchecked Sendable {
    let words: UnsafeMutableBufferPointer<UInt32>
    /// The canvas of which these are the pixels; nil for other pixels. Only that canvas reads and writes it.
    var origin: CanvasIdentity?
    /// How many snapshots the canvas had handed out by then. Only the canvas reads and writes it.
    var serial = 0
    /// What keeps the words in memory; nil for words of the block's own.
    private let owner: AnyObject?

    /// The words are not initialised.
    init(count: Int) {
      unsafe words = .allocate(capacity: count)
      owner = nil
    }

    /// The words belong to `owner`.
    init(_ words: UnsafeMutableBufferPointer<UInt32>, owner: AnyObject) {
      unsafe self.words = unsafe words
      self.owner = owner
    }

    deinit {
      if owner == nil { unsafe words.deallocate() }
    }
  }

  private(set) var block: Block

  /// Transparent pixels.
  init(count: Int) {
    block = Block(count: count)
    unsafe block.words.initialize(repeating: 0)
  }

  /// Pixels that the caller writes, all of them, before any is read.
  package init(unwrittenCount count: Int) { block = Block(count: count) }

  /// Pixels in memory of another kind, at an address for words. The caller writes all of them before any is read.
  ///
  /// - Parameter owner: has the memory, for these pixels alone, as long as it lives.
  package init(unwritten words: UnsafeMutableBufferPointer<UInt32>, of owner: AnyObject) {
    unsafe block = Block(words, owner: owner)
  }

  /// A copy of pixels.
  init(copying words: Span<UInt32>) {
    block = Block(count: words.count)
    unsafe words.withUnsafeBytes { unsafe UnsafeMutableRawBufferPointer(block.words).copyMemory(from: $0) }
  }

  /// The number of pixels.
  package var count: Int { unsafe block.words.count }

  /// The pixels, bounds-checked.
  var span: Span<UInt32> {
    @_lifetime(borrow self)
    get {
      let span = unsafe Span<UInt32>(_unsafeElements: UnsafeBufferPointer(block.words))
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// The pixels to be changed, bounds-checked; those of other copies stay.
  var mutableSpan: MutableSpan<UInt32> {
    @_lifetime(&self)
    mutating get {
      makeUnique()
      // In two steps: the compiler fails if the span depends on a borrowed class reference.
      let words = unsafe UnsafeMutableBufferPointer(start: block.words.baseAddress, count: block.words.count)
      let span = unsafe MutableSpan<UInt32>(_unsafeElements: words)
      return unsafe _overrideLifetime(span, mutating: &self)
    }
  }

  /// Whether no other value has this memory.
  var isUnique: Bool {
    mutating get { isKnownUniquelyReferenced(&block) }
  }

  private mutating func makeUnique() {
    guard !isUnique else { return }
    let copy = PixelMemory(copying: span)
    block = copy.block
  }

  /// Copies `count` pixels of `source`, from `first` on, to `start` on.
  mutating func replace(from start: Int, count: Int, with source: Span<UInt32>, from first: Int) {
    precondition(start >= 0 && count >= 0 && count <= self.count - start)
    makeUnique()
    // As bytes: for the web, at the smallest size, the compiler copies words by a call each.
    let target = unsafe UnsafeMutableBufferPointer(rebasing: block.words[start..<start + count])
    unsafe source.extracting(first..<first + count).withUnsafeBytes {
      unsafe UnsafeMutableRawBufferPointer(target).copyMemory(from: $0)
    }
  }

  /// Makes `count` pixels from `start` on those that stand `distance` before them, one after another.
  mutating func `repeat`(from start: Int, count: Int, distance: Int) {
    precondition(distance > 0 && start >= distance && count >= 0 && count <= self.count - start)
    makeUnique()
    guard let words = unsafe block.words.baseAddress else { return }
    if distance == 1 {
      unsafe (words + start).update(repeating: words[start - 1], count: count)
      return
    }
    for done in stride(from: 0, to: count, by: distance) {
      let place = unsafe words + start + done
      unsafe place.update(from: place - distance, count: min(distance, count - done))
    }
  }

  /// Makes `count` pixels transparent, from `start` on.
  mutating func clear(from start: Int, count: Int) {
    precondition(start >= 0 && count >= 0 && count <= self.count - start)
    makeUnique()
    guard let target = unsafe block.words.baseAddress else { return }
    unsafe (target + start).update(repeating: 0, count: count)
  }

  /// Calls `body` with the memory to be changed, for the kernels.
  package mutating func withUnsafeMutableBytes(_ body: (UnsafeMutableRawBufferPointer) -> Void) {
    makeUnique()
    unsafe body(UnsafeMutableRawBufferPointer(block.words))
  }

  /// The address of the first pixel, for as long as a copy of the value is kept; `count` words that nothing changes.
  package var unsafeAddress: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(block.words) }
}

/// Identifies a canvas.
final class CanvasIdentity: Sendable {}
