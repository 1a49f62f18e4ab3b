/// What decides on which earlier picture a frame builds.
///
/// Chromium's rule (Skia, `SkFrameHolder::setAlphaAndRequiredFrame`). It matters beyond speed: a frame whose
/// required frame failed shows nothing, one that needs none shows in spite of all damage before it.
struct FrameDependency {
  /// The frame's rectangle, clipped to the canvas.
  var rect: PixelRect
  /// Whether no palette index of the frame is transparent.
  var isOpaque: Bool

  /// How many covered frames are looked behind. Keeps the time for a hostile file linear; beyond it the
  /// answer is a frame that is not strictly needed, which costs decoding time and changes no pixel of a sound
  /// file.
  private static let deepestLook = 4096

  /// The frame that has to be drawn, and disposed of, before this one; nil where an empty canvas will do.
  ///
  /// - Parameters:
  ///   - base: the last frame before this one that does not restore what was before it: the others leave no
  ///     trace.
  ///   - earlier: all frames before this one.
  func requiredFrame(onto base: FrameInfo?, earlier: [FrameInfo], canvas: PixelRect) -> Int? {
    guard var base, !(isOpaque && rect == canvas) else { return nil }
    if base.disposal == .background {
      // It clears everything that it and its forerunners drew.
      if base.isKeyframe || base.rect.intersection(canvas) == canvas { return nil }
    }
    guard isOpaque else { return base.index }
    // What this frame covers wholly need not be drawn at all.
    var looks = 0
    while looks < Self.deepestLook, rect.contains(base.rect.intersection(canvas)) {
      looks += 1
      guard let next = base.requiredFrame else { return nil }
      base = earlier[next]
    }
    return base.index
  }
}
