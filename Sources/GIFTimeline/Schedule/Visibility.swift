/// How much a player's frames matter: whether the user sees them.
public enum Visibility: Int, Sendable, Hashable, Comparable {
  /// Out of sight: nothing is decoded, and the frames held are the first to be evicted.
  case hidden
  /// Out of sight, but soon in sight, like the neighbours of what a list shows. Its first frames are decoded once
  /// visible players have theirs, and nothing more: nothing is shown, preloaded or played.
  case near
  /// In sight.
  case visible

  public static func < (left: Visibility, right: Visibility) -> Bool { left.rawValue < right.rawValue }
}
