internal import EngineSupport
internal import GIFCaching
public import GIFDecoding
internal import GIFTimeline
internal import Synchronization

// MARK: - Handlers

extension GIFPlayer {
  /// Has `handler` called for every event.
  @discardableResult
  public func onEvent(
    deliverOn delivery: EventDelivery = .immediate, _ handler: @escaping @Sendable (PlayerEvent) -> Void
  ) -> Subscription {
    let mailbox = delivery.enqueue.map { Self.mailbox(limit: delivery.limit, enqueue: $0, handler) }
    let listener = core.withLock { core in
      guard let mailbox else { return core.listeners.add(handler) }
      return core.listeners.add({ mailbox.put($0) }, mailbox: mailbox)
    }
    return Subscription { [weak self, weak mailbox] in
      mailbox?.close()
      // Let go of outside the lock.
      self?.core.withLock { $0.listeners.remove(listener) }?.mailbox?.close()
    }
  }

  /// Has `handler` called for every visible change.
  @discardableResult
  public func onFrameChange(
    deliverOn delivery: EventDelivery = .immediate, _ handler: @escaping @Sendable (FrameChange) -> Void
  ) -> Subscription {
    onEvent(deliverOn: delivery) { if case .frameChange(let change) = $0 { handler(change) } }
  }

  /// Has `handler` called at the end of each loop, after its last frame's own delay.
  @discardableResult
  public func onLoop(
    deliverOn delivery: EventDelivery = .immediate, _ handler: @escaping @Sendable (LoopCompletion) -> Void
  ) -> Subscription {
    onEvent(deliverOn: delivery) { if case .loopCompleted(let completion) = $0 { handler(completion) } }
  }

  /// Has `handler` called once all plays are over, after the last frame's own delay.
  @discardableResult
  public func onFinish(
    deliverOn delivery: EventDelivery = .immediate, _ handler: @escaping @Sendable (GIFPlayer.ID) -> Void
  ) -> Subscription {
    onEvent(deliverOn: delivery) { if case .finished(let id) = $0 { handler(id) } }
  }

  /// Has `handler` called when the player begins to do something else.
  @discardableResult
  public func onStateChange(
    deliverOn delivery: EventDelivery = .immediate, _ handler: @escaping @Sendable (StateChange) -> Void
  ) -> Subscription {
    onEvent(deliverOn: delivery) { if case .stateChanged(let change) = $0 { handler(change) } }
  }

  /// Has `handler` called when playback has to wait, and when it goes on.
  @discardableResult
  public func onBuffering(
    deliverOn delivery: EventDelivery = .immediate, _ handler: @escaping @Sendable (BufferingChange) -> Void
  ) -> Subscription {
    onEvent(deliverOn: delivery) { if case .buffering(let change) = $0 { handler(change) } }
  }

  /// Has `handler` called if no picture can be made, or none any more, with the reason: the canvas is too large, or the
  /// file has changed since it was opened.
  @discardableResult
  public func onFailure(
    deliverOn delivery: EventDelivery = .immediate, _ handler: @escaping @Sendable (GIFError) -> Void
  ) -> Subscription {
    onEvent(deliverOn: delivery) { if case .failed(let error) = $0 { handler(error) } }
  }

  /// Has `handler` called for every event as long as `owner` lives, and with it: the player does not hold it.
  @discardableResult
  public func onEvent<Owner: AnyObject & Sendable>(
    for owner: Owner, deliverOn delivery: EventDelivery = .immediate,
    _ handler: @escaping @Sendable (Owner, PlayerEvent) -> Void
  ) -> Subscription {
    let scope = SubscriptionScope()
    let subscription = onEvent(deliverOn: delivery) { [weak owner] event in
      guard let owner else { return scope.cancel() }
      handler(owner, event)
    }
    scope.add(subscription)
    return subscription
  }

  /// Has `handler` called for every visible change as long as `owner` lives; see ``onEvent(for:deliverOn:_:)``.
  @discardableResult
  public func onFrameChange<Owner: AnyObject & Sendable>(
    for owner: Owner, deliverOn delivery: EventDelivery = .immediate,
    _ handler: @escaping @Sendable (Owner, FrameChange) -> Void
  ) -> Subscription {
    onEvent(for: owner, deliverOn: delivery) {
      if case .frameChange(let change) = $1 { handler($0, change) }
    }
  }
}

// MARK: - Sequences

extension GIFPlayer {
  /// The visible changes as a sequence: whoever is slow gets the newest one. Ends with the player.
  public var frameChanges: AsyncStream<FrameChange> { frameChanges(.bufferingNewest(1)) }

  /// The visible changes as a sequence that keeps so many for whoever is slow. Ends with the player.
  public func frameChanges(
    _ buffering: AsyncStream<FrameChange>.Continuation.BufferingPolicy
  ) -> AsyncStream<FrameChange> {
    stream(buffering) { if case .frameChange(let change) = $0 { change } else { nil } }
  }

  /// All events as a sequence that keeps so many for whoever is slow. Ends with the player.
  public func events(
    _ buffering: AsyncStream<PlayerEvent>.Continuation.BufferingPolicy = .bufferingNewest(64)
  ) -> AsyncStream<PlayerEvent> {
    stream(buffering) { $0 }
  }

  private func stream<Element: Sendable>(
    _ buffering: AsyncStream<Element>.Continuation.BufferingPolicy,
    _ pick: @escaping @Sendable (PlayerEvent) -> Element?
  ) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: buffering)
    let subscription = onEvent { if let element = pick($0) { continuation.yield(element) } }
    let ending = core.withLock { $0.endings.add { continuation.finish() } }
    continuation.onTermination = { [weak self] _ in
      subscription.cancel()
      _ = self?.core.withLock { $0.endings.remove(ending) }
    }
    return stream
  }
}

// MARK: - Delivery

extension GIFPlayer {
  /// Nanoseconds that a call on one of the engine's threads may take before it counts as slow.
  private static let handlerBudget: Int64 = 8_000_000

  /// Tells what is in the outbox. One thread at a time delivers; what comes meanwhile, also from the handlers
  /// themselves, is told by the same thread afterwards.
  func deliver(isOnEngineThread: Bool) {
    while true {
      let batch = core.withLock { core -> (events: [PlayerEvent], listeners: [Int])? in
        guard !core.outbox.isEmpty, !core.isDelivering else { return nil }
        core.isDelivering = true
        defer { core.outbox = [] }
        return (core.outbox, core.listeners.ids)
      }
      guard let batch else { return }
      for event in batch.events {
        for listener in batch.listeners {
          // Looked up anew each time: a handler may have cancelled this one.
          guard let handler = core.withLock({ $0.listeners.handler(listener) }) else { continue }
          let start = isOnEngineThread ? clock.now : nil
          handler(event)
          if let start { noteCall(of: listener, since: start) }
        }
      }
      core.withLock { $0.isDelivering = false }
    }
  }

  private func noteCall(of listener: Int, since start: PlaybackInstant) {
    let isSlow = clock.now.nanoseconds(since: start) > Self.handlerBudget
    core.withLock { core in
      core.listeners.noteCall(of: listener, isSlow: isSlow) { handler in
        Self.mailbox(
          limit: 64,
          enqueue: { job in
            // Without a thread for it the handler has to hold up this one.
            if !EngineThread.start(job) { job() }
          }, handler)
      }
    }
  }

  private static func mailbox(
    limit: Int, enqueue: @escaping EventDelivery.Enqueue, _ handler: @escaping @Sendable (PlayerEvent) -> Void
  ) -> EventMailbox<PlayerEvent> {
    EventMailbox(
      limit: limit, mayDrop: { if case .frameChange = $0 { true } else { false } }, enqueue: enqueue,
      handler: handler)
  }
}
