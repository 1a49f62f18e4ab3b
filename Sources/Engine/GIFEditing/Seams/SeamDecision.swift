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
  /// The area of the rectangle in which the next picture differs.
  var nextArea: Int64
  /// How many of its pixels do.
  var nextPixels: Int64

  /// Those after which the next picture can be drawn, the best first: the next frame is copied, or else as
  /// small a rectangle as possible is written. Equal ones keep their order.
  ///
  /// - Parameter countsPixels: whether the number of pixels that differ ranks them, and nothing else.
  static func ranked(_ outcomes: [DisposalOutcome], countsPixels: Bool = false) -> [DisposalOutcome] {
    func cost(_ outcome: DisposalOutcome) -> Int64 {
      countsPixels ? outcome.nextPixels : outcome.copiesNext ? -1 : outcome.nextArea
    }
    return outcomes.enumerated().filter { $0.element.isPossible }
      .sorted { (cost($0.element), $0.offset) < (cost($1.element), $1.offset) }.map { $0.element }
  }
}
