internal import GIFDecoding

/// Whether an animation passes whatever its pictures show: by the number, time and area of its changes.
enum IndexProof: Equatable {
  case passes
  /// It passes as long as no frame is damaged: a damaged frame changes more than its rectangle.
  case passesUndamaged
  /// The pictures decide.
  case undecided

  /// - Parameter period: a second of the viewer in milliseconds of the file.
  init(_ animation: Animation, _ options: FlashOptions, limits: ShownLimits, period: Double) {
    if limits.areaInField(animation.canvas) <= limits.area {
      self = .passes
      return
    }
    var (isFewChanges, isSmall) = (true, true)
    var recent: [(time: Int64, rect: PixelRect)] = []
    // From the second play on each play begins with a change.
    for shown in LoopedFrames(animation, options, plays: 2, period: period) {
      // A frame that is repeated changes nothing.
      if shown.former == shown.frame { continue }
      recent.removeAll { Double(shown.time - $0.time) >= period }
      recent.append((shown.time, animation.changedRect(from: shown.former, to: shown.frame)))
      guard recent.count >= FlashLimits.changes else { continue }
      isFewChanges = false
      // So many are no longer cheaper to judge than pictures.
      if recent.count > Self.mostChanges || !Self.isSmall(recent.map { $0.rect }, limits) {
        isSmall = false
        break
      }
    }
    self = isFewChanges ? .passes : isSmall ? .passesUndamaged : .undecided
  }

  private static let mostChanges = 256

  /// Whether the pixels that change seven times cannot take more than a field's permitted area.
  ///
  /// Each of these pixels lies in seven of the rectangles. Without the `count` largest ones it still lies in
  /// `7 - count` of the others: in the rectangle around them, and that often in the sum of their areas.
  private static func isSmall(_ rects: [PixelRect], _ limits: ShownLimits) -> Bool {
    if isSmall(rects[...], without: 0, limits) { return true }
    let rects = rects.sorted { limits.areaInField($0) > limits.areaInField($1) }
    return (1..<FlashLimits.changes).contains { isSmall(rects.dropFirst($0), without: $0, limits) }
  }

  private static func isSmall(_ others: ArraySlice<PixelRect>, without count: Int, _ limits: ShownLimits)
    -> Bool
  {
    let sum = others.reduce(0) { $0 + limits.areaInField($1) }
    if sum <= limits.area * Double(FlashLimits.changes - count) { return true }
    return limits.areaInField(others.reduce(PixelRect.empty) { $0.union($1) }) <= limits.area
  }
}
