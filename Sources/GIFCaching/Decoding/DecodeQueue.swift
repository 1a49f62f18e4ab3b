internal import HeapModule

/// Who is served next: whose picture is due soonest, then the order of asking. Pure.
struct DecodeQueue<Client> {
  private struct Entry: Comparable {
    let urgency: Int64
    let ticket: Int
    let client: Client

    static func < (left: Entry, right: Entry) -> Bool {
      (left.urgency, left.ticket) < (right.urgency, right.ticket)
    }

    static func == (left: Entry, right: Entry) -> Bool { left.ticket == right.ticket }
  }

  private var heap = Heap<Entry>()
  private var nextTicket = 0

  var isEmpty: Bool { heap.isEmpty }

  /// Enters a client; the smallest urgency is served first.
  mutating func insert(_ client: Client, urgency: Int64) {
    heap.insert(Entry(urgency: urgency, ticket: nextTicket, client: client))
    nextTicket += 1
  }

  mutating func popFirst() -> Client? { heap.popMin()?.client }
}
