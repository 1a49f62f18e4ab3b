import GIFDecoding
import GIFTestSupport
import GIFTimeline

@testable import GIFFlashes
@testable import GIFPlayback

/// An animation of frames that are black or white, all over or in a part, judged from its delays alone.
struct BlinkingFrames {
  static let canvas = PixelSize(width: 400, height: 300)!
  /// Whether each frame is white.
  var lights: [Bool]
  /// In hundredths of a second.
  var delays: [Int]
  /// The rectangle of the canvas that blinks.
  var part = PixelRect(x: 0, y: 0, width: canvas.width, height: canvas.height)

  /// An image of these delays, whose pictures nothing looks at.
  func image() throws -> GIFImage {
    var writer = GIFWriter(
      width: Self.canvas.width, height: Self.canvas.height, palette: [0x000000, 0xFFFFFF])
    writer.loop(0)
    for delay in delays {
      writer.graphicsControl(disposal: 1, delay: delay)
      writer.image(width: 1, height: 1, indices: [0])
    }
    writer.trailer()
    return try GIFImage(bytes: writer.bytes)
  }

  /// The CSS pixels of the blinking part that a field of 341 x 256 can hold.
  func area(at size: PixelSize) -> Double {
    let (x, y) = (
      Double(size.width) / Double(Self.canvas.width), Double(size.height) / Double(Self.canvas.height)
    )
    return min(Double(part.width) * x, 341) * min(Double(part.height) * y, 256)
  }

  /// Whether the blinking part is too large, by the words of the rule: a quarter of a field, or the part of
  /// that which is its own among others.
  func isLarge(_ size: PixelSize, _ sharing: FieldSharing) -> Bool {
    let (width, height) = (Double(size.width), Double(size.height))
    let others: Double =
      switch sharing {
      case .alone: 1
      case .among(let count): Double(count)
      case .full: ((341 + 2 * width) / width) * ((256 + 2 * height) / height)
      }
    return area(at: size) * others > 341 * 256 / 4
  }

  /// The verdict on an order of frames that plays for ever, of its changes alone.
  func report(_ options: FlashOptions) -> FlashReport {
    let order = options.frames ?? Array(lights.indices)
    var (times, time) = ([Int](), 0)
    for _ in 0..<(order.count > 1 ? 40 : 0) {
      for (place, frame) in order.enumerated() {
        let former = order[(place + order.count - 1) % order.count]
        if lights[frame] != lights[former] { times.append(time) }
        time += max(20, delays[frame] * 10)
      }
    }
    let spans = times.indices.dropLast(6).map { Double(times[$0 + 6] - times[$0]) }
    let shortest = spans.min() ?? .infinity
    guard shortest < 1000 * options.rate, isLarge(options.size ?? Self.canvas, options.sharing)
    else { return .passing(isDecoded: true) }
    if options.isVerdictOnly { return .failing }
    let peak = FlashReport.Peak(
      flashesPerSecond: 4, start: .zero, firstFrame: 0, lastFrame: 1, fieldShare: 1)
    return FlashReport(
      result: .fails, general: peak, safeRate: shortest > 0 ? shortest / 1000 : nil, isDecoded: true)
  }
}

/// A player's decisions about flashes, without threads and pixels: time, ticks, missing frames and verdicts
/// are the test's.
struct FlashRig {
  struct Change {
    var time: Int64
    var frame: Int
    /// The size at which it was shown.
    var size: PixelSize
    /// Whether what blinks was large enough to matter.
    var isLarge: Bool
  }

  let frames: BlinkingFrames
  var core: PlayerCore
  var flashes: FlashGuard
  private(set) var changes: [Change] = []
  private(set) var wakeAt: PlaybackInstant?
  /// What is being judged, and when the verdict comes.
  private(set) var questions: [(viewing: FlashViewing, due: PlaybackInstant)] = []
  var judgingTime: Int64 = 0
  /// Whether frames that are asked for are there.
  var hasFrames = true

  init(
    _ frames: BlinkingFrames, _ image: GIFImage, policy: FlashPolicy, late: LatePolicy = .skip,
    loopCount: LoopCount? = nil
  ) {
    self.frames = frames
    core = PlayerCore(
      animation: image.animation, schedule: PlayerSchedule(delayPolicy: .browser, loopCount: loopCount),
      rate: 1, rules: PlaybackRules(latePolicy: late), reducedMotion: .off, readAhead: 0)
    flashes = FlashGuard(policy: policy, shownSize: nil, sharing: .alone)
  }

  mutating func perform(
    at now: PlaybackInstant, _ command: (inout PlayerCore, PlaybackInstant) -> Void = { _, _ in }
  ) {
    var flashes = flashes
    let hasFrames = hasFrames
    let actions = core.perform(
      at: now, isThere: { _, _ in hasFrames },
      command: { core, now in
        command(&core, now)
        flashes.follow(&core, frameSize: BlinkingFrames.canvas, at: now)
      })
    self.flashes = flashes
    take(actions)
  }

  mutating func tick(at now: PlaybackInstant) {
    if let end = flashes.restEnd, now >= end { return perform(at: now) }
    let hasFrames = hasFrames
    take(core.tick(at: now, isThere: { _, _ in hasFrames }))
  }

  /// The next instant at which something happens by itself.
  var nextInstant: PlaybackInstant? {
    [wakeAt, questions.map(\.due).min()].compactMap { $0 }.min()
  }

  /// Does what is due: verdicts that have come, then a tick.
  mutating func advance(to now: PlaybackInstant) {
    while let index = questions.firstIndex(where: { $0.due <= now }) {
      let viewing = questions.remove(at: index).viewing
      flashes.take(frames.report(viewing.options), of: viewing)
      perform(at: now)
    }
    tick(at: now)
  }

  private mutating func take(_ actions: PlayerCore.Actions?) {
    guard let actions else { return }
    for case .shown(let shown) in actions.events {
      flashes.noteChange(at: actions.now)
      let size = flashes.shownSize ?? BlinkingFrames.canvas
      changes.append(
        Change(
          time: actions.now.nanoseconds, frame: shown.frame, size: size,
          isLarge: frames.isLarge(size, flashes.sharing)))
    }
    wakeAt = [actions.wakeAt, flashes.restEnd].compactMap { $0 }.min()
    if let viewing = flashes.takeQuestion() {
      questions.append((viewing, actions.now.advanced(byNanoseconds: judgingTime)))
    }
  }

  /// The changes between black and white.
  var blinks: [Change] {
    zip(changes, changes.dropFirst()).compactMap { former, change in
      frames.lights[former.frame] != frames.lights[change.frame] ? change : nil
    }
  }

  /// The shortest time in which seven changes between black and white were seen in a large area.
  var shortestSeven: Int64? {
    let times = blinks.filter(\.isLarge).map(\.time)
    return times.indices.dropLast(6).map { times[$0 + 6] - times[$0] }.min()
  }
}

extension FlashRig {
  /// Performs any command of a player.
  mutating func performAny(at now: PlaybackInstant, using generator: inout SeededGenerator) {
    let count = frames.lights.count
    switch Int.random(in: 0..<5, using: &generator) {
    case 0:
      let rate = ([0.25, 0.5, 1, 1.5, 2, 4] as [Double]).randomElement(using: &generator) ?? 1
      perform(at: now) { $0.machine.setRate(rate, at: $1) }
    case 1:
      let first = Int.random(in: 0..<count, using: &generator)
      let last = Int.random(in: first..<count, using: &generator)
      perform(at: now) { $0.setRange(first..<last + 1, at: $1) }
    case 2:
      let mode = PlaybackMode.allCases.randomElement(using: &generator) ?? .forward
      perform(at: now) { $0.setMode(mode, at: $1) }
    case 3:
      let visibility =
        ([.visible, .near, .hidden] as [Visibility]).randomElement(using: &generator) ?? .visible
      perform(at: now) { $0.setVisibility(visibility, at: $1) }
    default:
      let plays = Bool.random(using: &generator)
      perform(at: now) { if plays { $0.machine.play(at: $1) } else { $0.machine.pause(at: $1) } }
    }
  }
}
