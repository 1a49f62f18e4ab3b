/// The handlers of one kind of event, in the order of their registration. A plain value, to be kept under a
/// lock.
struct Listeners<Event: Sendable>: Sendable {
  typealias Handler = @Sendable (Event) -> Void

  /// A handler, called at once or by way of a mailbox.
  struct Entry: Sendable {
    let id: Int
    var handler: Handler
    var mailbox: EventMailbox<Event>?
    /// How many of its last calls took too long.
    var slowCalls = 0
  }

  private var entries: [Entry] = []
  private var nextID = 0

  /// Slow calls in a row before a handler moves to a thread of its own.
  static var slowCallsAllowed: Int { 3 }

  mutating func add(_ handler: @escaping Handler, mailbox: EventMailbox<Event>? = nil) -> Int {
    nextID += 1
    entries.append(Entry(id: nextID, handler: handler, mailbox: mailbox))
    return nextID
  }

  /// Returns the entry, so that the caller releases it outside the lock.
  mutating func remove(_ id: Int) -> Entry? {
    guard let place = entries.firstIndex(where: { $0.id == id }) else { return nil }
    return entries.remove(at: place)
  }

  var ids: [Int] { entries.map(\.id) }

  func handler(_ id: Int) -> Handler? { timedHandler(id)?.call }

  /// A handler, and whether its last call took too long.
  func timedHandler(_ id: Int) -> (call: Handler, wasSlow: Bool)? {
    guard let place = entries.firstIndex(where: { $0.id == id }) else { return nil }
    return (entries[place].handler, entries[place].slowCalls > 0)
  }

  /// Counts a call on one of the engine's threads. A handler that is slow several times in a row is from then
  /// on called through a mailbox, so that it delays no other.
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
