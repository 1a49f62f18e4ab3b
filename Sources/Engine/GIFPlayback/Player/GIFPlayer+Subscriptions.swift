internal import EngineSupport
internal import GIFDecoding
internal import GIFFlashes
internal import GIFLoading
internal import GIFTimeline

// What all handlers have in common: which events they are for, and how long they last.

extension PlayerEvent {
  var frameChange: FrameChange? { if case .frameChange(let change) = self { change } else { nil } }
  var loopCompletion: LoopCompletion? { if case .loopCompleted(let loop) = self { loop } else { nil } }
  var finishedPlayer: GIFPlayer.ID? { if case .finished(let id) = self { id } else { nil } }
  var flashState: FlashState? { if case .flashes(let state) = self { state } else { nil } }
  var loadingPhase: LoadingPhase? { if case .loading(let phase) = self { phase } else { nil } }
  var failure: GIFError? { if case .failed(let error) = self { error } else { nil } }
}

extension GIFPlayer {
  /// Calls `handler` with what `pick` takes from events, while the owner lives, if there is one.
  func on<Part: Sendable>(
    _ pick: @escaping @Sendable (PlayerEvent) -> Part?, for owner: AnyObject?,
    deliverOn delivery: EventDelivery, _ handler: @escaping @Sendable (Part) -> Void
  ) -> Subscription {
    guard let owner else {
      return subscribe(deliverOn: delivery) { if let part = pick($0) { handler(part) } }
    }
    let scope = SubscriptionScope()
    let life = OwnerLife(owner)
    return subscribe(deliverOn: delivery) { event in
      // The end of the owner shows at any event, not only at those that the handler is for.
      if !life.hold({ if let part = pick(event) { handler(part) } }) { scope.cancel() }
    }.store(in: scope)
  }

  /// Calls `handler` for every event.
  func subscribe(
    deliverOn delivery: EventDelivery = .immediate, _ handler: @escaping @Sendable (PlayerEvent) -> Void
  ) -> Subscription {
    let mailbox = delivery.enqueue.map { Self.mailbox(limit: delivery.limit, enqueue: $0, handler) }
    let (listener, failures) = contents.withLock { contents -> (Int, [PlayerEvent]) in
      // A failure that still waits in the outbox reaches the new listener that way.
      var failures: [PlayerEvent] = []
      if contents.loading.isFailureDelivered, let error = contents.loading.failure {
        failures.append(.loading(.failed(error)))
      }
      if contents.isFailureDelivered, let error = contents.core.error { failures.append(.failed(error)) }
      guard let mailbox else { return (contents.listeners.add(handler), failures) }
      return (contents.listeners.add({ mailbox.put($0) }, mailbox: mailbox), failures)
    }
    for failure in failures {
      if let mailbox { mailbox.put(failure) } else { handler(failure) }
    }
    return Subscription { [weak self, weak mailbox] in
      mailbox?.close()
      // Released outside the lock.
      self?.contents.withLock { $0.listeners.remove(listener) }?.mailbox?.close()
    }
  }
}

/// Whether an object still lives. Only its references are counted, which any thread may do.
final class OwnerLife: @unchecked Sendable {
  private weak let owner: AnyObject?

  init(_ owner: AnyObject) { self.owner = owner }

  /// Calls `body` while the owner is held; returns false, without a call, if the owner is gone.
  func hold(_ body: () -> Void) -> Bool {
    guard let owner else { return false }
    withExtendedLifetime(owner, body)
    return true
  }
}
