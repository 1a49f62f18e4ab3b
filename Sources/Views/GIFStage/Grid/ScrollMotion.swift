internal import GIFPlayback
internal import GIFTimeline

/// An animated scroll that eases out.
struct ScrollMotion: Sendable, Hashable {
  static let duration = Duration.milliseconds(180)

  private(set) var offset = 0
  private(set) var target = 0
  private var origin = 0
  private var start: PlaybackInstant?
  private var isNew = false

  var isMoving: Bool { offset != target }

  mutating func jump(to offset: Int) {
    (self.offset, target, origin, start, isNew) = (offset, offset, offset, nil, false)
  }

  /// Starts to move from the current offset; time starts at the next ``advance(to:)``.
  mutating func move(to target: Int) {
    guard target != self.target else { return }
    (self.target, origin, isNew) = (target, offset, true)
  }

  /// Returns whether the offset has changed.
  mutating func advance(to now: PlaybackInstant) -> Bool {
    if isNew { (start, isNew) = (now, false) }
    guard isMoving, let start else { return false }
    let former = offset
    let part = min(1, max(0, (now - start) / Self.duration))
    let rest = 1 - part
    offset = part >= 1 ? target : target + Int((Double(origin - target) * rest * rest * rest).rounded())
    return offset != former
  }
}
