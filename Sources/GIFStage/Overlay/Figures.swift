internal import GIFCaching
internal import GIFDecoding
internal import GIFPlayback

/// What the views in sight do, added up.
struct Figures: Sendable, Hashable {
  var players = 0
  var playing = 0
  var decodedFrames = 0
  var hits = 0
  var misses = 0
  var residentFrames = 0
  var residentBytes = 0

  init() {}

  init(views: [AnimatedImageView]) {
    for view in views {
      guard let player = view.player else { continue }
      let cache = player.cacheStatistics
      players += 1
      if player.state == .playing { playing += 1 }
      decodedFrames += cache.decodedFrames
      hits += cache.hits
      misses += cache.misses
      residentFrames += cache.residentFrames
      residentBytes += cache.residentBytes
    }
  }

  /// A number with so many places after the point.
  static func decimal(_ value: Double, places: Int) -> String {
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

  /// A size in the largest unit that leaves a number before the point.
  static func bytes(_ count: Int64) -> String {
    if count < 1000 { return "\(count) B" }
    if count < 1_000_000 { return decimal(Double(count) / 1000, places: 1) + " KB" }
    return decimal(Double(count) / 1_000_000, places: 1) + " MB"
  }
}

/// Gathers what the overlay shows: every frame shown, and ten samples a second of the rest. Pure but for what it is
/// handed.
struct FigureRecorder {
  static let interval = Duration.milliseconds(100)
  /// Twelve seconds of samples.
  static let sampleCount = 120

  private(set) var shownFrames = 0
  private(set) var skippedFrames = 0
  /// Milliseconds of the latest frames shown.
  private(set) var lateness = History(capacity: 512)
  /// The worst lateness of each interval.
  private(set) var worstLateness = History(capacity: sampleCount)
  private(set) var memory = History(capacity: sampleCount)
  private(set) var resident = History(capacity: sampleCount)
  /// Frames shown in each interval.
  private(set) var frames = History(capacity: 10)
  private(set) var ticks = History(capacity: 10)
  private(set) var figures = Figures()
  private(set) var nextSample: PlaybackInstant?
  private var worst = 0.0
  private var framesNow = 0
  private var ticksNow = 0

  mutating func add(_ change: FrameChange) {
    let milliseconds = change.lateness / .milliseconds(1)
    shownFrames += 1
    skippedFrames += change.skippedFrames
    framesNow += 1
    lateness.add(milliseconds)
    worst = max(worst, milliseconds)
  }

  mutating func noteTick() { ticksNow += 1 }

  /// Takes a sample where it is time for one; returns whether it was.
  mutating func sample(
    at now: PlaybackInstant, memory bytes: () -> Int64?, figures current: () -> Figures
  ) -> Bool {
    if let nextSample, now < nextSample { return false }
    nextSample = now + Self.interval
    figures = current()
    worstLateness.add(worst)
    memory.add(Double(bytes() ?? 0))
    resident.add(Double(figures.residentBytes))
    frames.add(Double(framesNow))
    ticks.add(Double(ticksNow))
    (worst, framesNow, ticksNow) = (0, 0, 0)
    return true
  }

  /// Frames shown in the last second, of all images together.
  var framesPerSecond: Int { Int(frames.values.reduce(0, +)) }

  var ticksPerSecond: Int { Int(ticks.values.reduce(0, +)) }
}

/// The image whose frames the overlay shows one by one.
struct Subject {
  var name = ""
  var delays: [Int] = []
  var playhead: Int?
  var tiers: [CacheMap.Tier] = []
  var canvas = ""
  var decoded = ""

  init() {}

  init(name: String, view: AnimatedImageView?) {
    self.name = name
    guard let view, let image = view.image else { return }
    delays = image.frames.map { $0.delayMilliseconds(.browser) }
    playhead = view.shown?.index
    tiers = view.player?.cacheMap.tiers ?? []
    canvas = "\(image.width)x\(image.height)"
    decoded = view.shown.map { "\($0.pixels.width)x\($0.pixels.height)" } ?? ""
  }
}
