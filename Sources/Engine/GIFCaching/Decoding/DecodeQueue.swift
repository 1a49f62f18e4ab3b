internal import HeapModule

/// The clients that wait for a thread: the most urgent first, equals in the order in which they came.
struct DecodeQueue<Client> {
  struct Entry: Comparable {
    fileprivate let urgency: Int64
    fileprivate let ticket: Int
    let client: Client

    static func < (left: Entry, right: Entry) -> Bool {
      (left.urgency, left.ticket) < (right.urgency, right.ticket)
    }

    static func == (left: Entry, right: Entry) -> Bool { left.ticket == right.ticket }
  }

  private var heap = Heap<Entry>()
  private var nextTicket = 0

  var isEmpty: Bool { heap.isEmpty }

  var count: Int { heap.count }

  /// Enters a client; the smallest urgency is served first.
  mutating func insert(_ client: Client, urgency: Int64) {
    heap.insert(Entry(urgency: urgency, ticket: nextTicket, client: client))
    nextTicket += 1
  }

  mutating func popFirst() -> Client? { heap.popMin()?.client }

  /// Takes everything out, in no order; ``putBack(_:)`` takes it.
  mutating func removeAll() -> [Entry] {
    defer { heap = Heap() }
    return heap.unordered
  }

  /// Enters again what was taken out, each at its old place.
  mutating func putBack(_ entries: [Entry]) { heap.insert(contentsOf: entries) }
}

extension DecodeQueue.Entry: Sendable where Client: Sendable {}
