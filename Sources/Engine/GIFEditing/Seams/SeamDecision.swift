internal import GIFDecoding

/// What may follow a frame with one of the disposals.
struct DisposalOutcome: Equatable {
  var disposal: Disposal
  /// The rectangle that is cleared with ``Disposal/background``, and drawn before.
  var rect: PixelRect
  /// Whether the next picture can be drawn: nothing has to become transparent.
  var isPossible: Bool
  /// Whether the next frame can be copied.
  var copiesNext: Bool
  /// How many pixels of the next picture differ, at the most.
  var nextArea: Int64

  /// The best of several: the next frame is copied, or else as little of it as possible is written.
  ///
  /// Of equal ones the first; nil if the next picture can be drawn after none.
  static func best(of outcomes: [DisposalOutcome]) -> DisposalOutcome? {
    var best: DisposalOutcome?
    for outcome in outcomes where outcome.isPossible {
      guard let former = best else {
        best = outcome
        continue
      }
      if outcome.copiesNext != former.copiesNext {
        if outcome.copiesNext { best = outcome }
      } else if !outcome.copiesNext, outcome.nextArea < former.nextArea {
        best = outcome
      }
    }
    return best
  }
}
