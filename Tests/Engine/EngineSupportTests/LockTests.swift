import EngineSupport
import Testing

@Suite("Lock")
struct LockTests {
  private struct Failure: Error, Equatable {
    let number: Int
  }

  /// A state that cannot be copied.
  private struct Purse: ~Copyable {
    private(set) var coins = 0

    mutating func add(_ coins: Int) { self.coins += coins }
    consuming func emptied() -> Int { coins }
  }

  @Test("What many tasks change is changed by one at a time")
  func exclusion() async {
    // Two numbers that are equal whenever the lock is free.
    let lock = Lock((first: 0, second: 0))
    let faults = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          var faults = 0
          for _ in 0..<2_000 {
            lock.withLock { pair in
              if pair.first != pair.second { faults += 1 }
              pair.first += 1
              pair.second += 1
            }
          }
          return faults
        }
      }
      return await group.reduce(0, +)
    }
    #expect(faults == 0)
    #expect(lock.withLock { $0.first } == 16_000)
    #expect(lock.withLock { $0.second } == 16_000)
  }

  @Test("A state that cannot be copied is changed in place, and taken out")
  func noncopyable() {
    let lock = Lock(Purse())
    lock.withLock { $0.add(3) }
    lock.withLock { $0.add(4) }
    let coins = lock.withLock { purse in
      let full = purse
      purse = Purse()
      return full.emptied()
    }
    #expect(coins == 7)
    #expect(lock.withLock { $0.coins } == 0)
  }

  @Test("An error leaves the lock open and what was changed before it")
  func throwing() {
    let lock = Lock([1])
    #expect(throws: Failure(number: 2)) {
      try lock.withLock { state throws(Failure) in
        state.append(2)
        throw Failure(number: state.count)
      }
    }
    #expect(lock.withLock { $0 } == [1, 2])
  }

  @Test("Without waiting, a thread enters only a free lock")
  func ifFree() async {
    let lock = Lock(0)
    lock.withLockIfFree { $0 += 1 }
    #expect(lock.withLock { $0 } == 1)
    let inside = Monitor((isIn: false, isOver: false))
    let isStarted = EngineThread.start {
      lock.withLock { state in
        inside.withLock { $0.isIn = true }
        inside.broadcast()
        inside.waitingWithLock { $0.isOver ? .done(()) : .wait(until: nil) }
        state += 10
      }
      inside.withLock { $0.isIn = false }
      inside.broadcast()
    }
    #expect(isStarted)
    inside.waitingWithLock { $0.isIn ? .done(()) : .wait(until: nil) }
    lock.withLockIfFree { $0 += 100 }
    inside.withLock { $0.isOver = true }
    inside.broadcast()
    inside.waitingWithLock { $0.isIn ? .wait(until: nil) : .done(()) }
    #expect(lock.withLock { $0 } == 11)
  }

  @Test("The state goes with the lock")
  func release() {
    final class Token: Sendable {}
    var token: Token? = Token()
    weak let watched = token
    var lock: Lock<Token?>? = Lock(token)
    token = nil
    #expect(watched != nil)
    #expect(lock?.withLock { $0 != nil } == true)
    lock = nil
    #expect(watched == nil)
  }
}
