public import GIFDecoding

/// The damaged area that must be redrawn, as a few rectangles that do not overlap.
///
/// Two rectangles are joined if drawing their union costs about as much as drawing both. Beyond ``limit`` the
/// cheapest joins are made. Adding takes at most quadratic time in the number of rectangles.
public struct DamageList: Sendable, Hashable {
  /// The rectangles; no two overlap.
  public private(set) var rects: [PixelRect] = []
  /// The largest number of rectangles.
  public let limit: Int

  /// Creates an empty list of at most this many rectangles, at least one.
  public init(limit: Int = 96) { self.limit = max(1, limit) }

  /// Whether nothing must be redrawn.
  public var isEmpty: Bool { rects.isEmpty }

  /// The number of pixels of all rectangles.
  public var area: Int64 { rects.reduce(0) { $0 + $1.area } }

  /// Adds a rectangle; one without area changes nothing.
  public mutating func add(_ rect: PixelRect) {
    guard !rect.isEmpty else { return }
    var rect = rect
    // The union may touch further rectangles.
    while let index = rects.firstIndex(where: { Self.shouldJoin($0, rect) }) {
      rect = rect.union(rects.remove(at: index))
    }
    rects.append(rect)
    if rects.count > limit { joinCheapest() }
  }

  /// Returns the rectangles and empties the list.
  public mutating func take() -> [PixelRect] {
    defer { rects = [] }
    return rects
  }

  private static func shouldJoin(_ first: PixelRect, _ second: PixelRect) -> Bool {
    if !first.intersection(second).isEmpty { return true }
    // An eighth more pixels costs less than another rectangle.
    let sum = first.area + second.area
    return first.union(second).area <= sum + sum / 8
  }

  private mutating func joinCheapest() {
    var best: (first: Int, second: Int, growth: Int64)?
    for first in rects.indices {
      for second in rects.indices.dropFirst(first + 1) {
        let growth = rects[first].union(rects[second]).area - rects[first].area - rects[second].area
        if best.map({ growth < $0.growth }) ?? true { best = (first, second, growth) }
      }
    }
    guard let best else { return }
    let joined = rects[best.first].union(rects[best.second])
    rects.remove(at: best.second)
    rects.remove(at: best.first)
    add(joined)
  }
}
