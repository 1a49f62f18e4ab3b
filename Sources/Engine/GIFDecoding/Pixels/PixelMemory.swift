/// Memory for pixels, one word each, at an address that never changes while a copy of the value lives.
///
/// Copies share the memory. Not an array: its address counts only for the length of a closure, while C
/// programs keep frames, and the program ends where an array gets no memory.
///
/// Its bound: `words` has `count` initialised words, and is taken and released with its block, or belongs to
/// an owner that the block retains. A change needs a block that no other value has: see ``makeUnique()``.
@safe package struct PixelMemory: @unchecked Sendable {
  /// The memory itself, and what the canvas that it comes from has to know of it.
  @safe final class Block: @unchecked Sendable {
    let words: UnsafeMutableBufferPointer<UInt32>
    /// The canvas of which these are the pixels; nil for other pixels. Only that canvas reads and writes it.
    var origin: CanvasIdentity?
    /// How many snapshots the canvas had handed out by then. Only the canvas reads and writes it.
    var serial = 0
    /// The memory, where it is the block's own.
    private let memory: SystemMemory?
    /// What else keeps the words in memory.
    private let owner: AnyObject?

    /// The words are not initialised.
    ///
    /// - Parameter isWritten: whether the caller writes all of them at once.
    init(count: Int, isWritten: Bool) throws(GIFError) {
      let (byteCount, overflows) = count.multipliedReportingOverflow(by: 4)
      guard !overflows, let memory = SystemMemory(byteCount: byteCount, isWritten: isWritten) else {
        throw GIFError(.outOfMemory, value: overflows ? .max : Int64(byteCount))
      }
      let start = unsafe memory.start.bindMemory(to: UInt32.self, capacity: count)
      unsafe words = UnsafeMutableBufferPointer(start: start, count: count)
      self.memory = memory
      owner = nil
    }

    /// The words belong to `owner`.
    init(_ words: UnsafeMutableBufferPointer<UInt32>, owner: AnyObject?) {
      unsafe self.words = unsafe words
      self.owner = owner
      memory = nil
    }

    deinit { memory?.release() }

    /// Whether all words are 0 before the first change.
    var isCleared: Bool { memory?.isCleared ?? false }
  }

  private(set) var block: Block

  /// No pixels.
  init() { unsafe block = Block(UnsafeMutableBufferPointer(start: nil, count: 0), owner: nil) }

  /// Transparent pixels.
  ///
  /// - Throws: ``GIFError/Code/outOfMemory``, as the other initialisers do.
  package init(count: Int) throws(GIFError) {
    block = try Block(count: count, isWritten: false)
    if !block.isCleared { unsafe block.words.initialize(repeating: 0) }
  }

  /// Pixels that the caller writes, all of them, before any is read.
  package init(unwrittenCount count: Int) throws(GIFError) {
    block = try Block(count: count, isWritten: true)
  }

  /// Pixels in memory of another kind, at an address for words. The caller writes all of them before any is
  /// read.
  ///
  /// - Parameter owner: has the memory, for these pixels alone, as long as it lives.
  package init(unwritten words: UnsafeMutableBufferPointer<UInt32>, of owner: AnyObject) {
    unsafe block = Block(words, owner: owner)
  }

  /// A copy of pixels.
  package init(copying words: Span<UInt32>) throws(GIFError) {
    block = try Block(count: words.count, isWritten: true)
    unsafe words.withUnsafeBytes { unsafe UnsafeMutableRawBufferPointer(block.words).copyMemory(from: $0) }
  }

  /// The number of pixels.
  package var count: Int { unsafe block.words.count }

  /// The pixels, bounds-checked.
  package var span: Span<UInt32> {
    @_lifetime(borrow self)
    get {
      let span = unsafe Span<UInt32>(_unsafeElements: UnsafeBufferPointer(block.words))
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// The pixels to be changed, bounds-checked.
  ///
  /// - Precondition: no other value has them, here and in all that changes pixels.
  package var mutableSpan: MutableSpan<UInt32> {
    @_lifetime(&self)
    mutating get {
      precondition(isUnique)
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

  /// Takes memory of its own where other values have the same, for a change; theirs stays.
  mutating func makeUnique() throws(GIFError) {
    guard !isUnique else { return }
    self = try PixelMemory(copying: span)
  }

  /// Copies `count` pixels of `source`, from `first` on, to `start` on.
  mutating func replace(from start: Int, count: Int, with source: Span<UInt32>, from first: Int) {
    precondition(start >= 0 && count >= 0 && count <= self.count - start)
    precondition(isUnique)
    // As bytes: for the web, at the smallest size, the compiler copies words by a call each.
    let target = unsafe UnsafeMutableBufferPointer(rebasing: block.words[start..<start + count])
    unsafe source.extracting(first..<first + count).withUnsafeBytes {
      unsafe UnsafeMutableRawBufferPointer(target).copyMemory(from: $0)
    }
  }

  /// Makes `count` pixels from `start` on those that stand `distance` before them, one after another.
  mutating func `repeat`(from start: Int, count: Int, distance: Int) {
    precondition(distance > 0 && start >= distance && count >= 0 && count <= self.count - start)
    precondition(isUnique)
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
  package mutating func clear(from start: Int, count: Int) {
    precondition(start >= 0 && count >= 0 && count <= self.count - start)
    precondition(isUnique)
    guard let target = unsafe block.words.baseAddress else { return }
    unsafe (target + start).update(repeating: 0, count: count)
  }

  /// Calls `body` with the memory to be changed, for the kernels.
  package mutating func withUnsafeMutableBytes(_ body: (UnsafeMutableRawBufferPointer) -> Void) {
    precondition(isUnique)
    unsafe body(UnsafeMutableRawBufferPointer(block.words))
  }

  /// The address of the first pixel, for as long as a copy of the value is kept; `count` words that nothing
  /// changes.
  package var unsafeAddress: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(block.words) }
}

/// Identifies a canvas.
final class CanvasIdentity: Sendable {}

extension SystemMemory {
  /// Asks whether the system gives this many bytes, before Swift allocates them.
  ///
  /// - Throws: ``GIFError/Code/outOfMemory`` with that number.
  package static func require(_ byteCount: Int) throws(GIFError) {
    guard grants(byteCount) else { throw GIFError(.outOfMemory, value: Int64(byteCount)) }
  }
}
