import GIFCaching
import GIFDecoding
import GIFLoading
import GIFPlayback
import GIFStage
import GIFTestSupport
import GIFTimeline
import Synchronization
import Testing

/// Small images of one colour a frame.
enum TestImage {
  static let colors: [RGB] = [0x102030, 0xFF0000, 0x00FF00, 0x0000FF, 0xFFFF00, 0x00FFFF, 0xFF00FF, 0xFFFFFF]

  /// Frame n is all of colour n % 8; `delay` is in hundredths of a second.
  static func flat(
    frames: Int, width: Int = 6, height: Int = 4, delay: Int = 10, repetitions: Int? = 0
  ) throws -> GIFImage {
    try GIFImage(
      bytes: flatFile(
        frames: frames, width: width, height: height, delay: delay, repetitions: repetitions
      ).bytes)
  }

  /// The file of ``flat(frames:width:height:delay:repetitions:)``, and the end of each frame in it.
  static func flatFile(
    frames: Int, width: Int = 6, height: Int = 4, delay: Int = 10, repetitions: Int? = 0
  ) -> (bytes: [UInt8], ends: [Int]) {
    var writer = GIFWriter(width: width, height: height, palette: colors)
    if let repetitions { writer.loop(repetitions) }
    var ends: [Int] = []
    for frame in 0..<frames {
      writer.graphicsControl(disposal: 1, delay: delay)
      writer.image(
        width: width, height: height, indices: Array(repeating: UInt8(frame % 8), count: width * height))
      ends.append(writer.bytes.count)
    }
    writer.trailer()
    return (writer.bytes, ends)
  }

  /// The first frame is dark, each later one sets a single pixel at (frame, 1).
  static func dots(frames: Int, width: Int = 8, height: Int = 4) throws -> GIFImage {
    var writer = GIFWriter(width: width, height: height, palette: colors)
    writer.loop(0)
    for frame in 0..<frames {
      writer.graphicsControl(disposal: 1, delay: 10)
      if frame == 0 {
        writer.image(width: width, height: height, indices: Array(repeating: 0, count: width * height))
      } else {
        writer.image(x: frame % width, y: 1, width: 1, height: 1, indices: [1])
      }
    }
    writer.trailer()
    return try GIFImage(bytes: writer.bytes)
  }

  /// The pixel that frame n of ``flat(frames:width:height:delay:repetitions:)`` is made of.
  static func pixel(_ frame: Int) -> UInt32 {
    let color = colors[frame % 8]
    return Color(red: color.red, green: color.green, blue: color.blue).word
  }
}

/// A loader that a test controls.
final class ManualLoader: ImageLoader {
  /// A started load.
  private final class Pending: Sendable {
    let source: String
    let sink: LoadingSink
    let isCancelled = Atomic<Bool>(false)

    init(_ source: String, _ sink: LoadingSink) {
      self.source = source
      self.sink = sink
      sink.onCancel { [weak self] in self?.isCancelled.store(true, ordering: .relaxed) }
    }
  }

  private let pending = Mutex<[Pending]>([])
  private let images = Mutex<[String: GIFImage]>([:])
  private let asked = Mutex<[String]>([])
  /// Whether available images finish at the start of a load.
  let isImmediate: Bool

  init(isImmediate: Bool = true) { self.isImmediate = isImmediate }

  subscript(source: String) -> GIFImage? {
    get { images.withLock { $0[source] } }
    set { images.withLock { $0[source] = newValue } }
  }

  /// The sources of all loads, in order.
  var sources: [String] { asked.withLock { $0 } }

  /// The sources of loads that run.
  var waiting: [String] {
    pending.withLock { $0.filter { !$0.isCancelled.load(ordering: .relaxed) }.map(\.source) }
  }

  func states(of source: GIFSource) -> LoadingStates {
    LoadingStates(source: source.description) { self.start(source.description, $0) }
  }

  private func start(_ source: String, _ sink: LoadingSink) {
    asked.withLock { $0.append(source) }
    if isImmediate, let image = self[source] { return sink.finish(with: image) }
    pending.withLock { $0.append(Pending(source, sink)) }
  }

  /// Passes bytes to the loads of a source.
  func receive(_ bytes: some Collection<UInt8>, of source: String, announced: Int? = nil) {
    for load in pending.withLock({ $0.filter { $0.source == source } }) {
      if let announced { load.sink.announce(byteCount: Int64(announced)) }
      load.sink.receive(Array(bytes).span)
    }
  }

  /// Ends the loads of a source, also cancelled ones, as a thread may be that late; nil for the end of the
  /// bytes.
  func complete(_ source: String, with outcome: Result<GIFImage, GIFLoadingError>?) {
    let found = pending.withLock { pending in
      let found = pending.filter { $0.source == source }
      pending.removeAll { $0.source == source }
      return found
    }
    for load in found {
      switch outcome {
      case .success(let image): load.sink.finish(with: image)
      case .failure(let error): load.sink.fail(error)
      case nil: load.sink.finish()
      }
    }
  }
}

extension GIFLoadingError {
  /// An error with its reason in words.
  static func test(_ reason: String) -> GIFLoadingError {
    GIFLoadingError(.unusableFile, source: "test", detail: reason)
  }
}

extension View {
  /// Moves a root view to a place with a visibility: on the stage, beside it, or far away.
  func move(to visibility: Visibility) {
    switch visibility {
    case .visible: frame.x = 0
    case .near: frame.x = frame.width
    case .hidden: frame.x = 100_000
    }
  }
}

/// A stage on a clock that is moved by hand, with players that decode at once.
final class StageRig {
  let time = ManualTime(start: PlaybackInstant(nanoseconds: 5_000_000_000))
  let clock: PlaybackClock
  let loader: ManualLoader
  let services: StageServices
  private(set) var stage: Stage?

  /// - Parameter judge: what judges flashes; a thread by default.
  init(isImmediate: Bool = true, judge: FlashJudge = .shared) {
    clock = PlaybackClock(drivenWith: time.now, judge: judge)
    loader = ManualLoader(isImmediate: isImmediate)
    var services = StageServices(clock: clock, pool: .inline, loader: loader)
    // Of its own: a store shared with another test may be at work on that test's thread.
    services.budget = FrameBudget()
    self.services = services
  }

  /// Creates a stage for a view.
  @discardableResult
  func show(_ root: View, width: Int, height: Int, scale: Int = 1) -> Stage {
    let stage = Stage(root: root, width: width, height: height, scale: scale, clock: clock)
    self.stage = stage
    settle()
    return stage
  }

  /// Ticks without advancing time, until all events are processed.
  func settle() {
    for _ in 0..<4 { stage?.tick() }
  }

  /// Runs the requested ticks for a duration.
  func run(_ duration: Duration) {
    let end = time.now() + duration
    while let next = stage?.tick(), next <= end { time.move(to: max(next, time.now() + .nanoseconds(1))) }
    time.move(to: end)
    settle()
  }

  /// Draws the changes; returns their rectangles.
  @discardableResult
  func draw() -> [PixelRect] { stage?.draw() ?? [] }
}

/// The events of a view and of what is in it, a word each.
final class ViewLog {
  private(set) var words: [String] = []

  init(_ view: View) { view.on { [unowned self] in self.words.append(Self.word($0.kind)) } }

  /// Returns the events since the last call.
  func take() -> [String] {
    defer { words = [] }
    return words
  }

  static func word(_ kind: ViewEvent.Kind) -> String {
    switch kind {
    case .loaded(let image): "loaded \(image.frameCount)"
    case .failed(let error): "failed \(error.reason)"
    case .progressed(let state): "loading \(state.byteCount)"
    case .frameChanged(let change): "frame \(change.currentFrameIndex)"
    case .loopCompleted(let completion): "loop \(completion.count)"
    case .finished: "finished"
    case .flashesJudged(let state): "flashes \(state)"
    case .playbackChanged(let isPlaying): isPlaying ? "play" : "pause"
    case .tapped: "tap"
    case .scrubbed(let scrub): "\(scrub.phase.rawValue) \(scrub.knob.rawValue) \(scrub.value)"
    case .scrolled(let visible): "scrolled \(visible)"
    }
  }
}

extension PixelRect {
  init(_ x: Int, _ y: Int, _ width: Int, _ height: Int) {
    self.init(x: x, y: y, width: width, height: height)
  }
}
