/// Media time: it stands, or runs at a speed since an instant of the monotonic clock.
///
/// Players and groups both use it, so both round alike: media time is cut off to whole nanoseconds, and the
/// instant of a media time is the first at which it has come.
package struct MediaClock: Sendable, Hashable {
  /// Media time in nanoseconds when it stood last.
  package private(set) var base: Int64 = 0
  /// The instant since which it runs; nil while it stands.
  package private(set) var runningSince: PlaybackInstant?
  /// Media nanoseconds in a nanosecond. A change while the clock runs makes media time jump.
  package var speed: Double

  package init(at time: Int64 = 0, runningSince: PlaybackInstant? = nil, speed: Double = 1) {
    base = time
    self.runningSince = runningSince
    self.speed = speed
  }

  package var isRunning: Bool { runningSince != nil }

  package func mediaTime(at now: PlaybackInstant) -> Int64 {
    guard let runningSince else { return base }
    let elapsed = max(0, now.nanoseconds(since: runningSince))
    return base.addingClamped(passed(in: elapsed))
  }

  /// The first instant at which a media time has come; nil while the clock stands.
  package func instant(ofMedia time: Int64) -> PlaybackInstant? {
    guard let runningSince else { return nil }
    let ahead = time.subtractingClamped(base)
    guard speed != 1 else { return runningSince.advanced(byNanoseconds: ahead) }
    var real = Int64(clamping: (Double(ahead) / speed).rounded(.up))
    // The quotient may be rounded down to a whole number; the media time then comes one nanosecond later.
    if passed(in: real) < ahead { real = real.addingClamped(1) }
    return runningSince.advanced(byNanoseconds: real)
  }

  /// Runs from an instant on; does nothing if the clock runs already.
  package mutating func start(at now: PlaybackInstant) {
    if runningSince == nil { runningSince = now }
  }

  /// Stands from an instant on.
  package mutating func halt(at now: PlaybackInstant) { set(to: mediaTime(at: now)) }

  /// Stands at a media time.
  package mutating func set(to time: Int64) { (base, runningSince) = (time, nil) }

  /// Takes back this many nanoseconds of the time it has run.
  package mutating func leaveOut(_ nanoseconds: Int64) {
    runningSince = runningSince?.advanced(byNanoseconds: nanoseconds)
  }

  private func passed(in elapsed: Int64) -> Int64 {
    speed == 1 ? elapsed : Int64(clamping: Double(elapsed) * speed)
  }
}
