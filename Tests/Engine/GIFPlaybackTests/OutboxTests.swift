import Testing

@testable import GIFPlayback

@Suite("Outbox")
struct OutboxTests {
  @Test("One delivery is under way at a time; what is added meanwhile comes with the next")
  func order() {
    var outbox = Outbox<Int>()
    #expect(outbox.beginDelivery() == nil)
    outbox.append(1)
    outbox.append(2)
    #expect(outbox.beginDelivery() == [1, 2])
    outbox.append(3)
    #expect(outbox.beginDelivery() == nil)
    outbox.endDelivery()
    #expect(outbox.beginDelivery() == [3])
    outbox.endDelivery()
    #expect(outbox.beginDelivery() == nil)
  }
}
