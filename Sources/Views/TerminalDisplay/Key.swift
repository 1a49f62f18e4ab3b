/// A key as a terminal reports it.
///
/// Terminals report few modifiers, so named keys carry none: Ctrl-Right is `.right` and Alt-Enter is
/// `.enter`.
public enum Key: Hashable, Sendable {
  /// A character typed without Ctrl or Alt, always of one Unicode scalar; the space has its own case.
  case character(Character)
  /// A character typed with Alt.
  case alternate(Character)
  /// A character typed with Ctrl: `a`...`z` in lower case, or one of `@ \ ] ^ _`.
  case control(Character)
  /// The space bar.
  case space
  /// Enter or Return.
  case enter
  /// Tab.
  case tab
  /// Shift-Tab.
  case backTab
  /// Backspace.
  case backspace
  /// Escape by itself.
  case escape
  /// An arrow key.
  case up
  /// An arrow key.
  case down
  /// An arrow key.
  case left
  /// An arrow key.
  case right
  /// Home.
  case home
  /// End.
  case end
  /// Page up.
  case pageUp
  /// Page down.
  case pageDown
  /// Insert.
  case insert
  /// Delete.
  case delete
  /// A function key; the number is 1...12.
  case function(Int)
}

extension Key {
  /// The key behind a control byte (0...31 or 127), or nil for ESC, which only starts something.
  init?(control byte: UInt8) {
    switch byte {
    case 0x08, 0x7F: self = .backspace
    case 0x09: self = .tab
    case 0x0A, 0x0D: self = .enter
    case 0x00, 0x1C...0x1F: self = .control(Character(Unicode.Scalar(byte + 0x40)))
    case 0x01...0x1A: self = .control(Character(Unicode.Scalar(byte + 0x60)))
    default: return nil
    }
  }

  /// The key behind the last byte of a sequence that carries no number: `CSI A`, `SS3 A` and the like.
  init?(final byte: UInt8) {
    switch byte {
    case UInt8(ascii: "A"): self = .up
    case UInt8(ascii: "B"): self = .down
    case UInt8(ascii: "C"): self = .right
    case UInt8(ascii: "D"): self = .left
    case UInt8(ascii: "H"): self = .home
    case UInt8(ascii: "F"): self = .end
    case UInt8(ascii: "P"): self = .function(1)
    case UInt8(ascii: "Q"): self = .function(2)
    case UInt8(ascii: "S"): self = .function(4)
    default: return nil
    }
  }

  /// The key behind a numbered sequence, `CSI number ~`.
  init?(number: Int) {
    switch number {
    case 1, 7: self = .home
    case 2: self = .insert
    case 3: self = .delete
    case 4, 8: self = .end
    case 5: self = .pageUp
    case 6: self = .pageDown
    // The gaps are where the VT220's keyboard had gaps.
    case 11...15: self = .function(number - 10)
    case 17...21: self = .function(number - 11)
    case 23, 24: self = .function(number - 12)
    default: return nil
    }
  }
}
