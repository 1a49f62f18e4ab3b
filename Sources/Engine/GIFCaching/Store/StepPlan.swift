/// The frames to draw for a finished frame, one a turn.
///
/// The way is planned once, since planning takes time for each frame on it. It is planned again only if
/// another frame was drawn between.
struct StepPlan: Sendable {
  private var target: Int?
  /// The frames left to draw, in order.
  private var left: ArraySlice<Int> = []
  /// The frame drawn last.
  private var last: Int?

  /// The next frame to draw; nil where the rest is to be done in one go: nothing has to be drawn, or the way
  /// does not become shorter.
  ///
  /// - Parameters:
  ///   - base: the frame on which the next one would be drawn, if any.
  ///   - needsNoDrawing: whether nothing has to be drawn for a frame, which is shown already or known to show
  ///     nothing.
  ///   - plan: all frames that have to be drawn for `target` from where things stand, itself last.
  mutating func next(
    towards target: Int, from base: Int?, needsNoDrawing: (Int) -> Bool, plan: () -> [Int]
  ) -> Int? {
    let isSame = target == self.target
    if !isSame || last != base {
      let most = isSame ? left.count : Int.max
      left = needsNoDrawing(target) ? [] : plan()[...]
      // What builds on a failed frame leads over that one, though it is shown already, and over others that
      // show nothing.
      while let first = left.first, needsNoDrawing(first) { left.removeFirst() }
      if left.count > most { left = [] }
    }
    guard let next = left.popFirst() else {
      self = StepPlan()
      return nil
    }
    self.target = left.isEmpty ? nil : target
    last = next
    return next
  }
}
