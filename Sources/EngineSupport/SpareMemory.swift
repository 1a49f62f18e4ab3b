/// Which released memory is kept for later requests, within a limit and for a while. Pure: its owner maps and unmaps.
///
/// The kernel clears fresh memory page by page, which takes longer than decoding into it.
package struct SpareMemory: Sendable {
  /// Addresses, and when they were released; of a range joined from several, when the first of them was.
  package struct Spare: Sendable, Equatable {
    package fileprivate(set) var range: Range<UInt>
    package fileprivate(set) var time: Duration
  }

  /// The range released first in front; no two touch each other.
  private var spares: [Spare] = []
  private let byteLimit: Int
  private let lifetime: Duration

  /// - Parameters:
  ///   - byteLimit: the largest number of bytes kept; only whole pages of it count, so that no page is cut.
  ///   - pageSize: what every given range starts and ends at a multiple of, and every request is a multiple of.
  ///   - lifetime: how long a range is kept that no request takes.
  package init(byteLimit: Int, pageSize: Int, lifetime: Duration) {
    self.byteLimit = max(0, byteLimit) / pageSize * pageSize
    self.lifetime = lifetime
  }

  /// Bytes kept now.
  package var byteCount: Int { spares.reduce(0) { $0 + $1.range.count } }

  package var isEmpty: Bool { spares.isEmpty }

  /// Takes `size` bytes from the smallest range that has as many; otherwise the whole largest range, which is shorter.
  /// Nil where nothing is kept.
  ///
  /// A caller that has no use for the shorter range gives it back with its time.
  package mutating func take(_ size: Int) -> Spare? {
    let bySize = spares.indices.sorted { spares[$0].range.count < spares[$1].range.count }
    guard let place = bySize.first(where: { spares[$0].range.count >= size }) else {
      return bySize.last.map { spares.remove(at: $0) }
    }
    var taken = spares[place]
    let middle = taken.range.lowerBound + UInt(size)
    spares[place].range = middle..<taken.range.upperBound
    if spares[place].range.isEmpty { spares.remove(at: place) }
    taken.range = taken.range.lowerBound..<middle
    return taken
  }

  /// Keeps a range from an instant on; returns what passes the limit, to be unmapped: its own end, then what was
  /// released first.
  package mutating func give(_ range: Range<UInt>, at now: Duration) -> [Range<UInt>] {
    var (kept, time) = (range, now)
    var dropped = [Self.cut(&kept, to: byteLimit)]
    for place in spares.indices.reversed() where Self.touch(spares[place].range, kept) {
      let other = spares.remove(at: place)
      kept = min(other.range.lowerBound, kept.lowerBound)..<max(other.range.upperBound, kept.upperBound)
      time = min(time, other.time)
    }
    let place = spares.firstIndex { $0.time > time } ?? spares.count
    spares.insert(Spare(range: kept, time: time), at: place)
    var excess = byteCount - byteLimit
    while excess > 0 {
      let cut = Self.cut(&spares[0].range, to: spares[0].range.count - excess)
      excess -= cut.count
      dropped.append(cut)
      if spares[0].range.isEmpty { spares.removeFirst() }
    }
    spares.removeAll { $0.range.isEmpty }
    return dropped.filter { !$0.isEmpty }
  }

  /// Returns the ranges whose lifetime has ended, to be unmapped.
  package mutating func expire(at now: Duration) -> [Range<UInt>] {
    let expired = spares.prefix { now - $0.time >= lifetime }
    spares.removeFirst(expired.count)
    return expired.map(\.range)
  }

  /// Keeps nothing any more; returns all ranges, to be unmapped.
  package mutating func removeAll() -> [Range<UInt>] {
    defer { spares = [] }
    return spares.map(\.range)
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
