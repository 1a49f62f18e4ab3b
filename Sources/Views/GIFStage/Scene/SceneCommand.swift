/// A user's command to a ``PlayerScene``, and to the terminal's wall, which has the same keys.
public enum SceneCommand: Sendable, Hashable {
  /// Plays or pauses.
  case togglePlayback
  /// Pauses and shows the frame this many steps on, or back if negative.
  case step(by: Int)
  /// Raises the speed by ``rateFactor``.
  case faster
  /// Lowers the speed by ``rateFactor``.
  case slower
  /// Plays at the file's own speed.
  case normalRate
  /// Plays in reverse, or forward again.
  case toggleReverse
  /// Plays back and forth, or forward again.
  case toggleBounce
  /// Starts the range at the current frame.
  case setRangeStart
  /// Ends the range at the current frame.
  case setRangeEnd
  /// Plays all frames again.
  case clearRange
  /// Goes on to the next of contain, cover and stretch.
  case nextResizeMode
  /// Shows or hides the debug overlay.
  case toggleOverlay
  /// Shows the first frame.
  case firstFrame
  /// Shows the last frame.
  case lastFrame
  /// Scrolls a grid by rows, down if positive.
  case scroll(rows: Int)
  /// Scrolls a grid by pages, down if positive.
  case scrollPage(Int)
  /// Scrolls a grid to its top.
  case scrollToStart
  /// Scrolls a grid to its end.
  case scrollToEnd
  /// Selects another item of a grid.
  case select(by: Int)
  /// Selects an item of a grid by rows, down if positive.
  case selectRow(by: Int)
  /// Shows the selected item of a grid large.
  case open
  /// Saves the current frame as a file.
  case saveFrame
  /// Shows or hides the help.
  case toggleHelp
  /// Fills the screen, or ends that.
  case toggleFullscreen
  /// Closes the help or the large item, leaves the full screen, or quits.
  case back
  /// Ends the program.
  case quit

  /// The command of a key; nil if it has none. Some keys have another one in a wall of several items.
  public init?(_ key: StageKey, isWall: Bool) {
    switch key {
    case .space: self = .togglePlayback
    case .character(","): self = .step(by: -1)
    case .character("."): self = .step(by: 1)
    case .character("+"), .character("="): self = .faster
    case .character("-"): self = .slower
    case .character("0"): self = .normalRate
    case .character("r"): self = .toggleReverse
    case .character("b"): self = .toggleBounce
    case .character("i"): self = .setRangeStart
    case .character("o"): self = .setRangeEnd
    case .character("x"): self = .clearRange
    case .character("f"): self = .nextResizeMode
    case .character("d"): self = .toggleOverlay
    case .character("s"): self = .saveFrame
    // A window reports the question mark as the slash that it shares a key with.
    case .character("h"), .character("?"), .character("/"): self = .toggleHelp
    case .function(11): self = .toggleFullscreen
    case .character("q"): self = .quit
    case .escape: self = .back
    default:
      guard let command = isWall ? Self(wallKey: key) : Self(singleKey: key) else { return nil }
      self = command
    }
  }

  /// What a scene shows, which decides the commands of some keys.
  package enum Content: Sendable {
    /// One image.
    case single
    /// A grid of several.
    case wall
    /// One of several, shown large.
    case opened
  }

  /// The command of a key. An item shown large has the keys of a single one, and those that select another.
  package init?(_ key: StageKey, in content: Content) {
    if content != .opened {
      self.init(key, isWall: content == .wall)
    } else if let command = Self(key, isWall: false) {
      self = command
    } else {
      switch Self(key, isWall: true) {
      case .select(let offset)?: self = .select(by: offset)
      case .open?: self = .back
      default: return nil
      }
    }
  }

  private init?(wallKey key: StageKey) {
    switch key {
    case .left: self = .select(by: -1)
    case .right: self = .select(by: 1)
    case .up: self = .selectRow(by: -1)
    case .down: self = .selectRow(by: 1)
    case .enter: self = .open
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
    case .left: self = .step(by: -1)
    case .right: self = .step(by: 1)
    case .home: self = .firstFrame
    case .end: self = .lastFrame
    default: return nil
    }
  }

  /// The range after a command; commands that do not set an end keep it.
  package func range(at frame: Int, played: Range<Int>) -> Range<Int> {
    switch self {
    case .setRangeStart: frame..<max(frame + 1, played.upperBound)
    case .setRangeEnd: min(played.lowerBound, frame)..<frame + 1
    default: played
    }
  }

  /// The speed factor of one key press; three presses about double or halve the speed.
  public static let rateFactor = 1.25
}
