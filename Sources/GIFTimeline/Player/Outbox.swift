/// Events in the order in which they are delivered: one deliverer at a time. Pure.
///
/// What handlers and other threads add meanwhile is left for the same deliverer. Inlinable, as generic code across a
/// module's border costs time.
package struct Outbox<Event: Sendable>: Sendable {
  @usableFromInline var events: [Event] = []
  @usableFromInline var isDelivering = false

  @inlinable package init() {}

  @inlinable package mutating func append(_ event: Event) { events.append(event) }

  /// Takes all events for delivery, to be followed by ``endDelivery()``. Returns nil if there are none or another
  /// delivery is under way.
  @inlinable package mutating func beginDelivery() -> [Event]? {
    guard !events.isEmpty, !isDelivering else { return nil }
    isDelivering = true
    defer { events = [] }
    return events
  }

  @inlinable package mutating func endDelivery() { isDelivering = false }
}
