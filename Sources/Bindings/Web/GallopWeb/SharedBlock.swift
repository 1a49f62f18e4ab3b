/// Memory that the page reads and writes: a block of elements that grows and keeps its address between calls.
///
/// The page gets the address, so this is a place of unsafe pointers. The bounds: `count` elements are in use,
/// never more than `capacity`, and a block is never freed, only replaced by a larger one.
@safe struct SharedBlock<Element: BitwiseCopyable> {
  private var start: UnsafeMutablePointer<Element>
  private var capacity: Int
  /// The number of elements written.
  private(set) var count = 0
  private let zero: Element

  init(capacity: Int, filledWith zero: Element) {
    unsafe start = .allocate(capacity: capacity)
    unsafe start.initialize(repeating: zero, count: capacity)
    self.capacity = capacity
    self.zero = zero
  }

  /// Where the elements are; valid until the next change.
  var address: UInt { UInt(bitPattern: unsafe start) }

  /// Gives `body` the first `count` elements, at most as many as there is room for, where they are.
  func withPrefix<Result, Failure: Error>(
    _ count: Int, _ body: (Span<Element>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let elements = unsafe UnsafeBufferPointer(start: start, count: max(0, min(count, capacity)))
    return try body(unsafe elements.span)
  }

  /// An element within the capacity: the page may have written it.
  subscript(place: Int) -> Element {
    precondition(place >= 0 && place < capacity, "the block has no such place")
    return unsafe start[place]
  }

  mutating func removeAll() { count = 0 }

  mutating func append(_ element: Element) {
    if count == capacity { reserve(capacity * 2) }
    unsafe start[count] = element
    count += 1
  }

  mutating func append(contentsOf elements: some Sequence<Element>) {
    for element in elements { append(element) }
  }

  /// Makes room for `needed` elements; what was written stays.
  mutating func reserve(_ needed: Int) {
    guard needed > capacity else { return }
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: needed)
    unsafe larger.initialize(repeating: zero, count: needed)
    unsafe larger.update(from: start, count: count)
    unsafe start.deallocate()
    unsafe (start, capacity) = (larger, needed)
  }
}

extension SharedBlock<UInt8> {
  /// The most bytes that the page passes at once.
  private static let mostBytes = 1 << 20

  /// Makes room for bytes of the page. Returns their address; 0 if they are too many.
  mutating func makeRoom(_ count: Int32) -> UInt32 {
    guard count >= 0, count <= Self.mostBytes else { return 0 }
    reserve(Int(count))
    return UInt32(truncatingIfNeeded: address)
  }

  /// Appends the UTF-8 bytes of a text.
  mutating func append(_ text: String) {
    // Iterating over its UTF-8 view instead would link what other encodings need.
    let bytes = text.utf8Span.span
    for index in bytes.indices { append(bytes[index]) }
  }
}
