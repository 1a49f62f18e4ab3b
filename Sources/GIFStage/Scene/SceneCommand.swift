/// What a user can ask a ``PlayerScene`` for.
public enum SceneCommand: Sendable, Hashable {
  case togglePlayback
  case step(by: Int)
  case faster, slower, normalRate
  case toggleReverse, toggleBounce
  /// The range begins or ends with the frame shown.
  case rangeFromHere, rangeToHere
  case wholeRange
  case nextResizeMode
  case toggleOverlay
  case firstFrame, lastFrame
  /// Rows of a wall, down where positive.
  case scroll(rows: Int)
  case scrollPage(Int)
  case scrollToStart, scrollToEnd
  /// Another item of a wall.
  case select(by: Int)
  case quit

  /// What a key asks for; nil for nothing.
  ///
  /// - Parameter isWall: whether there are several items to move among.
  public init?(_ key: StageKey, isWall: Bool) {
    switch key {
    case .space: self = .togglePlayback
    case .left, .character(","): self = .step(by: -1)
    case .right, .character("."): self = .step(by: 1)
    case .character("+"), .character("="): self = .faster
    case .character("-"): self = .slower
    case .character("0"): self = .normalRate
    case .character("r"): self = .toggleReverse
    case .character("b"): self = .toggleBounce
    case .character("i"): self = .rangeFromHere
    case .character("o"): self = .rangeToHere
    case .character("x"): self = .wholeRange
    case .character("f"): self = .nextResizeMode
    case .character("d"): self = .toggleOverlay
    case .character("q"), .escape: self = .quit
    default:
      guard let command = isWall ? Self(wallKey: key) : Self(singleKey: key) else { return nil }
      self = command
    }
  }

  private init?(wallKey key: StageKey) {
    switch key {
    case .up: self = .scroll(rows: -1)
    case .down: self = .scroll(rows: 1)
    case .pageUp: self = .scrollPage(-1)
    case .pageDown: self = .scrollPage(1)
    case .home: self = .scrollToStart
    case .end: self = .scrollToEnd
    case .tab, .character("n"): self = .select(by: 1)
    case .character("p"): self = .select(by: -1)
    default: return nil
    }
  }

  private init?(singleKey key: StageKey) {
    switch key {
    case .home: self = .firstFrame
    case .end: self = .lastFrame
    default: return nil
    }
  }

  /// The frames to play after a command that begins or ends their range; as before after any other.
  package func range(at frame: Int, played: Range<Int>) -> Range<Int> {
    switch self {
    case .rangeFromHere: frame..<max(frame + 1, played.upperBound)
    case .rangeToHere: min(played.lowerBound, frame)..<frame + 1
    default: played
    }
  }

  /// How much one press changes the speed: three presses double or halve it, about.
  public static let rateFactor = 1.25
}
