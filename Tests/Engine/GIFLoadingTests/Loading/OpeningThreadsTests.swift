import EngineSupport
import Synchronization
import Testing

@testable import GIFLoading

@Suite("Threads that open files")
struct OpeningThreadsTests {
  /// Jobs that report their start and end when the test lets them.
  private final class Gate: Sendable {
    private let monitor = Monitor((running: 0, most: 0, done: 0, isOpen: false))

    func job() {
      monitor.withLock {
        $0.running += 1
        $0.most = max($0.most, $0.running)
      }
      monitor.broadcast()
      monitor.waitingWithLock { $0.isOpen ? .done(()) : .wait(until: nil) }
      monitor.withLock {
        $0.running -= 1
        $0.done += 1
      }
      monitor.broadcast()
    }

    func wait(running: Int) {
      monitor.waitingWithLock { $0.running == running ? .done(()) : .wait(until: nil) }
    }

    func wait(done: Int) { monitor.waitingWithLock { $0.done == done ? .done(()) : .wait(until: nil) } }

    func open() {
      monitor.withLock { $0.isOpen = true }
      monitor.broadcast()
    }

    var most: Int { monitor.withLock { $0.most } }
  }

  @Test("All jobs run, at most as many at once as there are threads", arguments: [1, 3])
  func bounded(limit: Int) {
    let (threads, gate) = (OpeningThreads(limit: limit), Gate())
    for _ in 0..<20 { threads.run { gate.job() } }
    gate.wait(running: limit)
    gate.open()
    gate.wait(done: 20)
    #expect(gate.most == limit)
    // The threads have ended, and others start.
    threads.run { gate.job() }
    gate.wait(done: 21)
  }

  @Test("Jobs start in order")
  func order() {
    let threads = OpeningThreads(limit: 1)
    let order = Monitor<[Int]>([])
    for number in 0..<50 {
      threads.run {
        order.withLock { $0.append(number) }
        order.signal()
      }
    }
    let all = order.waitingWithLock { $0.count == 50 ? .done($0) : .wait(until: nil) }
    #expect(all == Array(0..<50))
  }
}
