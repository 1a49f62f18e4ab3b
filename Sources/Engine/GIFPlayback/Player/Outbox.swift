/// Events in the order in which they are delivered: one deliverer at a time.
///
/// What handlers and other threads add meanwhile is left for the same deliverer.
struct Outbox<Event: Sendable>: Sendable {
  private var events: [Event] = []
  private var isDelivering = false

  mutating func append(_ event: Event) { events.append(event) }

  /// Takes all events for delivery, to be followed by ``endDelivery()``. Returns nil if there are none or
  /// another delivery is under way.
  mutating func beginDelivery() -> [Event]? {
    guard !events.isEmpty, !isDelivering else { return nil }
    isDelivering = true
    defer { events = [] }
    return events
  }

  mutating func endDelivery() { isDelivering = false }
}
