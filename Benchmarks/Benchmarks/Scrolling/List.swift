import Gallop
import Measuring
import Synchronization

/// The players of a list, and which of them are visible.
final class List {
  let clock = PlaybackClock()
  let budget: FrameBudget
  let counts = FrameCounts()
  private let players: [GIFPlayer]
  private let settled: [Settling]
  private var visible = 0..<0

  init(_ paths: [String], budget: FrameBudget) throws {
    self.budget = budget
    var options = GIFPlayer.Options()
    options.budget = budget
    options.priority = .low
    options.visibility = .hidden
    var players: [GIFPlayer] = []
    var settled: [Settling] = []
    for path in paths {
      let image = try GIFImage(contentsOfFile: path)
      options.size = PixelSize(width: 160, height: 120).map { image.size.fitting($0) }
      let player = GIFPlayer(image, options: options, clock: clock)
      let settling = Settling()
      player.onFrameChange { [counts] change in
        // What is on its way to the frame that is due was not left out.
        if settling.isOver(at: seconds), change.cause == .play || change.cause == .loop { counts.add(change) }
      }
      player.play()
      players.append(player)
      settled.append(settling)
    }
    (self.players, self.settled) = (players, settled)
  }

  /// Scrolls to where these messages are visible.
  func show(_ range: Range<Int>, at now: Double) {
    guard range != visible else { return }
    for number in visible where !range.contains(number) { players[number].visibility = .hidden }
    for number in range where !visible.contains(number) {
      settled[number].begin(at: now)
      players[number].visibility = .visible
    }
    visible = range
  }
}

/// Whether a message has been visible for a second.
final class Settling: Sendable {
  private let end = Mutex(Double.infinity)

  func begin(at now: Double) { end.withLock { $0 = now + 1 } }

  func isOver(at now: Double) -> Bool { end.withLock { now >= $0 } }
}

/// Frames shown and left out, from any thread.
final class FrameCounts: Sendable {
  private let counts = Mutex((shown: 0, leftOut: 0))

  func add(_ change: FrameChange) {
    counts.withLock { counts in
      counts.shown += 1
      counts.leftOut += change.skippedFrames
    }
  }

  /// Hands out what came since the last time.
  func take() -> (shown: Int, leftOut: Int) {
    counts.withLock { counts in
      defer { counts = (0, 0) }
      return counts
    }
  }
}
