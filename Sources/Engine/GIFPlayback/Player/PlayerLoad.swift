internal import GIFLoading

/// The load of a player's image: what is known of it, and which thread takes its news. Kept under the
/// player's lock.
struct PlayerLoad: Sendable {
  /// The running load; nil before and after.
  private var load: LoadingStates.Load?
  /// Nil for a player that loads nothing itself.
  private(set) var phase: LoadingPhase?
  private var isTaking = false
  private var hasMore = false
  /// Whether the present listeners get, or have got, the event of a failure.
  var isFailureDelivered = false

  /// Why the load has ended early; nil if it has not.
  var failure: GIFLoadingError? { if case .failed(let error) = phase { error } else { nil } }

  /// Begins a load, or does without one after an error.
  mutating func begin(_ load: LoadingStates.Load?, phase: LoadingPhase) {
    self.load = load
    self.phase = phase
  }

  mutating func note(_ phase: LoadingPhase) { self.phase = phase }

  /// The load whose news the caller takes next; nil if there is none, or another thread takes them.
  ///
  /// One thread at a time takes news, so that none overtakes another. It also takes what comes meanwhile.
  mutating func beginTaking() -> LoadingStates.Load? {
    guard let load else { return nil }
    guard !isTaking else {
      hasMore = true
      return nil
    }
    isTaking = true
    return load
  }

  /// Whether there may be more to take, before the caller stops.
  mutating func continueTaking() -> Bool {
    defer { hasMore = false }
    isTaking = hasMore
    return hasMore
  }

  /// The running load, for a cancellation.
  var running: LoadingStates.Load? { load }

  /// Gives the load up, to be released without the lock.
  mutating func end() -> LoadingStates.Load? { load.take() }
}
