internal import EngineSupport
internal import GIFStage
internal import Gallop

/// Statistics of shown and drawn pictures. Players add from their threads; the size is constant.
final class TerminalStatistics: Sendable {
  private struct Counts {
    var recorder = StatisticsRecorder()
    /// Pictures of each tile that came since one was drawn.
    var waiting: [Int]
    var dropped = 0
  }

  private let counts: Lock<Counts>

  init(tileCount: Int) { counts = Lock(Counts(waiting: Array(repeating: 0, count: tileCount))) }

  func note(_ change: FrameChange, of tile: Int) {
    counts.withLock { counts in
      counts.recorder.add(change)
      counts.waiting[tile] += 1
    }
  }

  /// Records that a tile's newest picture is drawn; the waiting pictures before it are dropped.
  func noteDrawing(of tile: Int) {
    counts.withLock { counts in
      counts.dropped += max(0, counts.waiting[tile] - 1)
      counts.waiting[tile] = 0
    }
  }

  /// Records that the help covers a tile, whose pictures are not dropped then.
  func noteCovered(_ tile: Int) { counts.withLock { $0.waiting[tile] = 0 } }

  func noteDraw() { counts.withLock { $0.recorder.noteTick() } }

  /// Pictures of visible players that were never drawn.
  var droppedPictures: Int { counts.withLock { $0.dropped } }

  /// The current statistics; takes a sample if one is due.
  func recorder(at now: PlaybackInstant, of players: [GIFPlayer]) -> StatisticsRecorder {
    let recorder = counts.withLock { $0.recorder }
    if let next = recorder.nextSample, now < next { return recorder }
    // Outside the lock, as players have locks of their own.
    let current = PlayerTotals(players: players, budget: FrameBudget.shared.snapshot)
    let memory = ProcessMemory.residentBytes
    return counts.withLock { counts in
      _ = counts.recorder.sample(at: now, memory: { memory }, totals: { current })
      return counts.recorder
    }
  }
}
