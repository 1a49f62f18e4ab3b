internal import CArguments
internal import Glibc

/// File names as text and back, without loss.
///
/// A name is a sequence of bytes, and not always UTF-8. Each byte that is no part of valid UTF-8 becomes one
/// of the last 128 characters of the private planes. Names that have these characters themselves are treated
/// as invalid bytes.
enum NameText {
  private static let escapes: ClosedRange<UInt32> = 0x10_FF80...0x10_FFFF

  /// The byte that a character stands for; nil for a character of its own.
  static func byte(_ scalar: Unicode.Scalar) -> UInt8? {
    escapes.contains(scalar.value) ? UInt8(truncatingIfNeeded: scalar.value) : nil
  }

  static func text(_ bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self), isUTF8(text) { return text }
    var scalars = String.UnicodeScalarView()
    var input = bytes.makeIterator()
    var parser = Unicode.UTF8.ForwardParser()
    var place = 0
    func escape(_ count: Int) {
      for byte in bytes[place..<min(bytes.count, place + count)] {
        if let scalar = Unicode.Scalar(0x10_FF00 | UInt32(byte)) { scalars.append(scalar) }
      }
      place += count
    }
    while true {
      switch parser.parseScalar(from: &input) {
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        if byte(scalar) != nil {
          escape(encoded.count)
        } else {
          scalars.append(scalar)
          place += encoded.count
        }
      case .error(let length): escape(length)
      case .emptyInput: return String(scalars)
      }
    }
  }

  static func bytes(_ text: String) -> [UInt8] {
    if isUTF8(text) { return Array(text.utf8) }
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      if let byte = byte(scalar) { bytes.append(byte) } else { bytes += Array(String(scalar).utf8) }
    }
    return bytes
  }

  /// Whether the name is valid UTF-8, so that its text can be used as it is.
  static func isUTF8(_ text: String) -> Bool {
    // The escapes begin with this byte, which other text hardly has.
    !text.utf8.contains(0xF4) || text.unicodeScalars.allSatisfy { byte($0) == nil }
  }

  /// The name for calls of the system.
  static func system(_ text: String) -> [CChar] { bytes(text).map { CChar(bitPattern: $0) } + [0] }

  /// The bytes in hexadecimal digits, for JSON; nil for UTF-8, which needs no second form.
  static func hexadecimal(_ text: String) -> String? {
    guard !isUTF8(text) else { return nil }
    return bytes(text).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// The arguments of the process without the program's name.
  ///
  /// `CommandLine` of the standard library would repair invalid bytes, and has no arguments where `/proc` is
  /// missing.
  static var commandLine: [String] {
    let count = Int(gallop_argument_count())
    guard count > 0 else { return standardLibraryArguments }
    return (1..<max(1, count)).compactMap { place in
      unsafe gallop_argument(CInt(place)).map { unsafe text(of: $0) }
    }
  }

  /// For C libraries that do not tell a program its arguments before `main`.
  private static var standardLibraryArguments: [String] {
    let arguments = unsafe CommandLine.unsafeArgv
    return (1..<max(1, Int(CommandLine.argc))).compactMap { place in
      unsafe arguments[place].map { unsafe text(of: $0) }
    }
  }

  /// The text of a string of C.
  @unsafe private static func text(of name: UnsafePointer<CChar>) -> String {
    let bytes = unsafe UnsafeRawBufferPointer(start: name, count: strlen(name))
    return unsafe text(Array(bytes))
  }
}
