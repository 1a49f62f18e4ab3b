/// Goes with the pixels of a picture wherever they go: as long as anybody holds it, somebody holds the pixels.
final class PixelLease: @unchecked Sendable {
  /// The canvas that the pixels come from.
  fileprivate let origin: CanvasIdentity
  /// How many pictures that canvas had handed out by then. Touched by the canvas alone.
  fileprivate var serial = 0

  fileprivate init(origin: CanvasIdentity) { self.origin = origin }
}

/// Tells canvases apart.
final class CanvasIdentity: Sendable {}

/// A canvas's pixels, of which pictures can be handed out without a copy.
///
/// Drawing on pixels that a picture shares needs others to draw on. Where a picture of some frames ago is given back,
/// only what has changed since then is copied onto it; else the array copies itself whole, as arrays do. Nothing but
/// speed depends on the leases.
struct SharedPixels: Sendable {
  /// One word a pixel, row by row.
  private(set) var words: [UInt32]
  private var lease: PixelLease
  private let identity = CanvasIdentity()
  private let bounds: PixelRect
  /// Where pixels have changed between each two pictures handed out, the last one's number being ``serial``.
  private var changes: [ChangedRects] = []
  private var changedSince = ChangedRects()
  private var serial = 0
  /// A picture that was given back.
  private var spare: (words: [UInt32], lease: PixelLease)?

  /// How many pictures back changes are remembered.
  private static let memory = 8

  init(width: Int, height: Int) {
    bounds = PixelRect(x: 0, y: 0, width: width, height: height)
    words = Array(repeating: 0, count: width * height)
    lease = PixelLease(origin: identity)
  }

  var span: Span<UInt32> {
    @_lifetime(borrow self)
    get { words.span }
  }

  /// Makes ready for changes within `rect`.
  mutating func willChange(_ rect: PixelRect) {
    changedSince.add(rect)
    guard !isKnownUniquelyReferenced(&lease) else { return }
    guard var (spareWords, spareLease) = spare.take(), isKnownUniquelyReferenced(&spareLease) else {
      lease = PixelLease(origin: identity)
      return
    }
    for rect in stale(spareLease) { copy(rect, onto: &spareWords) }
    words = spareWords
    lease = spareLease
  }

  /// Changes pixels; ``willChange(_:)`` has been told where.
  mutating func withWords<Result>(_ body: (inout [UInt32]) -> Result) -> Result { body(&words) }

  /// Shows what other pixels of the same size show.
  mutating func show(_ other: SharedPixels) {
    words = other.words
    lease = other.lease
    changedSince.add(bounds)
  }

  /// The pixels as they are, to be kept together with the lease.
  mutating func publish() -> (words: [UInt32], lease: PixelLease) {
    changes.append(changedSince)
    if changes.count > Self.memory { changes.removeFirst() }
    changedSince = ChangedRects()
    serial += 1
    if lease.origin === identity { lease.serial = serial }
    return (words, lease)
  }

  /// Takes back a picture that nobody needs any more, or with nil gives up the one taken back.
  mutating func reuse(_ picture: consuming (words: [UInt32], lease: PixelLease)?) {
    spare = nil
    guard let picture, picture.lease.origin === identity, picture.lease !== lease,
      picture.words.count == words.count
    else { return }
    spare = picture
  }

  /// Where a picture handed out differs from what the canvas shows.
  private func stale(_ lease: PixelLease) -> [PixelRect] {
    let age = serial - lease.serial
    guard age <= changes.count else { return [bounds] }
    var stale = changedSince
    for change in changes.suffix(age) {
      for rect in change.rects { stale.add(rect) }
    }
    return stale.rects
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

/// Some rectangles, none within another. Kept apart, since one around two small ones far from each other may be the
/// whole canvas; a few, since the time to go through them counts too.
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
