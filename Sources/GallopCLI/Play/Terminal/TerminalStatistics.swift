internal import GIFCaching
internal import GIFPlayback
internal import GIFStage

/// What players have shown and the terminal has drawn. Players add from their threads; it never grows.
final class TerminalTally: Sendable {
  private struct Counts {
    var recorder = FigureRecorder()
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

  /// Notes that a tile's newest picture is drawn: those before it never will be.
  func noteDrawing(of tile: Int) {
    counts.withLock { counts in
      counts.dropped += max(0, counts.waiting[tile] - 1)
      counts.waiting[tile] = 0
    }
  }

  func noteDraw() { counts.withLock { $0.recorder.noteTick() } }

  /// Pictures of visible players that were never drawn.
  var droppedPictures: Int { counts.withLock { $0.dropped } }

  /// The figures of this moment; takes a sample where it is time for one.
  func figures(at now: PlaybackInstant, of players: [GIFPlayer]) -> FigureRecorder {
    let recorder = counts.withLock { $0.recorder }
    if let next = recorder.nextSample, now < next { return recorder }
    // Asked without the lock, as players have locks of their own.
    let current = Figures(players: players)
    let memory = ProcessMemory.residentBytes
    return counts.withLock { counts in
      _ = counts.recorder.sample(at: now, memory: { memory }, figures: { current })
      return counts.recorder
    }
  }
}
