package import GIFFlashes

/// A verdict on flashes in words. Pure.
package enum FlashText {
  /// What became of a GIF that fails, and why; nil where it plays as asked.
  package static func state(_ state: FlashState) -> String? {
    switch state {
    case .unjudged, .judging, .passes: nil
    case .warned: reason
    case .slowed(let rate, _): "slowed to \(NumberFormat.decimal(rate, places: 2))x: \(reason)"
    case .held(.some): "held: \(reason)"
    case .held(nil): "held: cannot be checked for flashes"
    }
  }

  /// The lines on a picture that is held; empty on others.
  ///
  /// - Parameter isAlone: whether the space key is for it, and not for all of a wall.
  package static func notice(_ state: FlashState, isAlone: Bool) -> [String] {
    guard case .held(let report) = state else { return [] }
    return [
      report == nil ? "Cannot be checked for flashes" : "Flashes more than 3 times a second",
      isAlone ? "Click or space plays it" : "Click plays it",
    ]
  }

  /// The number is the rule's: it is judged for a little more than its rate, so its own would be too high.
  private static let reason = "flashes more than 3 times a second"
}
