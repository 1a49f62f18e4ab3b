/// On which frame's picture each frame is drawn, under an image's damage policy.
struct FrameBases: Sendable {
  private let frames: [FrameInfo]
  /// For each frame the last one before it that stays, or -1; empty where Chromium's rule decides.
  private let predecessors: [Int]

  init(_ image: GIFImage) {
    frames = image.frames
    guard image.damagePolicy == .resilient else {
      predecessors = []
      return
    }
    var last = -1
    predecessors = image.frames.map { frame in
      defer { if frame.disposal != .previous { last = frame.index } }
      return last
    }
  }

  /// Nil for a key frame. What is composed over damage depends on every frame before it that stays, so with
  /// ``DamagePolicy/resilient`` nothing is left out, though a later frame may cover it.
  func required(by index: Int) -> Int? {
    guard let required = frames[index].requiredFrame else { return nil }
    return predecessors.isEmpty ? required : max(required, predecessors[index])
  }
}
