import GIFCaching
import GIFDecoding
import GIFPlayback
import GIFTestSupport
import GIFTimeline
import Synchronization
import Testing

/// Small images for players.
enum Sample {
  /// A small moving dot; `delays` are hundredths of a second, `repetitions` the stored loop count.
  static func image(
    delays: [Int], repetitions: Int? = 0, isKeyed: Bool = false, limits: DecodingLimits = .default
  ) throws -> GIFImage {
    try GIFImage(bytes: bytes(delays: delays, repetitions: repetitions, isKeyed: isKeyed), limits: limits)
  }

  /// - Parameter isKeyed: whether every frame covers the whole canvas.
  static func bytes(delays: [Int], repetitions: Int? = 0, isKeyed: Bool = false) -> [UInt8] {
    var writer = GIFWriter(width: 6, height: 4, palette: [0x000000, 0xFF0000, 0x00FF00, 0x0000FF])
    if let repetitions { writer.loop(repetitions) }
    for (number, delay) in delays.enumerated() {
      writer.graphicsControl(disposal: 1, delay: delay)
      if number == 0 || isKeyed {
        writer.image(width: 6, height: 4, indices: Array(repeating: UInt8(number % 4), count: 24))
      } else {
        writer.image(
          x: number % 5, y: number % 3, width: 2, height: 2,
          indices: Array(repeating: UInt8(1 + number % 3), count: 4))
      }
    }
    writer.trailer()
    return writer.bytes
  }
}

/// A clock that is moved by hand, and players on it that decode at once.
struct Stage {
  /// Not zero, so that instants and media times cannot be mixed up.
  static let start = PlaybackInstant(nanoseconds: 77_000_000_123)

  let time = ManualTime(start: Stage.start)
  let clock: PlaybackClock

  init() { clock = PlaybackClock(drivenWith: time.now) }

  /// A player with a budget of its own, unless one is given: tests run side by side, and players of the same
  /// content and budget share what another thread decodes.
  func player(_ image: GIFImage, options: GIFPlayer.Options = GIFPlayer.Options()) -> GIFPlayer {
    var options = options
    if options.budget === FrameBudget.shared { options.budget = FrameBudget() }
    return GIFPlayer(image, options: options, clock: clock, pool: .inline)
  }

  /// A player of a small moving dot, without end unless said otherwise.
  func player(_ delays: [Int], plays: Int? = nil) throws -> GIFPlayer {
    var options = GIFPlayer.Options()
    options.loopCount = plays.map { .plays($0) }
    return player(try Sample.image(delays: delays), options: options)
  }

  /// A playing player of 40 frames, each a second long, of which only the first has been decoded.
  func slowPlayer(on pool: DecodePool) throws -> GIFPlayer {
    var options = GIFPlayer.Options()
    options.budget = FrameBudget()
    let image = try Sample.image(delays: Array(repeating: 100, count: 40))
    let player = GIFPlayer(image, options: options, clock: clock, pool: pool)
    player.play()
    while player.currentFrame == nil, pool.takeTurn() {}
    return player
  }

  /// The time since the start.
  var elapsed: Duration { time.now() - Self.start }

  /// Goes from deadline to deadline up to a time after the start. Returns how many there were.
  @discardableResult
  func run(to end: Duration) -> Int {
    let end = Self.start + end
    var count = 0
    while let next = clock.nextDeadline, next <= end {
      time.move(to: next)
      clock.tick()
      count += 1
      if let again = clock.nextDeadline, again <= time.now() {
        Issue.record("a wake-up at \(time.now().nanoseconds) left its deadline behind")
        return count
      }
    }
    time.move(to: end)
    return count
  }

  /// Jumps to a time after the start and ticks once.
  func jump(to end: Duration) {
    time.move(to: Self.start + end)
    clock.tick()
  }
}

/// All events of a player, in order.
final class EventLog: Sendable {
  enum Event: Sendable {
    case change(FrameChange)
    case loop(LoopCompletion)
    case finish
    case failure(GIFError)
  }

  private let log = Mutex<[Event]>([])

  init(_ player: GIFPlayer) {
    player.onFrameChange { self.add(.change($0)) }
    player.onLoop { self.add(.loop($0)) }
    player.onFinish { _ in self.add(.finish) }
    player.onFailure { self.add(.failure($0)) }
  }

  private func add(_ event: Event) { log.withLock { $0.append(event) } }

  var events: [Event] { log.withLock { $0 } }

  var changes: [FrameChange] {
    events.compactMap { if case .change(let change) = $0 { change } else { nil } }
  }

  var loops: [LoopCompletion] {
    events.compactMap { if case .loop(let loop) = $0 { loop } else { nil } }
  }

  var failures: [GIFError] {
    events.compactMap { if case .failure(let error) = $0 { error } else { nil } }
  }

  var finishes: Int { text.count { $0 == "finish" } }

  var frames: [Int] { changes.map(\.currentFrameIndex) }

  /// A word an event: `play 0`, `loop! 1`, `finish`, `failure`.
  var text: [String] {
    events.map { event in
      switch event {
      case .change(let change): "\(change.cause.rawValue) \(change.currentFrameIndex)"
      case .loop(let loop): "loop! \(loop.count)"
      case .finish: "finish"
      case .failure: "failure"
      }
    }
  }

  /// Hands out what came since the last time.
  func take() -> [String] {
    let taken = text
    log.withLock { $0 = [] }
    return taken
  }
}
