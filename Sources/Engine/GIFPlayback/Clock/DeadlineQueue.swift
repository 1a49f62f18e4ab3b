internal import GIFTimeline
internal import HeapModule

/// The deadlines of many players, earliest first; each player has at most one.
///
/// A changed deadline leaves its old entry in the heap, where it is ignored; the heap is rebuilt when such
/// entries outnumber the others. All operations take amortised O(log n), where n is the number of players.
struct DeadlineQueue: Sendable {
  typealias PlayerID = Int

  private struct Entry: Comparable, Sendable {
    let deadline: PlaybackInstant
    let ticket: Int
    let player: PlayerID

    static func < (left: Entry, right: Entry) -> Bool {
      (left.deadline, left.ticket) < (right.deadline, right.ticket)
    }
  }

  private var heap = Heap<Entry>()
  /// The one valid entry of each player.
  private var current: [PlayerID: Entry] = [:]
  private var nextTicket = 0

  var isEmpty: Bool { current.isEmpty }

  var count: Int { current.count }

  /// Sets or, with nil, removes a player's deadline. Equal deadlines come in the order in which they were
  /// set.
  mutating func set(_ deadline: PlaybackInstant?, for player: PlayerID) {
    guard let deadline else {
      current[player] = nil
      return
    }
    guard current[player]?.deadline != deadline else { return }
    let entry = Entry(deadline: deadline, ticket: nextTicket, player: player)
    nextTicket += 1
    current[player] = entry
    heap.insert(entry)
    if heap.count > 2 * current.count + 64 { heap = Heap(current.values) }
  }

  /// The earliest deadline.
  mutating func earliest() -> PlaybackInstant? {
    dropOutdated()
    return heap.min?.deadline
  }

  /// The instant at which to wake so that deadlines close together need one wake-up: the latest of those
  /// within `tolerance` nanoseconds after the earliest. A single deadline is met exactly.
  mutating func wakeTarget(tolerance: Int64) -> PlaybackInstant? {
    guard let first = earliest() else { return nil }
    let limit = first.advanced(byNanoseconds: max(0, tolerance))
    var target = first
    var passed: [Entry] = []
    while let entry = heap.min, entry.deadline <= limit {
      heap.removeMin()
      passed.append(entry)
      target = entry.deadline
      dropOutdated()
    }
    for entry in passed { heap.insert(entry) }
    return target
  }

  /// Removes and returns the players whose deadline has come, earliest first.
  mutating func takeDue(at now: PlaybackInstant) -> [PlayerID] {
    var due: [PlayerID] = []
    dropOutdated()
    while let entry = heap.min, entry.deadline <= now {
      heap.removeMin()
      current[entry.player] = nil
      due.append(entry.player)
      dropOutdated()
    }
    return due
  }

  private mutating func dropOutdated() {
    while let entry = heap.min, current[entry.player] != entry { heap.removeMin() }
  }
}
