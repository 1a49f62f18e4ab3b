public import GIFStage

/// An input event of a window, in pixels of its picture.
public enum WindowInput: Sendable, Hashable {
  /// A key is pressed, or repeats.
  case key(StageKey)
  /// A pointer is pressed, moves while pressed, or is released.
  case pointer(PointerEvent)
  /// The place of a pointer that is not pressed.
  case hover(x: Int, y: Int)
  /// The pointer has left the window.
  case left
  /// A wheel event at a point, in pixels, down if positive.
  case wheel(pixels: Int, x: Int, y: Int)
  /// The picture's new size and its pixels per point.
  case resized(width: Int, height: Int, scale: Int)
  /// The picture on the screen is lost.
  case exposed
  /// The user closes the window.
  case closed
}

/// Translates SDL's input to that of a stage, without SDL's types.
struct InputTranslator: Sendable {
  /// The picture's size in pixels; with `points` it gives the pixels per point.
  private var pixels = (width: 1, height: 1)
  private var points = (width: 1, height: 1)
  /// The last position of the pointer, in pixels.
  private(set) var pointer = (x: 0, y: 0)
  private var isPressed = false
  /// The remainder of fine wheel turns, in hundredths of a pixel.
  private var wheelRemainder = 0

  /// Pixels for one notch of the wheel, at scale 1.
  static let notch = 60

  /// Pixels per point, rounded.
  var scale: Int {
    let ratio = points.width > 0 ? (2 * pixels.width + points.width) / (2 * points.width) : 1
    return min(4, max(1, ratio))
  }

  mutating func resized(pixels: (width: Int, height: Int), points: (width: Int, height: Int)) -> WindowInput {
    self.pixels = (max(1, pixels.width), max(1, pixels.height))
    self.points = (max(1, points.width), max(1, points.height))
    return .resized(width: self.pixels.width, height: self.pixels.height, scale: scale)
  }

  /// A point in window points as one in pixels.
  private func place(_ x: Int, _ y: Int) -> (x: Int, y: Int) {
    (x * pixels.width / points.width, y * pixels.height / points.height)
  }

  mutating func pressed(x: Int, y: Int) -> WindowInput {
    isPressed = true
    pointer = place(x, y)
    return .pointer(PointerEvent(.began, x: pointer.x, y: pointer.y))
  }

  mutating func moved(x: Int, y: Int) -> WindowInput {
    pointer = place(x, y)
    return isPressed
      ? .pointer(PointerEvent(.moved, x: pointer.x, y: pointer.y)) : .hover(x: pointer.x, y: pointer.y)
  }

  mutating func released(x: Int, y: Int) -> WindowInput? {
    guard isPressed else { return nil }
    isPressed = false
    pointer = place(x, y)
    return .pointer(PointerEvent(.ended, x: pointer.x, y: pointer.y))
  }

  /// A turn of the wheel in notches, up where positive.
  mutating func wheelTurned(notches: Float, isFlipped: Bool) -> WindowInput? {
    guard notches.isFinite else { return nil }
    let hundredths = Int((min(1000, max(-1000, notches)) * 100).rounded())
    wheelRemainder += (isFlipped ? hundredths : -hundredths) * Self.notch * scale
    let pixels = wheelRemainder / 100
    wheelRemainder -= pixels * 100
    return pixels == 0 ? nil : .wheel(pixels: pixels, x: pointer.x, y: pointer.y)
  }

  /// The key of an SDL code, or of its automatic repetition if the key is one to hold down.
  func key(code: Int32, isRepeat: Bool) -> StageKey? {
    guard let key = key(code: code), !isRepeat || Self.repeats(key) else { return nil }
    return key
  }

  /// Whether a held key repeats its command; toggles do not.
  private static func repeats(_ key: StageKey) -> Bool {
    switch key {
    case .left, .right, .up, .down, .pageUp, .pageDown, .tab: true
    case .character(let character): "+-=,.np".contains(character)
    case .space, .escape, .enter, .home, .end, .function: false
    }
  }

  /// The key of an SDL code: Unicode for a character, otherwise a scan code with a high bit.
  func key(code: Int32) -> StageKey? {
    switch code {
    case 32: return .space
    case 27: return .escape
    case 13, Self.scanCode(88): return .enter
    case 9: return .tab
    case Self.scanCode(79): return .right
    case Self.scanCode(80): return .left
    case Self.scanCode(81): return .down
    case Self.scanCode(82): return .up
    case Self.scanCode(75): return .pageUp
    case Self.scanCode(78): return .pageDown
    case Self.scanCode(74): return .home
    case Self.scanCode(77): return .end
    case Self.scanCode(58)...Self.scanCode(69): return .function(Int(code - Self.scanCode(57)))
    case Self.scanCode(86): return .character("-")
    case Self.scanCode(87): return .character("+")
    default: break
    }
    guard (33...0x10FFFF).contains(code), let scalar = Unicode.Scalar(UInt32(code)) else { return nil }
    return .character(Character(scalar))
  }

  /// SDL's code of a key without a character, from its place in the USB tables.
  static func scanCode(_ usage: Int32) -> Int32 { usage | 1 << 30 }
}
