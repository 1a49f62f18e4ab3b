internal import GIFCaching

/// Where a group stands: its media time, and the instant since which it runs. Pure.
struct GroupTimeline: Sendable, Hashable {
  private(set) var isPlaying = false
  private(set) var rate: Double = 1
  /// How motion is reduced; nil as long as the group was not told: its members then keep what they have.
  private(set) var motion: ReducedMotion?
  /// How often it was sent somewhere else; who has not followed yet knows it by this.
  private(set) var seeks = 0
  private var media: Int64 = 0
  private var runningSince: PlaybackInstant?

  var isRunning: Bool { runningSince != nil }

  /// The speed of media time, as that of its members.
  private var speed: Double { motion?.speed(ofRate: rate) ?? rate }

  func mediaTime(at now: PlaybackInstant) -> Int64 {
    guard let runningSince else { return media }
    let elapsed = max(0, now.nanoseconds(since: runningSince))
    return media.addingClamped(speed == 1 ? elapsed : Int64(clamping: Double(elapsed) * speed))
  }

  /// The media time of a member that is ahead by an offset; below 0 where it has yet to begin.
  func place(ahead offset: Int64, at now: PlaybackInstant) -> Int64 {
    let time = mediaTime(at: now)
    // With the first picture alone nobody is ahead.
    return motion == .firstFrame && time == 0 ? 0 : time.addingClamped(offset)
  }

  /// When the group's media time is, or was, at a value; nil while it stands.
  func instant(ofMedia time: Int64) -> PlaybackInstant? {
    let ahead = time.addingClamped(-media)
    return runningSince?.advanced(
      byNanoseconds: speed == 1 ? ahead : Int64(clamping: (Double(ahead) / speed).rounded()))
  }

  /// The time runs only once it is started: when all are ready.
  mutating func play() { isPlaying = true }

  /// With the first picture alone it stands, as each player's does.
  mutating func start(at now: PlaybackInstant) {
    if isPlaying, runningSince == nil, motion != .firstFrame { runningSince = now }
  }

  mutating func pause(at now: PlaybackInstant) {
    halt(at: now)
    isPlaying = false
  }

  mutating func seek(to time: Int64) {
    (media, runningSince) = (time, nil)
    seeks += 1
  }

  mutating func setRate(_ rate: Double, at now: PlaybackInstant) {
    halt(at: now)
    self.rate = PlaybackRate.clamped(rate)
  }

  /// Sets how motion is reduced; without a jump, but for the first picture of those that play.
  mutating func setMotion(_ motion: ReducedMotion, rewinds: Bool, at now: PlaybackInstant) {
    guard motion != self.motion else { return }
    halt(at: now)
    self.motion = motion
    if motion == .firstFrame, isPlaying, rewinds { media = 0 }
  }

  private mutating func halt(at now: PlaybackInstant) { (media, runningSince) = (mediaTime(at: now), nil) }
}

/// What a group wants of one of its members. Pure.
struct GroupOrder: Sendable, Hashable {
  /// The media time at which the member should be; below 0 where it has yet to begin.
  var place: Int64
  /// Whether the member has not followed the group before.
  var isJoining: Bool
  /// Whether the group was sent there.
  var isSeek: Bool
  var isPlaying: Bool
  var rate: Double
  /// nil for what the member has.
  var motion: ReducedMotion?
}

extension PlaybackMachine {
  /// Nanoseconds that a member may stand beside its group and be brought back without a seek: a pause reaches the
  /// members one by one, and a start makes up for that.
  private static let tolerance: Int64 = 250_000_000
  /// Nanoseconds before its end at which a member has ended: the group's time and its own are rounded differently.
  private static let endTolerance: Int64 = 1_000_000

  /// Does what the group wants, with the time held until the group lets it run.
  mutating func follow(_ order: GroupOrder, at now: PlaybackInstant) {
    holdBack(at: now)
    setRate(order.rate, at: now)
    // Whoever has come to the end before the group rests there, and has told of it.
    if run != .finished || !isOver(at: order.place) {
      if mustSeek(for: order) { seek(toMedia: order.place, at: now) }
      if order.isPlaying { play(at: now) } else { pause(at: now) }
    }
    if let motion = order.motion { setReducedMotion(motion, at: now) }
  }

  /// Whether nothing is left to play at a media time.
  private func isOver(at time: Int64) -> Bool {
    guard !timeline.isStill, let total = timeline.totalDuration else { return true }
    return time >= total - Self.endTolerance
  }

  private func mustSeek(for order: GroupOrder) -> Bool {
    // Whoever is stopped stands at the start, and need not show it before the group plays.
    if order.isJoining { return run != .stopped || order.place > 0 }
    if order.isSeek || run == .finished { return true }
    // A handle that somebody drags is not taken from him.
    guard !isScrubbing else { return false }
    let (here, there) = (min(media, lastMoment), min(max(0, order.place), lastMoment))
    return abs(here - there) > Self.tolerance
  }
}
