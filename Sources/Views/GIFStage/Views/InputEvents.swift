/// A pointer's press, move or release, in pixels.
public struct PointerEvent: Sendable, Hashable {
  /// The phases of a press.
  public enum Phase: Sendable, Hashable {
    /// Pressed.
    case began
    /// Moved while pressed.
    case moved
    /// Released.
    case ended
    /// The press is cancelled, as the pointer or the view is gone.
    case cancelled
  }

  /// The phase of the press.
  public var phase: Phase
  /// The pointer's column, from the left of the view or stage.
  public var x: Int
  /// The pointer's row, from the top of the view or stage.
  public var y: Int

  /// Creates an event at a point.
  public init(_ phase: Phase, x: Int, y: Int) {
    self.phase = phase
    self.x = x
    self.y = y
  }
}

/// A key of a window, a terminal or a test.
public enum StageKey: Sendable, Hashable {
  /// A key with a letter, a digit or a sign.
  case character(Character)
  /// The space bar.
  case space
  /// Escape.
  case escape
  /// Enter or return.
  case enter
  /// Tab.
  case tab
  /// The left arrow.
  case left
  /// The right arrow.
  case right
  /// The up arrow.
  case up
  /// The down arrow.
  case down
  /// Page up.
  case pageUp
  /// Page down.
  case pageDown
  /// Home.
  case home
  /// End.
  case end
  /// A function key, from 1.
  case function(Int)
}

/// Distinguishes taps from drags.
struct TapRecognizer: Sendable, Hashable {
  /// The largest movement of a tap, in pixels at scale 1.
  static let slop = 6

  /// The press that may become a tap.
  private var start: PointerEvent?

  /// Returns whether a tap is complete.
  mutating func take(_ event: PointerEvent, scale: Int) -> Bool {
    switch event.phase {
    case .began:
      start = event
      return false
    case .moved:
      if !isNear(event, scale) { start = nil }
      return false
    case .ended:
      defer { start = nil }
      return isNear(event, scale)
    case .cancelled:
      start = nil
      return false
    }
  }

  private func isNear(_ event: PointerEvent, _ scale: Int) -> Bool {
    guard let start else { return false }
    return abs(event.x - start.x) <= Self.slop * scale && abs(event.y - start.y) <= Self.slop * scale
  }
}

extension PointerEvent: CustomStringConvertible {
  public var description: String { "\(phase) at \(x), \(y)" }
}

extension StageKey: CustomStringConvertible {
  public var description: String {
    switch self {
    case .character(let character): "\(character)"
    case .space: "space"
    case .escape: "escape"
    case .enter: "enter"
    case .tab: "tab"
    case .left: "left"
    case .right: "right"
    case .up: "up"
    case .down: "down"
    case .pageUp: "page up"
    case .pageDown: "page down"
    case .home: "home"
    case .end: "end"
    case .function(let number): "F\(number)"
    }
  }
}
