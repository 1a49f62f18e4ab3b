/// Which released memory is kept for later requests, within a limit and for a while. Its owner maps and
/// unmaps.
///
/// The kernel clears fresh memory page by page, which takes longer than decoding into it.
///
/// A released range is dirty: the system would have to write its pages to a swap area. Idle, it is purged:
/// the owner tells the system that it may have the pages. That interrupts the process's other threads for
/// each page, so ranges in use again and again are never purged. Of those only what no request needed for
/// long expires.
package struct SpareMemory: Sendable {
  /// Addresses that are kept.
  private struct Spare: Sendable {
    var range: Range<UInt>
    /// When they were released; of a range joined from several, when the last of them was.
    var time: Duration
    var isDirty: Bool
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
  /// Since when ``leastByteCount`` counts; nil while nothing is kept.
  private var leastSince: Duration?
  /// The fewest bytes kept since then: no request needed them.
  private var leastByteCount = 0

  /// - Parameters:
  ///   - byteLimit: the largest number of bytes kept; only whole pages of it count, so that no page is cut.
  ///   - pageSize: what every given range starts and ends at a multiple of, and every request is a multiple
  ///     of.
  ///   - purgeDelay: after how long a range is purged that nothing joins.
  ///   - lifetime: for how long requests may leave bytes over before they are unmapped. Counted in steps
  ///     of as long, so that up to twice the time may pass.
  package init(byteLimit: Int, pageSize: Int, purgeDelay: Duration, lifetime: Duration) {
    self.byteLimit = max(0, byteLimit) / pageSize * pageSize
    self.purgeDelay = purgeDelay
    self.lifetime = lifetime
  }

  /// Bytes kept now.
  package var byteCount: Int { spares.reduce(0) { $0 + $1.range.count } }

  package var isEmpty: Bool { spares.isEmpty }

  package var longest: Range<UInt>? { spares.max { $0.range.count < $1.range.count }?.range }

  /// Takes `size` bytes from the smallest range that has as many; nil where none has.
  package mutating func take(_ size: Int) -> Range<UInt>? {
    let fitting = spares.indices.filter { spares[$0].range.count >= size }
    guard let place = fitting.min(by: { spares[$0].range.count < spares[$1].range.count }) else { return nil }
    return take(size, at: place)
  }

  /// Takes the longest range whole, for a request that continues it.
  package mutating func takeLongest() -> Range<UInt>? {
    let place = spares.indices.max { spares[$0].range.count < spares[$1].range.count }
    return place.map { take(spares[$0].range.count, at: $0) }
  }

  private mutating func take(_ size: Int, at place: Int) -> Range<UInt> {
    let start = spares[place].range.lowerBound
    let middle = start + UInt(size)
    spares[place].range = middle..<spares[place].range.upperBound
    if spares[place].range.isEmpty { spares.remove(at: place) }
    noteByteCount()
    return start..<middle
  }

  /// Keeps a range from an instant on; returns what passes the limit, to be unmapped: its own end, then what
  /// was released first.
  ///
  /// - Parameter isPurged: whether the owner has purged it already.
  package mutating func give(
    _ range: Range<UInt>, at now: Duration, isPurged: Bool = false
  ) -> [Range<UInt>] {
    if leastSince == nil { (leastSince, leastByteCount) = (now, 0) }
    var kept = Spare(range: range, time: now, isDirty: !isPurged)
    let end = Self.cut(&kept.range, to: byteLimit)
    for place in spares.indices.reversed() where Self.touch(spares[place].range, kept.range) {
      let other = spares.remove(at: place)
      let start = min(other.range.lowerBound, kept.range.lowerBound)
      kept.range = start..<max(other.range.upperBound, kept.range.upperBound)
      kept.time = max(kept.time, other.time)
      kept.isDirty = kept.isDirty || other.isDirty
    }
    let place = spares.firstIndex { $0.time > kept.time } ?? spares.count
    spares.insert(kept, at: place)
    let dropped = [end] + drop(byteCount - byteLimit)
    return dropped.filter { !$0.isEmpty }
  }

  /// Ends the keeping of what requests have left over for long, and counts idle ranges as purged.
  package mutating func sweep(at now: Duration) -> Sweep {
    var sweep = Sweep()
    if let since = leastSince, now - since >= lifetime {
      sweep.expired = drop(leastByteCount)
      (leastSince, leastByteCount) = (spares.isEmpty ? nil : now, byteCount)
    }
    for place in spares.indices where spares[place].isDirty && now - spares[place].time >= purgeDelay {
      spares[place].isDirty = false
      sweep.purged.append(spares[place].range)
    }
    return sweep
  }

  /// From now on keeps nothing; returns all ranges, to be unmapped.
  package mutating func removeAll() -> [Range<UInt>] {
    defer { (spares, leastSince) = ([], nil) }
    return spares.map(\.range)
  }

  /// Keeps this many bytes less, from the ends of the ranges released first; returns them.
  private mutating func drop(_ byteCount: Int) -> [Range<UInt>] {
    var (excess, dropped) = (byteCount, [Range<UInt>]())
    while excess > 0, !spares.isEmpty {
      let cut = Self.cut(&spares[0].range, to: spares[0].range.count - excess)
      excess -= cut.count
      dropped.append(cut)
      if spares[0].range.isEmpty { spares.removeFirst() }
    }
    spares.removeAll { $0.range.isEmpty }
    noteByteCount()
    return dropped
  }

  private mutating func noteByteCount() { leastByteCount = min(leastByteCount, byteCount) }

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
