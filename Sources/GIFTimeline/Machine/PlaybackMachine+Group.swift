// A machine that follows a group.

/// What a group wants of one of its members. Pure.
package struct GroupOrder: Sendable, Hashable {
  /// The media time at which the member should be; below 0 where it has yet to begin.
  package var place: Int64
  /// Whether the member has not followed the group before.
  package var isJoining: Bool
  /// Whether the group was sent there.
  package var isSeek: Bool
  package var isPlaying: Bool
  package var rate: Double
  /// nil for what the member has.
  package var motion: ReducedMotion?

  package init(
    place: Int64, isJoining: Bool, isSeek: Bool, isPlaying: Bool, rate: Double, motion: ReducedMotion?
  ) {
    self.place = place
    self.isJoining = isJoining
    self.isSeek = isSeek
    self.isPlaying = isPlaying
    self.rate = rate
    self.motion = motion
  }
}

extension PlaybackMachine {
  /// Nanoseconds that a member may stand beside its group and be brought back without a seek: a pause reaches the
  /// members one by one, and a start makes up for that.
  private static let tolerance: Int64 = 250_000_000
  /// Nanoseconds before its end at which a member has ended: the group's time and its own are rounded differently.
  private static let endTolerance: Int64 = 1_000_000

  /// Does what the group wants, with the time held until the group lets it run.
  package mutating func follow(_ order: GroupOrder, at now: PlaybackInstant) {
    holdBack(at: now)
    setRate(order.rate, at: now)
    // Whoever has come to the end before the group rests there, and has told of it.
    if state != .finished || !isOver(at: order.place) {
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
    if order.isJoining { return state != .stopped || order.place > 0 }
    if order.isSeek || state == .finished { return true }
    // A handle that somebody drags is not taken from him.
    guard !isScrubbing else { return false }
    let (here, there) = (min(clock.base, lastMoment), min(max(0, order.place), lastMoment))
    return abs(here - there) > Self.tolerance
  }
}

extension PlaybackMachine {
  package mutating func holdBack(at now: PlaybackInstant) {
    halt(at: now)
    isHeldBack = true
  }

  /// Lets the time of a player that was held back run, from an instant that may lie ahead or behind.
  package mutating func start(at instant: PlaybackInstant) {
    isHeldBack = false
    if !isVisible, state == .playing, pending != nil, let place = position(at: instant) {
      // Nobody sees it begin: the picture is due like any other once somebody looks.
      pending = nil
      shownStep = absoluteStep(place) - 1
    }
    letRun(from: instant)
  }

  package var isReadyForGroup: Bool {
    !canShow || !isVisible || state != .playing || (pending == nil && poster == nil)
  }
}
