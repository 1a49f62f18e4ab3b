/// Goes with the pixels of a snapshot: each copy of the snapshot holds both.
///
/// Swift knows whether an object has several holders, but not whether an array has: the token stands for the array.
final class PixelToken: @unchecked Sendable {
  /// The canvas that the pixels come from.
  fileprivate let origin: CanvasIdentity
  /// How many snapshots the canvas had handed out by then. Only the canvas reads and writes it.
  fileprivate var serial = 0

  fileprivate init(origin: CanvasIdentity) { self.origin = origin }
}

/// Identifies a canvas.
final class CanvasIdentity: Sendable {}

/// A canvas's pixels, of which snapshots can be handed out without a copy.
///
/// Drawing never changes a snapshot that was handed out: it takes other memory. With the memory of a returned snapshot only
/// the changes since that snapshot are copied; without one the array copies itself whole. The tokens decide only about
/// speed.
struct SharedPixels: Sendable {
  /// One word a pixel, row by row.
  private(set) var words: [UInt32]
  private var token: PixelToken
  private let identity = CanvasIdentity()
  private let bounds: PixelRect
  /// The changes between each two snapshots handed out; the last snapshot has the number ``serial``.
  private var changes: [ChangedRects] = []
  private var changedSince = ChangedRects()
  private var serial = 0
  /// A snapshot that the caller has returned; the next drawing may use its memory.
  private var returned: (words: [UInt32], token: PixelToken)?

  /// For how many snapshots the changes are kept.
  private static let keptChanges = 8

  init(width: Int, height: Int) {
    bounds = PixelRect(x: 0, y: 0, width: width, height: height)
    words = Array(repeating: 0, count: width * height)
    token = PixelToken(origin: identity)
  }

  var span: Span<UInt32> {
    @_lifetime(borrow self)
    get { words.span }
  }

  /// Notes that `rect` changes next, and replaces memory that a snapshot shares.
  mutating func willChange(_ rect: PixelRect) {
    changedSince.add(rect)
    guard !isKnownUniquelyReferenced(&token) else { return }
    guard var (returnedWords, returnedToken) = returned.take(),
      isKnownUniquelyReferenced(&returnedToken)
    else {
      token = PixelToken(origin: identity)
      return
    }
    for rect in outdated(returnedToken) { copy(rect, onto: &returnedWords) }
    words = returnedWords
    token = returnedToken
  }

  /// Changes pixels. The caller names the place to ``willChange(_:)`` first.
  mutating func withWords<Result>(_ body: (inout [UInt32]) -> Result) -> Result { body(&words) }

  /// Shows what other pixels of the same size show.
  mutating func show(_ other: SharedPixels) {
    words = other.words
    token = other.token
    changedSince.add(bounds)
  }

  /// Takes other memory for the pixels; the caller names what differs to ``willChange(_:)``.
  mutating func exchange(_ words: [UInt32]) {
    self.words = words
    token = PixelToken(origin: identity)
    returned = nil
  }

  /// Hands out the pixels as they are; the caller keeps the token as long as the pixels.
  mutating func publish() -> (words: [UInt32], token: PixelToken) {
    changes.append(changedSince)
    if changes.count > Self.keptChanges { changes.removeFirst() }
    changedSince = ChangedRects()
    serial += 1
    if token.origin === identity { token.serial = serial }
    return (words, token)
  }

  /// Takes a snapshot that the caller no longer needs, for its memory; nil releases the one taken before.
  mutating func reuse(_ snapshot: consuming (words: [UInt32], token: PixelToken)?) {
    returned = nil
    guard let snapshot, snapshot.token.origin === identity, snapshot.token !== token,
      snapshot.words.count == words.count
    else { return }
    returned = snapshot
  }

  /// The rectangles in which a snapshot handed out differs from the canvas.
  private func outdated(_ token: PixelToken) -> [PixelRect] {
    let age = serial - token.serial
    guard age <= changes.count else { return [bounds] }
    var rects = changedSince
    for change in changes.suffix(age) {
      for rect in change.rects { rects.add(rect) }
    }
    return rects.rects
  }

  private func copy(_ rect: PixelRect, onto other: inout [UInt32]) {
    guard !rect.isEmpty else { return }
    if rect.width == bounds.width {
      let range = rect.y * bounds.width..<rect.maxY * bounds.width
      other.replaceSubrange(range, with: words[range])
      return
    }
    for row in rect.y..<rect.maxY {
      let range = row * bounds.width + rect.x..<row * bounds.width + rect.maxX
      other.replaceSubrange(range, with: words[range])
    }
  }
}

/// A few rectangles, none within another.
///
/// Not their union: around two small rectangles far apart that may be the whole canvas. Only a few, since each drawing
/// goes through them.
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
