package import GIFCaching
internal import GIFDecoding
package import GIFPlayback
package import GIFTimeline

/// Totals over the visible players and the frames they share.
package struct PlayerTotals: Sendable, Hashable {
  package var players = 0
  package var playing = 0
  package var decodedFrames = 0
  package var hits = 0
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
      let cache = player.cacheStatistics
      self.players += 1
      if player.state == .playing { playing += 1 }
      hits += cache.hits
      misses += cache.misses
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

/// Formatting of numbers for captions.
package enum NumberFormat {
  /// A number with a fixed number of decimals.
  package static func decimal(_ value: Double, places: Int) -> String {
    var power = 1
    for _ in 0..<places { power *= 10 }
    let bounded = min(1e12, max(-1e12, value.isNaN ? 0 : value))
    let scaled = Int((bounded * Double(power)).rounded())
    let sign = scaled < 0 ? "-" : ""
    guard places > 0 else { return "\(scaled)" }
    let fraction = String(scaled.magnitude % UInt(power))
    let zeros = String(repeating: "0", count: places - fraction.count)
    return "\(sign)\(scaled.magnitude / UInt(power)).\(zeros)\(fraction)"
  }

  /// A time as minutes, seconds and hundredths.
  package static func time(milliseconds: Int) -> String {
    let hundredths = max(0, milliseconds) / 10
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(hundredths / 6000):\(two(hundredths / 100 % 60)).\(two(hundredths % 100))"
  }

  /// A size in the largest unit that leaves a number before the point.
  package static func bytes(_ count: Int64) -> String {
    if count < 1000 { return "\(count) B" }
    if count < 1_000_000 { return decimal(Double(count) / 1000, places: 1) + " KB" }
    return decimal(Double(count) / 1_000_000, places: 1) + " MB"
  }
}

/// Records the statistics of the overlay: every frame shown, and ten samples a second of memory and totals.
package struct StatisticsRecorder: Sendable {
  package static let interval = Duration.milliseconds(100)
  /// Without samples for so long, the rates start over.
  private static let pause = Duration.seconds(1)
  /// Twelve seconds of samples.
  package static let sampleCount = 120

  package private(set) var shownFrames = 0
  package private(set) var skippedFrames = 0
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

/// The image that the overlay inspects.
package struct OverlaySubject: Sendable {
  package var name = ""
  package var delays: [Int] = []
  package var playhead: Int?
  /// Whether all frames are known.
  package var isComplete = true
  package var tiers: [CacheMap.Tier] = []
  package var canvas = ""
  package var decoded = ""

  package init() {}

  init(name: String, view: AnimatedImageView?) {
    self.name = name
    guard let view, let image = view.image else { return }
    delays = image.frames.map { $0.delayMilliseconds(view.properties.delayPolicy) }
    playhead = view.shown?.index
    isComplete = view.loadingText == nil
    tiers = view.player?.cacheMap.tiers ?? []
    canvas = "\(image.width)x\(image.height)"
    decoded = view.shown.map { "\($0.pixels.width)x\($0.pixels.height)" } ?? ""
  }

  /// - Parameters:
  ///   - name: the name of the player's image.
  ///   - player: nil while there is no image.
  package init(name: String, player: GIFPlayer?) {
    self.name = name
    guard let player else { return }
    let image = player.image
    delays = image.frames.map { $0.delayMilliseconds(.browser) }
    playhead = player.currentFrameIndex
    isComplete = player.isComplete
    tiers = player.cacheMap.tiers
    canvas = "\(image.width)x\(image.height)"
    decoded = player.currentFrame.map { "\($0.pixels.width)x\($0.pixels.height)" } ?? ""
  }
}
