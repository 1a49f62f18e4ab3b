/// Which released memory is kept for later requests, within a limit. Pure: its owner maps and unmaps.
///
/// The kernel clears fresh memory page by page, which takes longer than decoding into it.
package struct SpareMemory: Sendable {
  /// Addresses, the range released first in front; no two touch each other.
  private var ranges: [Range<UInt>] = []
  private let byteLimit: Int

  /// - Parameter byteLimit: the largest number of bytes kept.
  package init(byteLimit: Int) { self.byteLimit = max(0, byteLimit) }

  /// Bytes kept now.
  package var byteCount: Int { ranges.reduce(0) { $0 + $1.count } }

  /// Takes `size` bytes from the smallest range that has as many; otherwise the whole largest range, which is shorter.
  /// Nil where nothing is kept.
  package mutating func take(_ size: Int) -> Range<UInt>? {
    let bySize = ranges.indices.sorted { ranges[$0].count < ranges[$1].count }
    guard let place = bySize.first(where: { ranges[$0].count >= size }) else {
      return bySize.last.map { ranges.remove(at: $0) }
    }
    let range = ranges.remove(at: place)
    let middle = range.lowerBound + UInt(size)
    if middle < range.upperBound { ranges.insert(middle..<range.upperBound, at: place) }
    return range.lowerBound..<middle
  }

  /// Keeps a range; returns what passes the limit, to be unmapped: its own end, then what was released first.
  package mutating func give(_ range: Range<UInt>) -> [Range<UInt>] {
    var kept = range
    var dropped = [Self.cut(&kept, to: byteLimit)]
    for place in ranges.indices.reversed() where Self.touch(ranges[place], kept) {
      let other = ranges.remove(at: place)
      kept = min(other.lowerBound, kept.lowerBound)..<max(other.upperBound, kept.upperBound)
    }
    ranges.append(kept)
    var excess = byteCount - byteLimit
    while excess > 0 {
      let cut = Self.cut(&ranges[0], to: ranges[0].count - excess)
      excess -= cut.count
      dropped.append(cut)
      if ranges[0].isEmpty { ranges.removeFirst() }
    }
    ranges.removeAll { $0.isEmpty }
    return dropped.filter { !$0.isEmpty }
  }

  /// Keeps nothing any more; returns all ranges, to be unmapped.
  package mutating func removeAll() -> [Range<UInt>] {
    defer { ranges = [] }
    return ranges
  }

  private static func touch(_ one: Range<UInt>, _ other: Range<UInt>) -> Bool {
    one.upperBound == other.lowerBound || other.upperBound == one.lowerBound
  }

  /// Cuts the end off a range; returns it.
  private static func cut(_ range: inout Range<UInt>, to size: Int) -> Range<UInt> {
    let middle = range.lowerBound + UInt(min(range.count, max(0, size)))
    defer { range = range.lowerBound..<middle }
    return middle..<range.upperBound
  }
}
