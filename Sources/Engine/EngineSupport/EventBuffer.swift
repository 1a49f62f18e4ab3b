internal import DequeModule

/// Events that wait for a reader, in order. Beyond a limit the oldest of those that may be dropped go.
///
/// Appending and taking take constant time, except where an event is dropped.
package struct EventBuffer<Event: Sendable>: Sendable {
  private var events: Deque<Event> = []
  private var droppable = 0
  private let limit: Int
  private let mayDrop: @Sendable (Event) -> Bool

  /// - Parameters:
  ///   - limit: how many of the events that may be dropped wait at most.
  ///   - mayDrop: whether a later event makes up for the loss of this one.
  package init(limit: Int, mayDrop: @escaping @Sendable (Event) -> Bool) {
    self.limit = limit
    self.mayDrop = mayDrop
  }

  /// Where every event waits as long as it must.
  package init() { self.init(limit: .max) { _ in false } }

  package var isEmpty: Bool { events.isEmpty }

  /// Appends an event; returns the one that is dropped for it, and the place of the event that was behind it.
  @discardableResult
  package mutating func append(_ event: Event) -> (event: Event, next: Int)? {
    events.append(event)
    guard mayDrop(event) else { return nil }
    droppable += 1
    guard droppable > limit, let oldest = events.firstIndex(where: mayDrop) else { return nil }
    droppable -= 1
    return (events.remove(at: oldest), oldest)
  }

  /// Takes the oldest event; nil if none waits.
  package mutating func popFirst() -> Event? {
    guard let event = events.popFirst() else { return nil }
    if mayDrop(event) { droppable -= 1 }
    return event
  }

  /// Takes all events.
  package mutating func takeAll() -> [Event] {
    // An array of an empty deque writes to the memory that all empty arrays share.
    guard !events.isEmpty else { return [] }
    defer { (events, droppable) = ([], 0) }
    return Array(events)
  }

  /// An event by its place, from the oldest on.
  package subscript(place: Int) -> Event {
    get { events[place] }
    set { events[place] = newValue }
  }

  package var count: Int { events.count }
}
