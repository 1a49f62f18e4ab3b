public import GIFDecoding

/// What must be drawn anew: a few rectangles that do not overlap. Pure.
///
/// Rectangles are joined where drawing both costs about as much as drawing what covers them; beyond ``limit`` the
/// cheapest joins are made. Adding costs the square of the number kept at the worst.
public struct DamageList: Sendable, Hashable {
  public private(set) var rects: [PixelRect] = []
  /// How many rectangles are kept apart.
  public let limit: Int

  public init(limit: Int = 96) { self.limit = max(1, limit) }

  public var isEmpty: Bool { rects.isEmpty }

  /// Pixels in all.
  public var area: Int64 { rects.reduce(0) { $0 + $1.area } }

  public mutating func add(_ rect: PixelRect) {
    guard !rect.isEmpty else { return }
    var rect = rect
    // What is joined may touch others in turn.
    while let index = rects.firstIndex(where: { Self.belongTogether($0, rect) }) {
      rect = rect.union(rects.remove(at: index))
    }
    rects.append(rect)
    if rects.count > limit { joinCheapest() }
  }

  /// Hands out the rectangles and begins anew.
  public mutating func take() -> [PixelRect] {
    defer { rects = [] }
    return rects
  }

  private static func belongTogether(_ first: PixelRect, _ second: PixelRect) -> Bool {
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
