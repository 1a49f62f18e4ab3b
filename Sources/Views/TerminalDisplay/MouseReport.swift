/// What a mouse does, as terminals report it in the SGR form (mode 1006).
public struct MouseReport: Hashable, Sendable {
  /// What happened.
  public enum Action: Hashable, Sendable {
    /// A button went down.
    case press
    /// The mouse moved to another cell with a button down.
    case drag
    /// A button went up.
    case release
    /// The mouse moved to another cell without a button; only in a session that follows it.
    case move
    /// The wheel turned, this many notches down; up where negative.
    case scroll(Int)
  }

  /// The button of a press, a drag or a release.
  public enum Button: Int, Hashable, Sendable {
    case left, middle, right
  }

  /// What happened.
  public var action: Action
  /// Which button it was; ``Button/left`` for the wheel and moves.
  public var button: Button
  /// The cell's column; 0 is the leftmost one. At most 65534, as terminals are no larger.
  public var column: Int
  /// The cell's row; 0 is the topmost one. At most 65534.
  public var row: Int

  /// Makes a report.
  public init(_ action: Action, button: Button = .left, column: Int, row: Int) {
    self.action = action
    self.button = button
    self.column = column
    self.row = row
  }

  /// What `CSI < code ; column ; row M` means, or with `m` at the end; nil for what is of no use here: a
  /// wheel to the side, further buttons, a place outside of every terminal.
  ///
  /// The code's lowest two bits are the button; 4, 8 and 16 are modifiers, 32 says that the mouse moved, 64
  /// that it is the wheel (xterm's control sequences, "Extended coordinates").
  init?(code: Int, column: Int, row: Int, isRelease: Bool) {
    guard (1...65535).contains(column), (1...65535).contains(row), (0..<128).contains(code) else {
      return nil
    }
    self.column = column - 1
    self.row = row - 1
    let (low, isMove) = (code & 3, code & 32 != 0)
    if code & 64 != 0 {
      guard low < 2, !isRelease, !isMove else { return nil }
      action = .scroll(low == 0 ? -1 : 1)
      button = .left
    } else if isMove, low == 3 {
      guard !isRelease else { return nil }
      action = .move
      button = .left
    } else {
      guard let button = Button(rawValue: low) else { return nil }
      self.button = button
      action = isRelease ? .release : isMove ? .drag : .press
    }
  }
}
