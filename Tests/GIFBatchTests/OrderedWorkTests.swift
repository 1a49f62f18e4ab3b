import EngineSupport
import GIFTestSupport
import Synchronization
import Testing

@testable import GIFBatch

@Suite("OrderedWork", .timeLimit(.minutes(10)))
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
}
