/// What becomes of frames that build on a damaged one.
public enum DamagePolicy: String, Sendable, Hashable, CaseIterable {
  /// As Chromium: they show nothing until a frame that needs no other.
  case chromium
  /// They are composed over what there is of the damaged frame, so that most of the picture stays visible.
  case resilient
}
