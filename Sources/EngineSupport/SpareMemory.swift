/// Which released memory is kept for later requests, within a limit and for a while. Pure: its owner maps and unmaps.
///
/// The kernel clears fresh memory page by page, which takes longer than decoding into it.
///
/// A released range is dirty: the system would have to write its pages to a swap area. Idle, it is purged: the owner
/// tells the system that it may have the pages. That interrupts the process's other threads for each page, so ranges
/// in use again and again are never purged.
package struct SpareMemory: Sendable {
  /// Addresses that are kept.
  package struct Spare: Sendable, Equatable {
    package fileprivate(set) var range: Range<UInt>
    /// When they were released; of a range joined from several, when the first of them was.
    package fileprivate(set) var time: Duration
    /// When the last of them was released that is not purged; nil once all are.
    package fileprivate(set) var dirtySince: Duration?
  }

  /// What is due: the owner purges and unmaps before any other call.
  package struct Sweep: Sendable, Equatable {
    /// Still kept.
    package var purged: [Range<UInt>] = []
    /// No longer kept, to be unmapped.
    package var expired: [Range<UInt>] = []

    package init(purged: [Range<UInt>] = [], expired: [Range<UInt>] = []) {
      (self.purged, self.expired) = (purged, expired)
    }
  }

  /// The range released first in front; no two touch each other.
  private var spares: [Spare] = []
  private let byteLimit: Int
  private let purgeDelay: Duration
  private let lifetime: Duration

  /// - Parameters:
  ///   - byteLimit: the largest number of bytes kept; only whole pages of it count, so that no page is cut.
  ///   - pageSize: what every given range starts and ends at a multiple of, and every request is a multiple of.
  ///   - purgeDelay: after how long a range is purged that no request takes and nothing joins.
  ///   - lifetime: how long a range is kept that no request takes.
  package init(byteLimit: Int, pageSize: Int, purgeDelay: Duration, lifetime: Duration) {
    self.byteLimit = max(0, byteLimit) / pageSize * pageSize
    self.purgeDelay = purgeDelay
    self.lifetime = lifetime
  }

  /// Bytes kept now.
  package var byteCount: Int { spares.reduce(0) { $0 + $1.range.count } }

  package var isEmpty: Bool { spares.isEmpty }

  /// Takes `size` bytes from the smallest range that has as many; otherwise the whole largest range, which is shorter.
  /// Nil where nothing is kept.
  ///
  /// A caller that has no use for the shorter range gives it back as it is.
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
  ///
  /// - Parameter isPurged: whether the owner has purged it already.
  package mutating func give(
    _ range: Range<UInt>, at now: Duration, isPurged: Bool = false
  ) -> [Range<UInt>] {
    give(Spare(range: range, time: now, dirtySince: isPurged ? nil : now))
  }

  /// Keeps a range again that ``take(_:)`` returned.
  package mutating func give(_ spare: Spare) -> [Range<UInt>] {
    var kept = spare
    var dropped = [Self.cut(&kept.range, to: byteLimit)]
    for place in spares.indices.reversed() where Self.touch(spares[place].range, kept.range) {
      let other = spares.remove(at: place)
      let start = min(other.range.lowerBound, kept.range.lowerBound)
      kept.range = start..<max(other.range.upperBound, kept.range.upperBound)
      kept.time = min(kept.time, other.time)
      kept.dirtySince = [kept.dirtySince, other.dirtySince].compactMap(\.self).max()
    }
    let place = spares.firstIndex { $0.time > kept.time } ?? spares.count
    spares.insert(kept, at: place)
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

  /// Ends the keeping of ranges whose lifetime is over, and counts those as purged whose delay is.
  package mutating func sweep(at now: Duration) -> Sweep {
    var sweep = Sweep()
    sweep.expired = spares.prefix { now - $0.time >= lifetime }.map(\.range)
    spares.removeFirst(sweep.expired.count)
    for place in spares.indices {
      guard let since = spares[place].dirtySince, now - since >= purgeDelay else { continue }
      spares[place].dirtySince = nil
      sweep.purged.append(spares[place].range)
    }
    return sweep
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
