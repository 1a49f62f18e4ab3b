internal import EngineSupport
public import GIFDecoding
internal import GIFTimeline

// MARK: - Handlers

// Every handler may have an owner: it is called while the owner lives, which is held for the time of each
// call, so that it may be captured as unowned. The first event after the owner's end releases the handler.

extension GIFPlayer {
  /// Calls `handler` for every event. If the load or the player has failed, the handler gets that event at
  /// once.
  ///
  /// - Parameters:
  ///   - owner: the object with which the subscription ends; nil for one that lasts as long as the player.
  ///     The player does not hold the owner, and the handler must not either. It lives for the time of each
  ///     call.
  ///   - delivery: where the handler is called.
  @discardableResult
  public func onEvent(
    for owner: AnyObject? = nil, deliverOn delivery: EventDelivery = .immediate,
    _ handler: @escaping @Sendable (PlayerEvent) -> Void
  ) -> Subscription {
    on({ $0 }, for: owner, deliverOn: delivery, handler)
  }

  /// Calls `handler` for every visible change.
  @discardableResult
  public func onFrameChange(
    for owner: AnyObject? = nil, deliverOn delivery: EventDelivery = .immediate,
    _ handler: @escaping @Sendable (FrameChange) -> Void
  ) -> Subscription {
    on({ $0.frameChange }, for: owner, deliverOn: delivery, handler)
  }

  /// Calls `handler` at the end of each loop, after its last frame's own delay.
  @discardableResult
  public func onLoop(
    for owner: AnyObject? = nil, deliverOn delivery: EventDelivery = .immediate,
    _ handler: @escaping @Sendable (LoopCompletion) -> Void
  ) -> Subscription {
    on({ $0.loopCompletion }, for: owner, deliverOn: delivery, handler)
  }

  /// Calls `handler` once all plays are over, after the last frame's own delay.
  @discardableResult
  public func onFinish(
    for owner: AnyObject? = nil, deliverOn delivery: EventDelivery = .immediate,
    _ handler: @escaping @Sendable (GIFPlayer.ID) -> Void
  ) -> Subscription {
    on({ $0.finishedPlayer }, for: owner, deliverOn: delivery, handler)
  }

  /// Calls `handler` when the player's load comes further and when it ends. If the load has failed, at once.
  @discardableResult
  public func onLoading(
    for owner: AnyObject? = nil, deliverOn delivery: EventDelivery = .immediate,
    _ handler: @escaping @Sendable (LoadingPhase) -> Void
  ) -> Subscription {
    on({ $0.loadingPhase }, for: owner, deliverOn: delivery, handler)
  }

  /// Calls `handler` if no frame can be made, or no further one, with the reason: the canvas is too large, or
  /// the file has changed since it was opened.
  @discardableResult
  public func onFailure(
    for owner: AnyObject? = nil, deliverOn delivery: EventDelivery = .immediate,
    _ handler: @escaping @Sendable (GIFError) -> Void
  ) -> Subscription {
    on({ $0.failure }, for: owner, deliverOn: delivery, handler)
  }
}

// MARK: - Sequences

extension GIFPlayer {
  /// The visible changes from now on as a sequence. A slow reader gets only the latest change.
  ///
  /// To be asked for before ``play()``. The sequence lasts as long as the player, which may play again after
  /// its end.
  public var frameChanges: EventSequence<FrameChange> {
    sequence(limit: 1) { if case .frameChange(let change) = $0 { change } else { nil } }
  }

  /// All events from now on as a sequence. Of those that wait for a slow reader the oldest are dropped.
  ///
  /// To be asked for before ``play()``. It lasts as long as the player, which may play again after
  /// ``PlayerEvent/finished(_:)``.
  /// - Parameter limit: how many events wait at most.
  public func events(limit: Int = 64) -> EventSequence<PlayerEvent> { sequence(limit: limit) { $0 } }

  private func sequence<Element: Sendable>(
    limit: Int, _ pick: @escaping @Sendable (PlayerEvent) -> Element?
  ) -> EventSequence<Element> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: .bufferingNewest(max(1, limit)))
    let subscription = subscribe { event in
      if let element = pick(event) { continuation.yield(element) }
      // Nothing follows a failure.
      if case .failed = event { continuation.finish() }
    }
    let ending = contents.withLock { $0.endings.add { continuation.finish() } }
    continuation.onTermination = { [weak self] _ in
      subscription.cancel()
      _ = self?.contents.withLock { $0.endings.remove(ending) }
    }
    return EventSequence(stream: stream)
  }
}

/// Events of a player as an asynchronous sequence, for one reader. Ends with the player, and after a failure.
public struct EventSequence<Element: Sendable>: AsyncSequence, Sendable {
  let stream: AsyncStream<Element>

  /// Gives the events from now on.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var base: AsyncStream<Element>.Iterator

    /// Waits for the next event; nil after the end.
    public mutating func next() async -> Element? { await base.next() }
  }

  /// Begins to read.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: stream.makeAsyncIterator()) }
}

// MARK: - Delivery

extension GIFPlayer {
  /// Nanoseconds that a call on one of the engine's threads may take before it counts as slow.
  private static let handlerBudget: Int64 = 8_000_000

  /// Delivers what is in the outbox. One thread at a time delivers; it also delivers what handlers and other
  /// threads add meanwhile.
  func deliver(isOnEngineThread: Bool) {
    var isUnderWay = false
    while true {
      let batch = contents.withLock { contents -> (events: [PlayerEvent], listeners: [Int])? in
        if isUnderWay { contents.outbox.endDelivery() }
        let events = contents.outbox.beginDelivery()
        // A failure is the last event but for the change of state, so that a delivery with one delivers all.
        if events != nil, contents.core.error != nil { contents.isFailureDelivered = true }
        if events != nil, contents.loading.failure != nil { contents.loading.isFailureDelivered = true }
        return events.map { (events: $0, listeners: contents.listeners.ids) }
      }
      guard let batch else { return }
      isUnderWay = true
      for event in batch.events {
        for listener in batch.listeners {
          // Looked up again each time: a handler may have cancelled this one.
          guard let handler = contents.withLock({ $0.listeners.timedHandler(listener) }) else { continue }
          let start = isOnEngineThread ? clock.now : nil
          handler.call(event)
          if let start { noteCall(of: listener, since: start, wasSlow: handler.wasSlow) }
        }
      }
    }
  }

  private func noteCall(of listener: Int, since start: PlaybackInstant, wasSlow: Bool) {
    let isSlow = clock.now.nanoseconds(since: start) > Self.handlerBudget
    // Most calls are quick, as the one before was: that needs no note.
    guard isSlow || wasSlow else { return }
    contents.withLock { contents in
      contents.listeners.noteCall(of: listener, isSlow: isSlow) { handler in
        Self.mailbox(
          limit: 64,
          enqueue: { job in
            // Without a thread of its own the handler has to delay this one.
            if !EngineThread.start(job) { job() }
          }, handler)
      }
    }
  }

  static func mailbox(
    limit: Int, enqueue: @escaping EventDelivery.Enqueue, _ handler: @escaping @Sendable (PlayerEvent) -> Void
  ) -> EventMailbox<PlayerEvent> {
    EventMailbox(
      limit: limit, mayDrop: { if case .frameChange = $0 { true } else { false } }, enqueue: enqueue,
      handler: handler)
  }
}
