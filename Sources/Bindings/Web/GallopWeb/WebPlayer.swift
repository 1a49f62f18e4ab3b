internal import GIFDecoding
internal import GIFTimeline

/// A player of the page: the same decisions as on Linux, without threads.
///
/// A frame is there as soon as it has arrived: the page draws it when it is shown.
final class WebPlayer {
  let image: WebImage
  private(set) var core: PlayerCore
  // Stored, so that the compiler does not write the machine a second time around a closure that it knows.
  private let isThere: PlaybackMachine.IsThere

  init(_ image: WebImage, _ current: GIFImage, settings: Settings) {
    self.image = image
    isThere = { frame, _ in frame < image.current?.image.frameCount ?? 0 }
    core = PlayerCore(
      animation: current.animation, schedule: settings.schedule, rate: settings.rate, rules: settings.rules,
      reducedMotion: .off, readAhead: 0)
  }

  /// Answers with the state after a tick.
  ///
  /// The core is passed where it is: a copy would take more of the module than all else here.
  func report(_ actions: PlayerCore.Actions?, at now: PlaybackInstant, to numbers: inout Numbers) {
    numbers.append(&core, at: now, actions)
  }

  /// The settings that do not come as commands.
  struct Settings {
    var schedule: PlayerSchedule
    var rate: Double
    var rules: PlaybackRules
  }

  /// Carries out a command, then everything that is due.
  func perform(_ command: WebCommand, at now: PlaybackInstant) -> PlayerCore.Actions? {
    if case .tick = command { return core.tick(at: now, isThere: isThere) }
    return core.perform(at: now, isThere: isThere) { [image] core, now in
      switch command {
      case .tick: break
      case .play: core.machine.play(at: now)
      case .pause: core.machine.pause(at: now)
      case .seekToFrame(let frame): core.machine.seek(toFrame: frame, at: now)
      case .seekInLoop(let time): core.machine.seek(inLoop: time, at: now)
      case .step(let count): core.machine.step(by: count, at: now)
      case .beginScrubbing: core.machine.beginScrubbing(at: now)
      case .endScrubbing: core.machine.endScrubbing(at: now)
      case .rate(let rate): core.machine.setRate(rate, at: now)
      case .mode(let mode): core.setMode(mode, at: now)
      case .range(let range): core.setRange(range, at: now)
      case .visibility(let visibility): core.setVisibility(visibility, at: now)
      case .grow(let isComplete):
        if let newer = image.current?.image.animation {
          _ = core.grow(to: newer, isComplete: isComplete, at: now)
        }
      case .poster: _ = core.showPoster(nil)
      case .motion(let limit): core.machine.setMotionLimit(limit, at: now)
      }
    }
  }
}
