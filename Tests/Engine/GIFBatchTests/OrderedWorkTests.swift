import EngineSupport
import GIFTestSupport
import Glibc
import Synchronization
import Testing

@testable import GIFBatch

@Suite("OrderedWork", .timeLimit(.minutes(20)))
struct OrderedWorkTests {
  /// Work of different length for each number, so that later ones are often done first.
  @Sendable private static func slowSquare(_ number: Int) -> Int {
    var generator = SeededGenerator(seed: UInt64(number))
    for _ in 0..<Int.random(in: 0...20_000, using: &generator) { _ = generator.next() }
    return number * number
  }

  @Test("Results come in the order of the values", arguments: [1, 2, 3, 8], [1, 2, 7, 100])
  func order(jobs: Int, window: Int) {
    let work = OrderedWork(jobs: jobs, window: window, transform: Self.slowSquare)
    var results: [Int] = []
    for number in 0..<60 {
      if work.isFull, let result = work.next() { results.append(result) }
      work.add(number)
    }
    while let result = work.next() { results.append(result) }
    #expect(results == (0..<60).map { $0 * $0 })
    #expect(work.next() == nil)
    // It can be filled again.
    work.add(7)
    #expect(work.next() == 49)
  }

  @Test("It is full when as many values as its window are not yet handed out")
  func window() {
    let work = OrderedWork(jobs: 2, window: 3) { (number: Int) in number }
    for number in 0..<3 {
      #expect(!work.isFull)
      work.add(number)
    }
    #expect(work.isFull)
    #expect(work.next() == 0)
    #expect(!work.isFull)
  }

  @Test("A window has room for one value at least")
  func smallestWindow() {
    for window in [0, -4] {
      let work = OrderedWork(jobs: 4, window: window) { (number: Int) in -number }
      #expect(work.window == 1)
      work.add(5)
      #expect(work.isFull)
      #expect(work.next() == -5)
      #expect(work.next() == nil)
    }
  }

  @Test("As many values are worked on at once as there are jobs")
  func together() {
    // Each of the three waits until all have begun.
    let begun = Monitor(0)
    let work = OrderedWork(jobs: 3, window: 3) { (number: Int) -> Int in
      begun.withLock { $0 += 1 }
      begun.broadcast()
      begun.waitingWithLock { count -> MonitorStep<Void> in count >= 3 ? .done(()) : .wait(until: nil) }
      return number
    }
    for number in 0..<3 { work.add(number) }
    #expect([work.next(), work.next(), work.next()] == [0, 1, 2])
  }

  @Test("Any number of jobs and any window are some", arguments: [.min, 0, .max] as [Int])
  func anyNumbers(jobs: Int) {
    let work = OrderedWork(jobs: jobs, window: min(8, jobs)) { (number: Int) -> Int in number + 1 }
    #expect((1...8).contains(work.window))
    work.add(1)
    #expect(work.next() == 2)
    #expect((1...1024).contains(WorkerPool.clamped(jobs)))
  }

  @Test("Values that no thread has taken are dropped with the work", arguments: [1, 4])
  func dropped(jobs: Int) {
    let done = Tally()
    for _ in 0..<50 {
      let work = OrderedWork(jobs: jobs, window: 10) { (number: Int) -> Int in
        done.count.add(1, ordering: .relaxed)
        return number
      }
      for number in 0..<10 { work.add(number) }
      #expect(work.next() == 0)
    }
    #expect((50...500).contains(done.count.load(ordering: .relaxed)))
    // Without helpers only what is asked for is done.
    if jobs == 1 { #expect(done.count.load(ordering: .relaxed) == 50) }
  }

  private final class Tally: Sendable {
    let count = Atomic<Int>(0)
  }

  // MARK: A caller that waits

  private typealias Numbers = OrderedWork<Int, Int>

  private static func isNotYet(_ arrival: Numbers.Arrival) -> Bool {
    if case .notYet = arrival { true } else { false }
  }

  private static func isNone(_ arrival: Numbers.Arrival) -> Bool {
    if case .none = arrival { true } else { false }
  }

  private static func number(_ arrival: Numbers.Arrival) -> Int? {
    if case .result(let number) = arrival { number } else { nil }
  }

  @Test("A caller that waits gets the results in the order of the values", arguments: [1, 2, 5])
  func waiting(jobs: Int) {
    let work = Numbers(jobs: jobs, window: 8, waits: true, transform: Self.slowSquare)
    #expect(Self.isNone(work.next(until: nil)))
    var results: [Int] = []
    for number in 0..<50 {
      if work.isFull, let result = Self.number(work.next(until: nil)) { results.append(result) }
      work.add(number)
    }
    while let result = Self.number(work.next(until: nil)) { results.append(result) }
    #expect(results == (0..<50).map { $0 * $0 })
    #expect(Self.isNone(work.next(until: 0)))
  }

  @Test("What is not ready by an instant stays for the next call, and another thread does it")
  func notYet() {
    let caller = CurrentThread()
    let (hasBegun, mayEnd) = (Monitor(false), Monitor(false))
    let work = Numbers(jobs: 1, window: 3, waits: true) { number in
      Self.set(hasBegun)
      Self.wait(for: mayEnd)
      return caller.isCurrent ? -1 : number
    }
    for number in 0..<3 { work.add(number) }
    // From now on the waiting thread has no reason to work.
    Self.wait(for: hasBegun)
    // Instants that are over, and one that is not over yet.
    for wait in [-1_000_000_000, 0, 30_000_000] as [Int64] {
      #expect(Self.isNotYet(work.next(until: MonotonicClock.nanoseconds + wait)))
      #expect(work.isFull)
    }
    Self.set(mayEnd)
    for number in 0..<3 { #expect(Self.number(work.next(until: .max)) == number) }
    #expect(Self.isNone(work.next(until: nil)))
  }

  private static func set(_ flag: Monitor<Bool>) {
    flag.withLock { $0 = true }
    flag.broadcast()
  }

  private static func wait(for flag: Monitor<Bool>) {
    flag.waitingWithLock { isSet -> MonitorStep<Void> in isSet ? .done(()) : .wait(until: nil) }
  }

  @Test("Threads begin no value while more bytes wait than may, and go on once they are taken")
  func waitingBytes() {
    let (begun, mayEnd) = (Monitor(0), Monitor(false))
    let work = Numbers(jobs: 2, window: 10, waits: true, waiting: WaitingLimit(bytes: 10) { _ in 6 }) {
      number in
      begun.withLock { $0 += 1 }
      begun.broadcast()
      if number == 0 { Self.wait(for: mayEnd) }
      return number
    }
    for number in 0..<10 { work.add(number) }
    // The first one is not finished; with two others behind it 12 bytes wait.
    begun.waitingWithLock { count -> MonitorStep<Void> in count >= 3 ? .done(()) : .wait(until: nil) }
    #expect(Self.isNotYet(work.next(until: MonotonicClock.nanoseconds + 30_000_000)))
    #expect(begun.withLock { $0 } == 3)
    Self.set(mayEnd)
    for number in 0..<10 { #expect(Self.number(work.next(until: nil)) == number) }
    #expect(begun.withLock { $0 } == 10)
  }

  @Test("While the caller waits for the oldest value, threads go on up to a limit of its own")
  func bytesBehindOldest() {
    let (begun, mayEnd) = (Monitor(0), Monitor(false))
    let limit = WaitingLimit<Int>(bytes: 10, bytesBehindOldest: 30) { _ in 6 }
    let work = Numbers(jobs: 2, window: 12, waits: true, waiting: limit) { number in
      begun.withLock { $0 += 1 }
      begun.broadcast()
      if number == 0 { Self.wait(for: mayEnd) }
      return number
    }
    for number in 0..<12 { work.add(number) }
    begun.waitingWithLock { count -> MonitorStep<Void> in count >= 3 ? .done(()) : .wait(until: nil) }
    // From here on six may wait behind the first one: 36 bytes.
    #expect(Self.isNotYet(work.next(until: 0)))
    begun.waitingWithLock { count -> MonitorStep<Void> in count >= 7 ? .done(()) : .wait(until: nil) }
    #expect(Self.isNotYet(work.next(until: MonotonicClock.nanoseconds + 30_000_000)))
    #expect(begun.withLock { $0 } == 7)
    Self.set(mayEnd)
    for number in 0..<12 { #expect(Self.number(work.next(until: nil)) == number) }
    #expect(begun.withLock { $0 } == 12)
  }

  @Test("A result larger than all that may wait is given like others")
  func largeResults() {
    let work = Numbers(jobs: 3, window: 5, waits: true, waiting: WaitingLimit(bytes: 0) { _ in .max >> 8 }) {
      $0
    }
    for number in 0..<5 { work.add(number) }
    for number in 0..<5 { #expect(Self.number(work.next(until: nil)) == number) }
  }

  @Test("Where no other thread comes the caller does the work")
  func alone() {
    // With one job, which is the caller's, no thread is asked for.
    let caller = CurrentThread()
    let work = Numbers(jobs: 1, window: 4) { caller.isCurrent ? $0 + 1 : -1 }
    for number in 0..<4 { work.add(number) }
    // An instant that is over makes no difference: nothing would ever be ready by another one.
    for number in 0..<2 { #expect(Self.number(work.next(until: 0)) == number + 1) }
    for number in 2..<4 { #expect(Self.number(work.next(until: nil)) == number + 1) }
    #expect(Self.isNone(work.next(until: nil)))
  }
}

/// The thread that makes it.
private struct CurrentThread: @unchecked Sendable {
  private let thread = pthread_self()
  var isCurrent: Bool { pthread_equal(thread, pthread_self()) != 0 }
}
