internal import GIFDecoding

/// The state of a player: what is shown, what is due, what was told. Pure: it is given the time and told which
/// pictures are there, and returns what to do.
///
/// Media time stands still while a picture that starts something (the first one, the target of a seek) is not
/// there yet: playback begins with that picture, not before. Once it runs, a missing picture stops it only where
/// ``LatePolicy/wait`` says so.
package struct PlaybackMachine: Sendable {
  package enum Action: Sendable, Equatable {
    /// Make this picture visible.
    case show(Shown)
    /// A loop is over: how many in all, and how many are left (nil: without end).
    case loopCompleted(count: Int, remaining: Int?)
    case finished
  }

  /// A picture made visible.
  package struct Shown: Sendable, Equatable {
    package var frame: Int
    package var loop: Int
    package var cause: ChangeCause
    /// When it was due, in media nanoseconds since the start of the first loop.
    package var mediaTime: Int64
    /// How much later it came, in nanoseconds of real time.
    package var lateness: Int64
    /// How many pictures between the last one and this one were never shown.
    package var skipped: Int
  }

  /// A picture that must be shown before time runs on.
  package struct Pending: Sendable, Equatable {
    package var cause: ChangeCause
    /// When it was due, for a picture that time waits for.
    package var dueAt: PlaybackInstant?
    /// Pictures passed over before it.
    package var skipped = 0
  }

  package var timeline: Timeline
  package var state = PlaybackState.stopped
  package var rate: Double { didSet { clock.speed = speed } }
  package let rules: PlaybackRules
  package var reducedMotion = ReducedMotion.off { didSet { clock.speed = speed } }

  /// Its speed is that of the rate, less where motion is reduced.
  package var clock: MediaClock
  /// The step on which it stands where the media time alone would not lead there: steps may have no duration.
  package var held: Timeline.Position?
  /// What must be shown anew as soon as it is there: the picture of the present position.
  package var pending: Pending?
  /// A frame to show before anything is played.
  package var poster: Int?
  /// The place in the schedule of the picture shown last: loop times steps plus step.
  package var shownStep: Int64?
  /// Whether the picture that should be seen now is missing.
  package var isWaiting = false
  /// Whether playback has come to the end of what has been loaded.
  package var awaitsFrames = false
  /// Loops whose end was told.
  package var loopsTold = 0
  /// When the next change is due, as was said at the last look.
  package var nextLook: PlaybackInstant?
  /// While catching up: when the picture shown has had its shortened time.
  package var paceEnds: PlaybackInstant?
  /// While scrubbing: whether playing goes on at its end.
  package var resumesAfterScrubbing: Bool?
  /// Whether anybody sees the pictures; those of a hidden player are never due.
  package var isVisible = true
  /// One picture of so many is to be shown; more than one where decoding cannot keep up.
  package var wantedStride = 1
  /// Whether somebody else lets time begin to run: see ``start(at:)``.
  package var isHeldBack = false
  /// Whether a group's time line says where it stands.
  package var isInGroup = false

  package init(timeline: Timeline, rate: Double = 1, rules: PlaybackRules = PlaybackRules()) {
    self.timeline = timeline
    self.rate = PlaybackRate.clamped(rate)
    self.rules = rules
    clock = MediaClock(speed: PlaybackRate.clamped(rate))
  }

  // MARK: Commands

  /// Starts, goes on after a pause, or begins anew after the end.
  package mutating func play(at now: PlaybackInstant) {
    guard resumesAfterScrubbing == nil else {
      resumesAfterScrubbing = true
      return
    }
    guard canShow, state != .playing else { return }
    if state == .finished { rewind(cause: .restart) }
    poster = nil
    if state == .stopped, pending == nil, shownStep == nil { pending = Pending(cause: .play) }
    state = .playing
    letRun(from: now)
  }

  /// Stops the time; what is left of the frame's time is kept.
  package mutating func pause(at now: PlaybackInstant) {
    if resumesAfterScrubbing != nil { resumesAfterScrubbing = false }
    guard state == .playing else { return }
    halt(at: now)
    state = .paused
  }

  /// Goes back to the start and shows the first picture.
  package mutating func stop(at now: PlaybackInstant) {
    guard canShow, state != .stopped else { return }
    state = .stopped
    rewind(cause: .seek)
  }

  /// Goes to the start and plays from there.
  package mutating func restart(at now: PlaybackInstant) {
    guard canShow else { return }
    rewind(cause: .restart)
    state = .playing
  }

  /// Shows a frame without playing: before it begins, after a stop, or while the first picture still loads.
  package mutating func showPoster(_ frame: Int) {
    if state == .stopped || timeline.stepCount == 0 { poster = frame }
  }

  /// Goes to a frame in the present loop; playing goes on from there, pausing stays.
  package mutating func seek(toFrame frame: Int, at now: PlaybackInstant) {
    guard let step = timeline.step(showing: frame) else { return }
    let loop = state == .finished ? 0 : position(at: now)?.loop ?? 0
    jump(to: timeline.position(ofStep: step, loop: loop), cause: .seek)
  }

  /// Goes to a media time; beyond the end means to the last picture.
  package mutating func seek(toMedia time: Int64, at now: PlaybackInstant) {
    jump(to: timeline.position(at: min(max(0, time), lastMoment)), cause: .seek)
  }

  /// Pauses and goes some steps on or back, round the ends of a loop, never before the start or past the end.
  package mutating func step(by count: Int, at now: PlaybackInstant) {
    guard let position = position(at: now), count != 0 else { return }
    let steps = Int64(timeline.stepCount)
    let target = min(lastStep, max(0, absoluteStep(position).addingClamped(Int64(count))))
    resumesAfterScrubbing = nil
    state = .paused
    jump(to: timeline.position(ofStep: Int(target % steps), loop: Int(target / steps)), cause: .step)
  }

  /// Changes the speed without a jump. Clipped to 0.05 - 20.
  package mutating func setRate(_ rate: Double, at now: PlaybackInstant) {
    halt(at: now)
    self.rate = PlaybackRate.clamped(rate)
    letRun(from: now)
  }

  // MARK: Scrubbing

  package var isScrubbing: Bool { resumesAfterScrubbing != nil }

  /// Time stands, and seeks follow each other, until the end.
  package mutating func beginScrubbing(at now: PlaybackInstant) {
    guard resumesAfterScrubbing == nil, timeline.stepCount > 0 else { return }
    let wasPlaying = state == .playing
    pause(at: now)
    resumesAfterScrubbing = wasPlaying
  }

  /// Goes on as it was before.
  package mutating func endScrubbing(at now: PlaybackInstant) {
    guard let resumes = resumesAfterScrubbing else { return }
    resumesAfterScrubbing = nil
    if resumes { play(at: now) }
  }

  // MARK: The course of things

  /// Whether there is anything to show, or may be once more has been loaded.
  package var canShow: Bool { timeline.stepCount > 0 || !timeline.isComplete }

  /// The last media time that can be sought.
  package var lastMoment: Int64 {
    if !timeline.isComplete { return max(0, timeline.loopDuration - 1) }
    return timeline.totalDuration.map { max(0, $0 - 1) } ?? .max / 4
  }

  /// The last step of all.
  private var lastStep: Int64 {
    timeline.position(at: timeline.totalDuration ?? .max / 4).map(absoluteStep) ?? 0
  }

  package mutating func rewind(cause: ChangeCause) {
    clock.set(to: 0)
    held = nil
    loopsTold = 0
    resumesAfterScrubbing = nil
    startOver(cause: cause)
  }

  private mutating func startOver(cause: ChangeCause) {
    pending = Pending(cause: cause)
    poster = nil
    paceEnds = nil
    nextLook = nil
  }

  package mutating func jump(to position: Timeline.Position?, cause: ChangeCause) {
    guard let position else { return }
    clock.set(to: position.time)
    held = position
    loopsTold = position.loop
    startOver(cause: cause)
    if state == .finished || state == .stopped { state = .paused }
  }

  package func absoluteStep(_ position: Timeline.Position) -> Int64 {
    Int64(position.loop) * Int64(timeline.stepCount) + Int64(position.step)
  }

  /// A poster's turn is over once it is shown; play begins without showing the same picture again.
  package mutating func posterShown(_ frame: Int) {
    poster = nil
    shownStep = timeline.position(at: 0).flatMap { $0.frame == frame ? absoluteStep($0) : nil }
  }

  /// Whether a picture is or will be wanted: something was asked for.
  package var isActive: Bool { state != .stopped || pending != nil || poster != nil }

  /// Plays that are not over.
  package var loopsLeft: Int? {
    guard timeline.isComplete, case .plays(let count) = timeline.loopCount else { return nil }
    return state == .finished ? 0 : max(0, count - loopsTold)
  }
}
