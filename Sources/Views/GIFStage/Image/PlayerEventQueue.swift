internal import EngineSupport
internal import GIFCaching
internal import GIFPlayback

/// A queue of events from the threads of a player to the owner of a view.
///
/// Each event carries the number of its player, so that late events of an earlier player are dropped.
final class PlayerEventQueue: Sendable {
  /// The number of frames and loops kept for a slow owner; the oldest are dropped first.
  static let limit = 128

  private struct Entry { var player: Int, event: PlayerEvent }

  private let events = Lock(EventBuffer<Entry>(limit: limit) { $0.event.mayBeDropped })
  private let wake: @Sendable () -> Void

  /// - Parameter wake: called for each event, on the thread that puts it.
  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  /// Subscribes to a player until the subscription is cancelled.
  func subscribe(to player: GIFPlayer, number: Int) -> Subscription {
    player.onEvent { self.put($0, player: number) }
  }

  private func put(_ event: PlayerEvent, player: Int) {
    guard event.concernsViews else { return }
    // What is dropped is released outside the lock.
    _ = events.withLock { $0.append(Entry(player: player, event: event)) }
    wake()
  }

  /// Takes all events of one player, in order; events of others are dropped.
  func takeAll(player: Int) -> [PlayerEvent] {
    let taken = events.withLock { $0.takeAll() }
    return taken.compactMap { $0.player == player ? $0.event : nil }
  }
}

extension PlayerEvent {
  /// Whether views have such an event.
  fileprivate var concernsViews: Bool {
    switch self {
    // The control bar says that playback waits.
    case .frameChange, .loopCompleted, .finished, .failed, .buffering: true
    case .stateChanged, .loading: false
    }
  }

  /// Whether a later event makes up for the loss of this one.
  fileprivate var mayBeDropped: Bool {
    switch self {
    case .frameChange, .loopCompleted, .buffering: true
    default: false
    }
  }
}
