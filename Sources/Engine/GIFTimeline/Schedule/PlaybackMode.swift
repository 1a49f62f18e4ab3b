/// The order in which the frames of a range are shown.
public enum PlaybackMode: String, Sendable, Hashable, CaseIterable {
  /// First to last, then from the first again.
  case forward
  /// Last to first, then from the last again.
  case reverse
  /// First to last and back. One loop is there and back; the ends are shown once at each turn.
  case bounce
}
