/// The parameters between `CSI` and the final byte, as keys, mouse reports and answers need them.
struct ControlParameters: Hashable {
  /// The first three numbers; each is limited, as larger numbers have no meaning.
  private var first = 0
  private var second = 0
  private var third = 0
  /// The number that the digits so far make.
  private var current = 0
  /// Whether an earlier number is 4, which stands for sixels in device attributes.
  private var hasFour = false
  private var hasDigits = false
  /// Which number the next digit belongs to.
  private var place = 0
  /// A private marker (`<`, `=`, `>`, `?`) at the beginning.
  private var marker: UInt8?
  /// An intermediate byte or a marker elsewhere; nothing of ours has one.
  private var isForeign = false
  private(set) var isEmpty = true

  mutating func take(_ byte: UInt8) {
    defer { isEmpty = false }
    switch byte {
    case 0x30...0x39: addDigit(Int(byte - 0x30))
    case UInt8(ascii: ";"), UInt8(ascii: ":"):
      place = min(place + 1, 3)
      hasFour = hasFour || current == 4
      current = 0
    case 0x3C...0x3F where isEmpty: marker = byte
    default: isForeign = true
    }
  }

  private mutating func addDigit(_ digit: Int) {
    func grown(_ number: Int) -> Int { min(number * 10 + digit, 99_999) }
    current = grown(current)
    hasDigits = true
    switch place {
    case 0: first = grown(first)
    case 1: second = grown(second)
    case 2: third = grown(third)
    default: break
    }
  }

  func item(final byte: UInt8) -> InputParser.Item? {
    if isForeign { return nil }
    if marker == UInt8(ascii: "<") { return mouseReport(final: byte).map(InputParser.Item.mouse) }
    if marker == UInt8(ascii: "?") {
      guard byte == UInt8(ascii: "c"), hasDigits else { return nil }
      return .reply(.attributes(hasSixel: hasFour || current == 4))
    }
    guard marker == nil else { return nil }
    if byte == UInt8(ascii: "t") { return sizeReport.map { .reply($0) } }
    return key(final: byte).map(InputParser.Item.key)
  }

  /// The size of a cell or of the text area: `6 ; height ; width t` or `4 ; height ; width t`.
  private var sizeReport: TerminalReply? {
    guard place == 2, second > 0, third > 0 else { return nil }
    return switch first {
    case 6: .cell(TerminalCell(width: third, height: second))
    case 4: .area(width: third, height: second)
    default: nil
    }
  }

  private func mouseReport(final byte: UInt8) -> MouseReport? {
    guard place == 2, byte == UInt8(ascii: "M") || byte == UInt8(ascii: "m") else { return nil }
    return MouseReport(
      code: first, column: second, row: third, isRelease: byte == UInt8(ascii: "m"))
  }

  private func key(final byte: UInt8) -> Key? {
    switch byte {
    case UInt8(ascii: "~"): return Key(number: first)
    case UInt8(ascii: "Z"): return .backTab
    // Named keys carry no number, or 1 in front of the modifiers; other numbers mark reports.
    default: return isEmpty || first == 1 ? Key(final: byte) : nil
    }
  }
}
