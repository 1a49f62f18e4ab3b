internal import EngineSupport
internal import GIFStage
internal import Gallop

/// A line of `play --events`: part of the command line's contract. Events share the names that they have in
/// common.
struct EventLine: Encodable {
  var event: String
  /// The number of the file, from 0; nil for events of the whole scene.
  var target: Int?
  var currentFrameIndex: Int?
  var frameCount: Int?
  var loop: Int?
  /// When the frame was due: the sum of delays since the start, in milliseconds of media time.
  var scheduledMs: Double?
  var latenessMs: Double?
  var skippedFrames: Int?
  var cause: String?
  var count: Int?
  var remaining: Int?
  /// Why playback waits; nil when it goes on.
  var reason: String?
  var message: String?
  /// The phase of a drag.
  var phase: String?
  var knob: String?
  /// The knob's frame.
  var value: Int?
  /// The first of a range of frames or of visible items.
  var first: Int?
  /// The last of that range.
  var last: Int?
  var rate: Double?
  var mode: String?
  var isPlaying: Bool?
  /// What became of a GIF that was judged for flashes.
  var state: String?

  /// The same line where the files that are shown begin with another one than the first of the command line.
  func numbered(from first: Int) -> EventLine {
    var line = self
    line.target = target.map { first + $0 }
    return line
  }

  private init(_ event: String, target: Int? = nil) {
    self.event = event
    self.target = target
  }

  /// The line for an event of a player; nil if no line is printed for it.
  init?(target: Int, _ event: PlayerEvent) {
    switch event {
    case .frameChange(let change): self.init(target: target, change)
    case .loopCompleted(let completion): self.init(target: target, completion)
    case .finished: self.init("finished", target: target)
    case .buffering(let change):
      self.init("buffering", target: target)
      frameCount = change.frameCount
      reason = change.reason?.rawValue
    case .flashes(let state): self.init(target: target, state)
    case .failed(let error):
      self.init(target: target, failure: error.description)
    case .stateChanged, .loading: return nil
    }
  }

  /// The line for a file that cannot be used.
  init(target: Int, failure reason: String) {
    self.init("failed", target: target)
    message = reason
  }

  /// The line for a change of a scene.
  init(_ event: SceneEvent) {
    switch event {
    case .rangeChanged(let item, let range):
      self.init("range", target: item)
      (first, last) = (range.first, range.last)
    case .rateChanged(let rate):
      self.init("rate")
      self.rate = rate.rounded(to: 4)
    case .modeChanged(let mode):
      self.init("mode")
      self.mode = mode.rawValue
    case .resizeModeChanged(let mode):
      self.init("resizeMode")
      self.mode = mode.rawValue
    case .scrolled(let visible):
      self.init("scroll")
      (first, last) = (visible.first, visible.last)
    case .selected(let item): self.init("select", target: item)
    case .opened(let item): self.init(item == nil ? "close" : "open", target: item)
    }
  }

  /// The line for an event of a view; nil if no line is printed for it.
  init?(target: Int, _ kind: ViewEvent.Kind) {
    switch kind {
    case .frameChanged(let change): self.init(target: target, change)
    case .loopCompleted(let completion): self.init(target: target, completion)
    case .finished: self.init("finished", target: target)
    case .loaded(let image): self.init(target: target, loaded: image)
    case .failed(let error):
      // The part of an interrupted transfer plays.
      if let image = error.partialImage {
        self.init(target: target, loaded: image)
      } else {
        self.init(target: target, failure: error.reason)
      }
    case .flashesJudged(let state): self.init(target: target, state)
    case .playbackChanged(let isPlaying):
      self.init("playback", target: target)
      self.isPlaying = isPlaying
    case .scrubbed(let scrub):
      self.init("scrub", target: target)
      (phase, knob, value) = (scrub.phase.rawValue, scrub.knob.rawValue, scrub.value)
    case .tapped, .scrolled, .progressed: return nil
    }
  }

  private init(target: Int, _ flashes: FlashState) {
    self.init("flashes", target: target)
    (state, rate) = (flashes.name, flashes.slowedRate)
  }

  private init(target: Int, loaded image: GIFImage) {
    self.init("loaded", target: target)
    frameCount = image.frameCount
  }

  private init(target: Int, _ change: FrameChange) {
    self.init("frameChange", target: target)
    currentFrameIndex = change.currentFrameIndex
    frameCount = change.frameCount
    loop = change.loop
    scheduledMs = change.mediaTime.milliseconds
    latenessMs = change.lateness.milliseconds
    skippedFrames = change.skippedFrames
    cause = change.cause.rawValue
  }

  private init(target: Int, _ completion: LoopCompletion) {
    self.init("loopCompleted", target: target)
    count = completion.count
    remaining = completion.remaining
  }
}

extension Duration {
  /// In milliseconds, to the microsecond.
  var milliseconds: Double { Double(wholeMicroseconds) / 1000 }
}
