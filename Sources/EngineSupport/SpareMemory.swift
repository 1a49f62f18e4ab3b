/// Which released memory is kept for later requests, within a limit and for a while. Pure: its owner maps and unmaps.
///
/// The kernel clears fresh memory page by page, which takes longer than decoding into it.
package struct SpareMemory: Sendable {
  /// Addresses, the range released first in front; no two touch each other.
  private var ranges: [Range<UInt>] = []
  /// When each range was released; of a range joined from several, when the first of them was.
  private var times: [Duration] = []
  private let byteLimit: Int
  private let lifetime: Duration

  /// - Parameters:
  ///   - byteLimit: the largest number of bytes kept.
  ///   - lifetime: how long a range is kept that no request takes.
  package init(byteLimit: Int, lifetime: Duration) {
    self.byteLimit = max(0, byteLimit)
    self.lifetime = lifetime
  }

  /// Bytes kept now.
  package var byteCount: Int { ranges.reduce(0) { $0 + $1.count } }

  package var isEmpty: Bool { ranges.isEmpty }

  /// Takes `size` bytes from the smallest range that has as many; otherwise the whole largest range, which is shorter.
  /// Nil where nothing is kept.
  package mutating func take(_ size: Int) -> Range<UInt>? {
    let bySize = ranges.indices.sorted { ranges[$0].count < ranges[$1].count }
    guard let place = bySize.first(where: { ranges[$0].count >= size }) else {
      return bySize.last.map { remove(at: $0) }
    }
    let range = ranges[place]
    let middle = range.lowerBound + UInt(size)
    if middle < range.upperBound { ranges[place] = middle..<range.upperBound } else { remove(at: place) }
    return range.lowerBound..<middle
  }

  /// Keeps a range; returns what passes the limit, to be unmapped: its own end, then what was released first.
  package mutating func give(_ range: Range<UInt>, at now: Duration) -> [Range<UInt>] {
    var (kept, time) = (range, now)
    var dropped = [Self.cut(&kept, to: byteLimit)]
    for place in ranges.indices.reversed() where Self.touch(ranges[place], kept) {
      time = min(time, times[place])
      let other = remove(at: place)
      kept = min(other.lowerBound, kept.lowerBound)..<max(other.upperBound, kept.upperBound)
    }
    let place = times.firstIndex { $0 > time } ?? times.count
    ranges.insert(kept, at: place)
    times.insert(time, at: place)
    var excess = byteCount - byteLimit
    while excess > 0 {
      let cut = Self.cut(&ranges[0], to: ranges[0].count - excess)
      excess -= cut.count
      dropped.append(cut)
      if ranges[0].isEmpty { remove(at: 0) }
    }
    if let place = ranges.firstIndex(where: \.isEmpty) { remove(at: place) }
    return dropped.filter { !$0.isEmpty }
  }

  /// Returns the ranges whose lifetime has ended, to be unmapped.
  package mutating func expire(at now: Duration) -> [Range<UInt>] {
    let count = times.firstIndex { now - $0 < lifetime } ?? times.count
    return (0..<count).map { _ in remove(at: 0) }
  }

  /// Keeps nothing any more; returns all ranges, to be unmapped.
  package mutating func removeAll() -> [Range<UInt>] {
    defer { (ranges, times) = ([], []) }
    return ranges
  }

  @discardableResult
  private mutating func remove(at place: Int) -> Range<UInt> {
    times.remove(at: place)
    return ranges.remove(at: place)
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
