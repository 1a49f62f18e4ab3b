public import GIFDecoding

// Handlers on the main actor: their closures may use what belongs to it, as views do.

/// Delivery on the main actor; see ``EventDelivery`` for other places.
public struct MainActorDelivery: Sendable {
  /// On the main actor, in order, one event at a time.
  public static let mainActor = MainActorDelivery()

  static let queue = EventDelivery { job in Task { @MainActor in job() } }
}

extension GIFPlayer {
  /// Calls `handler` on the main actor for every event.
  @discardableResult
  public func onEvent(
    deliverOn delivery: MainActorDelivery, _ handler: @escaping @MainActor @Sendable (PlayerEvent) -> Void
  ) -> Subscription {
    onEvent(deliverOn: MainActorDelivery.queue) { event in
      // The queue runs its jobs on the main actor.
      MainActor.assumeIsolated { handler(event) }
    }
  }

  /// Calls `handler` on the main actor for every visible change.
  @discardableResult
  public func onFrameChange(
    deliverOn delivery: MainActorDelivery, _ handler: @escaping @MainActor @Sendable (FrameChange) -> Void
  ) -> Subscription {
    onEvent(deliverOn: delivery) { if case .frameChange(let change) = $0 { handler(change) } }
  }

  /// Calls `handler` on the main actor at the end of each loop.
  @discardableResult
  public func onLoop(
    deliverOn delivery: MainActorDelivery, _ handler: @escaping @MainActor @Sendable (LoopCompletion) -> Void
  ) -> Subscription {
    onEvent(deliverOn: delivery) { if case .loopCompleted(let completion) = $0 { handler(completion) } }
  }

  /// Calls `handler` on the main actor once all plays are over.
  @discardableResult
  public func onFinish(
    deliverOn delivery: MainActorDelivery, _ handler: @escaping @MainActor @Sendable (GIFPlayer.ID) -> Void
  ) -> Subscription {
    onEvent(deliverOn: delivery) { if case .finished(let id) = $0 { handler(id) } }
  }

  /// Calls `handler` on the main actor when playback begins to wait, and when it goes on.
  @discardableResult
  public func onBuffering(
    deliverOn delivery: MainActorDelivery, _ handler: @escaping @MainActor @Sendable (BufferingChange) -> Void
  ) -> Subscription {
    onEvent(deliverOn: delivery) { if case .buffering(let change) = $0 { handler(change) } }
  }

  /// Calls `handler` on the main actor if no frame can be made, or none any more.
  @discardableResult
  public func onFailure(
    deliverOn delivery: MainActorDelivery, _ handler: @escaping @MainActor @Sendable (GIFError) -> Void
  ) -> Subscription {
    onEvent(deliverOn: delivery) { if case .failed(let error) = $0 { handler(error) } }
  }
}
