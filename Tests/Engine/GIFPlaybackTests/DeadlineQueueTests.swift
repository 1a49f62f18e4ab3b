import GIFTestSupport
import GIFTimeline
import Testing

@testable import GIFPlayback

/// Deadlines in a list that is sorted again each time.
private struct PlainDeadlines {
  private var entries: [(deadline: Int64, order: Int, player: Int)] = []
  private var order = 0

  var count: Int { entries.count }

  var earliest: Int64? { entries.map(\.deadline).min() }

  func latest(within tolerance: Int64) -> Int64? {
    earliest.flatMap { first in entries.map(\.deadline).filter { $0 <= first + tolerance }.max() }
  }

  mutating func set(_ deadline: Int64?, for player: Int) {
    if let deadline, entries.contains(where: { $0.player == player && $0.deadline == deadline }) { return }
    entries.removeAll { $0.player == player }
    guard let deadline else { return }
    entries.append((deadline, order, player))
    order += 1
  }

  mutating func takeDue(at now: Int64) -> [Int] {
    let due = entries.filter { $0.deadline <= now }.sorted {
      ($0.deadline, $0.order) < ($1.deadline, $1.order)
    }
    entries.removeAll { $0.deadline <= now }
    return due.map(\.player)
  }
}

@Suite("DeadlineQueue")
struct DeadlineQueueTests {
  private func instant(_ nanoseconds: Int64) -> PlaybackInstant { PlaybackInstant(nanoseconds: nanoseconds) }

  @Test("Players come up in the order of their deadlines, equal ones in the order they were set")
  func order() {
    var queue = DeadlineQueue()
    queue.set(instant(30), for: 1)
    queue.set(instant(10), for: 2)
    queue.set(instant(20), for: 3)
    queue.set(instant(10), for: 4)
    #expect(queue.count == 4)
    #expect(queue.earliest() == instant(10))
    #expect(queue.takeDue(at: instant(9)) == [])
    #expect(queue.takeDue(at: instant(20)) == [2, 4, 3])
    #expect(queue.earliest() == instant(30))
    #expect(queue.takeDue(at: instant(30)) == [1])
    #expect(queue.isEmpty)
    #expect(queue.earliest() == nil)
  }

  @Test("A new deadline takes the old one's place, in either direction")
  func change() {
    var queue = DeadlineQueue()
    queue.set(instant(10), for: 1)
    queue.set(instant(50), for: 1)
    #expect(queue.count == 1)
    #expect(queue.takeDue(at: instant(49)) == [])
    queue.set(instant(5), for: 1)
    #expect(queue.earliest() == instant(5))
    queue.set(nil, for: 1)
    queue.set(nil, for: 1)
    #expect(queue.isEmpty)
    #expect(queue.takeDue(at: instant(100)) == [])
  }

  @Test("A deadline that comes back to an earlier value is valid once")
  func backAgain() {
    var queue = DeadlineQueue()
    queue.set(instant(10), for: 1)
    queue.set(instant(20), for: 1)
    queue.set(instant(10), for: 1)
    queue.set(instant(10), for: 2)
    #expect(queue.takeDue(at: instant(15)) == [1, 2])
    #expect(queue.takeDue(at: instant(30)) == [])
    queue.set(instant(10), for: 1)
    #expect(queue.takeDue(at: instant(30)) == [1])
  }

  @Test("Deadlines close together have one target, the latest of them; a lone one is met exactly")
  func wakeTarget() {
    var queue = DeadlineQueue()
    #expect(queue.wakeTarget(tolerance: 10) == nil)
    for (player, deadline) in [100, 104, 110, 111, 200].enumerated() {
      queue.set(instant(Int64(deadline)), for: player)
    }
    #expect(queue.wakeTarget(tolerance: 0) == instant(100))
    #expect(queue.wakeTarget(tolerance: -5) == instant(100))
    #expect(queue.wakeTarget(tolerance: 9) == instant(104))
    #expect(queue.wakeTarget(tolerance: 10) == instant(110))
    #expect(queue.wakeTarget(tolerance: .max) == instant(200))
    // Looking changes nothing.
    #expect(queue.count == 5)
    #expect(queue.takeDue(at: instant(110)) == [0, 1, 2])
    #expect(queue.wakeTarget(tolerance: 50) == instant(111))
    queue.set(nil, for: 3)
    #expect(queue.wakeTarget(tolerance: 50) == instant(200))
  }

  @Test("Setting the same deadline again keeps the place in the order")
  func sameAgain() {
    var queue = DeadlineQueue()
    queue.set(instant(10), for: 1)
    queue.set(instant(10), for: 2)
    queue.set(instant(10), for: 1)
    #expect(queue.takeDue(at: instant(10)) == [1, 2])
  }

  @Test("Agrees with a sorted list under any sequence of changes", arguments: 0..<40)
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let players = Int.random(in: 1...30, using: &random)
    var queue = DeadlineQueue()
    var model = PlainDeadlines()
    var now: Int64 = 0
    for round in 0..<600 {
      let player = Int.random(in: 0..<players, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        queue.set(nil, for: player)
        model.set(nil, for: player)
      case 1:
        now += Int64.random(in: 0...40, using: &random)
        let expected = model.takeDue(at: now)
        #expect(queue.takeDue(at: instant(now)) == expected, "seed \(seed) round \(round)")
      default:
        // A small span, so that equal deadlines are common; past ones occur, too.
        let deadline = now + Int64.random(in: -3...60, using: &random)
        queue.set(instant(deadline), for: player)
        model.set(deadline, for: player)
      }
      #expect(queue.count == model.count)
      #expect(queue.isEmpty == (model.count == 0))
      #expect(queue.earliest()?.nanoseconds == model.earliest, "seed \(seed) round \(round)")
      #expect(queue.wakeTarget(tolerance: 7)?.nanoseconds == model.latest(within: 7))
    }
    #expect(queue.takeDue(at: instant(.max)) == model.takeDue(at: .max))
    #expect(queue.isEmpty)
  }
}
