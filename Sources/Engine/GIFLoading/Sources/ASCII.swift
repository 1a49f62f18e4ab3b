/// Character classes of URLs and HTTP.
enum ASCII {
  static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  /// Tab, line feed, form feed, carriage return and space (WHATWG Infra, "ASCII whitespace").
  static func isWhitespace(_ byte: UInt8) -> Bool { [0x09, 0x0A, 0x0C, 0x0D, 0x20].contains(byte) }

  static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }

  /// The value of a hexadecimal digit.
  static func hexValue(_ byte: UInt8) -> UInt8? {
    if isDigit(byte) { return byte - UInt8(ascii: "0") }
    let lower = byte | 0x20
    guard isLetter(byte), lower <= UInt8(ascii: "f") else { return nil }
    return lower - UInt8(ascii: "a") + 10
  }

  /// A number of decimal digits only, below 10^18.
  static func number(_ digits: some Collection<UInt8>) -> Int64? {
    guard !digits.isEmpty, digits.count <= 18, digits.allSatisfy(isDigit) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
  }
}

/// Bytes with each `%XX` decoded. As in browsers, a `%` without two digits is kept.
struct PercentDecoding: Sequence, IteratorProtocol {
  private var rest: Substring.UTF8View

  init(_ text: Substring.UTF8View) { rest = text }

  mutating func next() -> UInt8? {
    guard let byte = rest.popFirst() else { return nil }
    guard byte == UInt8(ascii: "%") else { return byte }
    var ahead = rest
    guard let high = ahead.popFirst().flatMap(ASCII.hexValue),
      let low = ahead.popFirst().flatMap(ASCII.hexValue)
    else { return byte }
    rest = ahead
    return high << 4 | low
  }
}
