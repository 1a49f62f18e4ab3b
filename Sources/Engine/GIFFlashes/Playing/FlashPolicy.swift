/// What a player does about a GIF that flashes more than WCAG 2.2 allows (success criterion 2.3.1).
///
/// The verdict informs, and certifies nothing. Seeks, steps and scrubbing are the user's own, and not judged.
/// A player in a group keeps the group's time, so after a late frame the next ones may follow faster than was
/// judged.
public enum FlashPolicy: String, Sendable, Hashable, CaseIterable {
  /// Plays; nothing is judged.
  case allow
  /// Plays, and reports the verdict.
  case warn
  /// Stands at its frame while the verdict is unknown, and where it fails.
  case hold
  /// Stands while the verdict is unknown, and plays at the greatest rate that passes where it fails.
  case slow
}

/// The verdict on a player's GIF as it is shown, and what became of it.
public enum FlashState: Sendable, Hashable {
  /// Nothing is judged: ``FlashPolicy/allow``; or what should only warn cannot be judged.
  case unjudged
  /// The verdict is not known yet; an image that loads has none before it is complete.
  case judging
  /// It passes at its size and rate.
  case passes
  /// It fails, and plays all the same: ``FlashPolicy/warn``.
  case warned(FlashReport)
  /// It fails, and plays at a lower rate: ``FlashPolicy/slow``.
  case slowed(rate: Double, FlashReport)
  /// It does not play: it fails, or it cannot be judged (nil).
  case held(FlashReport?)

  /// The verdict of a GIF that fails; nil for others.
  public var report: FlashReport? {
    switch self {
    case .unjudged, .judging, .passes: nil
    case .warned(let report), .slowed(_, let report): report
    case .held(let report): report
    }
  }

  /// The rate of a GIF that plays more slowly than asked for; nil for others.
  package var slowedRate: Double? { if case .slowed(let rate, _) = self { rate } else { nil } }

  /// The state's name in events.
  package var name: String {
    switch self {
    case .unjudged: "unjudged"
    case .judging: "judging"
    case .passes: "passes"
    case .warned: "warned"
    case .slowed: "slowed"
    case .held: "held"
    }
  }
}
