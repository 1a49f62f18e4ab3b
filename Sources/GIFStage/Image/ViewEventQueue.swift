internal import EngineSupport
internal import GIFCaching
internal import GIFDecoding
internal import GIFPlayback

/// A queue of events from the threads of players and loaders to the owner of a view.
///
/// Each event carries the number of its playback, so that late events of an earlier playback are dropped.
final class ViewEventQueue: Sendable {
  /// The number of frames and loops kept for a slow owner; the oldest are dropped first.
  static let limit = 128

  private let events = Lock<[(playback: Int, kind: ViewEvent.Kind)]>([])
  private let wake: @Sendable () -> Void

  /// - Parameter wake: called for each event, on the thread that puts it.
  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  func put(_ kind: ViewEvent.Kind, playback: Int) {
    events.withLock { events in
      if events.count >= Self.limit, let oldest = events.firstIndex(where: { $0.kind.mayBeDropped }) {
        events.remove(at: oldest)
      }
      events.append((playback, kind))
    }
    wake()
  }

  /// Takes all events of one playback, in order; events of others are dropped.
  func takeAll(playback: Int) -> [ViewEvent.Kind] {
    let taken = events.withLock { events in
      defer { events = [] }
      return events
    }
    return taken.compactMap { $0.playback == playback ? $0.kind : nil }
  }

  /// Subscribes to a player until the subscription is cancelled.
  func subscribe(to player: GIFPlayer, playback: Int) -> Subscription {
    player.onEvent { if let kind = ViewEvent.Kind($0) { self.put(kind, playback: playback) } }
  }
}

extension ViewEvent.Kind {
  /// The event of a view for that of its player; nil if views have no such event.
  fileprivate init?(_ event: PlayerEvent) {
    switch event {
    case .frameChange(let change): self = .frameChanged(change)
    case .loopCompleted(let completion): self = .loopCompleted(completion)
    case .finished: self = .finished
    case .failed(let error): self = .failed(error.description)
    case .stateChanged, .buffering: return nil
    }
  }

  /// Whether a later event makes up for the loss of this one.
  fileprivate var mayBeDropped: Bool {
    switch self {
    case .frameChanged, .loopCompleted: true
    default: false
    }
  }
}
