/// A URL that holds the file itself (RFC 2397): `data:image/gif;base64,R0lGOD…`.
///
/// ``bytes(limit:)`` decodes it. The media type is ignored, as the first bytes decide the type.
package struct DataURL: Sendable, Hashable {
  /// Whether the body is base64; otherwise it is text with percent escapes.
  package let isBase64: Bool
  /// The whole URL.
  package let text: String
  private let bodyStart: String.Index

  /// - Throws: ``GIFLoadingError`` if there is no comma before the data.
  init(_ text: String) throws(GIFLoadingError) {
    guard let comma = text.utf8.firstIndex(of: UInt8(ascii: ",")) else {
      throw GIFLoadingError(
        .parsing, .malformedURL, source: Self.shortened(text), detail: "it has no comma before its data")
    }
    self.text = text
    bodyStart = text.utf8.index(after: comma)
    let parameters = text.utf8[..<comma].split(
      separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    let last = parameters.dropFirst().last.map { $0.filter { $0 != UInt8(ascii: " ") } }
    isBase64 = last.map { String(decoding: $0, as: UTF8.self).lowercased() } == "base64"
  }

  /// The text after the comma, without a fragment.
  private var body: Substring.UTF8View { text.utf8[bodyStart...].prefix { $0 != UInt8(ascii: "#") } }

  /// The decoded file, in time proportional to the length of the URL.
  ///
  /// Its size is checked before memory is allocated for it.
  /// - Throws: ``GIFLoadingError`` if the body is not base64 or has more than `limit` bytes.
  package func bytes(limit: Int) throws(GIFLoadingError) -> [UInt8] {
    let size = try isBase64 ? base64Size() : PercentDecoding(body).reduce(0) { count, _ in count + 1 }
    guard size <= limit else {
      throw GIFLoadingError(
        .parsing, .tooLarge, source: description, value: Int64(size), limit: Int64(limit))
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    guard isBase64 else {
      for byte in PercentDecoding(body) { bytes.append(byte) }
      return bytes
    }
    var bits: UInt32 = 0
    var bitCount = 0
    for digit in PercentDecoding(body).lazy.compactMap(Self.base64Value) {
      bits = bits << 6 | UInt32(digit)
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
      }
    }
    return bytes
  }

  /// The number of decoded bytes of a base64 body. As in browsers (WHATWG "forgiving-base64 decode"), white
  /// space is ignored and the padding may be missing.
  private func base64Size() throws(GIFLoadingError) -> Int {
    var digits = 0
    var padding = 0
    var position = 0
    for byte in PercentDecoding(body) {
      defer { position += 1 }
      if ASCII.isWhitespace(byte) { continue }
      if byte == UInt8(ascii: "=") {
        padding += 1
      } else if padding == 0, Self.base64Value(byte) != nil {
        digits += 1
      } else {
        throw malformed("its base64 data are wrong at character \(position)")
      }
    }
    guard digits % 4 != 1, padding == 0 || padding <= 2 && (digits + padding) % 4 == 0 else {
      throw malformed("its base64 data end in the middle of a byte")
    }
    return digits / 4 * 3 + max(0, digits % 4 - 1)
  }

  private static func base64Value(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }

  private func malformed(_ detail: String) -> GIFLoadingError {
    GIFLoadingError(.parsing, .malformedURL, source: description, detail: detail)
  }

  /// The beginning of a long URL.
  static func shortened(_ text: String) -> String {
    let limit = 40
    return text.utf8.count <= limit ? text : String(text.prefix(limit)) + "…"
  }
}

extension DataURL: CustomStringConvertible {
  /// The beginning of the URL.
  package var description: String { Self.shortened(text) }
}
