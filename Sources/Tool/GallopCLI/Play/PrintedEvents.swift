internal import EngineSupport
internal import Gallop

/// A queue of player events from the engine's threads to the thread that prints them.
///
/// It is unbounded, so that slow output neither loses events nor delays playback.
final class PrintedEvents: Sendable {
  /// An event with the number of its file; `target` counts the files of the command line from 0.
  struct Entry { var target: Int, event: PlayerEvent }

  private struct State {
    var entries = EventBuffer<Entry>()
    var isWoken = false
  }

  private let monitor = Monitor(State())

  /// Takes all waiting events; waits for the first one, or a wake-up, until an instant at most.
  func takeAll(until deadline: PlaybackInstant) -> [Entry] {
    return monitor.waitingWithLock { state in
      if state.entries.isEmpty, !state.isWoken, PlaybackInstant.now < deadline {
        return .wait(until: deadline.nanoseconds)
      }
      state.isWoken = false
      return .done(state.entries.takeAll())
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
      self.monitor.withLock { _ = $0.entries.append(Entry(target: target, event: event)) }
      self.monitor.signal()
    }
  }
}
