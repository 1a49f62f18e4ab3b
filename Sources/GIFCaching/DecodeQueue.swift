internal import HeapModule

/// Who is served next: the smallest number of frames until a picture is needed, then the order of asking. Pure.
struct DecodeQueue<Client> {
  private struct Entry: Comparable {
    let urgency: Int
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

  /// Enters a client; 0 is the most urgent: somebody waits.
  mutating func insert(_ client: Client, urgency: Int) {
    heap.insert(Entry(urgency: urgency, ticket: nextTicket, client: client))
    nextTicket += 1
  }

  mutating func popFirst() -> Client? { heap.popMin()?.client }
}
