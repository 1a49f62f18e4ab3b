import EngineSupport
import Testing

@Suite("Monitor and EngineThread")
struct MonitorTests {
  @Test("The state is changed under the lock and read back")
  func lock() {
    let monitor = Monitor([Int]())
    for number in 0..<5 { monitor.withLock { $0.append(number) } }
    #expect(monitor.withLock { $0 } == [0, 1, 2, 3, 4])
    #expect(monitor.withLock { $0.popLast() } == 4)
  }

  @Test("A condition that holds already is not waited for")
  func noWait() {
    let monitor = Monitor(7)
    let seen = monitor.waitingWithLock { state -> MonitorStep<Int> in
      state += 1
      return .done(state)
    }
    #expect(seen == 8)
  }

  @Test(
    "An instant in the past ends the wait at once",
    arguments: [0, 1, 999_999_999, 1_000_000_000, 5_123_456_789])
  func past(nanoseconds: Int64) {
    let monitor = Monitor(0)
    let rounds = monitor.waitingWithLock { rounds -> MonitorStep<Int> in
      rounds += 1
      return rounds == 4 ? .done(rounds) : .wait(until: nanoseconds)
    }
    #expect(rounds == 4)
  }

  @Test("A signal wakes a thread that waits, however long it was willing to", arguments: [nil, Int64.max])
  func signal(until: Int64?) async {
    let monitor = Monitor((asked: false, answered: false))
    let isStarted = EngineThread.start {
      monitor.waitingWithLock { state -> MonitorStep<Void> in
        guard state.asked else { return .wait(until: until) }
        state.answered = true
        return .done(())
      }
      monitor.signal()
    }
    #expect(isStarted)
    monitor.withLock { $0.asked = true }
    monitor.signal()
    // Each side may be signalled in the other's place, so both hear of every change.
    let answered = monitor.waitingWithLock { state -> MonitorStep<Bool> in
      state.answered ? .done(true) : .wait(until: nil)
    }
    #expect(answered)
  }

  @Test("A broadcast wakes all")
  func broadcast() async {
    let monitor = Monitor(false)
    let (ends, continuation) = AsyncStream.makeStream(of: Int.self)
    for number in 0..<8 {
      let isStarted = EngineThread.start {
        monitor.waitingWithLock { $0 ? .done(()) : .wait(until: nil) }
        continuation.yield(number)
      }
      #expect(isStarted)
    }
    monitor.withLock { $0 = true }
    monitor.broadcast()
    var seen: Set<Int> = []
    for await number in ends {
      seen.insert(number)
      if seen.count == 8 { break }
    }
    #expect(seen == Set(0..<8))
  }

  @Test("Threads that share a monitor lose no change")
  func contention() async {
    let monitor = Monitor(0)
    let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
    for _ in 0..<6 {
      let isStarted = EngineThread.start {
        for _ in 0..<2_000 { monitor.withLock { $0 += 1 } }
        continuation.yield()
      }
      #expect(isStarted)
    }
    var ended = 0
    for await _ in ends {
      ended += 1
      if ended == 6 { break }
    }
    #expect(monitor.withLock { $0 } == 12_000)
  }

  @Test("A thread runs its body once and lets go of it")
  func thread() async {
    final class Token: Sendable {
      let onEnd: @Sendable () -> Void
      init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
      deinit { onEnd() }
    }
    let runs = Lock(0)
    await withCheckedContinuation { continuation in
      let isStarted = { [token = Token { continuation.resume() }] in
        EngineThread.start {
          runs.withLock { $0 += 1 }
          withExtendedLifetime(token) {}
        }
      }()
      #expect(isStarted)
    }
    #expect(runs.withLock { $0 } == 1)
    #expect(EngineThread.processorCount >= 1)
  }
}
