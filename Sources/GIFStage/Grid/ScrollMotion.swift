internal import GIFPlayback
internal import GIFTimeline

/// A scroll on its way, slowing down towards its end. Pure.
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

  /// Begins to move from where it is now; the time runs from the next ``advance(to:)`` on.
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
