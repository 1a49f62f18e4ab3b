// A machine that follows a group.

/// What a group wants of one of its members.
package struct GroupOrder: Sendable, Hashable {
  /// The media time at which the member should be; below 0 if it has yet to begin.
  package var place: Int64
  /// Whether the member has not followed the group before.
  package var isJoining: Bool
  /// Whether the group was sent there by a seek.
  package var isSeek: Bool
  package var isPlaying: Bool
  package var rate: Double
  /// nil if each member keeps its own.
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
  /// Nanoseconds that a member may stand beside its group and be brought back without a seek: a pause reaches
  /// the members one by one, and the next start makes up for that.
  private static let tolerance: Int64 = 250_000_000
  /// Nanoseconds before its end at which a member has ended: a group reads the clock before its members do,
  /// so one that ends in between would end twice.
  private static let endTolerance: Int64 = 1_000_000

  /// Carries out an order, with the time held until the group starts it.
  package mutating func follow(_ order: GroupOrder, at now: PlaybackInstant) {
    holdBack(at: now)
    setRate(order.rate, at: now)
    // A member that has come to its end before the group rests there, and has reported it.
    if state != .finished || !isOver(at: order.place) {
      if mustSeek(for: order, at: now) { seek(toMedia: order.place, at: now) }
      if order.isPlaying { play(at: now) } else { pause(at: now) }
    }
    if let motion = order.motion { setReducedMotion(motion, at: now) }
  }

  /// Whether nothing is left to play at a media time.
  private func isOver(at time: Int64) -> Bool {
    guard !timeline.isStill, let total = timeline.totalNanoseconds else { return true }
    return time >= total - Self.endTolerance
  }

  private func mustSeek(for order: GroupOrder, at now: PlaybackInstant) -> Bool {
    // A stopped member stands at the start, and need not show it before the group plays.
    if order.isJoining { return state != .stopped || order.place > 0 }
    if order.isSeek || state == .finished { return true }
    // The user's drag goes first.
    guard !isScrubbing else { return false }
    let (here, there) = (min(mediaTime(at: now), lastMoment), min(max(0, order.place), lastMoment))
    return abs(here - there) > Self.tolerance
  }
}
