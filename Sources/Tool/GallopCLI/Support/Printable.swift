/// Text that cannot command a terminal or hide what it says.
///
/// File names, comments and servers' answers are hostile: control characters and marks that reverse the
/// direction of writing are shown as escapes.
enum Printable {
  static func text(_ text: String, keepsLines: Bool = false) -> String {
    guard text.unicodeScalars.contains(where: isEscaped) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if !isEscaped(scalar) || keepsLines && scalar == "\n" {
        result.unicodeScalars.append(scalar)
      } else {
        result += escape(scalar)
      }
    }
    return result
  }

  /// Whether a terminal may obey a character, or show it in another place.
  static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: NameText.byte(scalar) != nil
    }
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    if let byte = NameText.byte(scalar) { return "\\x" + digits(UInt32(byte), count: 2) }
    switch scalar {
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    default:
      return scalar.value < 0x80
        ? "\\x" + digits(scalar.value, count: 2) : "\\u" + digits(scalar.value, count: 4)
    }
  }

  /// Hexadecimal digits, at least `count`.
  static func digits(_ value: UInt32, count: Int) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }
}
