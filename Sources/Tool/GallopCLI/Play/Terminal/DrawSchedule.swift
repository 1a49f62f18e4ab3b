internal import Gallop

/// The schedule of drawing.
///
/// Drawing is limited to a screen's refresh rate. It waits until the last update is written, so that a slow
/// terminal skips pictures. A last drawing after the last change shows values without events, such as the
/// cache.
struct DrawSchedule {
  enum Decision: Equatable {
    case draw
    /// No drawing before an instant; nil until an event.
    case wait(until: PlaybackInstant?)
  }

  static let interval = Duration.milliseconds(15)
  static let settleDelay = Duration.milliseconds(300)

  private var isDue = true
  private var last: PlaybackInstant?
  /// The instant of the next drawing without an event.
  private var review: PlaybackInstant?

  /// Requests a drawing.
  mutating func request() { isDue = true }

  /// Requests a drawing at an instant at the latest.
  mutating func request(by instant: PlaybackInstant) { review = min(review ?? instant, instant) }

  /// - Parameter isIdle: whether the last update is written.
  func decision(at now: PlaybackInstant, isIdle: Bool) -> Decision {
    // An event follows when the update is written.
    guard isIdle else { return .wait(until: nil) }
    guard let wanted = isDue ? now : review else { return .wait(until: nil) }
    let earliest = max(wanted, last.map { $0 + Self.interval } ?? wanted)
    return earliest <= now ? .draw : .wait(until: earliest)
  }

  /// Records a drawing.
  ///
  /// - Parameter isChanged: whether the drawing changed the screen.
  mutating func noteDraw(at now: PlaybackInstant, isChanged: Bool) {
    isDue = false
    last = now
    review = isChanged ? now + Self.settleDelay : nil
  }
}
