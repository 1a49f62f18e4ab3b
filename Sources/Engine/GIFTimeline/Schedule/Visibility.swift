/// How much a player's frames matter: whether the user sees them.
///
/// The raw values are an order; the numbers in other languages are those of gallop.h.
public enum Visibility: Int, Sendable, Hashable, Comparable {
  // Most uses are comparisons, which a new case passes unseen. What is between hidden and visible is decided
  // in `PlaybackMachine+Tick` (`advance`, `playhead`), `StorePlayer`, `FrameRank` (`PlayerKind`, and
  // `shownAtRest` for one that is not decoded), `PlayerTally` (where `count` returns before its switch for a
  // player that is not served), `BudgetDemand+Store` (which gives a store without served players the constant
  // `hidden`), `BudgetPlan` (`order` and `grants`), `Viewport`, which gives it to views, and `ImagePlayback`
  // (`visibilityChanged`, and what restarts). A view's player has `playerVisibility` instead of the view's
  // own. All others ask for one end alone, so that a case in sight would change each that asks for `visible`:
  // `visible` (`PlaybackMachine`, `+State`, `+Time`), `hidden` (`View`, `AnimatedImageView`,
  // `ImagePlayback+Loading`) or each at its place (`PlayerCore`, where one that decodes nothing changes
  // `playhead` and `setVisibility`; `ImagePlayback+Players`, `TerminalWall`). The web's host knows seen and
  // unseen only: `WebCommand`, player.js, host.js.

  /// Out of sight: keeps its schedule; nothing is decoded. Its frames are evicted first, but the one that it
  /// showed last is kept longest.
  case hidden
  /// Out of sight, but soon in sight, like the neighbours of what a list shows. The frame at its playhead and
  /// those read ahead are decoded once visible players have theirs; nothing is shown, preloaded or played.
  case near
  /// In sight.
  case visible

  public static func < (left: Visibility, right: Visibility) -> Bool { left.rawValue < right.rawValue }
}
