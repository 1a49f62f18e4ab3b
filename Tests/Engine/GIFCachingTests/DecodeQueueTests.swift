import GIFTestSupport
import Testing

@testable import GIFCaching

@Suite("DecodeQueue")
struct DecodeQueueTests {
  private func drain<Client>(_ queue: inout DecodeQueue<Client>) -> [Client] {
    var clients: [Client] = []
    while let client = queue.popFirst() { clients.append(client) }
    return clients
  }

  @Test("The most urgent client comes first, equals in the order in which they came")
  func order() {
    var queue = DecodeQueue<String>()
    #expect(queue.isEmpty)
    #expect(queue.popFirst() == nil)
    for (name, urgency) in [("a", 3), ("b", .min), ("c", 3), ("d", 1), ("e", .min), ("f", .max)]
      as [(String, Int64)]
    {
      queue.insert(name, urgency: urgency)
    }
    #expect(!queue.isEmpty)
    #expect(drain(&queue) == ["b", "e", "d", "a", "c", "f"])
    #expect(queue.isEmpty)
  }

  @Test("A client that is entered again stands behind its equals")
  func turns() {
    var queue = DecodeQueue<Int>()
    for client in 0..<3 { queue.insert(client, urgency: 2) }
    var served: [Int] = []
    for _ in 0..<9 {
      guard let client = queue.popFirst() else { break }
      served.append(client)
      queue.insert(client, urgency: 2)
    }
    #expect(served == [0, 1, 2, 0, 1, 2, 0, 1, 2])
  }

  @Test("Entries that are taken out and put back keep their places")
  func putBack() {
    var queue = DecodeQueue<Int>()
    for client in 0..<9 { queue.insert(client, urgency: Int64(client % 3)) }
    let entries = queue.removeAll()
    #expect(queue.isEmpty && entries.count == 9)
    queue.insert(9, urgency: 1)
    queue.putBack(entries.filter { $0.client % 2 == 0 })
    #expect(queue.count == 6)
    #expect(drain(&queue) == [0, 6, 4, 9, 2, 8])
  }

  @Test("Agrees with a stable sort under any mix of calls", arguments: 0..<30)
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var queue = DecodeQueue<Int>()
    var list: [(urgency: Int64, client: Int)] = []
    for client in 0..<300 {
      if Int.random(in: 0..<3, using: &random) > 0 {
        let urgency = Int64.random(in: 0...5, using: &random)
        queue.insert(client, urgency: urgency)
        let place = list.firstIndex { $0.urgency > urgency } ?? list.count
        list.insert((urgency, client), at: place)
      } else {
        let expected = list.isEmpty ? nil : list.removeFirst().client
        #expect(queue.popFirst() == expected)
      }
      #expect(queue.isEmpty == list.isEmpty)
    }
    #expect(drain(&queue) == list.map(\.client))
  }
}
