internal import GIFPlayback

/// Decides when to draw. Pure.
///
/// Not more often than a screen shows; not while the terminal still takes the last update, so that a slow one sees
/// fewer pictures rather than late ones; and once more a little after the last change, for what changes without an
/// event of its own, as the frames held in memory do.
struct DrawGate {
  enum Decision: Equatable {
    case draw
    /// Nothing to do before an instant; nil before something happens.
    case wait(until: PlaybackInstant?)
  }

  static let interval = Duration.milliseconds(15)
  static let afterglow = Duration.milliseconds(300)

  private var isDue = true
  private var last: PlaybackInstant?
  /// When to look again though nothing has happened.
  private var review: PlaybackInstant?

  /// Something has happened.
  mutating func request() { isDue = true }

  /// Looks again at an instant at the latest.
  mutating func request(by instant: PlaybackInstant) { review = min(review ?? instant, instant) }

  /// - Parameter isIdle: whether the terminal has taken all there was.
  func decision(at now: PlaybackInstant, isIdle: Bool) -> Decision {
    // The terminal will tell.
    guard isIdle else { return .wait(until: nil) }
    guard let wanted = isDue ? now : review else { return .wait(until: nil) }
    let earliest = max(wanted, last.map { $0 + Self.interval } ?? wanted)
    return earliest <= now ? .draw : .wait(until: earliest)
  }

  /// Notes that it was drawn.
  ///
  /// - Parameter isChanged: whether there was anything new.
  mutating func noteDraw(at now: PlaybackInstant, isChanged: Bool) {
    isDue = false
    last = now
    review = isChanged ? now + Self.afterglow : nil
  }
}
