#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Values as JSON, one line each, keys in alphabetical order.
enum JSONLine {
  static func encode(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var line = escaped(Array(try encoder.encode(value)))
    line.append(UInt8(ascii: "\n"))
    return line
  }

  static func print(_ value: some Encodable) throws {
    try OutputDescriptor.standardOutput.write(encode(value))
  }

  /// The same JSON, safe for a terminal: the encoder escapes only the controls below the space.
  private static func escaped(_ json: [UInt8]) -> [UInt8] {
    guard json.contains(where: { $0 >= 0x7F }) else { return json }
    let text = String(decoding: json, as: UTF8.self)
    guard text.unicodeScalars.contains(where: Printable.isEscaped) else { return json }
    var result = ""
    for scalar in text.unicodeScalars {
      if NameText.byte(scalar) != nil {
        // JSON has no bytes, only characters.
        result += "\u{FFFD}"
      } else if Printable.isEscaped(scalar) {
        result += "\\u" + Printable.digits(scalar.value, count: 4)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return Array(result.utf8)
  }
}
