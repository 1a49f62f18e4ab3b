internal import EngineSupport
internal import GIFCaching
internal import GIFDecoding
internal import GIFPlayback
internal import GIFTimeline

/// A player's event on its way to whoever prints or draws; `target` counts the files of the command line from 0.
enum PlaybackEvent: Sendable {
  case frameChange(target: Int, FrameChange)
  case loopCompleted(target: Int, LoopCompletion)
  case finished(target: Int)
  case buffering(target: Int, BufferingChange)
  case failed(target: Int, GIFError)
}

/// Carries events from the threads that bring them about to the one that deals with them. Nothing is lost: the
/// one who is slow to print holds up nobody.
final class EventQueue: Sendable {
  private let monitor = Monitor<[PlaybackEvent]>([])

  func put(_ event: PlaybackEvent) {
    monitor.withLock { $0.append(event) }
    monitor.signal()
  }

  /// All events that wait; waits for the first one, until an instant at the latest.
  func takeAll(until deadline: PlaybackInstant) -> [PlaybackEvent] {
    let time = MonotonicTimeSource()
    return monitor.waitingWithLock { events in
      if events.isEmpty, time.now() < deadline { return .wait(until: deadline.nanoseconds) }
      defer { events = [] }
      return .done(events)
    }
  }

  /// Has all events of a player put here.
  func listen(to player: GIFPlayer, as target: Int) {
    player.onEvent { event in
      switch event {
      case .frameChange(let change): self.put(.frameChange(target: target, change))
      case .loopCompleted(let completion): self.put(.loopCompleted(target: target, completion))
      case .finished: self.put(.finished(target: target))
      case .buffering(let change): self.put(.buffering(target: target, change))
      case .failed(let error): self.put(.failed(target: target, error))
      case .stateChanged: break
      }
    }
  }
}

// MARK: - As JSON

/// The lines of `play --events`; part of the command line's contract.
struct EventLine: Encodable {
  var event: String
  var target: Int
  var currentFrameIndex: Int?
  var frameCount: Int?
  var loop: Int?
  /// When the frame was due: the summed delays since the start, in milliseconds of media time.
  var scheduledMs: Double?
  var latenessMs: Double?
  var skippedFrames: Int?
  var cause: String?
  var count: Int?
  var remaining: Int?
  /// What playback waits for; none when it goes on.
  var reason: String?
  var message: String?

  init(_ event: PlaybackEvent) {
    switch event {
    case .frameChange(let target, let change):
      self.event = "frameChange"
      self.target = target
      currentFrameIndex = change.currentFrameIndex
      frameCount = change.frameCount
      loop = change.loop
      scheduledMs = change.mediaTime.milliseconds
      latenessMs = change.lateness.milliseconds
      skippedFrames = change.skippedFrames
      cause = change.cause.rawValue
    case .loopCompleted(let target, let completion):
      self.event = "loopCompleted"
      self.target = target
      count = completion.count
      remaining = completion.remaining
    case .finished(let target):
      self.event = "finished"
      self.target = target
    case .buffering(let target, let change):
      self.event = "buffering"
      self.target = target
      frameCount = change.frameCount
      reason = change.reason?.rawValue
    case .failed(let target, let error):
      self.event = "failed"
      self.target = target
      message = error.description
    }
  }
}

extension Duration {
  /// In milliseconds, to the microsecond.
  var milliseconds: Double { Double(wholeMicroseconds) / 1000 }
}
