package import GIFCaching
package import GIFPlayback
package import GIFTimeline

/// Totals over the visible players and the frames they share.
package struct PlayerTotals: Sendable, Hashable {
  package var players = 0
  package var playing = 0
  package var decodedFrames = 0
  package var misses = 0
  package var residentFrames = 0
  package var residentBytes = 0
  /// All that the budget counts.
  package var heldBytes: Int64 = 0
  /// The budget's limit.
  package var limit: Int64 = 0

  package init() {}

  /// - Parameters:
  ///   - players: the players, each counted.
  ///   - budget: their budget, whose stores are counted once, however many players share them.
  package init(players: [GIFPlayer], budget: BudgetSnapshot) {
    for player in players {
      self.players += 1
      if player.state == .playing { playing += 1 }
      misses += player.cacheStatistics.misses
    }
    for entry in budget.stores {
      decodedFrames += entry.store.decodedFrames
      residentFrames += entry.store.hotFrames
      residentBytes += Int(clamping: entry.store.heldBytes)
    }
    heldBytes = budget.heldBytes
    limit = budget.limit
  }
}

/// Records the statistics of the overlay: every frame shown, and ten samples a second of memory and totals.
package struct StatisticsRecorder: Sendable {
  package static let interval = Duration.milliseconds(100)
  /// Without samples for so long, the rates start over.
  private static let pause = Duration.seconds(1)
  /// Milliseconds of a refresh at 60 Hz: the longest wait of a picture for the screen.
  package static let refresh = 16.7
  /// Twelve seconds of samples.
  package static let sampleCount = 120

  package private(set) var shownFrames = 0
  package private(set) var skippedFrames = 0
  /// Frames that a player has shown and that were never drawn; nil where the display does not count them.
  package private(set) var droppedFrames: Int?
  /// Milliseconds of the latest frames shown.
  package private(set) var lateness = History(capacity: 512)
  /// The worst lateness of each interval.
  package private(set) var worstLateness = History(capacity: sampleCount)
  package private(set) var memory = History(capacity: sampleCount)
  package private(set) var resident = History(capacity: sampleCount)
  /// Frames shown in each interval.
  package private(set) var frames = History(capacity: 10)
  package private(set) var ticks = History(capacity: 10)
  package private(set) var totals = PlayerTotals()
  package private(set) var nextSample: PlaybackInstant?
  private var worst = 0.0
  private var framesNow = 0
  private var ticksNow = 0

  package init() {}

  package mutating func add(_ change: FrameChange) {
    let milliseconds = change.lateness / .milliseconds(1)
    shownFrames += 1
    skippedFrames += change.skippedFrames
    framesNow += 1
    lateness.add(milliseconds)
    worst = max(worst, milliseconds)
  }

  package mutating func noteTick() { ticksNow += 1 }

  package mutating func noteDropped(_ count: Int) { droppedFrames = (droppedFrames ?? 0) + count }

  /// Takes a sample where it is time for one; returns whether it was.
  package mutating func sample(
    at now: PlaybackInstant, memory bytes: () -> Int64?, totals current: () -> PlayerTotals
  ) -> Bool {
    if let nextSample, now < nextSample { return false }
    // What was shown while no overlay asked belongs to no interval.
    if nextSample.map({ now >= $0 + Self.pause }) ?? true {
      (worst, framesNow, ticksNow) = (0, 0, 0)
      (frames, ticks) = (History(capacity: 10), History(capacity: 10))
    }
    nextSample = now + Self.interval
    totals = current()
    worstLateness.add(worst)
    memory.add(Double(bytes() ?? 0))
    resident.add(Double(totals.residentBytes))
    frames.add(Double(framesNow))
    ticks.add(Double(ticksNow))
    (worst, framesNow, ticksNow) = (0, 0, 0)
    return true
  }

  /// Frames shown in the last second, of all images together.
  package var framesPerSecond: Int { Int(frames.values.reduce(0, +)) }

  package var ticksPerSecond: Int { Int(ticks.values.reduce(0, +)) }
}
