internal import EngineSupport
internal import GIFCaching
internal import Synchronization

/// A listener's place; ``cancel()`` ends it. Letting go of the value changes nothing: the listener then stays as
/// long as its player. For one that ends with its owner keep it in a ``SubscriptionScope``.
public final class Subscription: Sendable {
  private let cancelled = Atomic<Bool>(false)
  private let onCancel: @Sendable () -> Void

  init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

  /// Ends the subscription. A call that has begun on another thread may still come to its end; none begins after.
  public func cancel() {
    guard !cancelled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    onCancel()
  }

  public var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  /// Has the subscription end with a scope.
  @discardableResult
  public func store(in scope: SubscriptionScope) -> Subscription {
    scope.add(self)
    return self
  }
}

/// Subscriptions that end together: when told to, or when the scope is let go of. An object that listens holds one
/// and is then heard of no more once it is gone.
public final class SubscriptionScope: Sendable {
  private struct Contents {
    var subscriptions: [Subscription] = []
    var isCancelled = false
  }

  private let contents = Lock(Contents())

  public init() {}

  deinit { cancel() }

  /// Takes a subscription in; where the scope is cancelled already, it ends at once.
  public func add(_ subscription: Subscription) {
    let isTooLate = contents.withLock { contents in
      if contents.isCancelled { return true }
      // Those that ended by themselves need not be kept.
      contents.subscriptions.removeAll { $0.isCancelled }
      contents.subscriptions.append(subscription)
      return false
    }
    if isTooLate { subscription.cancel() }
  }

  /// Ends all of them, and those that are added later.
  public func cancel() {
    let ended = contents.withLock { contents in
      defer { contents.subscriptions = [] }
      contents.isCancelled = true
      return contents.subscriptions
    }
    for subscription in ended { subscription.cancel() }
  }
}
