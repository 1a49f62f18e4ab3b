/// An incremental decoder of one UTF-8 scalar.
///
/// Overlong forms, surrogates and values beyond U+10FFFF are refused at the first byte that shows them.
struct ScalarDecoder: Hashable, Sendable {
  /// The result of a continuation byte.
  enum Step: Hashable {
    case incomplete
    case complete(Unicode.Scalar)
    /// The byte does not continue the scalar; it may begin another one.
    case invalid
  }

  private var value: UInt32
  private var missing: Int
  private var allowed: ClosedRange<UInt8> = 0x80...0xBF

  /// Starts with the first byte of a scalar of at least two bytes; nil if the byte begins none.
  init?(first byte: UInt8) {
    switch byte {
    case 0xC2...0xDF: (value, missing) = (UInt32(byte & 0x1F), 1)
    case 0xE0...0xEF: (value, missing) = (UInt32(byte & 0x0F), 2)
    case 0xF0...0xF4: (value, missing) = (UInt32(byte & 0x07), 3)
    default: return nil
    }
    switch byte {
    case 0xE0: allowed = 0xA0...0xBF
    case 0xED: allowed = 0x80...0x9F
    case 0xF0: allowed = 0x90...0xBF
    case 0xF4: allowed = 0x80...0x8F
    default: break
    }
  }

  /// Takes the next byte.
  mutating func take(_ byte: UInt8) -> Step {
    guard allowed.contains(byte) else { return .invalid }
    value = value << 6 | UInt32(byte & 0x3F)
    missing -= 1
    allowed = 0x80...0xBF
    guard missing == 0 else { return .incomplete }
    return Unicode.Scalar(value).map(Step.complete) ?? .invalid
  }
}
