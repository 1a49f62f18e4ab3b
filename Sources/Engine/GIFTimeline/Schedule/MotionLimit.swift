/// What is left of a player's motion so that it does not flash.
package enum MotionLimit: Sendable, Hashable {
  /// All of it.
  case none
  /// At most this speed, at an even pace: a frame that is late delays those after it, so that they do not
  /// follow one another faster than in the file.
  case paced(Double)
  /// Time stands; the frame at which it stands is shown.
  case still
  /// Time stands, and the frame that is seen stays.
  case frozen

  /// Nanoseconds that a frame of an even pace may be late.
  package static let latenessMargin: Int64 = 50_000_000

  /// Whether time may run.
  var allowsTime: Bool {
    switch self {
    case .none, .paced: true
    case .still, .frozen: false
    }
  }

  /// The speed that is left of a wanted one.
  func speed(ofWanted speed: Double) -> Double {
    if case .paced(let most) = self { min(most, speed) } else { speed }
  }
}
