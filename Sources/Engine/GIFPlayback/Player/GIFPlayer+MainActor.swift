public import GIFDecoding
public import GIFFlashes

// Handlers on the main actor: their closures may use what belongs to it, as views do.

/// Delivery on the main actor; see ``EventDelivery`` for other places.
public struct MainActorDelivery: Sendable {
  /// On the main actor, in order, one event at a time.
  public static let mainActor = MainActorDelivery()

  fileprivate static let queue = EventDelivery { job in Task { @MainActor in job() } }
}

extension GIFPlayer {
  /// Calls `handler` on the main actor for every event; the owner is as in the handlers elsewhere.
  @discardableResult
  public func onEvent(
    for owner: AnyObject? = nil, deliverOn delivery: MainActorDelivery,
    _ handler: @escaping @MainActor @Sendable (PlayerEvent) -> Void
  ) -> Subscription {
    onMainActor({ $0 }, for: owner, handler)
  }

  /// Calls `handler` on the main actor for every visible change.
  @discardableResult
  public func onFrameChange(
    for owner: AnyObject? = nil, deliverOn delivery: MainActorDelivery,
    _ handler: @escaping @MainActor @Sendable (FrameChange) -> Void
  ) -> Subscription {
    onMainActor({ $0.frameChange }, for: owner, handler)
  }

  /// Calls `handler` on the main actor at the end of each loop.
  @discardableResult
  public func onLoop(
    for owner: AnyObject? = nil, deliverOn delivery: MainActorDelivery,
    _ handler: @escaping @MainActor @Sendable (LoopCompletion) -> Void
  ) -> Subscription {
    onMainActor({ $0.loopCompletion }, for: owner, handler)
  }

  /// Calls `handler` on the main actor once all plays are over.
  @discardableResult
  public func onFinish(
    for owner: AnyObject? = nil, deliverOn delivery: MainActorDelivery,
    _ handler: @escaping @MainActor @Sendable (GIFPlayer.ID) -> Void
  ) -> Subscription {
    onMainActor({ $0.finishedPlayer }, for: owner, handler)
  }

  /// Calls `handler` on the main actor when there is a verdict on flashes, or playback follows another one.
  @discardableResult
  public func onFlashes(
    for owner: AnyObject? = nil, deliverOn delivery: MainActorDelivery,
    _ handler: @escaping @MainActor @Sendable (FlashState) -> Void
  ) -> Subscription {
    onMainActor({ $0.flashState }, for: owner, handler)
  }

  /// Calls `handler` on the main actor when the player's load comes further and when it ends.
  @discardableResult
  public func onLoading(
    for owner: AnyObject? = nil, deliverOn delivery: MainActorDelivery,
    _ handler: @escaping @MainActor @Sendable (LoadingPhase) -> Void
  ) -> Subscription {
    onMainActor({ $0.loadingPhase }, for: owner, handler)
  }

  /// Calls `handler` on the main actor if no frame can be made, or no further one.
  @discardableResult
  public func onFailure(
    for owner: AnyObject? = nil, deliverOn delivery: MainActorDelivery,
    _ handler: @escaping @MainActor @Sendable (GIFError) -> Void
  ) -> Subscription {
    onMainActor({ $0.failure }, for: owner, handler)
  }

  private func onMainActor<Part: Sendable>(
    _ pick: @escaping @Sendable (PlayerEvent) -> Part?, for owner: AnyObject?,
    _ handler: @escaping @MainActor @Sendable (Part) -> Void
  ) -> Subscription {
    on(pick, for: owner, deliverOn: MainActorDelivery.queue) { part in
      // The queue runs its jobs on the main actor.
      MainActor.assumeIsolated { handler(part) }
    }
  }
}
