internal import GIFDecoding
internal import GIFFlashes
internal import GIFTimeline

// What crosses to the page and back, as numbers in one block. NaN stands for a value that is not there.
// flashes.js has the same orders.

typealias Numbers = SharedBlock<Double>

// MARK: In

/// How a GIF is seen: the numbers that the page writes.
struct SeenNumbers {
  /// What a judge needs.
  let size: PixelSize
  let rate: Double
  let delays: DelayPolicy
  let sharing: FieldSharing
  private let mode: PlaybackMode
  private let range: Range<Int>?
  /// What a guard needs besides.
  let canvas: PixelSize
  let frameCount: Int
  let isComplete: Bool
  /// Whether it is judged for a player.
  private let isPlayed: Bool

  init(_ numbers: Numbers) {
    let whole = numbers.whole
    size = PixelSize(clampingWidth: whole(0), height: whole(1))
    // A rate without bounds would never end.
    rate = numbers[2] > 0 && numbers[2] <= FlashViewing.mostRate ? numbers[2] : 1
    delays = whole(3) == 0 ? .browser : .encoded
    mode = PlaybackMode(number: whole(4))
    range = whole(5) >= 0 && whole(5) < whole(6) ? whole(5)..<whole(6) : nil
    // As many as there are; a page that does not count them says that its field is full.
    sharing = whole(7) < 0 ? .full : FieldSharing(count: whole(7))
    canvas = PixelSize(clampingWidth: whole(8), height: whole(9))
    frameCount = min(max(0, whole(10)), 1 << 24)
    isComplete = numbers[11] != 0
    isPlayed = numbers[12] != 0
  }

  /// The frames of a play, of so many.
  private func order(of count: Int) -> [Int] {
    Timeline(
      delays: Array(repeating: 0, count: count), loopCount: .forever, mode: mode, range: range,
      isComplete: isComplete
    ).order
  }

  func options(of image: GIFImage) -> FlashOptions {
    var options = FlashOptions(
      size: size, rate: rate, delays: delays, frames: order(of: image.frameCount))
    options.sharing = sharing
    options.isAsPlayed = isPlayed
    return options
  }

  var viewing: FlashViewing {
    FlashViewing(
      content: FlashViewing.Content(
        order: order(of: frameCount), delays: delays, frameCount: frameCount, isComplete: isComplete,
        sharing: sharing),
      size: size, speed: rate)
  }
}

extension FlashPolicy {
  /// Its place in FLASH_POLICIES of flashes.js; the strictest for others.
  init(number: Int32) {
    self = number == 0 ? .allow : number == 1 ? .warn : number == 3 ? .slow : .hold
  }
}

extension PlaybackInstant {
  init(milliseconds: Double) { self.init(nanoseconds: Milliseconds.nanoseconds(milliseconds)) }
}

extension PlaybackInstant? {
  /// Infinity for never.
  var milliseconds: Double { map { Milliseconds.of($0.nanoseconds) } ?? .infinity }
}

// MARK: Out, and in again

extension Numbers {
  /// A verdict: 16 numbers.
  mutating func append(_ report: FlashReport) {
    append(report.result == .passes ? 0 : report.result == .fails ? 1 : 2)
    append(report.general)
    append(report.red)
    append(report.safeRate ?? .nan)
    append(report.safeSize.map { Double($0.width) } ?? .nan)
    append(report.safeSize.map { Double($0.height) } ?? .nan)
    append(report.isDecoded ? 1 : 0)
    append(report.failsOnlyBesideOthers ? 1 : 0)
  }

  private mutating func append(_ peak: FlashReport.Peak?) {
    append(peak?.flashesPerSecond ?? .nan)
    append(peak.map { $0.start.wholeMilliseconds } ?? .nan)
    append(peak.map { Double($0.firstFrame) } ?? .nan)
    append(peak.map { Double($0.lastFrame) } ?? .nan)
    append(peak?.fieldShare ?? .nan)
  }

  /// The verdict that ``append(_:)`` has written, in another instance.
  var report: FlashReport {
    let size = PixelSize(clampingWidth: whole(12), height: whole(13))
    return FlashReport(
      result: self[0] == 0 ? .passes : self[0] == 1 ? .fails : .unknown, general: peak(at: 1),
      red: peak(at: 6),
      safeRate: self[11].isNaN ? nil : self[11], safeSize: self[12].isNaN ? nil : size,
      isDecoded: self[14] != 0, failsOnlyBesideOthers: self[15] != 0)
  }

  private func peak(at place: Int) -> FlashReport.Peak? {
    guard !self[place].isNaN else { return nil }
    return FlashReport.Peak(
      flashesPerSecond: self[place], start: .milliseconds(whole(place + 1)), firstFrame: whole(place + 2),
      lastFrame: whole(place + 3), fieldShare: self[place + 4])
  }

  fileprivate func whole(_ place: Int) -> Int { Int(clamping: Int64(clamping: self[place])) }

  /// What a guard decides: 7 numbers, and the verdict of its state if it has one.
  mutating func append(_ limit: MotionLimit, _ flashes: inout FlashGuard) {
    append(limit.number)
    append(limit.speed)
    append(flashes.restEnd.milliseconds)
    append(flashes.takeQuestion().map { $0.options.rate } ?? .nan)
    append(flashes.takeState() == nil ? 0 : 1)
    append(flashes.state.number)
    append(flashes.state.slowedRate ?? .nan)
    if let report = flashes.state.report { append(report) }
  }
}

extension MotionLimit {
  /// Its number as the command `motion` takes it.
  fileprivate var number: Double {
    switch self {
    case .none: 0
    case .paced: 1
    case .still: 2
    case .frozen: 3
    }
  }

  fileprivate var speed: Double { if case .paced(let speed) = self { speed } else { .infinity } }
}

extension FlashState {
  /// Its place in FLASH_STATES of flashes.js.
  fileprivate var number: Double {
    switch self {
    case .unjudged: 0
    case .judging: 1
    case .passes: 2
    case .warned: 3
    case .slowed: 4
    case .held: 5
    }
  }
}

extension Duration {
  /// As a number of JavaScript. GIFDecoding's count of this name is not for the web: see Instead.
  fileprivate var wholeMilliseconds: Double {
    Double(components.seconds) * 1e3 + Double(components.attoseconds / 1_000_000_000_000_000)
  }
}
