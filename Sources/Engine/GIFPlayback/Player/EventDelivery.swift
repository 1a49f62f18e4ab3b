internal import EngineSupport

/// Where a handler is called; ``MainActorDelivery`` is for the main actor.
public struct EventDelivery: Sendable {
  /// Takes a job and has it done later, elsewhere.
  package typealias Enqueue = @Sendable (_ job: @escaping @Sendable () -> Void) -> Void

  let enqueue: Enqueue?
  let limit: Int

  /// At once, on the thread of the change. For short work: if a handler takes longer than 8 ms three times in
  /// a row on one of the engine's threads, it moves to a thread of its own.
  public static let immediate = EventDelivery(enqueue: nil, limit: 0)

  /// On an actor.
  public static func actor(_ actor: any Actor) -> EventDelivery {
    EventDelivery { job in Task { await run(job, on: actor) } }
  }

  /// Where `enqueue` has its jobs done, be it one thread or many: events come in order and one at a time.
  ///
  /// - Parameter limit: how many frame changes wait at most, at least 1; beyond that the oldest are dropped.
  ///   Other events are never dropped.
  public init(
    limit: Int = 64, _ enqueue: @escaping @Sendable (_ job: @escaping @Sendable () -> Void) -> Void
  ) {
    self.init(enqueue: enqueue, limit: max(1, limit))
  }

  private init(enqueue: Enqueue?, limit: Int) {
    self.enqueue = enqueue
    self.limit = limit
  }

  private static func run(_ job: @Sendable () -> Void, on actor: isolated any Actor) { job() }
}

/// Events on their way to a handler that is called elsewhere.
final class EventMailbox<Event: Sendable>: Sendable {
  typealias Handler = @Sendable (Event) -> Void

  private struct State {
    var events: EventBuffer<Event>
    var handler: Handler?
    var isUnderWay = false
  }

  private let state: Lock<State>
  private let enqueue: EventDelivery.Enqueue

  /// - Parameter limit: how many of the events that may be dropped wait at most.
  init(
    limit: Int, mayDrop: @escaping @Sendable (Event) -> Bool, enqueue: @escaping EventDelivery.Enqueue,
    handler: @escaping Handler
  ) {
    state = Lock(State(events: EventBuffer(limit: limit, mayDrop: mayDrop), handler: handler))
    self.enqueue = enqueue
  }

  func put(_ event: Event) {
    // What is dropped is released outside the lock.
    let (starts, _) = state.withLock { state -> (Bool, Event?) in
      guard state.handler != nil else { return (false, nil) }
      let dropped = state.events.append(event)?.event
      defer { state.isUnderWay = true }
      return (!state.isUnderWay, dropped)
    }
    if starts { enqueue { self.deliver() } }
  }

  /// Drops all events, now and later, and releases the handler.
  func close() {
    // Released outside the lock.
    _ = state.withLock { state in
      defer { state.handler = nil }
      return (state.handler, state.events.takeAll())
    }
  }

  private func deliver() {
    while let (handler, event) = next() { handler(event) }
  }

  private func next() -> (Handler, Event)? {
    state.withLock { state in
      guard let handler = state.handler, let event = state.events.popFirst() else {
        state.isUnderWay = false
        return nil
      }
      return (handler, event)
    }
  }
}
