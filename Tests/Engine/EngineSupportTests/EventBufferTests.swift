import EngineSupport
import Testing

@Suite("Events that wait for a slow reader")
struct EventBufferTests {
  /// Even numbers may be dropped.
  private var buffer = EventBuffer<Int>(limit: 2) { $0.isMultiple(of: 2) }

  /// The events that were dropped for these.
  private mutating func append(_ events: [Int]) -> [Int] {
    var dropped: [Int] = []
    for event in events {
      if let place = buffer.append(event) { dropped.append(place.event) }
    }
    return dropped
  }

  @Test("Events come in order, and one that must not be lost is never dropped")
  mutating func order() {
    let dropped = append([1, 2, 3, 4, 5, 7, 9])
    #expect(dropped.isEmpty)
    let (first, others) = (buffer.popFirst(), buffer.takeAll())
    #expect(first == 1 && others == [2, 3, 4, 5, 7, 9] && buffer.isEmpty)
  }

  @Test("Beyond the limit the oldest that may be dropped is, and the place of the next one is told")
  mutating func oldest() {
    _ = append([1, 2, 3, 4, 5])
    let dropped = buffer.append(6)
    #expect(dropped?.event == 2)
    #expect(dropped.map { buffer[$0.next] } == 3)
    let others = buffer.takeAll()
    #expect(others == [1, 3, 4, 5, 6])
  }

  @Test("What was taken counts no longer")
  mutating func taken() {
    _ = append([2, 4])
    _ = buffer.popFirst()
    let dropped = append([6])
    #expect(dropped.isEmpty && buffer.count == 2)
    _ = buffer.takeAll()
    let later = append([8, 10, 12])
    #expect(later == [8])
  }

  @Test("A buffer without a limit drops nothing")
  func unlimited() {
    var buffer = EventBuffer<Int>()
    for event in 0..<1000 { buffer.append(event) }
    let events = buffer.takeAll()
    #expect(events == Array(0..<1000))
  }
}
