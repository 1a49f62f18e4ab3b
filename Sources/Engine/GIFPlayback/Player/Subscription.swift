internal import EngineSupport
internal import Synchronization

/// A handler's registration, ended by ``cancel()``. Releasing the value changes nothing: the handler then
/// stays as long as its player. For one that ends with its owner keep it in a ``SubscriptionScope``.
public final class Subscription: Sendable {
  private let cancelled = Atomic<Bool>(false)
  private let onCancel: @Sendable () -> Void

  init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

  /// Ends the subscription. A call under way on another thread may still come to its end; none begins after.
  public func cancel() {
    guard !cancelled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    onCancel()
  }

  package var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  /// Ends the subscription with a scope, or at once if that has ended.
  @discardableResult
  public func store(in scope: SubscriptionScope) -> Subscription {
    scope.add(self)
    return self
  }
}

/// Subscriptions that end together: on ``cancel()``, or when the scope is released. An object that owns a
/// scope is no longer called once it is released.
public final class SubscriptionScope: Sendable {
  private struct Contents {
    var subscriptions: [Subscription] = []
    var isCancelled = false
  }

  private let contents = Lock(Contents())

  /// Makes an empty scope.
  public init() {}

  deinit { cancel() }

  func add(_ subscription: Subscription) {
    let isTooLate = contents.withLock { contents in
      if contents.isCancelled { return true }
      // Those that ended by themselves need not be kept.
      contents.subscriptions.removeAll { $0.isCancelled }
      contents.subscriptions.append(subscription)
      return false
    }
    if isTooLate { subscription.cancel() }
  }

  /// Ends all subscriptions, and those that are added later.
  public func cancel() {
    let ended = contents.withLock { contents in
      defer { contents.subscriptions = [] }
      contents.isCancelled = true
      return contents.subscriptions
    }
    for subscription in ended { subscription.cancel() }
  }
}
