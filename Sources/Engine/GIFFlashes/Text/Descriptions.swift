// One line of text for each value that a person may print. The portable build leaves this folder out.

extension FlashState: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unjudged: "not judged"
    case .judging: "being judged"
    case .passes: "passes"
    case .warned: "fails, plays"
    case .slowed(let rate, _): "fails, plays at \(rate)x"
    case .held(nil): "cannot be judged, does not play"
    case .held: "fails, does not play"
    }
  }
}
