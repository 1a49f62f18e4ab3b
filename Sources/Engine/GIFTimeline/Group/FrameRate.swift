/// How many frames a second a player shows, and how many its schedule has, over about the last second.
public struct FrameRate: Sendable, Hashable {
  /// Frames shown in a second.
  public var effective: Double
  /// Frames due in a second.
  public var scheduled: Double

  package init(effective: Double, scheduled: Double) {
    self.effective = effective
    self.scheduled = scheduled
  }
}

/// Counts frames and makes rates of them.
package struct FrameRateMeter: Sendable, Hashable {
  private static let window: Int64 = 1_000_000_000
  private var since: PlaybackInstant?
  private var shown = 0
  private var due = 0
  /// The rates of the last whole window; nil before there is one.
  package private(set) var rate: FrameRate?

  package init() {}

  /// - Parameter skipped: frames before this one that were never shown.
  package mutating func note(skipped: Int, at now: PlaybackInstant) {
    guard let since else {
      self.since = now
      return
    }
    shown += 1
    due += 1 + skipped
    let elapsed = now.nanoseconds(since: since)
    guard elapsed >= Self.window else { return }
    let seconds = Double(elapsed) / 1e9
    rate = FrameRate(effective: Double(shown) / seconds, scheduled: Double(due) / seconds)
    (self.since, shown, due) = (now, 0, 0)
  }

  /// Begins a new window after a pause or a jump.
  package mutating func restart() { (since, shown, due) = (nil, 0, 0) }
}
