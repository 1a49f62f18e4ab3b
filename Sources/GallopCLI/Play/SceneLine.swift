internal import GIFDecoding
internal import GIFPlayback
internal import GIFStage
internal import GIFTimeline

/// The lines that `play --window --events` prints beside those of every player; `target` counts the files from 0.
struct SceneLine: Encodable {
  var event: String
  var target: Int?
  var frameCount: Int?
  var message: String?
  /// Which part of a drag.
  var phase: String?
  var knob: String?
  /// The knob's frame.
  var value: Int?
  /// The first and the last of a range of frames or of visible items.
  var first: Int?
  var last: Int?
  var rate: Double?
  var mode: String?
  var isPlaying: Bool?

  static func print(_ report: SceneReport) throws {
    if let event = PlaybackEvent(report) {
      try JSONLine.print(EventLine(event))
    } else if let line = SceneLine(report) {
      try JSONLine.print(line)
    }
  }

  /// Nil for what is a ``PlaybackEvent``.
  private init?(_ report: SceneReport) {
    switch report {
    case .frameChanged, .loopCompleted, .finished: return nil
    case .loaded(let item, let image):
      self.init("loaded", target: item)
      frameCount = image.frameCount
    case .failed(let item, let reason):
      self.init("failed", target: item)
      message = reason
    case .playbackChanged(let item, let isPlaying):
      self.init("playback", target: item)
      self.isPlaying = isPlaying
    case .scrubbed(let item, let scrub):
      self.init("scrub", target: item)
      (phase, knob, value) = (scrub.phase.rawValue, scrub.knob.rawValue, scrub.value)
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
    }
  }

  private init(_ event: String, target: Int? = nil) {
    self.event = event
    self.target = target
  }
}

extension PlaybackEvent {
  fileprivate init?(_ report: SceneReport) {
    switch report {
    case .frameChanged(let item, let change): self = .frameChange(target: item, change)
    case .loopCompleted(let item, let completion): self = .loopCompleted(target: item, completion)
    case .finished(let item): self = .finished(target: item)
    default: return nil
    }
  }
}
