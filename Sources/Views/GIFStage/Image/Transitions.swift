internal import GIFPlayback
internal import GIFTimeline

/// The fade-in of a picture.
struct Fade: Sendable, Hashable {
  /// The interval between two steps, short enough to look smooth.
  static let step = Duration.milliseconds(16)

  private var start: PlaybackInstant?
  private var duration = Duration.zero
  /// 255 if nothing fades.
  private(set) var opacity: UInt8 = 255

  mutating func start(at now: PlaybackInstant, duration: Duration) {
    guard duration > .zero else { return }
    (start, self.duration, opacity) = (now, duration, 0)
  }

  /// Returns whether the opacity has changed.
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

/// A debounce for resizing: pictures are decoded at the new size once the size is stable.
struct ResizeDebounce: Sendable, Hashable {
  /// Many resizes in a row then cost one new player; until then pictures are scaled while drawn.
  static let rest = Duration.milliseconds(120)

  private var hasChanged = false
  private(set) var deadline: PlaybackInstant?

  mutating func sizeChanged() { hasChanged = true }

  /// Whether the size has been stable long enough; true once.
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
