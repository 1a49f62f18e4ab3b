internal import EngineSupport
internal import GIFCaching
internal import GIFPlayback
internal import GIFTimeline

/// A queue of player events from the engine's threads to the thread that prints them.
///
/// It is unbounded, so that slow output neither loses events nor delays playback.
final class EventQueue: Sendable {
  /// An event with the number of its file; `target` counts the files of the command line from 0.
  typealias Entry = (target: Int, event: PlayerEvent)

  private let monitor = Monitor<[Entry]>([])

  /// Takes all waiting events; waits for the first one until an instant at most.
  func takeAll(until deadline: PlaybackInstant) -> [Entry] {
    let time = MonotonicTimeSource()
    return monitor.waitingWithLock { entries in
      if entries.isEmpty, time.now() < deadline { return .wait(until: deadline.nanoseconds) }
      defer { entries = [] }
      return .done(entries)
    }
  }

  /// Puts all events of a player into the queue.
  func subscribe(to player: GIFPlayer, target: Int) {
    player.onEvent { event in
      self.monitor.withLock { $0.append((target, event)) }
      self.monitor.signal()
    }
  }
}
