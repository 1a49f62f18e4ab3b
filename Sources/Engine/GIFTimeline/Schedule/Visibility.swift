/// How much a player's frames matter: whether the user sees them.
///
/// The raw values are an order; the numbers in other languages are those of gallop.h.
///
/// Most uses are comparisons, which a new case passes unseen: `PlaybackMachine` (`setVisibility`, `+Tick`, `+State`,
/// `+Time`), `PlayerCore`, `StorePlayer`, `BudgetDemand+Store`, `BudgetPlan` (`order` and `grants`); `View`, `Viewport`,
/// `ImagePlayback` (`+Players`, `+Loading`), `AnimatedImageView` and `TerminalWall`; on the web `WebCommand`,
/// player.js and host.js.
public enum Visibility: Int, Sendable, Hashable, Comparable {
  /// Out of sight: nothing is decoded, and the frames held make way for those that visible players show next.
  case hidden
  /// Out of sight, but soon in sight, like the neighbours of what a list shows. Its first frames are decoded
  /// once visible players have theirs, and nothing more: nothing is shown, preloaded or played.
  case near
  /// In sight.
  case visible

  public static func < (left: Visibility, right: Visibility) -> Bool { left.rawValue < right.rawValue }
}
