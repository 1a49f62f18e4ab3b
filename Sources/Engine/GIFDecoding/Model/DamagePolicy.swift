/// The treatment of frames that build on a damaged one.
public enum DamagePolicy: String, Sendable, Hashable, CaseIterable {
  /// As Chromium: they show nothing until a frame that needs no other.
  case chromium
  /// They are composed over the decoded part of the damaged frame, so that most of the canvas stays visible.
  case resilient
}
