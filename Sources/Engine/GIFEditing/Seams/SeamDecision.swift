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

  /// Those after which the next picture can be drawn, the best first: the next frame is copied, or else as
  /// little of it as possible is written. Equal ones keep their order.
  static func ranked(_ outcomes: [DisposalOutcome]) -> [DisposalOutcome] {
    func cost(_ outcome: DisposalOutcome) -> Int64 { outcome.copiesNext ? -1 : outcome.nextArea }
    return outcomes.enumerated().filter { $0.element.isPossible }
      .sorted { (cost($0.element), $0.offset) < (cost($1.element), $1.offset) }.map { $0.element }
  }
}
