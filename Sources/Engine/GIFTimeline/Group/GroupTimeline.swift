/// The time line of a group: its media time, speed and seeks.
package struct GroupTimeline: Sendable, Hashable {
  package private(set) var isPlaying = false
  package private(set) var rate: Double = 1
  /// How motion is reduced; nil if the group has not set it, so that its members keep their own.
  package private(set) var motion: ReducedMotion?
  /// How many seeks there were; a member that has not followed the last one knows it by this number.
  package private(set) var seeks = 0
  /// Its speed is that of its members.
  private var clock = MediaClock()

  package init() {}

  package var isRunning: Bool { clock.isRunning }

  package func mediaTime(at now: PlaybackInstant) -> Int64 { clock.mediaTime(at: now) }

  /// The media time of a member that is ahead by an offset; below 0 where it has yet to begin.
  package func place(ahead offset: Int64, at now: PlaybackInstant) -> Int64 {
    let time = mediaTime(at: now)
    // With the first frame alone no member is ahead.
    return motion == .firstFrame && time == 0 ? 0 : time.addingClamped(offset)
  }

  /// The first instant at which the group's media time is, or was, at a value; nil while it stands.
  package func instant(ofMedia time: Int64) -> PlaybackInstant? { clock.instant(ofMedia: time) }

  /// Asks for playback; time runs once ``start(at:)`` finds all members ready.
  package mutating func play() { isPlaying = true }

  /// Starts the time. With the first frame alone it stands, as each player's does.
  package mutating func start(at now: PlaybackInstant) {
    if isPlaying, motion != .firstFrame { clock.start(at: now) }
  }

  package mutating func pause(at now: PlaybackInstant) {
    clock.halt(at: now)
    isPlaying = false
  }

  package mutating func seek(to time: Int64) {
    clock.set(to: time)
    seeks += 1
  }

  package mutating func setRate(_ rate: Double, at now: PlaybackInstant) {
    guard !rate.isNaN else { return }
    clock.halt(at: now)
    self.rate = PlaybackRate.clamped(rate)
    setSpeed()
  }

  /// Sets how motion is reduced, without a jump unless only the first frame is to be shown.
  package mutating func setMotion(_ motion: ReducedMotion, rewinds: Bool, at now: PlaybackInstant) {
    guard motion != self.motion else { return }
    clock.halt(at: now)
    self.motion = motion
    setSpeed()
    if motion == .firstFrame, isPlaying, rewinds { clock.set(to: 0) }
  }

  private mutating func setSpeed() { clock.speed = motion?.speed(ofRate: rate) ?? rate }
}
