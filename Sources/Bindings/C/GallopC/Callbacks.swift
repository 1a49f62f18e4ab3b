internal import CGallop
internal import EngineSupport
internal import Gallop

/// A function of the program with its data, which is destroyed once, after the last call.
///
/// Its bound: the program guarantees that the function may be called with `user`, on any thread, until
/// `destroy`.
@safe final class UserFunction<Function>: @unchecked Sendable {
  let function: Function
  let user: UnsafeMutableRawPointer?
  private let destroy: gallop_destroy?

  init(_ function: Function, user: UnsafeMutableRawPointer?, destroy: gallop_destroy?) {
    self.function = function
    unsafe self.user = user
    unsafe self.destroy = destroy
  }

  // The handler that has this object is held for the time of each of its calls.
  deinit { unsafe destroy?(user) }
}

/// Subscriptions by number.
final class Subscriptions: Sendable {
  private struct State {
    var list: [UInt64: Subscription] = [:]
    var lastID: UInt64 = 0
    var isClosed = false
  }

  private let state = Lock(State())

  /// Takes a subscription and returns its number; ends it at once if the owner has ended.
  func add(_ subscription: Subscription) -> UInt64 {
    let id = state.withLock { state -> UInt64? in
      guard !state.isClosed else { return nil }
      state.lastID += 1
      state.list[state.lastID] = subscription
      return state.lastID
    }
    if id == nil { subscription.cancel() }
    return id ?? 0
  }

  /// Ends a subscription.
  func remove(_ id: UInt64) throws(Failure) {
    guard let subscription = state.withLock({ $0.list.removeValue(forKey: id) }) else {
      throw .argument("there is no callback \(id)")
    }
    subscription.cancel()
  }

  /// Ends all, and those that are added later.
  func close() {
    let all = state.withLock { state in
      defer { state.list = [:] }
      state.isClosed = true
      return Array(state.list.values)
    }
    for subscription in all { subscription.cancel() }
  }
}
