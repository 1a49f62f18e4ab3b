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

  private struct State {
    var entries: [Entry] = []
    var isWoken = false
  }

  private let monitor = Monitor(State())

  /// Takes all waiting events; waits for the first one, or a wake-up, until an instant at most.
  func takeAll(until deadline: PlaybackInstant) -> [Entry] {
    let time = MonotonicTimeSource()
    return monitor.waitingWithLock { state in
      if state.entries.isEmpty, !state.isWoken, time.now() < deadline {
        return .wait(until: deadline.nanoseconds)
      }
      defer { state = State() }
      return .done(state.entries)
    }
  }

  /// Ends the wait for events, from any thread.
  func wake() {
    monitor.withLock { $0.isWoken = true }
    monitor.signal()
  }

  /// Puts all events of a player into the queue.
  func subscribe(to player: GIFPlayer, target: Int) {
    player.onEvent { event in
      self.monitor.withLock { $0.entries.append((target, event)) }
      self.monitor.signal()
    }
  }
}
