import EngineSupport
import GIFBatch
import Testing

@Suite("BatchResults", .timeLimit(.minutes(20)))
struct BatchResultsTests {
  /// Numbers that note how many of them have been asked for.
  private struct CountedNumbers: Sequence, Sendable {
    let count: Int
    let asked: Lock<Int>

    func makeIterator() -> AnyIterator<Int> {
      var next = 0
      return AnyIterator {
        guard next < count else { return nil }
        asked.withLock { $0 += 1 }
        defer { next += 1 }
        return next
      }
    }
  }

  @Test("Results come in the order of the values", arguments: [1, 2, 5], [1, 3, 40])
  func order(jobs: Int, window: Int) async {
    let results = BatchResults(of: 0..<100, jobs: jobs, window: window) { number, _ in number * number }
    var squares: [Int] = []
    for await square in results { squares.append(square) }
    #expect(squares == (0..<100).map { $0 * $0 })
    // It can be gone through again.
    #expect(await results.first { $0 > 10 } == 16)
  }

  @Test("Without values there are no results")
  func empty() async {
    for await _ in BatchResults(of: [Int](), { number, _ in number }) { Issue.record("there is no value") }
  }

  @Test("No more values are asked for than the window holds beside the results taken")
  func backPressure() async {
    let numbers = CountedNumbers(count: 50, asked: Lock(0))
    var taken = 0
    for await _ in BatchResults(of: numbers, jobs: 3, window: 4, { number, _ in number }) {
      #expect(numbers.asked.withLock { $0 } <= taken + 4)
      taken += 1
    }
    #expect(taken == 50)
  }

  @Test("A cancelled task gets no more results, and work under way hears of it")
  func cancellation() async {
    let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
    let numbers = CountedNumbers(count: 1_000, asked: Lock(0))
    let results = BatchResults(of: numbers, jobs: 2, window: 3) { number, isCancelled in
      guard number == 1 else { return number }
      beginning.yield()
      // Ends only because the sequence does.
      while !isCancelled() {}
      return number
    }
    let task = Task {
      var taken: [Int] = []
      for await number in results { taken.append(number) }
      return taken
    }
    for await _ in begun { break }
    task.cancel()
    #expect(await task.value.allSatisfy { $0 == 0 })
    #expect(numbers.asked.withLock { $0 } <= 4)
  }

  @Test("An iterator that is released ends the work under way")
  func release() async {
    let hasBegun = Monitor(false)
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    let results = BatchResults(of: 0..<10, jobs: 2, window: 2) { number, isCancelled in
      guard number == 1 else {
        // The first result comes only when the second is under way: what has not begun is left out.
        hasBegun.waitingWithLock { $0 ? .done(()) : .wait(until: nil) }
        return number
      }
      hasBegun.withLock { $0 = true }
      hasBegun.broadcast()
      while !isCancelled() {}
      end.yield()
      return number
    }
    for await _ in results { break }
    for await _ in ended { break }
  }
}
