/// A canvas's pixels, of which snapshots can be handed out without a copy.
///
/// Drawing never changes a snapshot that was handed out: it takes other memory. With the memory of a returned
/// snapshot only the changes since that snapshot are copied; without one the memory copies itself whole.
///
/// All pixels are transparent at first, and after ``release()``: without memory, until
/// ``takeMemory(isOverwritten:)``.
struct SharedPixels: Sendable {
  /// One word a pixel, row by row.
  private(set) var words: PixelMemory
  private let identity = CanvasIdentity()
  private let bounds: PixelRect
  /// The changes between each two snapshots handed out; the last snapshot has the number ``serial``.
  private var changes: [ChangedRects] = []
  private var changedSince = ChangedRects()
  private var serial = 0
  /// A snapshot that the caller has returned; the next drawing may use its memory.
  private var returned: PixelMemory?

  /// For how many snapshots the changes are kept.
  private static let keptChanges = 8

  init(width: Int, height: Int) {
    bounds = PixelRect(x: 0, y: 0, width: width, height: height)
    words = PixelMemory()
  }

  var hasMemory: Bool { Int64(words.count) == bounds.area }

  /// Takes memory, if there is none.
  ///
  /// - Parameter isOverwritten: whether the caller writes every pixel before any is read. Otherwise all
  ///   become transparent, which costs one more pass over the memory.
  /// - Throws: ``GIFError/Code/outOfMemory``; the pixels are then as they were.
  mutating func takeMemory(isOverwritten: Bool = false) throws(GIFError) {
    guard !hasMemory else { return }
    let count = Int(bounds.area)
    if var snapshot = returned.take(), snapshot.isUnique {
      if !isOverwritten { snapshot.clear(from: 0, count: count) }
      words = snapshot
    } else {
      words = isOverwritten ? try PixelMemory(unwrittenCount: count) : try PixelMemory(count: count)
      words.block.origin = identity
    }
  }

  /// Makes everything transparent, and releases the memory.
  mutating func release() {
    changedSince.add(bounds)
    exchange(PixelMemory())
  }

  var span: Span<UInt32> {
    @_lifetime(borrow self)
    get { words.span }
  }

  /// Notes that `rect` changes next, takes memory where there is none, and replaces memory that a snapshot
  /// shares.
  ///
  /// - Parameter isOverwritten: whether the caller writes every pixel of `rect` before any is read.
  /// - Throws: as ``takeMemory(isOverwritten:)``.
  mutating func willChange(_ rect: PixelRect, isOverwritten: Bool = false) throws(GIFError) {
    try takeMemory(isOverwritten: isOverwritten && rect == bounds)
    changedSince.add(rect)
    guard !words.isUnique else { return }
    guard var snapshot = returned.take(), snapshot.isUnique else {
      words = try PixelMemory(copying: words.span)
      words.block.origin = identity
      return
    }
    for rect in outdated(snapshot) { copy(rect, onto: &snapshot) }
    words = snapshot
  }

  /// Takes memory of its own where a snapshot or another canvas has the same, to write what the pixels are
  /// already.
  ///
  /// - Throws: as ``takeMemory(isOverwritten:)``.
  mutating func unshare() throws(GIFError) {
    guard !words.isUnique else { return }
    words = try PixelMemory(copying: words.span)
    words.block.origin = identity
  }

  /// Changes pixels. The caller names the place to ``willChange(_:)`` first.
  mutating func withWords<Result>(_ body: (inout PixelMemory) -> Result) -> Result { body(&words) }

  /// Shows what other pixels of the same size show.
  mutating func show(_ other: SharedPixels) {
    words = other.words
    changedSince.add(bounds)
  }

  /// Takes other memory for the pixels; the caller names what differs to ``willChange(_:)``.
  mutating func exchange(_ words: PixelMemory) {
    self.words = words
    self.words.block.origin = identity
    returned = nil
  }

  /// Hands out the pixels as they are.
  mutating func publish() -> PixelMemory {
    changes.append(changedSince)
    if changes.count > Self.keptChanges { changes.removeFirst() }
    changedSince = ChangedRects()
    serial += 1
    if words.block.origin === identity { words.block.serial = serial }
    return words
  }

  /// Takes a snapshot that the caller no longer needs, for its memory; nil releases the one taken before.
  mutating func reuse(_ snapshot: consuming PixelMemory?) {
    returned = nil
    guard let snapshot, snapshot.block.origin === identity, snapshot.block !== words.block else { return }
    returned = snapshot
  }

  /// Takes memory of the same size, with whatever is in it, for the case that a drawing needs other memory;
  /// asks for it only where no snapshot has been returned.
  mutating func supply(_ memory: () -> PixelMemory?) {
    guard returned == nil, let memory = memory() else { return }
    memory.block.origin = identity
    // Older than any snapshot of which changes are kept, so that everything is copied.
    memory.block.serial = serial - Self.keptChanges - 1
    returned = memory
  }

  /// The rectangles in which a snapshot handed out differs from the canvas.
  private func outdated(_ snapshot: PixelMemory) -> [PixelRect] {
    let age = serial - snapshot.block.serial
    guard age <= changes.count else { return [bounds] }
    var rects = changedSince
    for change in changes.suffix(age) {
      for rect in change.rects { rects.add(rect) }
    }
    return rects.rects
  }

  private func copy(_ rect: PixelRect, onto other: inout PixelMemory) {
    guard !rect.isEmpty else { return }
    if rect.width == bounds.width {
      let start = rect.y * bounds.width
      other.replace(from: start, count: Int(rect.area), with: words.span, from: start)
      return
    }
    for row in rect.y..<rect.maxY {
      let start = row * bounds.width + rect.x
      other.replace(from: start, count: rect.width, with: words.span, from: start)
    }
  }
}

/// A few rectangles, none within another.
///
/// Not their union: around two small rectangles far apart that may be the whole canvas. Only a few, since
/// each drawing goes through them.
private struct ChangedRects: Sendable {
  private(set) var rects: [PixelRect] = []

  private static let most = 12

  mutating func add(_ rect: PixelRect) {
    guard !rect.isEmpty, !rects.contains(where: { $0.contains(rect) }) else { return }
    rects.removeAll { rect.contains($0) }
    rects.append(rect)
    if rects.count > Self.most { rects = [rects.reduce(.empty) { $0.union($1) }] }
  }
}
