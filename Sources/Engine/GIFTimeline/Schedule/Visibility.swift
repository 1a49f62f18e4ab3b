/// How much a player's frames matter: whether the user sees them.
///
/// The raw values are an order; the numbers in other languages are those of gallop.h.
///
/// Most uses are comparisons, which a new case passes unseen. What is between hidden and visible is decided in
/// `PlaybackMachine+Tick` (`advance`, `playhead`), `StorePlayer`, `FrameRank.PlayerKind`, `PlayerTally`, `BudgetPlan`
/// (`order` and `grants`), `Viewport`, which gives it to views, and `ImagePlayback` (`visibilityChanged`). All
/// others ask for one end alone: `visible` (`PlaybackMachine`, `+State`, `+Time`), `hidden` (`View`, `AnimatedImageView`,
/// `ImagePlayback+Loading`) or each at its place (`PlayerCore`, `ImagePlayback+Players`, `TerminalWall`). The web's
/// host knows seen and unseen only: `WebCommand`, player.js, host.js.
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
