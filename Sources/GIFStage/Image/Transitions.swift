internal import GIFPlayback
internal import GIFTimeline

/// How far a picture has appeared. Pure.
struct Fade: Sendable, Hashable {
  /// Often enough to look smooth on any screen.
  static let step = Duration.milliseconds(16)

  private var start: PlaybackInstant?
  private var duration = Duration.zero
  /// 255 where nothing is fading.
  private(set) var opacity: UInt8 = 255

  mutating func start(at now: PlaybackInstant, duration: Duration) {
    guard duration > .zero else { return }
    (start, self.duration, opacity) = (now, duration, 0)
  }

  /// Returns whether the picture looks other than before.
  mutating func advance(to now: PlaybackInstant) -> Bool {
    guard let start else { return false }
    let part = max(0, (now - start) / duration)
    if part >= 1 { self.start = nil }
    let former = opacity
    opacity = part >= 1 ? 255 : UInt8(part * 255)
    return opacity != former
  }

  func nextStep(after now: PlaybackInstant) -> PlaybackInstant? { start == nil ? nil : now + Self.step }
}

/// Lets a view that is being resized come to rest before its pictures are decoded at the new size. Pure.
struct SizingDelay: Sendable, Hashable {
  /// A storm of sizes then costs one new player, and until then pictures are scaled while they are drawn.
  static let rest = Duration.milliseconds(120)

  private var hasChanged = false
  private(set) var deadline: PlaybackInstant?

  mutating func sizeChanged() { hasChanged = true }

  /// Whether the view has rested long enough; true once.
  mutating func isDue(at now: PlaybackInstant) -> Bool {
    if hasChanged {
      hasChanged = false
      deadline = now + Self.rest
    }
    guard let due = deadline, due <= now else { return false }
    deadline = nil
    return true
  }
}
