import GIFDecoding
import GIFTestSupport
import GIFTimeline

@testable import GIFFlashes
@testable import GIFPlayback

/// An animation of black and white frames, judged from its delays alone.
struct BlinkingFrames {
  static let canvas = PixelSize(width: 400, height: 300)!
  /// Whether each frame is white.
  var lights: [Bool]
  /// In hundredths of a second.
  var delays: [Int]

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

  /// Whether a canvas that flashes as a whole is too large, by the words of the rule: a quarter of a field of
  /// 341 x 256, or the part of that which is its own among others of its size.
  static func isLarge(_ size: PixelSize, sharesField: Bool) -> Bool {
    let (width, height) = (Double(size.width), Double(size.height))
    let touching = sharesField ? ((341 + 2 * width) / width) * ((256 + 2 * height) / height) : 1
    return min(width, 341) * min(height, 256) * touching > 341 * 256 / 4
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
    let isLarge = Self.isLarge(options.size ?? Self.canvas, sharesField: options.sharesField)
    guard isLarge, shortest < 1000 * options.rate else { return .passing(isDecoded: true) }
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
    /// Whether the canvas was large enough to matter.
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

  init(_ frames: BlinkingFrames, _ image: GIFImage, policy: FlashPolicy, late: LatePolicy = .skip) {
    self.frames = frames
    core = PlayerCore(
      animation: image.animation, schedule: PlayerSchedule(delayPolicy: .browser), rate: 1,
      rules: PlaybackRules(latePolicy: late), reducedMotion: .off, readAhead: 0)
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
      changes.append(
        Change(
          time: actions.now.nanoseconds, frame: shown.frame,
          isLarge: BlinkingFrames.isLarge(
            flashes.shownSize ?? BlinkingFrames.canvas, sharesField: flashes.sharing != .alone)))
    }
    wakeAt = [actions.wakeAt, flashes.restEnd].compactMap { $0 }.min()
    if let viewing = flashes.takeQuestion() {
      questions.append((viewing, actions.now.advanced(byNanoseconds: judgingTime)))
    }
  }

  /// The shortest time in which seven changes between black and white were seen on a large canvas.
  var shortestSeven: Int64? {
    var times: [Int64] = []
    for (former, change) in zip(changes, changes.dropFirst())
    where frames.lights[former.frame] != frames.lights[change.frame] && change.isLarge {
      times.append(change.time)
    }
    return times.indices.dropLast(6).map { times[$0 + 6] - times[$0] }.min()
  }
}
