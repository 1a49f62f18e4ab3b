/// Where a group stands: its media time, and the instant since which it runs. Pure.
package struct GroupTimeline: Sendable, Hashable {
  package private(set) var isPlaying = false
  package private(set) var rate: Double = 1
  /// How motion is reduced; nil as long as the group was not told: its members then keep what they have.
  package private(set) var motion: ReducedMotion?
  /// How often it was sent somewhere else; who has not followed yet knows it by this.
  package private(set) var seeks = 0
  /// Its speed is that of its members.
  private var clock = MediaClock()

  package init() {}

  package var isRunning: Bool { clock.isRunning }

  package func mediaTime(at now: PlaybackInstant) -> Int64 { clock.mediaTime(at: now) }

  /// The media time of a member that is ahead by an offset; below 0 where it has yet to begin.
  package func place(ahead offset: Int64, at now: PlaybackInstant) -> Int64 {
    let time = mediaTime(at: now)
    // With the first picture alone nobody is ahead.
    return motion == .firstFrame && time == 0 ? 0 : time.addingClamped(offset)
  }

  /// When the group's media time is, or was, at a value; nil while it stands.
  package func instant(ofMedia time: Int64) -> PlaybackInstant? { clock.instant(ofMedia: time) }

  /// The time runs only once it is started: when all are ready.
  package mutating func play() { isPlaying = true }

  /// With the first picture alone it stands, as each player's does.
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
    clock.halt(at: now)
    self.rate = PlaybackRate.clamped(rate)
    setSpeed()
  }

  /// Sets how motion is reduced; without a jump, but for the first picture of those that play.
  package mutating func setMotion(_ motion: ReducedMotion, rewinds: Bool, at now: PlaybackInstant) {
    guard motion != self.motion else { return }
    clock.halt(at: now)
    self.motion = motion
    setSpeed()
    if motion == .firstFrame, isPlaying, rewinds { clock.set(to: 0) }
  }

  private mutating func setSpeed() { clock.speed = motion?.speed(ofRate: rate) ?? rate }
}
