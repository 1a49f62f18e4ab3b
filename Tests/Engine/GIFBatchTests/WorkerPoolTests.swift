import EngineSupport
import GIFDecoding
import GIFTestSupport
import Synchronization
import Testing

@testable import GIFBatch

@Suite("WorkerPool, EventCount and FrameBufferPool", .timeLimit(.minutes(20)))
struct WorkerPoolTests {
  /// Work that is over when this many threads take part at the same time.
  private final class Meeting: PooledWork {
    private let wanted: Int
    private let monitor = Monitor((present: 0, left: 0))

    init(_ wanted: Int) { self.wanted = wanted }

    func help(with decoder: inout FrameDecoder) {
      monitor.withLock { $0.present += 1 }
      monitor.broadcast()
      wait { $0.present >= wanted }
      monitor.withLock { $0.left += 1 }
      monitor.broadcast()
    }

    func waitForAll() { wait { $0.left == wanted } }

    private func wait(_ condition: ((present: Int, left: Int)) -> Bool) {
      monitor.waitingWithLock { state -> MonitorStep<Void> in condition(state) ? .done(()) : .wait(until: nil)
      }
    }
  }

  /// A thread is idle a moment after its work has ended.
  private func waitForIdle(_ count: Int, in crew: WorkerPool) {
    while crew.idleThreads != count { EngineThread.yield() }
  }

  @Test("As many threads help as were recruited, all at once", arguments: [1, 2, 5, 40])
  func recruits(count: Int) {
    let crew = WorkerPool(keeping: 0)
    let meeting = Meeting(count)
    crew.assign(count, to: meeting)
    meeting.waitForAll()
    waitForIdle(0, in: crew)
  }

  @Test("Threads are kept up to a number and used again")
  func kept() {
    let crew = WorkerPool(keeping: 2)
    for count in [3, 1, 4, 2] {
      let meeting = Meeting(count)
      crew.assign(count, to: meeting)
      meeting.waitForAll()
      waitForIdle(2, in: crew)
    }
  }

  @Test("Works that wait for each other do not share a thread")
  func severalWorks() {
    let crew = WorkerPool(keeping: 3)
    let meeting = Meeting(6)
    for _ in 0..<6 { crew.assign(1, to: meeting) }
    meeting.waitForAll()
    waitForIdle(3, in: crew)
  }

  @Test("No thread is assigned when none is wanted")
  func noThreads() {
    let crew = WorkerPool(keeping: 2)
    crew.assign(0, to: Meeting(0))
    crew.assign(-1, to: Meeting(0))
    #expect(crew.idleThreads == 0)
  }

  // MARK: EventCount

  private final class Counter: Sendable {
    let value = Atomic<Int>(0)
    let changes = EventCount()
  }

  @Test("A condition that holds already is not waited for; a signal without a waiter does nothing")
  func noWait() {
    let changes = EventCount()
    changes.notify()
    changes.wait { true }
  }

  @Test("No change is missed, however the two threads run", arguments: 0..<4)
  func pingPong(round: Int) {
    let counter = Counter()
    let turns = 2000
    let isStarted = EngineThread.start {
      for turn in 0..<turns {
        counter.changes.wait { counter.value.load(ordering: .acquiring) == 2 * turn + 1 }
        counter.value.store(2 * turn + 2, ordering: .releasing)
        counter.changes.notify()
      }
    }
    #expect(isStarted)
    for turn in 0..<turns {
      counter.value.store(2 * turn + 1, ordering: .releasing)
      counter.changes.notify()
      counter.changes.wait { counter.value.load(ordering: .acquiring) == 2 * turn + 2 }
    }
    #expect(counter.value.load(ordering: .acquiring) == 2 * turns)
  }

  @Test("A sleeper is woken: the condition is looked at until it has long fallen asleep")
  func sleeper() {
    let counter = Counter()
    let looks = Counter()
    let isStarted = EngineThread.start {
      // Far more looks than are taken awake mean that the thread sleeps and is rung for.
      while looks.value.load(ordering: .acquiring) < 701 { EngineThread.yield() }
      counter.value.store(1, ordering: .releasing)
      counter.changes.notify()
    }
    #expect(isStarted)
    counter.changes.wait {
      looks.value.add(1, ordering: .acquiringAndReleasing)
      return counter.value.load(ordering: .acquiring) == 1
    }
    #expect(looks.value.load(ordering: .acquiring) > 701)
  }

  // MARK: FrameBufferPool

  private func buffer(room: Int) -> DecodedFrames {
    var buffer = DecodedFrames()
    buffer.begin(room: room)
    return buffer
  }

  @Test("Buffers come back as often as they were given, the last one first")
  func spares() {
    let pool = FrameBufferPool(byteLimit: 1 << 20)
    #expect(pool.take().heldBytes == 0)
    let (small, large) = (buffer(room: 10), buffer(room: 1000))
    pool.give(small)
    pool.give(DecodedFrames())
    pool.give(large)
    #expect(pool.byteCount == small.heldBytes + large.heldBytes)
    #expect(pool.take().heldBytes == large.heldBytes)
    #expect(pool.take().heldBytes == small.heldBytes)
    #expect(pool.byteCount == 0)
    #expect(pool.take().heldBytes == 0)
  }

  @Test("What does not fit is not kept")
  func fullPool() {
    let (small, large) = (buffer(room: 100), buffer(room: 20_000))
    let pool = FrameBufferPool(byteLimit: 2 * small.heldBytes)
    pool.give(large)
    #expect(pool.byteCount == 0)
    for _ in 0..<5 { pool.give(small) }
    #expect(pool.byteCount == 2 * small.heldBytes)
  }
}
