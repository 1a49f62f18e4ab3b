internal import GIFCaching

/// The listeners for one kind of event, in the order they came. A plain value, to be kept under a lock.
struct Listeners<Event: Sendable>: Sendable {
  typealias Handler = @Sendable (Event) -> Void

  /// A listener: called at once, or by way of a mailbox.
  struct Entry: Sendable {
    let id: Int
    var handler: Handler
    var mailbox: EventMailbox<Event>?
    /// How many of its last calls took too long.
    var slowCalls = 0
  }

  private var entries: [Entry] = []
  private var nextID = 0

  /// Calls that may take too long, one after another, before a listener gets a thread of its own.
  static var slowCallsAllowed: Int { 3 }

  mutating func add(_ handler: @escaping Handler, mailbox: EventMailbox<Event>? = nil) -> Int {
    nextID += 1
    entries.append(Entry(id: nextID, handler: handler, mailbox: mailbox))
    return nextID
  }

  /// Returns the entry, so that what it holds is let go of outside the lock.
  mutating func remove(_ id: Int) -> Entry? {
    guard let place = entries.firstIndex(where: { $0.id == id }) else { return nil }
    return entries.remove(at: place)
  }

  var ids: [Int] { entries.map(\.id) }

  func handler(_ id: Int) -> Handler? { entries.first { $0.id == id }?.handler }

  /// Counts how a call on one of the engine's threads went. A listener that is slow time and again is from then on
  /// called through the mailbox that `makeMailbox` gives it, so that it holds up nobody else.
  mutating func noteCall(of id: Int, isSlow: Bool, makeMailbox: (@escaping Handler) -> EventMailbox<Event>) {
    guard let place = entries.firstIndex(where: { $0.id == id }), entries[place].mailbox == nil else {
      return
    }
    entries[place].slowCalls = isSlow ? entries[place].slowCalls + 1 : 0
    guard entries[place].slowCalls >= Self.slowCallsAllowed else { return }
    let mailbox = makeMailbox(entries[place].handler)
    entries[place].mailbox = mailbox
    entries[place].handler = { mailbox.put($0) }
  }
}
