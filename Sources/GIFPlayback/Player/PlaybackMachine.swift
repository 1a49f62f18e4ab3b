internal import GIFCaching
internal import GIFDecoding

/// The state of a player: what is shown, what is due, what was told. Pure: it is given the time and told which
/// pictures are there, and returns what to do.
///
/// Media time stands still while a picture that starts something (the first one, the target of a seek) is not
/// there yet: playback begins with that picture, not before. Once it runs, a missing picture never stops it.
struct PlaybackMachine: Sendable {
  enum Run: Sendable, Equatable {
    /// At the start; nothing has been asked for.
    case stopped
    case playing
    case paused
    /// All plays are over; the last picture rests.
    case finished
  }

  enum Action: Sendable, Equatable {
    /// Make this picture visible.
    case show(Shown)
    /// A loop is over: how many in all, and how many are left (nil: without end).
    case loopCompleted(count: Int, remaining: Int?)
    case finished
  }

  /// A picture made visible.
  struct Shown: Sendable, Equatable {
    var frame: Int
    var loop: Int
    var cause: FrameChange.Cause
    /// When it was due, in media nanoseconds since the start of the first loop.
    var mediaTime: Int64
    /// How much later it came, in nanoseconds of real time.
    var lateness: Int64
    /// How many pictures between the last one and this one were never shown.
    var skipped: Int
  }

  private(set) var timeline: Timeline
  private(set) var run = Run.stopped
  private(set) var rate: Double
  /// Media time when it last stood still, and the instant since which it runs; nil while it stands.
  private var media: Int64 = 0
  private var runningSince: PlaybackInstant?
  /// Why the picture of the present position must be shown anew as soon as it is there.
  private var pending: FrameChange.Cause?
  /// The place in the schedule of the picture shown last: loop times steps plus step.
  private var shownStep: Int64?
  /// Whether the picture that should be seen now is missing.
  private(set) var isWaiting = false
  /// Loops whose end was told.
  private var loopsTold = 0

  init(timeline: Timeline, rate: Double = 1) {
    self.timeline = timeline
    self.rate = Self.clamped(rate)
  }

  static func clamped(_ rate: Double) -> Double { rate.isNaN ? 1 : min(20, max(0.05, rate)) }

  // MARK: Commands

  /// Starts, goes on after a pause, or begins anew after the end.
  mutating func play(at now: PlaybackInstant) {
    guard timeline.stepCount > 0, run != .playing else { return }
    if run == .finished { rewind(cause: .restart) }
    if run == .stopped, pending == nil, shownStep == nil { pending = .play }
    run = .playing
    if pending == nil { runningSince = now }
  }

  /// Stops the time; what is left of the frame's time is kept.
  mutating func pause(at now: PlaybackInstant) {
    guard run == .playing else { return }
    halt(at: now)
    run = .paused
  }

  /// Goes back to the start and shows the first picture.
  mutating func stop(at now: PlaybackInstant) {
    guard timeline.stepCount > 0, run != .stopped else { return }
    run = .stopped
    rewind(cause: .seek)
  }

  /// Goes to the start and plays from there.
  mutating func restart(at now: PlaybackInstant) {
    guard timeline.stepCount > 0 else { return }
    rewind(cause: .restart)
    run = .playing
  }

  /// Goes to a frame in the present loop; playing goes on from there, pausing stays.
  mutating func seek(toFrame frame: Int, at now: PlaybackInstant) {
    guard let step = timeline.step(showing: frame) else { return }
    let loop = run == .finished ? 0 : timeline.position(at: mediaTime(at: now))?.loop ?? 0
    jump(to: timeline.start(ofStep: step, loop: loop), cause: .seek)
  }

  /// Goes to a media time; beyond the end means to the last picture.
  mutating func seek(toMedia time: Int64, at now: PlaybackInstant) {
    guard timeline.stepCount > 0 else { return }
    jump(to: min(max(0, time), lastMoment), cause: .seek)
  }

  /// Pauses and goes some steps on or back, round the ends of a loop, never before the start or past the end.
  mutating func step(by count: Int, at now: PlaybackInstant) {
    guard let position = timeline.position(at: mediaTime(at: now)), count != 0 else { return }
    let steps = Int64(timeline.stepCount)
    let (sum, overflows) = absoluteStep(position).addingReportingOverflow(Int64(count))
    let last = timeline.position(at: lastMoment).map(absoluteStep) ?? 0
    let target = overflows ? (count < 0 ? 0 : last) : min(last, max(0, sum))
    run = .paused
    jump(to: timeline.start(ofStep: Int(target % steps), loop: Int(target / steps)), cause: .step)
  }

  /// Changes the speed without a jump. Clipped to 0.05 - 20.
  mutating func setRate(_ rate: Double, at now: PlaybackInstant) {
    let isRunning = runningSince != nil
    halt(at: now)
    self.rate = Self.clamped(rate)
    if isRunning { runningSince = now }
  }

  // MARK: Time

  func mediaTime(at now: PlaybackInstant) -> Int64 {
    guard let runningSince else { return media }
    let elapsed = max(0, now.nanoseconds - runningSince.nanoseconds)
    return media + (rate == 1 ? elapsed : Int64(Double(elapsed) * rate))
  }

  /// When a media time comes, while time runs; never too early by rounding.
  private func instant(ofMedia time: Int64) -> PlaybackInstant? {
    guard let runningSince else { return nil }
    let ahead = time - media
    guard rate != 1 else { return PlaybackInstant(nanoseconds: runningSince.nanoseconds + ahead) }
    var real = Int64((Double(ahead) / rate).rounded(.up))
    // The quotient may be rounded down to a whole number; what is due then is one nanosecond away.
    if Int64(Double(real) * rate) < ahead { real += 1 }
    return PlaybackInstant(nanoseconds: runningSince.nanoseconds + real)
  }

  private var lastMoment: Int64 { timeline.totalDuration.map { max(0, $0 - 1) } ?? .max / 4 }

  private mutating func halt(at now: PlaybackInstant) {
    media = mediaTime(at: now)
    runningSince = nil
  }

  private mutating func rewind(cause: FrameChange.Cause) {
    media = 0
    runningSince = nil
    loopsTold = 0
    pending = cause
  }

  private mutating func jump(to time: Int64, cause: FrameChange.Cause) {
    media = time
    runningSince = nil
    pending = cause
    loopsTold = timeline.position(at: time)?.loop ?? 0
    if run == .finished || run == .stopped { run = .paused }
  }
}

// MARK: - What is due

extension PlaybackMachine {
  /// The outcome of a look at the time.
  struct Outcome: Sendable, Equatable {
    var actions: [Action] = []
    /// When to look again at the latest; nil for never, unless a command or an arrival comes.
    var wakeAt: PlaybackInstant?
    /// The frame to have next: what is due and missing, or what is shown.
    var playhead: Int
    /// Whether the way back of a bounce has begun.
    var isReturning = false
  }

  /// Shows what is due and tells what is over.
  ///
  /// - Parameter isThere: whether a frame's picture can be shown now; it is told whether that one is due, or only
  ///   looked for in the place of the one that is.
  mutating func advance(at now: PlaybackInstant, isThere: (_ frame: Int, _ isDue: Bool) -> Bool) -> Outcome {
    var outcome = Outcome(playhead: 0)
    guard let first = timeline.position(at: media) else { return outcome }
    outcome.isReturning = first.step >= timeline.range.count
    if let cause = pending {
      isWaiting = !isThere(first.frame, true)
      guard !isWaiting else {
        outcome.playhead = first.frame
        return outcome
      }
      pending = nil
      shownStep = absoluteStep(first)
      outcome.actions.append(
        .show(
          Shown(
            frame: first.frame, loop: first.loop, cause: cause, mediaTime: first.start, lateness: 0,
            skipped: 0)))
      if run == .playing { runningSince = now }
    }
    let position = timeline.position(at: mediaTime(at: now)) ?? first
    outcome.playhead = position.frame
    outcome.isReturning = position.step >= timeline.range.count
    // A pause may come a moment after a deadline, and a picture that was due before it may arrive during it.
    guard run == .playing || (run == .paused && !timeline.isStill) else { return outcome }
    guard !timeline.isStill else {
      // Nothing will ever change: browsers set no timer either.
      finish(at: now, into: &outcome)
      return outcome
    }
    // The end of a loop is due before the pictures of the next one, and in a long gap after those before it.
    isWaiting = !showDue(position, at: now, isThere: isThere, into: &outcome)
    tellLoops(position, into: &outcome)
    if !position.isFinished {
      outcome.wakeAt = position.nextChange.flatMap { instant(ofMedia: $0) }
    } else if !isWaiting, run == .playing {
      finish(at: now, into: &outcome)
    }
    return outcome
  }

  private mutating func finish(at now: PlaybackInstant, into outcome: inout Outcome) {
    halt(at: now)
    media = timeline.totalDuration ?? 0
    run = .finished
    outcome.actions.append(.finished)
  }

  /// Shows the picture that is due or, where that is missing, the newest one since the last that is there: a slow
  /// decoder makes playback coarse, not slow. Returns whether the picture due is shown.
  private mutating func showDue(
    _ position: Timeline.Position, at now: PlaybackInstant, isThere: (_ frame: Int, _ isDue: Bool) -> Bool,
    into outcome: inout Outcome
  ) -> Bool {
    let due = absoluteStep(position)
    guard let last = shownStep, last < due else { return true }
    let steps = Int64(timeline.stepCount)
    // One loop back every picture has been looked for.
    let oldest = max(last + 1, due - steps + 1)
    for candidate in stride(from: due, through: oldest, by: -1) {
      let step = Int(candidate % steps)
      guard isThere(timeline.order[step], candidate == due) else { continue }
      let loop = Int(candidate / steps)
      let start = timeline.start(ofStep: step, loop: loop)
      let scheduled = instant(ofMedia: start) ?? now
      shownStep = candidate
      outcome.actions.append(
        .show(
          Shown(
            frame: timeline.order[step], loop: loop, cause: loop > Int(last / steps) ? .loop : .play,
            mediaTime: start, lateness: max(0, now.nanoseconds - scheduled.nanoseconds),
            skipped: Int(candidate - last - 1))))
      return candidate == due
    }
    return false
  }

  private mutating func tellLoops(_ position: Timeline.Position, into outcome: inout Outcome) {
    let completed = position.loop + (position.isFinished ? 1 : 0)
    guard completed > loopsTold else { return }
    loopsTold = completed
    var remaining: Int?
    if case .plays(let count) = timeline.loopCount { remaining = count - completed }
    let told = Action.loopCompleted(count: completed, remaining: remaining)
    // A loop ends before the next one's first picture, and the last one after its last picture.
    if position.isFinished { outcome.actions.append(told) } else { outcome.actions.insert(told, at: 0) }
  }

  private func absoluteStep(_ position: Timeline.Position) -> Int64 {
    Int64(position.loop) * Int64(timeline.stepCount) + Int64(position.step)
  }
}

// MARK: - For the cache

extension PlaybackMachine {
  /// Whether a picture is or will be wanted: something was asked for.
  var isActive: Bool { run != .stopped || pending != nil }

  /// Where the cache should look ahead from.
  func playhead(_ outcome: Outcome) -> Playhead {
    let direction: Playhead.Direction =
      switch timeline.mode {
      case .forward: .forward
      case .reverse: .reverse
      case .bounce: .bounce(isReturning: outcome.isReturning)
      }
    return Playhead(
      frame: outcome.playhead, direction: direction, range: timeline.range,
      nextDue: outcome.wakeAt?.nanoseconds, rate: rate)
  }
}
